"""`hashlib`: a hash of tracked data, whose digest is a function of that data.

Only names are listed: a program that never hashes does not load the library.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcrete.values.models.pure import applied_whole, pure_function
from symcrete.values.rows.model_rows import Pure
from symcrete.values.tracking.comparing import traced
from symcrete.values.tracking.modelled import foreign

NAMES: dict[str, str] = {
    "_hashlib": "openssl_md5 openssl_sha1 openssl_sha224 openssl_sha256 openssl_sha384 "
    "openssl_sha512 openssl_sha3_224 openssl_sha3_256 openssl_sha3_384 openssl_sha3_512",
    "_blake2": "blake2b blake2s",
}


class TrackedHash:
    """What `hashlib.sha256(data)` gives for tracked data; it does what a hash object does."""

    __slots__ = ("_data", "_make", "_plain")

    def __init__(self, make: Callable[..., Any], data: Any) -> None:
        self._make = make
        self._data = data
        self._plain = make()

    @property
    def name(self) -> str:
        return self._plain.name  # type: ignore[no-any-return]

    @property
    def digest_size(self) -> int:
        return self._plain.digest_size  # type: ignore[no-any-return]

    @property
    def block_size(self) -> int:
        return self._plain.block_size  # type: ignore[no-any-return]

    def update(self, data: Any, /) -> None:
        self._make(data)  # raises what the real one raises
        self._data = self._data + data

    def copy(self) -> TrackedHash:
        return TrackedHash(self._make, self._data)

    def digest(self) -> Any:
        return applied_whole(_digest(self._make, "digest"), self._data)

    def hexdigest(self) -> Any:
        return applied_whole(_digest(self._make, "hexdigest"), self._data)


_digests: dict[tuple[Any, str], Callable[[bytes], Any]] = {}


def _digest(make: Callable[..., Any], method: str) -> Callable[[bytes], Any]:
    found = _digests.get((make, method))
    if found is None:

        def digest(data: bytes) -> Any:
            return getattr(make(data), method)()

        name = make.__name__.removeprefix("openssl_")
        found = _digests[make, method] = pure_function(digest, "hashlib", f"{name}.{method}")
    return found


def hashed(make: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`make(data)`, for example `hashlib.sha256(data)`: a TrackedHash where the data is tracked;
    with keywords besides `usedforsecurity` the plain hash object, and the terms are lost.
    """
    if len(args) != 1 or not traced(args[0]) or set(kwargs) - {"usedforsecurity"}:
        return foreign(make, *args, **kwargs)
    make(args[0], **kwargs)  # raises what the real one raises
    return TrackedHash(make, args[0])


MODELS = tuple(Pure(module, names, hashed) for module, names in NAMES.items())
