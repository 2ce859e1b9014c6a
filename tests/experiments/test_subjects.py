"""What holds for every subject: it can be imported, is small, annotated, and knows no tester."""

import ast
import importlib
import inspect
from pathlib import Path

import experiments.subjects
import pytest
from experiments.subjects.flat import flat_module

ROOT = Path(experiments.subjects.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
NAMES = [
    ".".join(("experiments.subjects", *path.relative_to(ROOT).with_suffix("").parts))
    for path in FILES
    if path.name != "__init__.py"
]


def test_there_is_a_package_for_each_paper():
    packages = {path.parent.name for path in FILES if path.name == "__init__.py"}

    assert packages >= {"ippc", "walk", "symcretic", "lazy", "context", "optimal"}


@pytest.mark.parametrize("name", NAMES)
def test_a_subject_can_be_imported_and_says_what_it_is(name):
    module = importlib.import_module(name)

    assert module.__doc__


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_subject_is_small_and_knows_no_tester(path):
    text = path.read_text()
    imported = {
        node.module if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }

    assert len(text.splitlines()) <= 450
    assert not [name for name in imported if name and name.startswith("symcrete")]


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_and_result_is_annotated(name):
    module = importlib.import_module(name)
    functions = [
        function
        for _, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == name
    ]

    for function in functions:
        signature = inspect.signature(function)
        assert signature.return_annotation is not inspect.Signature.empty, function
        for parameter in signature.parameters.values():
            assert parameter.annotation is not inspect.Parameter.empty, (function, parameter)


@pytest.mark.parametrize(
    "name", [f"experiments.subjects.ippc.{path.stem}" for path in (ROOT / "ippc").glob("[a-z]*.py")]
)
def test_an_ippc_subject_states_the_bounds_of_its_parameters(name):
    module = importlib.import_module(name)

    entry = getattr(module, name.rpartition(".")[2])
    assert list(module.DOMAIN) == list(inspect.signature(entry).parameters)
    numbers = [each for each in module.DOMAIN.values() if isinstance(each[0], int | float)]
    texts = [each for each in module.DOMAIN.values() if each not in numbers]  # letters, how many
    assert all(low < high for low, high in numbers)
    assert all(letters and most > 0 for letters, most in texts)


def test_the_readme_names_every_module():
    readme = (ROOT / "README.md").read_text()

    assert [path for path in FILES if path.stem not in readme and path.stem != "__init__"] == []


def test_a_flat_module_has_a_parameter_for_each_cell():
    text = flat_module(
        "experiments.subjects.lazy.calculator", "calculate", {"text": 12}, fixed={"operations": 1}
    )
    scope: dict[str, object] = {}

    exec(text, scope)

    entry = scope["entry"]
    assert callable(entry)
    assert len(inspect.signature(entry).parameters) == 12
    assert entry(ord("4"), 0, 0, 0, ord("*"), 0, 0, 0, ord("5"), 0, 0, 0) == 20


def test_a_closed_flat_list_ends_with_a_concrete_0():
    text = flat_module(
        "experiments.subjects.lazy.top", "locate", {"s": 2}, fixed={"c": 97}, closed=True
    )
    scope: dict[str, object] = {}

    exec(text, scope)

    entry = scope["entry"]
    assert callable(entry)
    assert (entry(1, 97), entry(1, 1)) == (1, -1)
