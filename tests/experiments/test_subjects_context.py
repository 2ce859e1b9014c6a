"""The subjects of context-guided search: dependencies between branches, drivers, generated text."""

import pytest
from experiments.subjects.context import checkout, diskperf, floppy, generator, keyboard, nested


def test_points_come_only_with_a_discount():
    for total in range(-10, 1000):
        _, discount, points = checkout.checkout(0, total)
        assert points == 0 or discount > 0


def test_an_order_can_have_a_discount_without_points():
    assert checkout.checkout(2, 150) == ("fast", 15, 0)
    assert checkout.checkout(1, 400) == ("slow", 40, 18)
    assert checkout.checkout(0, 99) == ("slow", 0, 0)


def test_the_innermost_branch_goes_both_ways_only_after_b1():
    after_b1 = {nested.nested(5, 1, 1, count, 7) for count in range(1, 60)}
    after_b2 = {nested.nested(4, 1, 1, count, 7) for count in range(1, 60)}

    assert after_b1 == {"counted", "unrolled"}
    assert after_b2 == {"counted"}


def test_the_outer_branches_of_nested_have_results_of_their_own():
    assert nested.nested(0, 0, 1, 1, 7) == "literal"
    assert nested.nested(0, 1, 0, 1, 7) == "nothing to repeat"
    assert nested.nested(0, 1, 1, 0, 7) == "never"
    assert nested.nested(0, 1, 1, 1, 6) == "lazy"


def requests(*rows: tuple[int, int, int, int, int]) -> list[int]:
    return [value for row in rows for value in row]


def test_floppy_reads_writes_and_protects():
    read = (floppy.READ, 0, 512, 1024, floppy.DONE)
    write = (floppy.WRITE, 0, 0, 512, floppy.DONE)
    odd = (floppy.READ, 0, 0, 100, floppy.DONE)

    assert floppy.floppy(3, 4, *requests(read, write, odd)) == [
        floppy.OK,
        floppy.OK,
        floppy.PROTECTED,
        floppy.BAD_PARAMETER,
    ]


def test_floppy_holds_a_request_while_a_stop_is_pending():
    stop = (floppy.PLUG, floppy.QUERY_STOP, 0, 0, 0)
    read = (floppy.READ, 0, 0, 512, floppy.DONE)
    cancel = (floppy.PLUG, floppy.CANCEL_STOP, 0, 0, 0)

    assert floppy.floppy(3, 1, *requests(stop, read, read))[1:] == [0, floppy.PENDING, floppy.BUSY]
    assert floppy.floppy(3, 0, *requests(stop, read, cancel))[3] == floppy.NO_MEDIUM


def test_floppy_tries_again_after_a_wrong_track():
    lost = (floppy.READ, 0, 0, 512, floppy.LOST)
    wrong = (floppy.READ, 0, 0, 512, floppy.WRONG_TRACK)
    late = (floppy.READ, 0, 0, 512, floppy.LATE)

    assert floppy.floppy(1, 1, *requests(wrong, late, lost))[1:] == [
        floppy.OK,
        floppy.NOT_READY,
        floppy.NO_MEDIUM,
    ]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ((keyboard.CONNECT, 30, keyboard.READ_KEY), 1),
        ((30, keyboard.READ_KEY), 0),
        ((keyboard.CONNECT, 29, 56, 83), keyboard.REBOOT),
        ((keyboard.CONNECT, 29, 56, 0x80 + 29, 83), 0),
        ((keyboard.CONNECT, 30, 31, 32, 28), 4),
        ((keyboard.CONNECT, 58, 0xFA, 0xFA, 30, keyboard.READ_KEY), 1),
        ((keyboard.CONNECT, 58, 0xFE, 0xFE, 0xFE, 30, keyboard.READ_KEY), 0),
        ((keyboard.CONNECT, keyboard.SUSPEND, 30, keyboard.READ_KEY), 0),
        ((keyboard.CONNECT, keyboard.SUSPEND, 1, 30, keyboard.READ_KEY), 1),
        ((keyboard.CONNECT, 0xE1, 30, 30, keyboard.READ_KEY), 0),
    ],
)
def test_keyboard_counts_the_keys_it_delivers(events, expected):
    padded = [*events, *[-1] * (8 - len(events))]

    assert keyboard.keyboard(*padded) == expected


def test_diskperf_counts_only_while_switched_on():
    start = (diskperf.PNP, diskperf.START, 0, 0, diskperf.LOWER_OK)
    write = (diskperf.WRITE, 0, 70000, 5, diskperf.LOWER_OK)
    query = (diskperf.CONTROL, diskperf.QUERY, 88, 0, 0)
    on = (diskperf.CONTROL, diskperf.COUNT_ON, 0, 0, 0)

    assert diskperf.diskperf(0, 5, *requests(start, write, query, query)) == [0, 0, 2, 2]
    assert diskperf.diskperf(1, 4, *requests(start, query, on, query)) == [0, diskperf.OFF, 0, 0]
    assert diskperf.diskperf(0, 6, *requests(start, write, query, on))[2] == diskperf.TOO_SMALL


def test_diskperf_refuses_everything_before_the_start_and_after_the_removal():
    read = (diskperf.READ, 0, 1, 1, diskperf.LOWER_OK)
    start = (diskperf.PNP, diskperf.START, 0, 0, diskperf.LOWER_PENDING)
    remove = (diskperf.PNP, diskperf.REMOVE, 0, 0, diskperf.LOWER_OK)

    assert diskperf.diskperf(0, 5, *requests(read, start, remove, read)) == [
        diskperf.UNSUPPORTED,
        diskperf.OK,
        diskperf.OK,
        diskperf.GONE,
    ]


def test_a_seed_determines_the_generated_text():
    assert generator.generate(600, 3) == generator.generate(600, 3)
    assert generator.generate(600, 3) != generator.generate(600, 4)


def test_the_generated_text_does_not_change_from_one_version_to_the_next():
    assert generator.generate(300, 0).splitlines()[3:6] == [
        "def f0(a0: int, a1: int, a2: int) -> int:",
        "    result = a0",
        "    if a0 + a2 < -31:",
    ]


@pytest.mark.parametrize("lines", [300, 600, 1000, 1500, 2400, 5000, 10_000])
def test_a_generated_program_has_the_size_asked_for_and_runs(lines):
    text = generator.generate(lines, 1)
    scope: dict[str, object] = {}

    exec(compile(text, "generated", "exec"), scope)

    main = scope["main"]
    assert callable(main)
    assert lines <= text.count("\n") <= lines + 120
    for value in (-1000, -1, 0, 1, 77, 100_000):
        assert isinstance(main(*range(value, value + 8)), int)


def test_a_generated_program_has_branches_loops_and_calls():
    text = generator.generate(1000, 2)

    assert text.count(" if ") > 100
    assert text.count("while ") > 5
    assert text.count("= f") > 5
    assert all(f"= f{i}(" in text for i in range(text.count("\ndef f")))


def test_the_number_of_inputs_can_be_chosen():
    assert "    p2: int,\n) -> int:" in generator.generate(300, 0, parameters=3)
