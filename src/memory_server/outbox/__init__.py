"""From a committed change to indexes that agree with it."""
