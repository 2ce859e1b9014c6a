"""How a test makes an archive that its run opened."""

from __future__ import annotations

from collections.abc import Sequence

from symcrete.inputs.literal import literal

_ADDED = """    member = tarfile.TarInfo(NAME)
    member.size = SIZE
    archive.addfile(member, io.BytesIO(CONTENT))
"""


def as_statements(form: str, place: str, members: Sequence[tuple[str, str]]) -> str:
    """The statements of a test that make an archive at a place."""
    if form == "zip":
        head, opening = "import zipfile\n\n", f'zipfile.ZipFile({place}, "w")'
        lines = [f"    archive.writestr({literal(n)}, {literal(c)})\n" for n, c in members]
    else:
        mode = "w:gz" if form == "gz" else "w"
        head, opening = "import tarfile\n\n", f"tarfile.open({place}, {literal(mode)})"
        lines = [_added(name, content.encode()) for name, content in members]
        if any(content for _, content in members):
            head = f"import io\n{head}"
    if not lines:
        return f"{head}{opening}.close()"
    return f"{head}with {opening} as archive:\n{''.join(lines)}".rstrip("\n")


def _added(name: str, content: bytes) -> str:
    if not content:
        return f"    archive.addfile(tarfile.TarInfo({literal(name)}))\n"
    text = _ADDED.replace("NAME", literal(name)).replace("SIZE", str(len(content)))
    return text.replace("CONTENT", literal(content))
