"""How a proposition is read: words, clause, complement, frames; and how two frames are laid side by side."""
