"""Archives that were opened to be read: names and contents of their members have terms."""

from __future__ import annotations

import copy
import gzip
import io
import tarfile
import zipfile
from collections.abc import Sequence
from typing import Any

from symcrete.world.files.opened import Opened

Members = Sequence[tuple[Any, Any]]  # names and contents, both texts


def written(form: str, members: Sequence[tuple[str, str]], path: str) -> bytes:
    """The bytes of an archive: "zip", "tar" or "gz". One in gzip has the name of its file in it."""
    file = io.BytesIO()
    if form == "zip":
        with zipfile.ZipFile(file, "w") as archive:
            for name, content in members:
                archive.writestr(zipfile.ZipInfo(name), content)
    elif form == "gz":
        with gzip.GzipFile(path, "wb", fileobj=file, mtime=0) as zipped:
            zipped.write(written("tar", members, path))
    else:
        with tarfile.open(None, "w", file) as made:
            for name, content in members:
                member = tarfile.TarInfo(name)
                member.size = len(content.encode())
                made.addfile(member, io.BytesIO(content.encode()))
    return file.getvalue()


class _Named(io.BytesIO):
    """A file with a name, which an archive tells as its own."""

    def __init__(self, content: bytes, name: Any) -> None:
        super().__init__(content)
        self.name = name


class Zip(zipfile.ZipFile):
    """What `zipfile.ZipFile` gives for an archive of the input."""

    def __init__(self, content: bytes, members: Members, name: Any) -> None:
        super().__init__(_Named(content, name))
        self._with_terms = members

    def namelist(self) -> list[Any]:
        return [name for name, _ in self._with_terms]

    def infolist(self) -> list[Any]:
        found = []
        for info, (name, _) in zip(super().infolist(), self._with_terms, strict=True):
            mine = copy.copy(info)
            mine.filename = name
            found.append(mine)
        return found

    def getinfo(self, name: Any) -> zipfile.ZipInfo:
        """The library looks names up by their hashes; these comparisons are branches."""
        if not isinstance(name, str):
            return super().getinfo(name)
        info: zipfile.ZipInfo
        for info in self.infolist():
            if info.filename == name:
                return info
        raise KeyError(f"There is no item named {str(name)!r} in the archive")

    def open(self, name: Any, mode: Any = "r", *rest: Any, **named: Any) -> Any:
        """Also what `read` and `extract` call. A member is known by the name that it has in the
        archive, whatever the program has made of that of its information.
        """
        if isinstance(name, zipfile.ZipInfo):
            names = [each.orig_filename for each in super().infolist()]
            content = dict(zip(names, self._with_terms, strict=True)).get(name.orig_filename)
            content, called = content and content[1], name.filename
        else:
            content, called = _content(self._with_terms, name), name
        found = super().open(name, mode, *rest, **named)  # not if it is closed, or none is there
        if content is None or mode != "r":
            return found
        found.close()
        return Opened(called, content.encode())


class Tar(tarfile.TarFile):
    """What `tarfile.open` gives for an archive of the input."""

    _with_terms: Members = ()

    def has(self, members: Members) -> None:
        """Say what the names and contents of the members are, with their terms."""
        for info, (name, _) in zip(self.getmembers(), members, strict=True):
            info.name = name
        self._with_terms = members

    def getmember(self, name: Any) -> tarfile.TarInfo:
        for info in self.getmembers():
            if info.name == name.rstrip("/"):
                return info
        raise KeyError(f"filename {str(name)!r} not found")

    def extractfile(self, member: Any) -> Any:
        info = self.getmember(member) if isinstance(member, str) else member
        content = _content(self._with_terms, info.name)
        found = super().extractfile(info)  # not if it is closed
        return found if content is None else Opened(info.name, content.encode())


def _content(members: Members, wanted: Any) -> Any:
    """The content of a member; None if there is none of this name. The comparisons are branches."""
    return next((content for name, content in members if name == wanted), None)
