"""How fast the server is and how well it finds, measured from outside as clients see it."""
