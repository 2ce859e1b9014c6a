"""What a call can mean."""

from __future__ import annotations

import ast

from tests.program.texts import Program

from symcrete.program.graph.calls import CallGraph, is_module
from symcrete.program.graph.statements import control_flow_graphs
from symcrete.program.source.sites import ModuleSites, SiteTable

TEXT = """
    import helper
    from package import parts
    from package.parts import part as piece

    def top(x):
        def inner():
            return inner()
        inner()
        other(x)
        Shape(x).area()
        x.draw()
        helper.help()
        parts.part()
        piece()
        x()

    def other(y):
        return y

    class Shape:
        def __init__(self, x):
            self.scale(x)
        def area(self):
            return 1
        def scale(self, x):
            return x
        def draw(self):
            return 2

    class Circle:
        def draw(self):
            return 3
    """


def graphs() -> CallGraph:
    program = Program(TEXT)
    found = list(program.graphs)
    for file, text in [
        ("root/helper.py", "def help(): pass"),
        ("package/parts.py", "def part(): pass"),
    ]:
        tree = ast.parse(text)
        found += control_flow_graphs(tree, ModuleSites(tree, file, SiteTable()))
    return CallGraph(found)


def meant(called: str, caller: str = "top") -> set[str]:
    resolved = graphs()
    cfg = resolved.named("program.py", caller)
    assert cfg is not None
    return {each.scope for each in resolved.callees(cfg, ast.parse(called, mode="eval").body)}


def test_names_mean_functions_around_the_call():
    assert meant("other") == {"other"}
    assert meant("inner") == {"top.inner"}
    assert meant("inner", "top.inner") == {"top.inner"}


def test_a_class_means_its_constructor():
    assert meant("Shape") == {"Shape.__init__"}


def test_self_means_the_own_class_and_anything_else_every_class():
    assert meant("self.scale", "Shape.__init__") == {"Shape.scale"}
    assert meant("x.draw") == {"Shape.draw", "Circle.draw"}


def test_imports_lead_to_other_modules():
    assert meant("helper.help") == {"help"}
    assert meant("parts.part") == {"part"}
    assert meant("piece") == {"part"}


def test_a_variable_means_nothing_known():
    assert meant("x") == set()
    assert meant("helper.missing") == set()


def test_packages_are_their_init_file():
    assert is_module("src/package/__init__.py", "package")
    assert is_module("src/package/parts.py", "package.parts")
    assert not is_module("src/other/parts.py", "package.parts")
