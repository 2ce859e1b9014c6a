"""`symcrete completion bash`: a script with which a shell completes commands, flags and values."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from symcrete.report.emitter import FORMATS
from symcrete.search.table import STRATEGIES
from symcrete.slotted import dataclass
from symcrete.solve.solvers import named

SHELLS = ("bash", "zsh", "fish")

# The functions and methods of a file, as targets name them. A key press must not wait for an
# interpreter to start, so every shell asks awk, which reads indentation: what is defined inside
# a function is left out. No single quotes, since all three shells put it into such.
FUNCTIONS = r"""awk '/^[ \t]*(async[ \t]+)?(def|class)[ \t]/ {
    match($0, /[^ \t]/)
    while (top && indent[top] >= RSTART) top--
    offered = !top || holds[top]
    name = $0
    sub(/^[ \t]*(async[ \t]+)?(def|class)[ \t]+/, "", name)
    sub(/[ \t(:[].*/, "", name)
    if (top) name = path[top] "." name
    path[++top] = name
    indent[top] = RSTART
    holds[top] = offered && $1 == "class"
    if (offered && $1 != "class") print name
}'"""


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of a command."""

    names: tuple[str, ...]  # -o and --output
    about: str
    takes_value: bool  # the next word is its value


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its flags."""

    name: str
    about: str
    flags: tuple[Flag, ...]
    takes_targets: bool  # files and functions are offered


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """The script for a shell; it knows what the parser accepts."""
    commands = commands_of(parser)
    values = values_of(parser)
    match shell:
        case "bash":
            return _bash(commands, values)
        case "zsh":
            return _zsh(commands, values)
    return _fish(commands, values)


def commands_of(parser: argparse.ArgumentParser) -> list[Command]:
    """The commands in the order of the help."""
    return [
        Command(name, about, _flags(each), _takes_targets(each))
        for name, about, each in _subparsers(parser)
    ]


def values_of(parser: argparse.ArgumentParser) -> dict[str, list[str]]:
    """The values of each flag whose values can be listed, by its long name."""
    found = {
        "--strategy": list(STRATEGIES),
        "--solver": list(named()),
        "--emit": [each.name for each in FORMATS],
    }
    for _, _, each in _subparsers(parser):
        for action in each._actions:
            if action.option_strings and action.choices:
                found[action.option_strings[-1]] = [str(choice) for choice in action.choices]
    return found


def _subparsers(
    parser: argparse.ArgumentParser,
) -> list[tuple[str, str, argparse.ArgumentParser]]:
    found: list[tuple[str, str, argparse.ArgumentParser]] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {each.dest: each.help or "" for each in action._choices_actions}
            found += [(name, helps.get(name, ""), each) for name, each in action.choices.items()]
    return found


def _flags(parser: argparse.ArgumentParser) -> tuple[Flag, ...]:
    return tuple(
        Flag(tuple(action.option_strings), _one_line(action.help), action.nargs is None)
        for action in parser._actions
        if action.option_strings
    )


def _takes_targets(parser: argparse.ArgumentParser) -> bool:
    """Whether a command's own arguments are files or functions, as their names in `--help` say."""
    return any(
        not action.option_strings and str(action.metavar).startswith(("TARGET", "FILE"))
        for action in parser._actions
    )


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())


def _bash(commands: Sequence[Command], values: Mapping[str, Sequence[str]]) -> str:
    flags = [
        f"        {each.name}) words='{' '.join(_names(each))}' ;;"
        for each in commands
        if each.name != "completion"
    ]
    known = [f"        {name}) words='{' '.join(each)}' ;;" for name, each in values.items()]
    targets = "|".join(each.name for each in commands if each.takes_targets)
    lines = [
        f'_symcrete_functions() {{ {FUNCTIONS} "$1" 2>/dev/null; }}',
        "_symcrete() {",
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words= each",
        # bash ends a word at `:` and at `=`, so a target is up to three words: file.py :: name.
        "    local file=$before",
        "    if [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}",
        "    elif [[ $word == = ]]; then word=",
        "    elif [[ $before == :: ]]; then file=${COMP_WORDS[COMP_CWORD - 2]}; fi",
        "    COMPREPLY=()",
        "    if [[ $COMP_CWORD -eq 1 ]]; then",
        f"        words='{' '.join(each.name for each in commands)}'",
        "    elif [[ $word == :: || $before == :: ]]; then",
        '        words=$(_symcrete_functions "${file/#\\~\\//$HOME/}")',
        "        [[ $word != :: ]] || word=",
        "    elif [[ $word == -* ]]; then",
        "        case ${COMP_WORDS[1]} in",
        *flags,
        "        esac",
        "    else",
        "        case $before in",
        *known,
        f"        completion) words='{' '.join(SHELLS)}' ;;",
        f"        {_with_values(commands)}) ;;",
        "        *) case ${COMP_WORDS[1]} in",
        f"            {targets})",
        "                compopt -o filenames 2>/dev/null",
        "                while IFS= read -r each; do",
        '                    [[ $each != *.py && ! -d $each ]] || COMPREPLY+=("$each")',
        '                done < <(compgen -f -- "$word") ;;',
        "            esac ;;",
        "        esac",
        "    fi",
        '    [[ -z $words ]] || COMPREPLY=($(compgen -W "$words" -- "$word"))',
        "}",
        "complete -o bashdefault -o default -F _symcrete symcrete",
    ]
    return "\n".join(lines) + "\n"


def _zsh(commands: Sequence[Command], values: Mapping[str, Sequence[str]]) -> str:
    listed = [f"        {_in_zsh(f'{each.name}:{each.about}')}" for each in commands]
    known = [
        f"        {name}) compadd {' '.join(each)}; return ;;" for name, each in values.items()
    ]
    flags: list[str] = []
    for command in commands:
        described = [
            _in_zsh(f"{name}:{flag.about}") for flag in command.flags for name in flag.names
        ]
        flags.append(f"        {command.name}) flags=({' '.join(described)}) ;;")
    targets = "|".join(each.name for each in commands if each.takes_targets)
    lines = [
        "#compdef symcrete",
        f'_symcrete_functions() {{ {FUNCTIONS} "$1" 2>/dev/null }}',
        "_symcrete() {",
        "    local -a commands flags",
        "    local before=$words[CURRENT-1]",
        "    commands=(",
        *listed,
        "    )",
        "    if (( CURRENT == 2 )); then _describe command commands; return; fi",
        "    if [[ $PREFIX == --*=* ]]; then before=${PREFIX%%=*}; compset -P '*='; fi",
        "    case $before in",
        *known,
        f"        completion) compadd {' '.join(SHELLS)}; return ;;",
        f"        {_with_values(commands)}) _files; return ;;",
        "    esac",
        "    if [[ $PREFIX == *::* ]]; then",
        "        local file=${PREFIX%%::*}",
        "        compset -P '*::'",
        "        compadd -- $(_symcrete_functions ${(Q)file/#\\~\\//$HOME/})",
        "        return",
        "    fi",
        "    case $words[2] in",
        *flags,
        "    esac",
        "    if [[ $PREFIX == -* ]]; then _describe -o flag flags; return; fi",
        "    case $words[2] in",
        f"        {targets}) _files -g '*.py' ;;",
        "        *) _files ;;",
        "    esac",
        "}",
        # From a folder of $fpath the file is the function itself; sourced, it is registered.
        "if [[ $funcstack[1] == _symcrete ]]; then _symcrete; else compdef _symcrete symcrete; fi",
    ]
    return "\n".join(lines) + "\n"


def _fish(commands: Sequence[Command], values: Mapping[str, Sequence[str]]) -> str:
    lines = [
        "function __symcrete_targets",
        "    set -l word (commandline -ct)",
        "    if not string match -q '*::*' -- $word",
        "        __fish_complete_path $word | string match -r '^.*(?:/|[.]py)(?:\\t.*)?$'",
        "        return",
        "    end",
        "    set -l file (string split -m 1 :: -- $word)[1]",
        "    set -l there (string replace -r '^~/' \"$HOME/\" -- $file)",
        f"    for each in ({FUNCTIONS} $there 2>/dev/null)",
        "        echo $file::$each",
        "    end",
        "end",
    ]
    for command in commands:
        first = "complete -c symcrete -n __fish_use_subcommand -f"
        lines.append(f"{first} -a {command.name} -d {_in_fish(command.about)}")
        there = f"complete -c symcrete -n '__fish_seen_subcommand_from {command.name}'"
        for flag in command.flags:
            names = "".join(f" {_fish_name(name)}" for name in flag.names)
            known = next((values[name] for name in flag.names if name in values), None)
            takes = f" -x -a {_in_fish(' '.join(known))}" if known else " -r" * flag.takes_value
            lines.append(f"{there}{names}{takes} -d {_in_fish(flag.about)}")
        if command.takes_targets:
            lines.append(f"{there} -f -a '(__symcrete_targets)'")
    shells = "complete -c symcrete -n '__fish_seen_subcommand_from completion'"
    return "\n".join([*lines, f"{shells} -f -a {_in_fish(' '.join(SHELLS))}"]) + "\n"


def _names(command: Command) -> list[str]:
    return [name for flag in command.flags for name in flag.names]


def _with_values(commands: Sequence[Command]) -> str:
    """The flags whose next word is a value, as a pattern of `case`."""
    found = {
        name: None
        for command in commands
        for flag in command.flags
        if flag.takes_value
        for name in flag.names
    }
    return "|".join(found)


def _fish_name(name: str) -> str:
    return f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"


def _in_zsh(text: str) -> str:
    """The text in single quotes, as zsh reads it."""
    return "'" + text.replace("\\", "").replace("'", "'\\''") + "'"


def _in_fish(text: str) -> str:
    """The text in single quotes, as fish reads it."""
    return "'" + text.replace("\\", "").replace("'", "\\'") + "'"
