"""Which library functions read nothing but what they are given."""

import bz2
import collections
import datetime
import hashlib
import hmac
import io
import json
import lzma
import math
import os
import pathlib
import random
import secrets
import sys
import time
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from symcrete.world.reading_calls import reads_the_world, reads_the_world_as

READING: list[Callable[..., Any]] = [
    *(time.time, time.monotonic, os.getcwd, os.getenv, os.listdir, os.path.exists, input, open),
    *(random.random, random.Random(1).random, secrets.token_hex, uuid.uuid4, id, hash),
    *(datetime.date.today, datetime.datetime.now, os.environ.get, pathlib.Path("a").exists),
    *(pathlib.Path("a").read_text, sys.getrecursionlimit, sys.stdin.readline),
    *(bz2.BZ2File, lzma.LZMAFile, hashlib.new),
]
PURE: list[Callable[..., Any]] = [
    *(math.floor, json.dumps, collections.OrderedDict, datetime.date, [].append, "a".upper),
    *(datetime.date(2024, 1, 1).weekday, io.StringIO().getvalue, os.path.join, uuid.UUID),
    *(pathlib.PurePosixPath("a").with_suffix, len, time.sleep, hmac.new, bz2.compress),
]


@pytest.mark.parametrize("function", READING)
def test_what_looks_at_the_world_is_known_to(function: Callable[..., Any]) -> None:
    assert reads_the_world(function)


@pytest.mark.parametrize("function", PURE)
def test_what_looks_at_its_arguments_only_is_known_to(function: Callable[..., Any]) -> None:
    assert not reads_the_world(function)


def test_attributes_of_a_system_module_differ_from_machine_to_machine() -> None:
    assert reads_the_world_as("sys", "path")
    assert reads_the_world_as("os", "stat_result")
    assert reads_the_world_as("sys", "flags")
    assert not reads_the_world_as("time", "timezone")  # it is an input
    assert not reads_the_world_as("sys", "maxsize")
    assert not reads_the_world_as("math", "pi")


def test_an_attribute_that_is_an_input_is_no_loss() -> None:
    assert not reads_the_world_as("os", "environ")
