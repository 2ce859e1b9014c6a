"""The `re` module and compiled patterns, where the text is tracked."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable
from typing import Any

from symcrete.values.regex import matches as regex
from symcrete.values.rows.model_rows import Method, Model, ModelRow, Pure, TransparentMethods
from symcrete.values.text.content.strings import ConcolicStr
from symcrete.values.text.meaning.formatting import pinned_text
from symcrete.values.text.meaning.lines_and_tabs import escaped
from symcrete.values.tracking.modelled import (
    callee,
    foreign,
)
from symcrete.values.tracking.numeric import pinned, untracked

# The codes of the characters that `re.escape` puts a backslash before; all of them are ASCII.
_ESCAPED = frozenset(code for code in range(128) if re.escape(chr(code)) != chr(code))


def _compiled(pattern: Any, flags: Any = 0) -> re.Pattern[Any]:
    """`re.compile(pattern, flags)`; a tracked pattern is pinned to the value it has."""
    return re.compile(pinned_text(pattern), pinned(flags))


def _bounds(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """`pos` and `endpos` of a call, given by position or by name; () if it looks at all of the
    text.
    """
    named = {"pos": 0, "endpos": None, **dict(zip(("pos", "endpos"), args, strict=False)), **kwargs}
    if named["endpos"] is not None:
        return named["pos"], named["endpos"]
    return (named["pos"],) if named["pos"] != 0 else ()


def _matching(how: str) -> tuple[Model, Method]:
    """The models of `re.match` and the like, as a function and as a method of patterns."""
    original: Callable[..., Any] = getattr(re, how)

    def module_function(pattern: Any, string: Any, flags: Any = 0) -> Any:
        if not regex.concerns(string):
            return foreign(original, pinned_text(pattern), string, pinned(flags))
        return regex.one_match(how, _compiled(pattern, flags), string, ())

    def pattern_method(pattern: Any, string: Any, *args: Any, **kwargs: Any) -> Any:
        if not regex.concerns(string):
            return foreign(getattr(pattern, how), string, *args, **kwargs)
        return regex.one_match(how, pattern, string, _bounds(args, kwargs))

    return Model(original, module_function), Method(re.Pattern, how, pattern_method)


def _listing(name: str, find: Callable[..., Any]) -> tuple[Model, Method]:
    """The models of `re.findall` and the like, as a function and as a method of patterns."""
    original: Callable[..., Any] = getattr(re, name)

    def module_function(pattern: Any, string: Any, flags: Any = 0) -> Any:
        if not regex.concerns(string):
            return foreign(original, pinned_text(pattern), string, pinned(flags))
        return find(_compiled(pattern, flags), string, ())

    def pattern_method(pattern: Any, string: Any, *args: Any, **kwargs: Any) -> Any:
        if not regex.concerns(string):
            return foreign(getattr(pattern, name), string, *args, **kwargs)
        return find(pattern, string, _bounds(args, kwargs))

    return Model(original, module_function), Method(re.Pattern, name, pattern_method)


def escape_model(pattern: Any, /) -> Any:
    """`re.escape(pattern)`; the terms of bytes are lost, since `re` decodes them on the way."""
    if type(pattern) is not ConcolicStr:
        return foreign(re.escape, pattern)
    return escaped(pattern, _ESCAPED)


def split_function(pattern: Any, string: Any, *rest: Any, **named: Any) -> Any:
    if not regex.concerns(string):
        return foreign(re.split, pinned_text(pattern), string, *rest, **named)
    maxsplit, flags = _optional(re.split, [untracked(string)[:0]] * 2, rest, named)
    return regex.split(_compiled(pattern, flags), string, pinned(maxsplit))


def split_method(pattern: Any, string: Any, maxsplit: Any = 0) -> Any:
    if not regex.concerns(string):
        return foreign(pattern.split, string, maxsplit)
    return regex.split(pattern, string, pinned(maxsplit))


def _replacing(name: str, pick: Callable[[tuple[Any, int]], Any]) -> tuple[Model, Method]:
    """The models of `re.sub` or `re.subn`, as a function and as a method of patterns; `pick` makes
    their result of the new text and the number of replacements.
    """
    original: Callable[..., Any] = getattr(re, name)

    def module_function(pattern: Any, repl: Any, string: Any, *rest: Any, **named: Any) -> Any:
        if not regex.concerns(string):
            return foreign(
                original, pinned_text(pattern), _replacement(repl), string, *rest, **named
            )
        count, flags = _optional(original, [untracked(string)[:0]] * 3, rest, named)
        compiled = _compiled(pattern, flags)
        return pick(regex.substitute(compiled, _replacement(repl), string, pinned(count)))

    def pattern_method(pattern: Any, repl: Any, string: Any, count: Any = 0) -> Any:
        if not regex.concerns(string):
            return foreign(getattr(pattern, name), _replacement(repl), string, count)
        return pick(regex.substitute(pattern, _replacement(repl), string, pinned(count)))

    return Model(original, module_function), Method(re.Pattern, name, pattern_method)


def _optional(
    original: Callable[..., Any],
    empty: list[Any],
    rest: tuple[Any, ...],
    named: dict[str, Any],
) -> tuple[Any, Any]:
    """The number (`count` or `maxsplit`) and the flags of a call, given by position or by name.

    The call itself on empty texts raises or warns of what is wrong with them: since 3.13 it warns
    of a number given by position.
    """
    if rest or named:
        plain = {name: untracked(each) for name, each in named.items()}
        original(*empty, *[untracked(each) for each in rest], **plain)
    name = "maxsplit" if original is re.split else "count"
    found = dict(zip((name, "flags"), rest, strict=False)) | named
    return found.get(name, 0), found.get("flags", 0)


def _replacement(repl: Any) -> Any:
    return callee(repl) if callable(repl) else pinned_text(repl)


def file_name_matches(original: Callable[..., Any], name: Any, pattern: Any) -> Any:
    """`fnmatch.fnmatch(name, pattern)` and `fnmatchcase`, where case is not folded."""
    folds = original.__name__ == "fnmatch" and os.path.normcase("A") != "A"
    if type(name) is not ConcolicStr or type(pattern) is not str or folds:
        return foreign(original, name, pattern)
    return regex.one_match("match", re.compile(fnmatch.translate(pattern)), name, ()) is not None


MODELS: tuple[ModelRow, ...] = (
    Pure("fnmatch", "fnmatch fnmatchcase", file_name_matches),
    TransparentMethods(re.Match, "group groups groupdict start end span expand __getitem__"),
    *_matching("match"),
    *_matching("fullmatch"),
    *_matching("search"),
    *_listing("findall", regex.find_all),
    *_listing("finditer", regex.find_iter),
    *_replacing("sub", lambda found: found[0]),
    *_replacing("subn", lambda found: found),
    Model(re.compile, _compiled),
    Model(re.escape, escape_model),
    Model(re.split, split_function),
    Method(re.Pattern, "split", split_method),
)
