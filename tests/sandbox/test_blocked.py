from symcrete.sandbox.walls.blocked import Blocked, shown, shown_call


class Loud:
    def __repr__(self):
        raise AssertionError("the program's own code was run")


class LoudList(list):
    def __repr__(self):
        raise AssertionError("the program's own code was run")

    __iter__ = __len__ = __getitem__ = __repr__  # type: ignore[assignment]


def test_a_record_says_what_where_and_how_to_allow_it():
    record = Blocked("files", "os.remove('/x')", "shop.py:12")

    text = "side effect os.remove('/x') blocked at shop.py:12; allow with --allow files"
    assert str(record) == text


def test_a_record_from_the_kernel_says_so():
    assert str(Blocked("network", "socket(2, 1)")) == (
        "side effect socket(2, 1) blocked by the kernel; allow with --allow network"
    )


def test_arguments_are_short_and_never_the_programs_own_text():
    assert shown("/" + "a" * 1000 + "/end") == "'/" + "a" * 19 + "..." + "a" * 53 + "/end'"
    assert shown(b"a" * 100) == "b'" + "a" * 20 + "..." + "a" * 57 + "'"
    assert shown(10**5000) == "<a huge int>"
    assert shown(-5) == "-5"
    assert shown(b"\0") == "b'\\x00'"
    assert shown(Loud()) == "<Loud>"
    assert shown(LoudList(range(9))) == "[0, 1, 2, 3, ...]"
    assert shown((None, True, 1.5, [Loud()])) == "[None, True, 1.5, [<Loud>]]"
    assert shown_call("f", [1, "a"]) == "f(1, 'a')"
