"""The graphs and the branch counts against coverage.py, on the standard library."""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from coverage.parser import PythonParser

from symcrete.program.graph.cfg import Cfg
from symcrete.program.graph.statements import control_flow_graphs
from symcrete.program.source.sites import ModuleSites, SiteTable, functions

MODULES = (
    "textwrap shlex fractions configparser pprint html.parser urllib.parse optparse contextlib "
    "copy ipaddress fnmatch dataclasses test.test_patma test.test_with test.test_except_star "
    "test.test_contextlib"
)
SUITES = (
    "test_textwrap test_shlex test_fractions test_configparser test_pprint test_htmlparser "
    "test_urlparse test_optparse test_contextlib test_copy test_ipaddress test_fnmatch "
    "test_dataclasses test_patma test_with test_except_star"
)
SUSPENDED = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFunctionDef)


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[int, int]]]:
    if importlib.util.find_spec("test.test_textwrap") is None:
        pytest.skip("this Python comes without its test suite")
    program = Path(__file__).with_name("executed.py")
    lists = [",".join(MODULES.split()), ",".join(SUITES.split())]
    command = [sys.executable, str(program), *lists, str(tmp_path_factory.mktemp("work"))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return {file: [(a, b) for a, b in arcs] for file, arcs in json.loads(done.stdout).items()}


def test_every_arc_that_executes_is_an_edge(executed: dict[str, list[tuple[int, int]]]):
    entered = 0
    for file, raw in executed.items():
        text = Path(file).read_text()
        parser = parsed(text)
        graphs = graphs_of(text, file)
        known = {whole(parser, arc) for cfg in graphs for arc in cfg.arcs()}
        # A generator that is thrown into looks entered anew, at the place of the `yield`.
        thrown = {-cfg.first_line for cfg in graphs if suspends(cfg)}
        arcs = {whole(parser, arc) for arc in raw}
        entered += len({source for source, _ in arcs if source < 0})

        unknown = {
            (source, target)
            for source, target in arcs
            if abs(source) != abs(target)  # a comprehension or lambda within one statement
            and (source, target) not in known
            and (-source, target) not in known  # some frames begin on the line of their `def`
            and source not in thrown
        }

        assert not unknown, f"{file}: {sorted(unknown)}"
    assert entered >= 200


def test_branches_are_counted_as_coverage_counts_them():
    same, different = 0, []
    for module in [*MODULES.split()[:13], "argparse", "json.decoder", "re._parser", "typing"]:
        spec = importlib.util.find_spec(module)
        assert spec is not None and spec.origin is not None
        text = Path(spec.origin).read_text()
        exits = parsed(text).exit_counts()
        tree = ast.parse(text)
        sites = ModuleSites(tree, spec.origin, SiteTable())
        names = [scope for scope, _ in functions(tree)]
        for scope, node in functions(tree):
            if names.count(scope) > 1:
                continue  # two functions of one name share their sites' scope
            lines = range(node.body[0].lineno, (node.end_lineno or 0) + 1)
            theirs = sum(count for line, count in exits.items() if count > 1 and line in lines)
            if len(sites.own_branches(scope)) == theirs:
                same += 1
            else:
                different.append(f"{module}:{scope}")
    assert same > 1000
    assert not different


def parsed(text: str) -> PythonParser:
    parser = PythonParser(text=text, exclude="(?!)")
    parser.parse_source()
    return parser


def graphs_of(text: str, file: str) -> list[Cfg]:
    tree = ast.parse(text)
    return control_flow_graphs(tree, ModuleSites(tree, file, SiteTable()))


def whole(parser: PythonParser, arc: tuple[int, int]) -> tuple[int, int]:
    """Lines within a statement count as its first."""
    return parser.first_line(arc[0]), parser.first_line(arc[1])


def suspends(cfg: Cfg) -> bool:
    return any(isinstance(node, SUSPENDED) for node in ast.walk(cfg.node))
