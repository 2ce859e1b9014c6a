"""An input is made plainer for as long as there is time."""

from dataclasses import replace

from symcrete.clock import Moment, wall
from symcrete.explore.minimise.foreseen import MOST_FORESEEN_CONDITIONS, Foreseen
from symcrete.explore.minimise.minimise import minimised
from symcrete.explore.minimise.plain_texts import Roles
from symcrete.run.trace import Trace
from symcrete.run.use import Ending
from symcrete.terms import integers
from symcrete.terms.term import Sort, int_const, var
from symcrete.terms.texts import STR, shape_of, source

GIVEN = {f"x{n}": 777 for n in range(5)}


def run() -> Trace:
    events = [(1, integers.le(int_const(-5), var(name, Sort.INT))) for name in GIVEN]
    return Trace(
        assignment=dict(GIVEN),
        events=tuple(events),
        assumptions=(),
        covered=0,
        ending=Ending.RETURNED,
        error=None,
        losses=(),
        steps=0,
        seconds=0.0,
        blocked=(),
        bounds=(),
    )


def test_values_become_plainer_one_by_one() -> None:
    assert minimised(run()) == dict.fromkeys(GIVEN, 0)


def test_when_the_time_is_up_the_rest_stays_as_it_is() -> None:
    left = minimised(run(), stop=Moment(wall() - 1))

    assert 0 not in left.values()


def test_an_input_on_a_known_path_does_what_that_run_did() -> None:
    known = replace(run(), covered=5)

    again = Foreseen([known]).run(dict.fromkeys(GIVEN, -5))

    assert again is not None
    assert again.covered == 5
    assert again.assignment == dict.fromkeys(GIVEN, -5)


def test_an_input_on_no_known_path_is_not_foreseen() -> None:
    assert Foreseen([run()]).run(GIVEN | {"x3": -6}) is None


def test_a_path_that_lacks_an_input_or_is_long_is_not_foreseen() -> None:
    long = replace(run(), events=run().events * MOST_FORESEEN_CONDITIONS)

    assert Foreseen([run()]).run({"x0": 1}) is None
    assert Foreseen([long]).run(GIVEN) is None


def test_a_variable_that_means_a_default_stays_as_it_is() -> None:
    trace = replace(run(), defaults=({"x1": 777},))

    assert minimised(trace) == dict.fromkeys(GIVEN, 0) | {"x1": 777}


def test_numbers_of_a_list_that_was_a_text_before_are_no_characters() -> None:
    shape = shape_of(source("either", STR))
    given = {"len(either)": 1, "either[0]": 97}
    other = integers.le(int_const(0), var("len(either)", Sort.INT))

    assert Roles(given, [shape]).plainer("either[0]", given) is not None
    assert Roles(given, [other]).plainer("either[0]", given) is None
