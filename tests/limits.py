"""How long a test may wait: what is promised on a quiet machine, and room on a shared one.

`make test` must not fail because others keep the machine busy, so a promised time is stretched
there; `make test-times` holds each test that is marked `timed` to the promise itself.
"""

from __future__ import annotations

import os

ROOM = 1.0 if os.environ.get("SYMCRETE_LIMITS") == "exact" else 6.0


def allowed(promised: float) -> float:
    return promised * ROOM
