"""Constructs that hold surprises: what a piece defines at the top of a module, and how it is used.

In the text of a use `$n` is a number, `$s` a simple one, `$k` a literal, `$t` a text, `$c` a condition,
`$l` a list, `$i` a name of a number, `$p` of any value, and `$x`, `$y`, `$z` are names that are new in it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Use:
    """Statements of the function; `kind` is what `$x` is afterwards, "" if nothing is known of it."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A construct: definitions of a module, and uses of them."""

    name: str
    uses: tuple[Use, ...]
    helper: str = ""
    has_state: bool = False
    unordered: tuple[str, ...] = ()  # constants that are sets, whose order may be any


def _ints(*texts: str) -> tuple[Use, ...]:
    return tuple([Use(f"$x = {text}", "int") for text in texts])


def _texts(*texts: str) -> tuple[Use, ...]:
    return tuple([Use(f"$x = {text}", "str") for text in texts])


def _blocks(*texts: str) -> tuple[Use, ...]:
    return tuple([Use(text) for text in texts])


PIECES = (
    Piece(
        "numbers in sets",
        _ints(
            "list({$n, 8, $s})[0]",
            "list({8, $s, 0})[-1]",
            "next(iter({$s, 16, 8}))",
            "max({$s, 8, 0}, key=lambda v: v % 8)",
            "min({$s, 9, 1}, key=lambda v: v % 4)",
            "sorted({$s, 8, 0}, key=lambda v: v % 8)[0]",
            "functools.reduce(operator.sub, {$n, 8, $s})",
        )
        + _texts(
            "str({$s, 8})",
            "''.join([str(v) for v in {8, $s, 0}])",
            "'-'.join(map(str, {$s, 16, 8}))",
            "f'{set([$i, 8])}'",
        ),
    ),
    Piece(
        "texts in sets",
        _texts(
            "''.join(WORDS)",
            "next(iter(WORDS))",
            "max(WORDS, key=len)",
            "sorted(WORDS, key=len)[0]",
            "list(WORDS)[$s % 3]",
            "str(WORDS)[2:4]",
            "f'{WORDS}'[-3:]",
            "'-'.join(w for w in WORDS if w != $t)",
        )
        + _blocks(
            "for $x in WORDS:\n    if $x > $t:\n        return $k\n    break",
            "if [*WORDS][0] == 'ba' and $c:\n    return $k",
        ),
        'WORDS = frozenset({"ba", "ab", "c"})',
        unordered=("WORDS",),
    ),
    Piece(
        "tables of functions",
        _ints(
            "STEPS[$s % 4]($n)",
            "len(str(ACTIONS.get($t, abs)($n)))",
            "sum(step($s) for step in STEPS)",
            "STEPS[$s]($n)",
            "ACTIONS['a']($n)",
        )
        + _blocks(
            "if isinstance(STEPS[$s % 4]($n), bool):\n    return $k",
            "if ACTIONS.get($t, str)($n) == '1':\n    return $k",
            "for $x in STEPS:\n    if $x($s) is True:\n        return $k",
        ),
        """
def grown(v: int) -> int:
    if isinstance(v, str):
        return -1
    if v > 2:
        return 0
    return v + 1


ACTIONS = {"a": grown, "b": len, "ab": str, "1": abs}
STEPS = [grown, abs, bool, operator.neg]
""",
    ),
    Piece(
        "a class that is a function",
        _ints("Point($n).n", "Point().n", "int(type(Point($s)).__name__ == 'Point')")
        + _blocks(
            "try:\n    $x = isinstance($s, Point)\nexcept TypeError:\n    return $k",
            "if Point($n).n > 1:\n    return $k",
        ),
        """
def built(kind):
    def build(*given):
        if not given:
            return kind(7)
        return kind(*given)

    return build


@built
class Point:
    def __init__(self, n: int) -> None:
        self.n = n
""",
    ),
    Piece(
        "abstract classes",
        _blocks(
            "if isinstance($s, Shape):\n    return $k",
            "if isinstance($t, Shape) or isinstance(None, Shape):\n    return $k",
            "if issubclass(bool, Shape) and $c:\n    return $k",
            "try:\n    $x = Shape()\nexcept TypeError:\n    return $k",
            "if isinstance(Square($n), Shape):\n    if Square($n).area() == 4:\n        return $k",
            "match $n:\n    case Shape():\n        return $k\n    case _:\n        pass",
        ),
        """
class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self) -> int:
        ...


class Square(Shape):
    def __init__(self, n: int) -> None:
        self.n = n

    def area(self) -> int:
        if self.n < 0:
            return 0
        return self.n * self.n


Shape.register(int)
""",
    ),
    Piece(
        "names that a call binds",
        _blocks(
            "try:\n    $x = _late\nexcept NameError:\n    return $k",
            "begin($n)",
            "if '_late' in globals():\n    return $k",
            "if $c:\n    begin($s)\n    if _late > 1:\n        return $k",
        ),
        """
def begin(n: int) -> None:
    global _late
    _late = n % 3
""",
        has_state=True,
    ),
    Piece(
        "names bound twice",
        _ints("size + $s", "(size if callable(size) else $s)", "shown($n)")
        + _blocks(
            "try:\n    $x = gone()\nexcept NameError:\n    return $k",
            "if callable(size):\n    return $k",
            "if shown($s) == 2:\n    return $k",
        ),
        """
def size(n: int) -> int:
    if n > 5:
        return 0
    return n + 1


def gone() -> int:
    return 1


def shown(n: int) -> int:
    return size


size = size(3)
del gone
""",
    ),
    Piece(
        "flags",
        _ints(
            "int(Perm.R | Perm($s % 8))",
            "int(Perm($s % 8) & ~Perm.R)",
            "Level.LOW + $s",
            "Level($n)",
            "len(list(Perm))",
            "Level['MID'].value",
        )
        + _blocks(
            "if Perm.W in Perm($s % 8):\n    return $k",
            "if Level($s % 3 + 1) is Level.MID:\n    return $k",
            "match Level($s % 3 + 1):\n    case Level.LOW:\n        return $k\n    case 3:\n        return 9",
            "if isinstance(Level.LOW, int) and $s == Level.HIGH:\n    return $k",
            "if Perm($s % 4) == 3 or not Perm($s % 4):\n    return $k",
            "try:\n    $x = Level($n)\nexcept ValueError:\n    return $k",
        ),
        """
class Perm(enum.IntFlag):
    R = 1
    W = 2
    X = 4


class Level(enum.IntEnum):
    LOW = 1
    MID = 2
    HIGH = 3
""",
    ),
    Piece(
        "subclasses of int and str",
        _ints(
            "Meters($n) + $s",
            "$s + Meters($n)",
            "len(Name($t).upper())",
            "int(type(Meters($n) + 1) is int)",
            "int(Meters($n) == $s)",
            "int(str(Name($t)) is $t)",
        )
        + _blocks(
            "if isinstance(Meters($s), int) and type(Meters($s)) is not int:\n    return $k",
            "if ($s).__class__ is int:\n    return $k",
            "if type($t) is str and Name($t) == 'a':\n    return $k",
            "if Name($t).upper() == 'x':\n    return $k",
            "match Meters($n):\n    case Meters():\n        return $k\n    case int():\n        return 8",
            "if bool(Meters($s)) == bool($s):\n    return $k",
        ),
        """
class Meters(int):
    def __add__(self, other):
        if other == 0:
            return self
        return Meters(int(self) + int(other))

    def __bool__(self) -> bool:
        return int(self) > 1


class Name(str):
    def upper(self) -> str:
        return "x" if self == "a" else str.upper(self)
""",
    ),
    Piece(
        "a counter made by the import",
        _ints("tick()", "tick($s % 2)", "tick() + tick()")
        + _blocks("if tick() == 2:\n    return $k", "if tick($n % 3) == 0:\n    return $k"),
        """
def counter():
    total = 0

    def step(by: int = 1) -> int:
        nonlocal total
        total = (total + by) % 3
        return total

    return step


tick = counter()
""",
        has_state=True,
    ),
    Piece(
        "values sent to generators",
        _blocks(
            "$x = echo($s)\nnext($x)\ntry:\n    $y = $x.send($n)\nexcept StopIteration:\n    return $k",
            "$x = echo($n)\nif next($x) > 1:\n    $x.close()\n    if next($x, None) is None:\n        return $k",
            "$x = echo($s)\nnext($x)\nif next($x, -1) == -1:\n    return $k",
            "$x = echo($s)\nnext($x)\ntry:\n    $x.throw(ValueError)\nexcept ValueError:\n    return $k",
            "$x = [*outer($n)]\nif len($x) > 2:\n    return $k",
        ),
        """
def echo(n: int):
    got = yield n
    while got is not None and got > 0:
        got = yield got - 1
    return n


def outer(n: int):
    last = yield from echo(n)
    if last > 0:
        yield last
    yield 0
""",
    ),
    Piece(
        "ways out of finally",
        _blocks(
            "try:\n    $x = $n\n    if $c:\n        return $x\nfinally:\n    if $c:\n        return $k",
            "for $x in range(3):\n    try:\n        continue\n    finally:\n        if $x == $s:\n            break",
            "try:\n    try:\n        $x = 2 // $s\n    finally:\n        $y = $n\nexcept ZeroDivisionError:\n    if $y > 1:\n        return $k",
            "for $x in $l:\n    try:\n        if $x == $s:\n            return $k\n    finally:\n        if $x > 1:\n            continue",
            "try:\n    $x = [1, 2][$s]\nexcept IndexError:\n    $x = 3\nelse:\n    if $x == 2:\n        return $k\nfinally:\n    $y = $n",
        ),
    ),
    Piece(
        "patterns",
        _blocks(
            "match $l:\n    case [$x, *$y] if $y:\n        return $x\n    case [1, *_, 2] | [0]:\n        return $k",
            "match {'a': $n, $t: 2}:\n    case {'b': 2, **$x} if $x:\n        return $k\n    case {'a': 0 | 1 as $y}:\n        return $y",
            "match $s:\n    case bool():\n        return $k\n    case int($x) if $x > 1:\n        return $x\n    case None | str():\n        return 9",
            "match Pair($n, $c):\n    case Pair(n=1 | 2 as $x):\n        return $x\n    case Pair(_, True):\n        return $k",
            "match ($s, $l):\n    case (0 | 1, [*_, 1]):\n        return $k\n    case ($x, [$y]) if $x != $y:\n        return $y",
            "match $t:\n    case 'a' | 'ab' as $x:\n        return len($x)\n    case str($x) if $x < 'b':\n        return $k",
        ),
    ),
    Piece(
        "names in comprehensions",
        (
            Use("$x = [$y for v in $l if ($y := v + $s) > 1]", "list"),
            Use("$x = [v * w for v in $l for w in range(v % 3) if w != $s]", "list"),
            Use("$x = [[v for v in range(3)][v % 3] for v in $l]", "list"),
            *_ints(
                "sum([$y := v + $s for v in $l]) if $l else 0", "sum({v: $s for v in $l}.values())"
            ),
            *_blocks(
                "if any(($x := v) > $s for v in $l):\n    return $x",
                "$x = $n\n$y = [$x for $x in $l]\nif $x == $s:\n    return $k",
                "$x = $n\n$y = [f() for f in [lambda: $x for _ in range(2)]]\nif $y[0] == $s:\n    return $k",
                "if all(v < ($x := $s) for v in $l) and $c:\n    return $k",
            ),
        ),
    ),
    Piece(
        "partial calls",
        _ints(
            "functools.partial(pow, $s % 4)(2)",
            "functools.partial(int, base=2)('10')",
            "functools.partial(shifted, by=$n)($s)",
            "functools.partial(shifted, $n)(by=$s)",
            "functools.partial(functools.partial(shifted, $s), $k)()",
            "len(functools.partial(shifted, $s).args)",
        ),
        """
def shifted(v: int, by: int = 1) -> int:
    if v == by:
        return 0
    return v - by
""",
    ),
    Piece(
        "defaults that change",
        _ints("collect($n)", "collect($s, [])", "collect($n, [$s])", "len(collect.__defaults__[0])")
        + _blocks("if collect($s) == 2:\n    return $k"),
        """
def collect(v: int, into: list[int] = []) -> int:
    if len(into) < 3:
        into.append(v % 2)
    return len(into)
""",
        has_state=True,
    ),
    Piece(
        "attributes that are computed",
        _ints(
            "Lazy($n).twice",
            "Lazy($s).missing",
            "getattr(Lazy($s), 'n', $n)",
            "int(hasattr(Lazy($n), 'twice'))",
            "getattr(Lazy($s), '__absent__', $k)",
        )
        + _blocks(
            "if Lazy($n).twice == 5:\n    return $k",
            "$x = Lazy($n)\n$x.twice = $s\nif $x.n == 3:\n    return $k",
            "$x = Lazy($n)\n$x.other = $s\nif $x.other == 5:\n    return $k",
            "$x = Lazy($n)\ntry:\n    del $x.n\nexcept AttributeError:\n    return 9\nif $x.n == 1:\n    return $k",
        ),
        """
class Lazy:
    def __init__(self, n: int) -> None:
        self.n = n

    @property
    def twice(self) -> int:
        if self.n > 1:
            return self.n * 2
        raise AttributeError("twice")

    @twice.setter
    def twice(self, value: int) -> None:
        self.n = value + 1

    def __getattr__(self, name: str) -> int:
        if name.startswith("__"):
            raise AttributeError(name)
        return len(name)
""",
    ),
    Piece(
        "fields that others set",
        _blocks(
            "$x = Box($n)\nrelabel($x)\nif $x.tag == 1:\n    return $k",
            "$x = Box($n, $t)\nif $x.tag:\n    relabel($x)\nif isinstance($x.tag, int):\n    return $k",
            "$x = Box($s)\n$x.items.append($n)\nif Box(1).items:\n    return $k",
            "if Box($n) == Box($s, 'a') or Box($n) < Box($s):\n    return $k",
            "$x = Box($n)\n$y = $x\n$y.n += 1\nif $x.n == $s:\n    return $k",
            "$x = Box($n)\nvars($x).pop('tag')\nif $x.tag == $t:\n    return $k",
        ),
        """
@dataclass(order=True)
class Box:
    n: int
    tag: str = "a"
    items: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.n < 0:
            self.n = 0


def relabel(box: Box) -> None:
    box.tag = len(box.tag)
""",
    ),
    Piece(
        "tools of the library",
        _ints(
            "sum(itertools.chain($l, [$s]))",
            "len(list(itertools.takewhile(lambda v: v > $s, $l)))",
            "next(itertools.dropwhile(lambda v: v == $s, $l), -1)",
            "list(itertools.islice(itertools.cycle($l or [0]), 3))[-1]",
            "operator.itemgetter(0)($l)",
            "operator.attrgetter('n')(Pair($n, True))",
            "operator.methodcaller('count', 'a')($t)",
            "len(list(itertools.product($l, repeat=2)))",
            "len([k for k, _ in itertools.groupby(sorted($l))])",
            "sum(a * b for a, b in itertools.zip_longest($l, [1], fillvalue=$s))",
            "sum(itertools.compress([1, 2, 4], [$s, 0, $n]))",
            "sum(a - b for a, b in itertools.pairwise($l))",
            "sum(itertools.starmap(operator.mul, zip($l, $l)))",
            "len(list(itertools.combinations($l, 2)))",
            "int(operator.contains($l, $s))",
            "operator.index($s)",
        ),
    ),
    Piece(
        "formatted texts",
        _texts(
            "f'{$i:>3}'",
            "f'{$p!r:0>4}'",
            "'%s-%r' % ($n, $t)",
            "'{0}{1}{0}'.format($s, $t)",
            "'{:b}'.format(abs($s))",
            "'{:+d}'.format($n)",
            "format($s, '03d')",
            "'{n}'.format_map({'n': $s})",
            "f'{$p=}'",
            "'%5.1f' % ($s / 2)",
            "$t.center(3, '*')",
            "'%(n)d' % {'n': $n}",
            "str([$s, $t])",
            "repr(($n, None))",
        ),
    ),
)
