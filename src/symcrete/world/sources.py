"""The table of the sources of state that are inputs: one row each, in the order they are shown."""

from __future__ import annotations

from symcrete.world.calendar_time import CALENDAR_TIME
from symcrete.world.clocks import CLOCK
from symcrete.world.command_line import COMMAND_LINE
from symcrete.world.environment import ENVIRONMENT
from symcrete.world.files.row import FILES
from symcrete.world.machine import MACHINE
from symcrete.world.module_state import MODULE_STATE
from symcrete.world.outside.databases import DATABASES
from symcrete.world.outside.http_clients import HTTP_CLIENTS
from symcrete.world.outside.network import NETWORK
from symcrete.world.outside.processes import PROCESSES
from symcrete.world.outside.sockets import SOCKETS
from symcrete.world.platforms import PLATFORM
from symcrete.world.random_draws import CHANCE
from symcrete.world.random_objects import RANDOM_OBJECTS
from symcrete.world.settings import SETTINGS
from symcrete.world.source import Source
from symcrete.world.standard_input import STANDARD_INPUT

SOURCES: tuple[Source, ...] = (
    MODULE_STATE,
    ENVIRONMENT,
    PLATFORM,
    MACHINE,
    SETTINGS,
    CLOCK,
    CALENDAR_TIME,
    CHANCE,
    RANDOM_OBJECTS,
    STANDARD_INPUT,
    COMMAND_LINE,
    FILES,
    PROCESSES,
    NETWORK,
    HTTP_CLIENTS,
    SOCKETS,
    DATABASES,
)
BY_NAME = {source.name: source for source in SOURCES}
# Attributes of modules, (module, name), whose reads rewritten code asks a source for.
READ_AS = frozenset().union(*[source.attributes for source in SOURCES])
# Attributes whose reads are inputs, by `ReadAs` or otherwise, so that proofs may depend on them.
ACCOUNTED = frozenset().union(*[source.accounts_for for source in SOURCES])
