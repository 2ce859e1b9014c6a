"""Nothing that a confined process tries changes anything outside its folder."""

import os
import sys
import time
from contextlib import closing

import pytest

if not sys.platform.startswith("linux"):
    pytest.skip("needs walls that only Linux offers", allow_module_level=True)

from tests.sandbox import attempts
from tests.sandbox.world import NOBODY, Trial, World

from symcrete.sandbox.walls import landlock

if not landlock.abi():
    pytest.skip("needs a kernel with Landlock", allow_module_level=True)

ROOT = os.getuid() == 0
USERS = [os.getuid(), NOBODY] if ROOT else [os.getuid()]

REFUSALS = ("PermissionError", "[Errno 38]", "not permitted", "not allowed")


@pytest.fixture(scope="module", params=USERS, ids=lambda user: f"uid{user}")
def confined(request):
    """Every attempt made in one confined child: what it was told, and what then was different."""
    with closing(World(request.param)) as world:
        trial = Trial(world, confined=True)
        found = {}
        for name in attempts.ALL:
            told = trial.attempt(name, world)
            found[name] = told, [*world.changes(), *(f"child {pid}" for pid in trial.children())]
        assert trial.close() == 0, "the confined process itself came to harm"
        time.sleep(0.2)
        assert world.changes() == [], "something changed late"
    return found


@pytest.fixture(scope="module")
def free():
    """The same without confinement."""
    with closing(World(os.getuid())) as world:
        trial = Trial(world, confined=False)
        found = {}
        for name in [*attempts.FREE, *(attempts.PRIVILEGED if ROOT else ())]:
            told = trial.attempt(name, world)
            found[name] = told, world.changes_within(1.0)
            world.rebuild()
        trial.close()
    return found


@pytest.mark.parametrize("name", attempts.ALL)
def test_nothing_outside_changes(confined, name):
    told, changes = confined[name]

    assert changes == [], told


@pytest.mark.parametrize("name", attempts.RISKY)
def test_what_could_harm_the_whole_system_is_refused(confined, name):
    told, _ = confined[name]

    assert any(word in told for word in REFUSALS)


@pytest.mark.parametrize("name", [*attempts.FREE, *(attempts.PRIVILEGED if ROOT else ())])
def test_the_same_attempt_does_change_something_without_confinement(free, name):
    told, changes = free[name]

    assert changes, told


def test_there_are_many_attempts():
    assert len(attempts.ALL) >= 80
