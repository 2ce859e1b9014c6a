"""The platform is the same in every run that does not say otherwise."""

from tests.world.asking import Answers

from symcrete.world.platforms import PLATFORM
from symcrete.world.source import Answer, Instead


def test_between_runs_functions_tell_of_this_machine() -> None:
    import platform

    asked = Answers(running=False)
    functions = {
        each.name: each.by for each in PLATFORM.stand_ins(asked) if isinstance(each, Instead)
    }

    assert functions["system"]() == platform.system()
    assert not asked.asked


def test_a_name_that_no_platform_has_is_an_input_too() -> None:
    told = list(PLATFORM.shown([Answer("sys.platform", "aix", '"aix"')], lambda m, n: [f"{m}.{n}"]))

    assert [each.line for each in told] == ['monkeypatch.setattr("sys.platform", "aix")']
