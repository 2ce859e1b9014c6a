"""The contract of every source of state: set, read, restored, and told as lines that set it again."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from symcrete.explore.compose import prepare
from symcrete.explore.confirm.input_as_call import call_of_run
from symcrete.explore.findings import FoundInput, import_lines
from symcrete.explore.options import Options
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of
from symcrete.run.situation import Situation
from symcrete.run.use import Ending
from symcrete.terms.evaluate import Assignment
from symcrete.values.build.late_inputs import RunUnderWay, attribute_reads
from symcrete.world.source import AsA, Everywhere, ReadAs, Source, original
from symcrete.world.sources import every_source, sources_by_name


@dataclass(frozen=True, slots=True)
class Example:
    """An expression that reads a source, an input that says what it finds, and the value then."""

    source: str
    imports: str
    expression: str
    given: Assignment
    value: Any

    def __str__(self) -> str:
        return self.expression


def text(root: str, value: str) -> Assignment:
    codes = {f"{root}[{index}]": ord(char) for index, char in enumerate(value)}
    return {f"len({root})": len(value), f"{root}?": 1, **codes}


EXAMPLES = [
    Example(
        "environment",
        "import os",
        'os.environ.get("SHOP")',
        text("os.environ['SHOP']", "open"),
        "open",
    ),
    Example("environment", "import os", 'os.getenv("SHOP", "-")', {}, "-"),
    Example(
        "environment",
        "from os import environ",
        '[environ["SHOP"], "OTHER" in environ]',
        text("os.environ['SHOP']", "a b"),
        ["a b", False],
    ),
    Example(
        "environment",
        "import os",
        '[os.environ.get("SHOP"), sorted(os.environ.items()), "OTHER" in os.environ]',
        text("os.environ['SHOP']", "open")
        | {"len(other variables)": 1}
        | text("other variables[0][0]", "a_proxy")
        | text("other variables[0][1]", "x"),
        ["open", [("SHOP", "open"), ("a_proxy", "x")], False],
    ),
    Example("module state", "FAST = False", "FAST", {"shop.FAST?": 1}, True),
    Example(
        "module state",
        "class Shop:\n    open = False\n    def __init__(self): self.mode = 'dev'\nshop = Shop()",
        "[Shop.open, shop.mode]",
        {"shop.Shop.open?": 1, **text("shop.shop.mode", "prod")},
        [True, "prod"],
    ),
    Example("platform", "import sys", "sys.platform", {"sys.platform?": 1}, "win32"),
    Example("platform", "import sys", "[sys._framework]", {}, [""]),
    Example(
        "settings",
        "import grp, pwd",
        "[[each.pw_name for each in pwd.getpwall()], grp.getgrall()]",
        text("pwd.getpwnam()[0]", "eve")
        | {"pwd.getpwnam()[0]?": 1, "grp.getgrnam()?": 2}
        | {"pwd.getpwnam()?": 0},
        [["eve"], []],
    ),
    Example(
        "settings",
        "import grp",
        "[grp.getgrnam('staff').gr_name, grp.getgrnam('staff').gr_gid, grp.getgrgid(7).gr_name]",
        text("grp.getgrnam()", "crew") | {"grp.getgrnam()?": 1},
        ["crew", 1000, "someone"],
    ),
    Example(
        "machine",
        "import os, shutil, sys, time",
        "[os.uname().nodename, os.uname()[0], sys.executable, time.tzname[0], os.getgid() > 1, "
        "shutil.disk_usage('/').free, os.get_terminal_size().lines, os.sysconf('SC_CLK_TCK')]",
        text("os.uname()[1]", "box")
        | text("time.tzname[0]", "CET")
        | {"os.getgid()": 7, "shutil.disk_usage()[2]": 9, "os.sysconf('SC_CLK_TCK')": 5},
        ["box", "Linux", "/usr/bin/python3", "CET", True, 9, 24, 5],
    ),
    Example(
        "machine",
        "import os, platform, shutil, sysconfig\nfrom resource import RUSAGE_SELF, getrusage",
        "[platform.uname().node, sorted(os.sched_getaffinity(0)), sysconfig.get_path('purelib'), "
        "getrusage(RUSAGE_SELF).ru_maxrss, shutil.get_terminal_size().columns]",
        {"resource.getrusage()[2]": 4},
        ["host", [0], "/usr/lib/python3", 4, 80],
    ),
    Example("settings", "import os", "os.getcwdb()", text("os.getcwd()", "srv/x"), b"/srv/x"),
    Example("platform", "from sys import platform", "platform", {}, "linux"),
    Example("platform", "import os", "os.name.upper()", {"os.name?": 1}, "NT"),
    Example(
        "platform", "import platform", "platform.system()", {"platform.system()?": 2}, "Darwin"
    ),
    Example(
        "platform",
        "import sys",
        "[sys.version_info >= (3, 99), sys.version_info.major, sys.byteorder]",
        {"sys.version_info?": 1, "sys.version_info[0]": 4, "sys.byteorder?": 1},
        [True, 4, "big"],
    ),
    Example(
        "calendar time",
        "import time\nfrom time import gmtime",
        "[time.localtime().tm_hour, time.strftime('%H:%M'), time.ctime(), gmtime().tm_yday]",
        {"time.localtime().hour": 13, "time.localtime().month": 2},
        [13, "13:00", "Sun Feb  1 13:00:00 1970", 32],
    ),
    Example("clock", "import time", "time.time()", {"time.time()": 5.5}, 5.5),
    Example(
        "clock",
        "from time import monotonic, sleep",
        "[monotonic(), sleep(9), monotonic()]",
        {"time.monotonic()": 1.0, "time.monotonic()@2": 2.5, "time.monotonic()@2?": 1},
        [1.0, None, 3.5],
    ),
    Example(
        "clock",
        "import time",
        "[time.monotonic(), time.sleep(0.5), time.sleep(2), time.monotonic(), time.time_ns()]",
        {},
        [0.0, None, None, 2.5, 0],
    ),
    Example(
        "clock",
        "import datetime",
        "datetime.date.today().isoformat()",
        {"date.today().year": 2024, "date.today().month": 2, "date.today().day": 29},
        "2024-02-29",
    ),
    Example(
        "clock",
        "from datetime import datetime, timezone",
        "[datetime.now().year, datetime.now(timezone.utc).isoformat(), datetime.utcnow().hour]",
        {"datetime.now()@2.year": 2001, "datetime.utcnow().hour": 7},
        [1970, "2001-01-01T00:00:00+00:00", 7],
    ),
    Example(
        "files",
        "import os\nfrom pathlib import Path",
        '[os.path.exists("a.txt"), Path("a.txt").is_file(), Path("b/c").is_dir(), '
        'Path("a.txt").read_text(), os.path.isdir("a.txt"), os.path.isfile("d")]',
        text("file 'a.txt'", "x\ny") | {"file 'b/c'?": 2},
        [True, True, True, "x\ny", False, False],
    ),
    Example(
        "files",
        "",
        '[open("a.txt").readlines(), open("a.txt").read(2)]',
        text("file 'a.txt'", "x\n\nyz"),
        [["x\n", "\n", "yz"], "x\n"],
    ),
    Example(
        "files",
        "import os",
        "[[[e.path, e.stat().st_mtime] for e in os.scandir(d)] for d in ('.', 'd', 'd/')]",
        {"len(names in '.')": 1, "entry 0 of '.'?": 1, "len(names in 'd')": 1, "time of 'd/a'": 9}
        | text("names in '.'[0]", "d")
        | text("names in 'd'[0]", "a"),
        [[["./d", 0.0]], [["d/a", 9.0]], [["d/a", 9.0]]],
    ),
    Example(
        "files",
        "import os\nimport shutil\nfrom pathlib import Path",
        "[shutil.copy2('a', 'b'), Path('b').read_text(), os.chmod('a', 0o600), Path('a').touch()]",
        text("file 'a'", "x"),
        ["b", "x", None, None],
    ),
    Example(
        "files",
        "import os\nimport tarfile\nimport zipfile",
        "[os.path.exists('a.zip'), zipfile.ZipFile('a.zip').namelist(), "
        "zipfile.ZipFile('a.zip').read('x'), tarfile.open('/b.tar').getnames(), "
        "tarfile.open('/b.tar').extractfile('y').read(), zipfile.is_zipfile('c')]",
        text("file 'a.zip'", "")
        | {"len(zip 'a.zip')": 1, "zip 'a.zip'?": 0}
        | text("zip 'a.zip'[0][0]", "x")
        | text("zip 'a.zip'[0][1]", "one")
        | text("file '/b.tar'", "")
        | {"len(tar '/b.tar')": 1, "tar '/b.tar'?": 0}
        | text("tar '/b.tar'[0][0]", "y")
        | text("tar '/b.tar'[0][1]", "two"),
        [True, ["x"], b"one", ["y"], b"two", False],
    ),
    Example(
        "files",
        "from pathlib import Path",
        "[open('a.txt', encoding='latin-1').read(), Path('a.txt').read_text('utf-8')]",
        text("file 'a.txt'", "xy"),
        ["xy", "xy"],
    ),
    Example(
        "files",
        "import os\nfrom pathlib import Path",
        "[os.listdir('d'), sorted(os.listdir('e')), [str(p) for p in Path('d').iterdir()], "
        "[[e.name, e.is_dir()] for e in os.scandir('d')], "
        "[list(each) for each in os.walk('e')], [str(p) for p in Path('.').glob('d/*')]]",
        {"file 'd'?": 2, "file 'e'?": 2, "entry 1 of 'd'?": 1}
        | {"len(names in 'd')": 2, "len(names in 'e')": 1}
        | text("names in 'd'[0]", "z")
        | text("names in 'd'[1]", "b")
        | text("names in 'e'[0]", "x.py"),
        [
            ["z", "b"],
            ["x.py"],
            ["d/z", "d/b"],
            [["z", False], ["b", True]],
            [["e", [], ["x.py"]]],
            ["d/z", "d/b"],
        ],
    ),
    Example(
        "files",
        "import configparser\nimport os\nfrom pathlib import Path",
        "[os.path.getsize('/etc/shop'), Path('/etc/shop').read_bytes(), "
        "os.path.getmtime('/etc/shop'), os.access('/etc/shop', os.W_OK), "
        "configparser.ConfigParser().read('/etc/none'), os.path.exists('/opt/shop')]",
        text("file '/etc/shop'", "ab") | {"time of '/etc/shop'": 9, "file '/opt/shop'?": 2},
        [2, b"ab", 9.0, True, [], True],
    ),
    Example(
        "files",
        "import os\nfrom pathlib import Path",
        "[os.makedirs('out/a'), Path('out/a/b').write_text('xy'), Path('out/a/b').read_text(), "
        "os.path.abspath('out'), os.replace('out/a/b', 'c'), os.listdir('out/a'), "
        "Path('c').stat().st_size]",
        {},
        [None, 2, "xy", "/home/someone/out", None, [], 2],
    ),
    Example(
        "files",
        "import os\nfrom pathlib import Path",
        "[open('../a.txt').read(), os.path.exists('../../b'), Path('d/../c').exists(), "
        "Path('e/../c').exists(), os.listdir('.'), Path('../new').write_text('n'), "
        "Path('../new').read_text()]",
        text("file '../a.txt'", "x") | {"file 'd'?": 2, "file 'c'?": 2, "file '../../b'?": 2},
        ["x", True, True, False, ["c", "d"], 1, "n"],
    ),
    Example(
        "files",
        "import os\n\n"
        "def refused(call, *given):\n"
        "    try:\n"
        "        return call(*given)\n"
        "    except PermissionError as error:\n"
        "        return [error.errno, error.filename]\n",
        "[refused(open, 'a'), refused(open, 'out', 'w'), refused(os.listdir, '/srv'), "
        "refused(os.listdir, '.'), refused(os.mkdir, 'out')]",
        text("file 'a'", "x")
        | {"file 'a'?": 1, "file '/srv'?": 2, "denied ('builtins.open', 'a')?": 1}
        | {"denied ('builtins.open', 'out')?": 1, "denied ('os.listdir', '/srv')?": 1},
        [[13, "a"], [13, "out"], [13, "/srv"], ["a"], None],
    ),
    Example("chance", "import random", "random.random()", {"random.random()": 0.25}, 0.25),
    Example(
        "chance",
        "from random import randint, choice, uniform",
        '[randint(1, 6), randint(1, 6), choice("abc"), uniform(2, 3)]',
        {"random.randint(1, 6)": 6, "random.randint(1, 6)@2": 4, "random.choice(3)": 2},
        [6, 4, "c", 2.0],
    ),
    Example(
        "chance",
        "import os, random, secrets",
        "[os.urandom(2), secrets.randbelow(9), random.randrange(3, 9), secrets.choice([4, 5])]",
        {"secrets.randbelow(9)": 8, "random.randrange(3, 9)": 7},
        [b"aa", 8, 7, 4],
    ),
    Example(
        "random objects",
        "import random, secrets, uuid",
        "(lambda r: [r.randint(1, 6), r.choice('ab'), random.sample('abc', 2), "
        "str(uuid.uuid4()), secrets.token_hex(1)])(random.Random())",
        {
            "random.Random.randint(1, 6)": 5,
            "random.Random.choice(2)": 1,
            "random.sample#1[1]": 1,
            "uuid.uuid4()": 3,
        },
        [5, "b", ["a", "c"], "00000000-0000-4000-8000-000000000003", "61"],
    ),
    Example(
        "random objects",
        "import random",
        "(lambda xs: [random.shuffle(xs), xs, random.choices(xs, k=2)])(['a', 'b', 'c'])",
        {"random.shuffle#1[0]": 2, "random.shuffle#1[1]": 1, "random.choices#1[1]": 1},
        [None, ["c", "b", "a"], ["c", "b"]],
    ),
    Example(
        "random objects",
        "import random",
        "[random.choices('ab', [1, 2], k=2), random.choices([3, 4], cum_weights=[1, 2])]",
        {"random.choices#1[1]": 1, "random.choices#2[0]": 1},
        [["a", "b"], [4]],
    ),
    Example(
        "settings",
        "import getpass, logging, os, socket\nfrom pathlib import Path",
        "[os.getcwd(), getpass.getuser(), socket.gethostname(), os.path.expanduser('~/x'), "
        "str(Path.home()), logging.getLogger('shop').isEnabledFor(10)]",
        text("os.getcwd()", "srv/x")
        | text("getpass.getuser()", "eve")
        | {"logging level of 'shop'?": 1},
        ["/srv/x", "eve", "host", "/home/someone/x", "/home/someone", True],
    ),
    Example(
        "processes",
        "import os, subprocess",
        "(lambda done: [done.returncode, done.stdout, subprocess.getoutput('x'), os.system('x')])"
        "(subprocess.run(['x'], capture_output=True, text=True))",
        {"subprocess.run()#1.code": 2, "os.system()#1.result": 3}
        | text("subprocess.run()#1.stdout", "out"),
        [2, "out", "", 3],
    ),
    Example(
        "processes",
        "import subprocess\n\n"
        "def failed():\n"
        "    try:\n"
        "        subprocess.run(['x'], check=True, capture_output=True, text=True)\n"
        "    except subprocess.CalledProcessError as error:\n"
        "        return [error.returncode, error.stdout, error.stderr]\n",
        "failed()",
        {"subprocess.run()#1.error?": 2, "subprocess.run()#1.code": 3}
        | {"subprocess.run()#1.code?": 0}
        | text("subprocess.run()#1.stderr", "no"),
        [3, "", "no"],
    ),
    Example(
        "processes",
        "import subprocess",
        "(lambda p: [p.communicate(), p.wait(), p.returncode])"
        "(subprocess.Popen(['x'], stdout=subprocess.PIPE, text=True))",
        {"subprocess.Popen()#1.code": 4},
        [("", None), 4, 4],
    ),
    Example(
        "processes",
        "import subprocess\n\n"
        "def waited(process):\n"
        "    try:\n"
        "        return process.wait(timeout=3)\n"
        "    except subprocess.TimeoutExpired:\n"
        "        return 'late'\n",
        "(lambda p: [waited(p), p.wait(), p.wait(), waited(p), p.communicate()])"
        "(subprocess.Popen(['x']))",
        {"subprocess.Popen()#1.code": 7, "subprocess.Popen()#1.wait takes longer?": 1},
        ["late", 7, 7, 7, (None, None)],
    ),
    Example(
        "processes",
        "import os, subprocess",
        "[os.popen('x').read(), subprocess.getstatusoutput('x'), "
        "list(subprocess.Popen(['x'], stdout=subprocess.PIPE).stdout)]",
        text("os.popen()#1.stdout", "a") | {"subprocess.getstatusoutput()#1.code": 2},
        ["a", (2, ""), []],
    ),
    Example(
        "sockets",
        "import socket",
        "(lambda s: [s.connect(('shop.example', 7)), s.recv(9), s.connect_ex(('', 9)), "
        "socket.gethostbyname('x'), socket.gethostbyname_ex('x')[0], "
        "socket.getaddrinfo('x', 7)[0][4], socket.create_connection(('', 7)).recv(9)])(socket.socket())",
        text("socket.socket()#1.recv", "pong")
        | {"socket.socket()#1.recv?": 0, "socket.socket()#1.connect_ex?": 1},
        [None, b"pong", 111, "127.0.0.1", "", ("127.0.0.1", 0), b""],
    ),
    Example(
        "http clients",
        "import requests",
        "(lambda a: [a.status_code, a.text, a.ok, requests.Session().get('http://a').content])"
        "(requests.get('http://a'))",
        {"requests.get()#1.status": 404} | text("requests.get()#1.content", "no"),
        [404, "no", False, b""],
    ),
    Example(
        "http clients",
        "import requests",
        "(lambda h: [h.get('retry-after'), h['Retry-After'], 'Location' in h, dict(h)])"
        "(requests.get('http://a').headers)",
        {"requests.get()#1.header retry-after?": 1}
        | text("requests.get()#1.header retry-after", "7"),
        ["7", "7", False, {"Retry-After": "7"}],
    ),
    Example(
        "http clients",
        "import httpx",
        "(lambda a: [a.status_code, a.json(), httpx.Client().get('http://a').is_success])"
        "(httpx.post('http://a'))",
        {"httpx.post()#1.status": 201} | text("httpx.post()#1.content", "[1]"),
        [201, [1], True],
    ),
    Example(
        "http connections",
        "import http.client",
        "(lambda c: [c.request('GET', '/'), (lambda a: [a.status, a.getheader('X'), "
        "a.getheader('Y', 'no'), a.read()])(c.getresponse())])"
        "(http.client.HTTPSConnection('shop.example'))",
        {"http.client.HTTPConnection.getresponse()#1.status": 503}
        | {"http.client.HTTPConnection.getresponse()#1.header x?": 1}
        | text("http.client.HTTPConnection.getresponse()#1.header x", "7")
        | text("http.client.HTTPConnection.getresponse()#1.content", "no"),
        [None, [503, "7", "no", b"no"]],
    ),
    Example(
        "network",
        "from urllib.request import urlopen",
        "(lambda a: [a.status, a.read(2), a.read(), a.getcode()])(urlopen('http://shop.example'))",
        {"urllib.request.urlopen()#1.status": 204}
        | text("urllib.request.urlopen()#1.content", "abc"),
        [204, b"ab", b"c", 204],
    ),
    Example(
        "network",
        "import urllib.error\nfrom urllib.request import urlopen\n\n"
        "def failed():\n"
        "    try:\n"
        "        return urlopen('http://shop.example')\n"
        "    except urllib.error.HTTPError as error:\n"
        "        return [error.code, error.read(), error.headers.get('Retry-After')]\n",
        "(lambda a: [a.headers['X'], a.headers.get_content_charset(), failed()])(urlopen(''))",
        {"urllib.request.urlopen()#1.header content-type?": 1}
        | text("urllib.request.urlopen()#1.header content-type", "text/html; charset=latin-1")
        | {"urllib.request.urlopen()#2.error?": 2, "urllib.request.urlopen()#2.code?": 1}
        | {"urllib.request.urlopen()#2.code": 503}
        | text("urllib.request.urlopen()#2.content", "no")
        | text("urllib.request.urlopen()#2.header retry-after", "7"),
        [None, "latin-1", [503, b"no", "7"]],
    ),
    Example(
        "databases",
        "import sqlite3",
        "sqlite3.connect('shop.db').execute('select 1').fetchall()",
        {},
        [(1,)],
    ),
    Example(
        "databases",
        "import sqlite3",
        "[sqlite3.connect('shop.db').execute('select name, id from user where id > ?', (3,))"
        ".fetchall(), sqlite3.connect('shop.db').execute('select count(*) from user').fetchone()]",
        {"len(rows of user (name, id))": 2}
        | text("rows of user (name, id)[0][0]", "eve")
        | {"rows of user (name, id)?": 0, "rows of user (name, id)[0][0]?": 0}
        | {"rows of user (name, id)[0][1]?": 0, "rows of user (name, id)[0][1]": 4}
        | {"rows of user (name, id)[1][1]?": 0, "rows of user (name, id)[1][1]": 2},
        [[("eve", 4)], (2,)],
    ),
    Example(
        "standard input",
        "import sys",
        "[input(), sys.stdin.readline(), sys.stdin.read(), sys.stdin.read()]",
        text("sys.stdin.readline()", "yes")
        | text("sys.stdin.readline()@2", "no")
        | text("sys.stdin.read()", "a\nb"),
        ["yes", "no\n", "a\nb", ""],
    ),
    Example(
        "standard input",
        "import sys",
        "[sys.stdin.isatty(), sys.stdin.read()]",
        {"sys.stdin.isatty()?": 1},
        [True, ""],
    ),
    Example(
        "standard input",
        "import getpass, sys",
        "[sys.stdin.buffer.read(2), sys.stdin.buffer.read(), getpass.getpass('?'), "
        "getpass.getpass()]",
        text("sys.stdin.buffer.read()", "abc") | text("getpass.getpass()", "x"),
        [b"ab", b"c", "x", ""],
    ),
    Example(
        "processes",
        "import os\n\n"
        "def alive(pid):\n"
        "    try:\n"
        "        return os.kill(pid, 0)\n"
        "    except OSError as error:\n"
        "        return error.errno\n",
        "[alive(7), alive(8)]",
        {"os.kill()#1.error?": 1},
        [3, None],
    ),
    Example(
        "settings",
        "import os, sys",
        "[sys.stdout.isatty(), sys.getrecursionlimit() > 200, os.getpid(), os.getppid()]",
        {"sys.stdout.isatty()?": 1, "os.getpid()?": 1, "os.getpid()": 7},
        [True, True, 7, 1234],
    ),
    Example(
        "standard input",
        "from sys import stdin",
        "list(stdin)",
        text("sys.stdin.readline()", "x"),
        ["x\n"],
    ),
    Example(
        "command line",
        "import sys",
        "[len(sys.argv), sys.argv[1:]]",
        {"len(sys.argv[1:])": 1} | text("sys.argv[1:][0]", "-v"),
        [2, ["-v"]],
    ),
    Example(
        "command line",
        "import argparse",
        "(lambda p: (p.add_argument('--n', type=int), p.parse_args())[1].n)"
        "(argparse.ArgumentParser())",
        text("sys.argv: --n", "7") | {"sys.argv: --n?": 2},
        7,
    ),
]


def test_every_source_has_an_example() -> None:
    assert {each.source for each in EXAMPLES} == set(sources_by_name())


@pytest.mark.parametrize("source", every_source(), ids=[*sources_by_name()])
def test_a_row_names_the_attributes_it_stands_in_for(source: Source) -> None:
    stand_ins = list(source.stand_ins(RunUnderWay()))

    assert source.what
    read = {(each.module, each.name) for each in stand_ins if isinstance(each, ReadAs)}
    assert read == source.attributes


@pytest.mark.parametrize("source", every_source(), ids=[*sources_by_name()])
def test_what_stands_in_for_a_source_is_put_in_place_and_taken_away_again(source: Source) -> None:
    situation = Situation({"requests", "httpx", "sqlite3"}, sources=(source,))
    found = list(source.stand_ins(RunUnderWay()))
    everywhere = [each for each in found if isinstance(each, Everywhere)]
    objects = [each for each in found if isinstance(each, AsA)]
    before = [original(each.module, each.name) for each in everywhere]
    kinds = [type(original(each.module, each.name)) for each in objects]

    situation.enter()
    during = [original(each.module, each.name) for each in everywhere]
    others = [type(original(each.module, each.name)) for each in objects]
    situation.leave()

    assert all(former is not each for former, each in zip(before, during, strict=True))
    assert all(former is not each for former, each in zip(kinds, others, strict=True))
    assert [original(each.module, each.name) for each in everywhere] == before
    assert [type(original(each.module, each.name)) for each in objects] == kinds
    assert not attribute_reads


PROGRAM = """
{imports}

last = None

def f() -> None:
    global last
    last = {expression}
"""
FRESH = """
import sys
sys.path[:0] = {path!r}
from symcrete.run.untouched.monkeypatch import LogLevels, MonkeyPatch
monkeypatch = MonkeyPatch()
caplog = LogLevels(monkeypatch)
import io
import shop
monkeypatch.make_folder()
tmp_path = monkeypatch.folder
{lines}
shop.f()
print(repr(shop.last))
monkeypatch.undo()
names = {{}}
for line in {imports!r}:
    exec(line, names)
for text in {values!r}:
    eval(text, names)
"""


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_a_run_reads_what_its_input_says_and_its_lines_say_it_again(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP", "secret")
    file = tmp_path / "shop.py"
    file.write_text(PROGRAM.format(imports=example.imports, expression=example.expression))
    (target,) = targets_of(f"{file}::f")
    exploration, _ = prepare(target, EveryBranch(), Options())
    runner = exploration.parts.runner
    module: Any = exploration.parts.imported.module
    before = dict(os.environ)

    with runner:
        trace = runner.run(example.given)
    tracked, module.last = module.last, None
    with runner:
        runner.run_plain(example.given)
    call = call_of_run(exploration.parts, trace)
    lines = "\n".join([each.set for each in call.situation])
    path = [str(tmp_path), *[each for each in sys.path if each]]
    told = FoundInput({}, Ending.RETURNED, "", None, (), "", situation=call.situation)
    imports, values = import_lines([told]), [each.value for each in call.situation]
    script = FRESH.format(path=path, lines=lines, imports=imports, values=values)
    fresh = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
    )

    assert trace.ending == "returned", trace.error
    assert tracked == example.value
    assert module.last == example.value
    assert dict(os.environ) == before
    assert call.situation
    assert fresh.stdout.strip() == repr(example.value), fresh.stderr
    assert fresh.returncode == 0, fresh.stderr  # what the situation tells evaluates


def test_nothing_of_this_machine_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Situation().told([], {}) == ()


def test_a_program_that_reads_its_arguments_alone_loads_no_source() -> None:
    code = (
        "import sys, symcrete.explore.compose as compose\n"
        "from symcrete.explore.options import options_from\n"
        "from symcrete.program.source.target import targets_of\n"
        "(target,) = targets_of(sys.argv[1])\n"
        "compose.cover(target, options_from({'max_runs': 20}))\n"
        "print('symcrete.world.outside.databases' in sys.modules, 'sqlite3' in sys.modules)\n"
    )
    file = Path(__file__).parents[2] / "examples/triangle.py"

    done = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True)

    assert done.stdout == "False False\n", done.stderr
