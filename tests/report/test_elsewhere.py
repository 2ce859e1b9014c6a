"""An interpreter on another day, on another machine, for another user."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from symcrete.report.trial.elsewhere import AHEAD, ENVIRONMENT, environment, set_ahead

QUESTIONS = {
    "today": "datetime.date.today().isoformat()",
    "now": "datetime.datetime.now().isoformat()[:10]",
    "seconds": "int(time.time()) // 86400",
    "year": "time.strftime('%Y')",
    "user": "getpass.getuser()",
    "login": "os.getlogin()",
    "home": "os.path.expanduser('~')",
    "host": "os.uname().nodename",
    "memory": "os.sysconf('SC_AVPHYS_PAGES')",
}
ASK = """
import sys
if {elsewhere}:
    from symcrete.report.trial.elsewhere import pretend
    pretend()
import datetime, getpass, os, time
print({question})
"""


def asked(question: str, *, elsewhere: bool) -> str:
    code = ASK.format(elsewhere=elsewhere, question=QUESTIONS[question])
    surroundings = environment(dict(os.environ)) if elsewhere else {**os.environ, "USER": "me"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=surroundings, capture_output=True, text=True
    )
    return done.stdout


@pytest.mark.parametrize("question", [each for each in QUESTIONS if each != "login"])
def test_the_answer_is_another_one_there(question: str) -> None:
    there = asked(question, elsewhere=True)

    assert there and there != asked(question, elsewhere=False)


def test_who_is_logged_in_is_somebody_else() -> None:
    assert asked("login", elsewhere=True).strip() == ENVIRONMENT["USER"]


def test_moments_that_are_given_stay_as_they_are() -> None:
    clock = SimpleNamespace(**{name: getattr(time, name) for name in dir(time)})
    set_ahead(clock)

    assert clock.time() > time.time() + AHEAD - 60
    assert clock.gmtime(0) == time.gmtime(0)
    assert clock.strftime("%Y", time.gmtime(0)) == "1970"
    assert clock.localtime(None) == clock.localtime()
    assert clock.asctime(time.gmtime(0)) == time.asctime(time.gmtime(0))


def test_nothing_of_the_present_user_is_left() -> None:
    there = environment({"PATH": "/bin", "TOKEN": "secret", "HOME": "/home/me"})

    assert there["PATH"] == "/bin" and there["HOME"] != "/home/me" and "TOKEN" not in there


def test_a_class_put_in_the_place_of_date_does_not_confuse_the_others() -> None:
    code = """
from symcrete.report.trial.elsewhere import pretend
pretend()
import datetime
real = datetime.date
class Fixed(real):
    pass
datetime.date = Fixed
print((datetime.date(2300, 1, 3) - real(2300, 1, 1)).days)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert done.stdout == "2\n", done.stderr


def test_time_zones_by_name_can_be_asked_for_there() -> None:
    zone = "__import__('zoneinfo').ZoneInfo.from_file"
    code = ASK.format(elsewhere=True, question=f"callable({zone}), datetime.timezone.utc")

    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(dict(os.environ)), capture_output=True
    )

    assert done.stdout.split() == [b"True", b"UTC"], done.stderr
