"""version: order of version texts such as `1.4.2-rc3` (ours: conditions over text).

Text methods (split, isdigit, startswith) rather than characters one by one.
"""

DOMAIN = {"text": ("0123456789.-rcab", 9)}  # letters to draw from, how many


def version(text: str) -> str:
    """What kind of release a text names."""
    if text.startswith("v"):
        text = text[1:]
    numbers, dash, label = text.partition("-")
    parts = numbers.split(".")
    if len(parts) != 3:
        return "not three parts"
    for part in parts:
        if not part.isdigit():
            return "not a number"
        if len(part) > 1 and part.startswith("0"):
            return "leading zero"
    if not dash:
        return "first" if numbers == "0.0.1" else "release"
    return candidate(label)


def candidate(label: str) -> str:
    """What kind of release a label after the dash names."""
    if label.startswith("rc"):
        return "candidate" if label[2:].isdigit() else "bad candidate"
    if label in ("alpha", "beta"):
        return "preview"
    return "empty label" if not label else "local"
