"""How a test makes an archive that its run opened."""

from __future__ import annotations

from collections.abc import Sequence

from symcrete.inputs.literal import literal

_WIDEST = 84  # characters of a statement: 88, as formatters have it, less those before it
_ADDED = """    member = tarfile.TarInfo(NAME)
    member.size = SIZE
    archive.addfile(member, io.BytesIO(CONTENT))
"""


def as_statements(form: str, place: str, members: Sequence[tuple[str, str]]) -> str:
    """The statements of a test that make an archive at a place, the same bytes at any time."""
    if form == "zip":
        head, opening = "import zipfile\n\n", f'zipfile.ZipFile({place}, "w")'
        made = [
            f"zipfile.ZipInfo({literal(name)}), {literal(content)}" for name, content in members
        ]
        lines = [f"    archive.writestr({each})\n" for each in made]
    else:
        head, opening = "import tarfile\n\n", f'tarfile.open({place}, "w")'
        lines = [_added(name, content.encode()) for name, content in members]
        if any(content for _, content in members):
            head = f"import io\n{head}"
    if form == "gz":
        head, opening = f"import gzip\n{head}", 'tarfile.open(None, "w", file)'
        zipped = f'with gzip.GzipFile({place}, "wb", mtime=0) as file'
        if not lines:
            return f"{head}{zipped}:\n    {opening}.close()"
        opened = f"{zipped}, {opening} as archive:"
        if len(opened) > _WIDEST:
            first = zipped.removeprefix("with ")
            opened = f"with (\n    {first},\n    {opening} as archive,\n):"
        return f"{head}{opened}\n{''.join(lines)}".rstrip("\n")
    if not lines:
        return f"{head}{opening}.close()"
    return f"{head}with {opening} as archive:\n{''.join(lines)}".rstrip("\n")


def _added(name: str, content: bytes) -> str:
    if not content:
        return f"    archive.addfile(tarfile.TarInfo({literal(name)}))\n"
    text = _ADDED.replace("NAME", literal(name)).replace("SIZE", str(len(content)))
    return text.replace("CONTENT", literal(content))
