"""The row of the table for files and folders."""

from __future__ import annotations

from collections.abc import Iterable

from symcrete.world.files.archives import archives
from symcrete.world.files.as_lines import shown
from symcrete.world.files.file_tree import NAME
from symcrete.world.files.files import Files
from symcrete.world.files.looking import looking
from symcrete.world.files.really import really
from symcrete.world.source import Asking, Source, StandIn


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    files = Files(ask)
    yield from looking(ask, files)
    yield from really(ask, files)
    yield from archives(ask, files)


FILES = Source(
    name=NAME,
    what="`open`, `Path`, `exists`, `isfile`, `isdir`, `listdir`, `scandir`, `walk`, `glob`, "
    "`stat`, `access`, `ZipFile`, `tarfile.open`; also by library functions",
    stand_ins=_stand_ins,
    shown=shown,
)
