"""`symcrete completion bash`: a script with which a shell completes commands, flags and values."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from symcrete.report.emitter import FORMATS
from symcrete.search.table import STRATEGIES
from symcrete.slotted import dataclass
from symcrete.solve.solvers import named

SHELLS = ("bash", "zsh", "fish")


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of a command."""

    names: tuple[str, ...]  # -o and --output
    about: str
    takes_value: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its flags."""

    name: str
    about: str
    flags: tuple[Flag, ...]


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
    return [Command(name, about, _flags(each)) for name, about, each in _subparsers(parser)]


def values_of(parser: argparse.ArgumentParser) -> dict[str, list[str]]:
    """The values that a flag takes, where they can be listed."""
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
        Flag(tuple(action.option_strings), _one_line(action.help), action.nargs != 0)
        for action in parser._actions
        if action.option_strings
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
    lines = [
        "_symcrete() {",
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=",
        "    COMPREPLY=()",
        "    if [[ $COMP_CWORD -eq 1 ]]; then",
        f"        words='{' '.join(each.name for each in commands)}'",
        "    elif [[ $word == -* ]]; then",
        "        case ${COMP_WORDS[1]} in",
        *flags,
        "        esac",
        "    else",
        "        case $before in",
        *known,
        f"        completion) words='{' '.join(SHELLS)}' ;;",
        "        esac",
        "    fi",
        '    [[ -z $words ]] || COMPREPLY=($(compgen -W "$words" -- "$word"))',
        "}",
        "complete -o bashdefault -o default -F _symcrete symcrete",
    ]
    return "\n".join(lines) + "\n"


def _zsh(commands: Sequence[Command], values: Mapping[str, Sequence[str]]) -> str:
    listed = [f"        {_quoted(f'{each.name}:{each.about}')}" for each in commands]
    known = [
        f"        {name}) compadd {' '.join(each)}; return ;;" for name, each in values.items()
    ]
    flags: list[str] = []
    for command in commands:
        described = [
            _quoted(f"{name}:{flag.about}") for flag in command.flags for name in flag.names
        ]
        flags.append(f"        {command.name}) flags=({' '.join(described)}) ;;")
    lines = [
        "#compdef symcrete",
        "_symcrete() {",
        "    local -a commands flags",
        "    commands=(",
        *listed,
        "    )",
        "    if (( CURRENT == 2 )); then _describe command commands; return; fi",
        "    case $words[CURRENT-1] in",
        *known,
        f"        completion) compadd {' '.join(SHELLS)}; return ;;",
        "    esac",
        "    case $words[2] in",
        *flags,
        "    esac",
        "    if [[ $PREFIX == -* ]]; then _describe -o flag flags; else _files; fi",
        "}",
        "compdef _symcrete symcrete",
    ]
    return "\n".join(lines) + "\n"


def _fish(commands: Sequence[Command], values: Mapping[str, Sequence[str]]) -> str:
    lines: list[str] = []
    for command in commands:
        first = "complete -c symcrete -n __fish_use_subcommand -f"
        lines.append(f"{first} -a {command.name} -d {_quoted(command.about)}")
        there = f"complete -c symcrete -n '__fish_seen_subcommand_from {command.name}'"
        for flag in command.flags:
            names = "".join(f" {_fish_name(name)}" for name in flag.names)
            known = next((values[name] for name in flag.names if name in values), None)
            takes = f" -x -a {_quoted(' '.join(known))}" if known else " -r" * flag.takes_value
            lines.append(f"{there}{names}{takes} -d {_quoted(flag.about)}")
    shells = "complete -c symcrete -n '__fish_seen_subcommand_from completion'"
    return "\n".join([*lines, f"{shells} -f -a {_quoted(' '.join(SHELLS))}"]) + "\n"


def _names(command: Command) -> list[str]:
    return [name for flag in command.flags for name in flag.names]


def _fish_name(name: str) -> str:
    return f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"


def _quoted(text: str) -> str:
    """The text in single quotes, as all three shells read it."""
    return "'" + text.replace("\\", "").replace("'", "") + "'"
