"""Emitted tests: formatted whatever the values are, and each of them run."""

from __future__ import annotations

import io
import random
import subprocess
import sys
from pathlib import Path

from symcrete.explore.findings import FoundInput, Report, Spot, Status, TargetReport
from symcrete.inputs.literal import literal
from symcrete.report.tests.pytest_file import PytestFile
from symcrete.run.untouched.played import Seen


def found(args: dict[str, str], returned: str | None = "0", **more: object) -> FoundInput:
    given: dict[str, object] = {
        "outcome": "returned" if more.get("error") is None else "raised",
        "returned": returned,
        "raised": more.get("error"),
        "covers": (Spot(1, 0, True, "x > 0"),),
        "path_condition": "",
    }
    return FoundInput(args, **(given | more))  # type: ignore[arg-type]


def target(*inputs: FoundInput, scope: str = "f", **more: object) -> TargetReport:
    return TargetReport("m.py", Status.COMPLETE, inputs=inputs, module="m", scope=scope, **more)  # type: ignore[arg-type]


def emitted(*targets: TargetReport) -> str:
    out = io.StringIO()
    PytestFile().emit(Report(targets), out)
    return out.getvalue()


def assert_formatted(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", folder],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[:3000]


def drawn(chance: random.Random, depth: int = 0) -> object:
    kinds = ["int", "str", "float", "bytes"] + ["list", "tuple", "dict", "set"] * (depth < 3)
    count = chance.choice((0, 1, 1, 2, 3, 12))
    match chance.choice(kinds):
        case "int":
            return chance.choice((0, -1, 2**64 - 1, -(2**200), chance.getrandbits(200)))
        case "str":
            return "".join(chance.choices("ab'\"\\\n \x00", k=chance.choice((0, 1, 9, 70, 90))))
        case "float":
            return chance.choice((0.5, 1e300, -1e-7, float("inf"), 1e22))
        case "bytes":
            return bytes(chance.choices(b"ab'\"\\\x00", k=chance.choice((0, 5, 60))))
        case "list":
            return [drawn(chance, depth + 1) for _ in range(count)]
        case "tuple":
            return tuple([drawn(chance, depth + 1) for _ in range(count)])
        case "dict":
            return {key: drawn(chance, depth + 1) for key in range(count)}
        case _:
            return set(chance.choices(range(10**9), k=count))


SCOPES = {
    "f": "function",
    "g": "generator",
    "h": "coroutine",
    "Kind.m": "method",
    "Kind.p": "property",
}


def random_target(chance: random.Random) -> TargetReport:
    scope = chance.choice(list(SCOPES))
    method = scope.startswith("Kind")
    names = ["self"] * method + ["request", "second_one", "c"][: 0 if scope == "Kind.p" else 3]
    inputs = []
    for _ in range(chance.choice((1, 1, 3))):
        args = {name: literal(drawn(chance)) for name in names}
        if method:
            args["self"] = chance.choice(
                (
                    f"Kind({literal(drawn(chance))})",
                    f"(self := Kind({literal(drawn(chance))}), self.put({literal(drawn(chance))}))[0]",
                )
            )
        elif chance.random() < 0.2:
            args["request"] = f"(same := {literal(drawn(chance))})"
            args["c"] = chance.choice(("same", "{1: (other := [same])}"))
        elif chance.random() < 0.2:
            rows = ", ".join([f"({literal(drawn(chance))},)" for _ in range(3)])
            args["c"] = f"lambda *args: next(answer for asked, answer in [{rows}] if asked == args)"
        error = chance.choice((None, None, "ValueError"))
        message = chance.choice((None, "short", literal(drawn(chance)))) if error else None
        inputs.append(found(args, literal(drawn(chance)), error=error, message=message))
    kind = SCOPES[scope] if not method or scope == "Kind.p" else "function"
    return target(*inputs, scope=scope, kind=kind, is_method=method)


def test_emitted_tests_are_formatted_whatever_the_values_are(tmp_path: Path) -> None:
    chance = random.Random(3)
    for number in range(15):
        text = emitted(*[random_target(chance) for _ in range(5)])
        (tmp_path / f"test_{number}.py").write_text(text, encoding="utf-8")

    assert_formatted(tmp_path)


def test_a_parameter_called_request_is_renamed_for_pytest_keeps_that_name() -> None:
    text = emitted(target(found({"request": "1"}), found({"request": "2"})))

    assert "def test_f(request_, expected):" in text
    assert "assert f(request_) == expected" in text


def test_a_parameter_called_like_the_function_does_not_hide_it() -> None:
    text = emitted(target(found({"f": "1"}), found({"f": "2"})))

    assert "assert f(f_) == expected" in text


def test_no_test_hides_another() -> None:
    nan = 'float("nan")'
    text = emitted(
        target(found({"x": "1"}, nan), found({"x": "2"}, nan), found({"x": "3"})),
        target(found({"x": "4"}), scope="F"),
    )

    assert text.count("def test_f") == 4
    assert all(f"def test_f{end}():" in text for end in ("", "_2", "_is_nan", "_is_nan_2"))


def test_an_object_changed_by_its_methods_is_made_in_statements_of_its_own() -> None:
    made = "(self := Parser([1]), self.advance(), self.expect(2))[0]"
    text = emitted(target(found({"self": made}, "None"), scope="Parser.term", is_method=True))

    assert text.endswith(
        """
def test_parser_term():
    parser = Parser([1])
    parser.advance()
    parser.expect(2)
    assert parser.term() is None
"""
    )


def test_an_error_without_a_message_is_not_matched_against_an_empty_one() -> None:
    text = emitted(
        target(
            found({"x": "1"}, None, error="ValueError", message="too small"),
            found({"x": "2"}, None, error="ValueError", message=None),
            found({"x": "3"}, None, error="ValueError", message="too large"),
        )
    )

    assert 'pytest.param(1, "too small"' in text
    assert "    with pytest.raises(ValueError):\n        f(2)" in text
    assert '""' not in text.partition('"""\n')[2]


def test_an_input_whose_test_does_not_hold_has_none() -> None:
    text = emitted(target(found({"x": "1"}), found({"x": "2"}, untested="it fails elsewhere")))

    assert "f(1)" in text
    assert "2" not in text


def test_what_raises_without_being_called_is_a_statement_that_linters_accept() -> None:
    error = {"error": "ValueError", "message": "no"}
    compared = target(
        found({"self": "C()", "other": "C()"}, None, **error), scope="C.__gt__", is_method=True
    )
    assigned = target(
        found({"self": "C()", "n": "1"}, None, **error), scope="C.n", is_method=True, kind="setter"
    )

    assert "        _ = C() > C()\n" in emitted(compared)
    assert "        C().n = 1\n" in emitted(assigned)


def test_tests_of_objects_in_several_states_are_named_by_what_they_show() -> None:
    spots = [(Spot(1, 0, side, text),) for side, text in ((True, "self.rows"), (False, "wide"))]
    first, second = "(self := Table(), self.add(1))[0]", "(self := Table(), self.add(2))[0]"
    inputs = [
        found({"self": "Table()"}, "0"),
        found({"self": first}, "1", covers=spots[0]),
        found({"self": second}, "2", covers=spots[1]),
    ]

    text = emitted(target(*inputs, scope="Table.draw", is_method=True))

    assert "def test_table_draw():" in text
    assert "def test_table_draw_when_self_rows():" in text
    assert "def test_table_draw_when_wide():" in text


def test_keyword_arguments_that_no_case_has_are_not_parameters_of_the_test() -> None:
    without = emitted(target(found({"x": "1", "**kw": "{}"}), found({"x": "2", "**kw": "{}"})))
    some = emitted(target(found({"x": "1", "**kw": "{}"}), found({"x": "2", "**kw": '{"a": 1}'})))

    assert "def test_f(x, expected):" in without
    assert "def test_f(x, kw, expected):" in some


def test_an_object_of_the_class_that_is_tested_is_told_by_isinstance() -> None:
    made = found({"width": "0"}, None, result_type="Table")
    wider = found({"width": "1"}, None, result_type="Table")

    text = emitted(target(made, scope="Table.__init__"))
    both = emitted(target(made, wider, scope="Table.__init__"))

    assert "    assert isinstance(Table(0), Table)\n" in text
    assert "    assert isinstance(Table(width), Table)\n" in both
    assert "def test_table_init_gives_a_table(width):" in both


def test_the_name_of_a_test_says_once_what_is_raised() -> None:
    made, spot = "(self := Table(), self.add(1))[0]", Spot(1, 0, True, "KeyError", kind="KeyError")
    raised = found({"self": made}, None, error="KeyError", covers=(spot,))

    text = emitted(target(found({"self": "Table()"}), raised, scope="Table.take", is_method=True))

    assert "def test_table_take_raises_key_error():" in text


def test_an_object_is_not_called_like_a_built_in() -> None:
    made = "(self := Dict(), self.put(1))[0]"

    text = emitted(target(found({"self": made}, "None"), scope="Dict.take", is_method=True))

    assert "    dict_ = Dict()\n    dict_.put(1)\n" in text


def test_a_class_that_all_results_have_is_no_parameter_of_the_test() -> None:
    inputs = [found({"x": text}, None, result_type="Query") for text in ("0", "1")]

    text = emitted(target(*inputs))

    assert "def test_f_gives_a_query(x):" in text
    assert '    assert type(f(x)).__qualname__ == "Query"\n' in text


def test_a_column_has_not_the_name_of_the_function() -> None:
    errors = [found({"n": str(n)}, None, error="ValueError", message=f"bad {n}") for n in range(2)]

    text = emitted(target(*errors, scope="message"), target(*[found({"n": "1"})] * 2, scope="kind"))

    assert "def test_message_raises_value_error(n, message_):" in text
    assert "message(n)" in text and "re.escape(message_)" in text


def test_a_generator_may_be_given_what_its_test_calls_items() -> None:
    inputs = [found({"items": f"[{n}]"}, f"[{n}]", drained="asyncgen") for n in range(2)]

    text = emitted(target(*inputs))

    assert "async def items_():" in text and "async for item in f(items)]" in text
    assert "asyncio.run(items_()) == expected" in text


def test_a_result_has_not_the_name_of_an_argument() -> None:
    seen = (Seen("result", "", ".size", "1"), Seen("argument", "result", "", "[1]"))
    given = [found({"result": f"[{n}]"}, None, result_type="Box", seen=seen) for n in range(2)]

    text = emitted(target(*given))

    assert "result_ = f(result)" in text
    assert "assert result_.size == 1" in text and "assert result == [1]" in text
