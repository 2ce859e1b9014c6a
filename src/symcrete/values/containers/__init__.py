"""Lists, dicts and sets with tracked elements, keys or lengths."""
