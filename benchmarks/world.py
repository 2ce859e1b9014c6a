"""Branch coverage of library functions that read the world, by `symcrete cover` itself.

    python -m benchmarks.world [--budget 3 | --runs N] [--only NAME] [--source FOLDER] [--keep FOLDER]

`--runs` gives each function so many runs instead of seconds: the same on a busy machine.
`--source` measures another checkout (its folder `src`) with the same interpreter, `--keep` writes
the report of each function there. A function that cannot be explored counts as 0. The seconds are
those of the clock, start and end of the command included. The last lines are the mean over all
functions, over those of packages from PyPI (`pip install symcrete[bench]`) and over those that
nothing was tuned on.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
FUNCTIONS = (
    "shutil:which",
    "shutil:get_terminal_size",
    "shutil:_get_uid",
    "shutil:_get_gid",
    "posixpath:expanduser",
    "posixpath:expandvars",
    "posixpath:abspath",
    "posixpath:relpath",
    "posixpath:ismount",
    "getpass:getuser",
    "getpass:_raw_input",
    "netrc:netrc._parse",
    "mimetypes:MimeTypes.guess_type",
    "mimetypes:init",
    "mimetypes:guess_extension",
    "configparser:RawConfigParser.read",
    "configparser:RawConfigParser.getboolean",
    "calendar:weekday",
    "calendar:TextCalendar.formatmonth",
    "http.cookiejar:http2time",
    "http.cookiejar:time2isoz",
    "http.cookiejar:time2netscape",
    "http.cookiejar:Cookie.is_expired",
    "http.cookies:_getdate",
    "tempfile:_candidate_tempdir_list",
    "tempfile:gettempdir",
    "tempfile:_sanitize_params",
    "tempfile:mktemp",
    "webbrowser:get",
    "webbrowser:register_standard_browsers",
    "locale:getdefaultlocale",
    "locale:getlocale",
    "gettext:find",
    "gettext:_expand_lang",
    "email.utils:formatdate",
    "email.utils:localtime",
    "email.utils:make_msgid",
    "platform:machine",
    "platform:python_implementation",
    "site:_getuserbase",
    "sysconfig:get_default_scheme",
    "uuid:uuid1",
    "random:Random.sample",
    "random:Random.choices",
    "glob:has_magic",
    "fileinput:hook_compressed",
    "linecache:updatecache",
    "logging:Logger.isEnabledFor",
    "urllib.request:getproxies_environment",
    "urllib.request:proxy_bypass_environment",
    "urllib.request:thishost",
)
# Chosen by what they read, before any of them had been explored.
PACKAGES = (
    "dotenv.main:_load_dotenv_disabled",
    "dotenv.main:DotEnv.get",
    "dotenv.main:DotEnv.set_as_environment_variables",
    "dotenv.main:set_key",
    "dotenv.main:load_dotenv",
    "platformdirs:_set_platform_dir_class",
)
HELD_OUT = (  # nothing may be tuned on these: they tell whether the rest was
    "dotenv.main:unset_key",
    "dotenv.main:find_dotenv",
    "platformdirs.unix:Unix.user_runtime_dir",
    "requests.utils:should_bypass_proxies",
    "requests.utils:get_netrc_auth",
)


def share_of(
    function: str, limit: list[str], source: Path, keep: Path | None
) -> tuple[int, int, str]:
    """Branches covered and in all, and why there is nothing to count; `limit` is the flag that
    says how long to search.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "symcrete", "cover", function, "--json", "--no-cache"]
        done = subprocess.run(
            [*command, *limit],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(source)},
            capture_output=True,
            text=True,
            check=False,
        )
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{function.replace(':', '.')}.json").write_text(done.stdout or done.stderr)
    try:
        (target,) = json.loads(done.stdout)["targets"]
    except (ValueError, KeyError):
        return 0, 0, done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no answer"
    branches = target["branches"]
    return branches["covered"], branches["total"], target.get("error", "")


def measured(options: argparse.Namespace) -> dict[str, float]:
    """The share of the branches of each function that has some; a line is printed for each."""
    shares: dict[str, float] = {}
    limit = (
        ["--max-runs", str(options.runs)] if options.runs else ["--budget", f"{options.budget}s"]
    )
    for function in (*FUNCTIONS, *PACKAGES, *HELD_OUT):
        if options.only not in function:
            continue
        began = time.monotonic()
        covered, total, error = share_of(function, limit, options.source, options.keep)
        seconds = time.monotonic() - began
        if total == 0 and not error:
            print(f"{function:50} has no branches", flush=True)
            continue
        shares[function] = covered / total if total else 0.0
        why = error.splitlines()[0] if error else ""
        print(f"{function:50} {covered:3} of {total:3} {seconds:6.1f} s  {why}", flush=True)
    return shares


def mean_line(shares: dict[str, float], kind: str) -> str:
    """How many functions, of which kind, and the mean of their shares."""
    mean = 100 * sum(shares.values()) / len(shares)
    return f"{len(shares)} functions{kind}, mean {mean:.1f} %"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=3.0)
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--source", type=Path, default=ROOT / "src")
    parser.add_argument("--keep", type=Path)
    shares = measured(parser.parse_args())
    for kind, names in (
        ("", (*FUNCTIONS, *PACKAGES, *HELD_OUT)),
        (" of packages from PyPI", (*PACKAGES, *HELD_OUT)),
        (" nothing was tuned on", HELD_OUT),
    ):
        if of_kind := {name: shares[name] for name in names if name in shares}:
            print(mean_line(of_kind, kind))


if __name__ == "__main__":
    main()
