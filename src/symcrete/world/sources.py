"""The table of the sources of state that are inputs: one row each, in the order they are shown.

A row says where a source is. They are imported together, when a program is met that may read one of
them: with what they need of the standard library they are an eighth of the engine's start.
"""

from __future__ import annotations

import functools
import importlib

from symcrete.world.source import Source

# The module below `symcrete.world`, and the name that the source has in it.
_ROWS = (
    "module_state:MODULE_STATE",
    "environment:ENVIRONMENT",
    "platforms:PLATFORM",
    "machine:MACHINE",
    "settings:SETTINGS",
    "clocks:CLOCK",
    "calendar_time:CALENDAR_TIME",
    "random_draws:CHANCE",
    "random_objects:RANDOM_OBJECTS",
    "standard_input:STANDARD_INPUT",
    "command_line:COMMAND_LINE",
    "files.row:FILES",
    "outside.processes:PROCESSES",
    "outside.network:NETWORK",
    "outside.http_clients:HTTP_CLIENTS",
    "outside.connections:CONNECTIONS",
    "outside.sockets:SOCKETS",
    "outside.databases:DATABASES",
)


@functools.cache
def every_source() -> tuple[Source, ...]:
    """The sources, in the order of the table."""
    return tuple([_source(*row.split(":")) for row in _ROWS])


def _source(module: str, name: str) -> Source:
    found: Source = getattr(importlib.import_module(f"symcrete.world.{module}"), name)
    return found


@functools.cache
def sources_by_name() -> dict[str, Source]:
    """The sources, each by the name that roots and reports have for it."""
    return {source.name: source for source in every_source()}


@functools.cache
def read_as_inputs() -> frozenset[tuple[str, str]]:
    """Attributes of modules, (module, name), whose reads rewritten code asks a source for."""
    return frozenset().union(*[source.attributes for source in every_source()])


@functools.cache
def accounted_for() -> frozenset[tuple[str, str]]:
    """Attributes whose reads are inputs, by `ReadAs` or otherwise, so that proofs may depend on
    them.
    """
    return frozenset().union(*[source.accounts_for for source in every_source()])
