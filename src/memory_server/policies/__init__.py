"""Pure decisions about memories: texts, numbers and times come in as arguments, answers go out as values."""
