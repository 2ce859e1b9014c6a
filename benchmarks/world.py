"""Branch coverage of library functions that read the world, by `symcrete cover` itself.

    python -m benchmarks.world [--budget 3] [--only NAME] [--source FOLDER]

`--source` measures another checkout (its folder `src`) with the same interpreter. A function that
cannot be explored counts as 0. The last line is the mean over all functions.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
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


def share_of(function: str, budget: float, source: Path) -> tuple[int, int, str]:
    """Branches covered and in all, and why there is nothing to count."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "symcrete", "cover", function, "--json", "--no-cache"]
        done = subprocess.run(
            [*command, "--budget", f"{budget}s"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(source)},
            capture_output=True,
            text=True,
            check=False,
        )
    try:
        (target,) = json.loads(done.stdout)["targets"]
    except (ValueError, KeyError):
        return 0, 0, done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no answer"
    branches = target["branches"]
    return branches["covered"], branches["total"], target.get("error", "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=3.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--source", type=Path, default=ROOT / "src")
    options = parser.parse_args()
    shares: list[float] = []
    for function in FUNCTIONS:
        if options.only not in function:
            continue
        covered, total, error = share_of(function, options.budget, options.source)
        if total == 0 and not error:
            print(f"{function:45} has no branches", flush=True)
            continue
        shares.append(covered / total if total else 0.0)
        print(f"{function:45} {covered:3} of {total:3}  {error.splitlines()[0] if error else ''}")
        sys.stdout.flush()
    if shares:
        print(f"{len(shares)} functions, mean {100 * sum(shares) / len(shares):.1f} %")


if __name__ == "__main__":
    main()
