"""Make the n-th call of the system's file functions fail."""

import errno
import os

CALLS = ("open", "write", "fsync", "ftruncate", "replace", "pread", "fstat")


class Faults:
    """Counts calls; the n-th and, if asked, all later ones fail with the error."""

    def __init__(self, monkeypatch, at, *, error=errno.ENOSPC, lasting=False, half=False):
        self.count = 0
        self._at, self._error, self._lasting, self._half = at, error, lasting, half
        for name in CALLS:
            monkeypatch.setattr(os, name, self._wrapped(name, getattr(os, name)))

    def _wrapped(self, name, real):
        def call(*arguments, **options):
            self.count += 1
            fails = self.count == self._at or (self._lasting and self.count > self._at)
            if not fails:
                return real(*arguments, **options)
            if name == "write" and self._half and len(arguments[1]) > 1:
                real(arguments[0], arguments[1][: len(arguments[1]) // 2])
            raise OSError(self._error, os.strerror(self._error))

        return call
