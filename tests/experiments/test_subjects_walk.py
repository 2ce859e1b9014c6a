"""The concolic walk's subjects compute what the dissertation's programs do."""

import math
import random
import struct

import pytest
from experiments.subjects.machine import int32, uint64
from experiments.subjects.walk import (
    blind,
    coral,
    coral_table,
    dart,
    hash,
    ieee,
    opti,
    power,
    ray,
    sine,
    stats,
    tcas,
    tsafe,
)


def test_machine_numbers_wrap():
    assert [int32(n) for n in (2**31 - 1, 2**31, -(2**31) - 1, 2**32)] == [
        2**31 - 1,
        -(2**31),
        2**31 - 1,
        0,
    ]
    assert uint64(-1) == 2**64 - 1


def test_ieee_functions_answer_nan_or_infinity_instead_of_raising():
    assert math.isnan(ieee.sqrt(-1.0))
    assert math.isnan(ieee.sin(math.inf))
    assert math.isnan(ieee.acos(2.0))
    assert math.isnan(ieee.power(-1.5, 0.5))
    assert math.isnan(ieee.divide(0.0, 0.0))
    assert ieee.divide(-1.0, 0.0) == ieee.divide(1.0, -0.0) == -math.inf
    assert ieee.exp(1000.0) == ieee.power(10.0, 400.0) == ieee.power(0.0, -1.0) == math.inf
    assert ieee.power(-0.0, -3.0) == ieee.power(-10.0, 309.0) == -math.inf


def test_there_are_65_coral_constraints_and_64_solutions():
    assert len(coral_table.NAMES) == 65
    assert len(coral_table.KNOWN) == 64


@pytest.mark.parametrize("name", sorted(coral_table.KNOWN))
def test_a_known_input_satisfies_its_coral_constraint(name):
    assert coral_table.constraint(name)(**coral_table.KNOWN[name])


def test_benchmark46_is_unsatisfiable_because_y_cannot_lie_on_both_sides_of_1():
    chance = random.Random(1)
    values = [0.0, 1.0, math.nan, math.inf, -math.inf, *(chance.uniform(-9, 9) for _ in range(9))]

    for y in values:
        for x in values:
            for z in values:
                assert not coral.benchmark46(x, y, z, x + 2)


def test_nan_satisfies_no_coral_constraint_but_inequality():
    assert not coral.benchmark32(math.nan)
    assert not coral.benchmark40(math.nan, math.nan)
    assert coral.benchmark48(math.nan, 0.0, 0.0)


@pytest.mark.parametrize("name", sorted(opti.KNOWN))
def test_a_known_input_solves_an_optimisation_problem(name):
    problem = getattr(opti, name)

    assert problem(**opti.KNOWN[name])
    assert not problem(**dict.fromkeys(opti.KNOWN[name], 0.7))


def test_blind_needs_a_factor_of_1():
    solutions = [(a, b) for a in range(-9, 10) for b in range(-9, 10) if blind.blind(a, b)]

    assert solutions == [(1, b) for b in range(3, 10)]


def test_power_has_four_combinations():
    outcomes = {power.power(x, y) for x in range(-3, 9) for y in range(-3, 99)}

    assert outcomes == {"none", "S0 S3", "S0 S4", "S1 S3", "S1 S4"}


def test_dart_aborts_once_with_and_once_without_overflow():
    with pytest.raises(dart.AbortError, match="positive"):
        dart.dart(1, 10)
    with pytest.raises(dart.AbortError, match="overflowed"):
        dart.dart(1291, 20)
    dart.dart(1290, 20)
    dart.dart(-5, 20)


def test_the_hash_is_javas():
    assert hash.hash_code(1, 2, 3) == 31 * (31 + 2) + 3
    assert hash.hash_code(0, 2**32, 0) == 31
    assert hash.hash_code(2**31 - 1, 0, 0) == int32((2**31 - 1) * 961)
    assert struct.pack("<Q", hash.FIXED_Y) == struct.pack("<d", 3.14159e123)


def test_every_hash_target_has_a_collision():
    low = hash.hash_code(0, hash.FIXED_Y, 0) * pow(31, -1, 2**32) % 2**32

    assert hash.collision1(1, 2, 3, 1, 2, 3)
    assert hash.collision2(31, 0, 0, 0)
    assert hash.collision3(31 * 4444, 0)
    assert hash.collision4(1234, hash.FIXED_Y, 3141)
    assert hash.collision5((low - 31 * 4444) % 2**32, 3141)
    assert not hash.collision5(0, 0)


@pytest.mark.parametrize(
    ("v", "expected"),
    [(3, "three, narrow"), (0, "other, narrow"), (10**200, "other, wide")],
)
def test_stat_tells_the_median_and_the_deviation(v, expected):
    assert stats.stat(v) == expected


def test_stat_starts_afresh():
    stats.stat(5)
    stats.stat(3)

    assert stats.values == [3, 3, 3, 3]


def advisory(**changed: int) -> int:
    inputs = {
        "cur_vertical_sep": 601,
        "high_confidence": 1,
        "two_of_three_reports_valid": 1,
        "own_tracked_alt": 100,
        "own_tracked_alt_rate": 600,
        "other_tracked_alt": 200,
        "alt_layer_value": 0,
        "up_separation": 500,
        "down_separation": 300,
        "other_rac": 0,
        "other_capability": 0,
        "climb_inhibit": 0,
    }
    return tcas.tcas(**(inputs | changed))


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, tcas.UPWARD),
        ({"other_capability": 1}, tcas.UPWARD),
        ({"other_capability": 1, "other_rac": 1}, tcas.UNRESOLVED),
        ({"high_confidence": 0}, tcas.UNRESOLVED),
        ({"own_tracked_alt_rate": 601}, tcas.UNRESOLVED),
        ({"cur_vertical_sep": 600}, tcas.UNRESOLVED),
        ({"down_separation": 400}, tcas.UNRESOLVED),
        ({"alt_layer_value": 1, "down_separation": 400}, tcas.UPWARD),
        ({"own_tracked_alt": 300, "down_separation": 600}, tcas.DOWNWARD),
        ({"own_tracked_alt": 300, "down_separation": 600, "up_separation": 399}, 0),
        # A bias of 100 would not prefer to climb here: 450 < 500.
        (
            {
                "up_separation": 350,
                "down_separation": 500,
                "climb_inhibit": 1,
                "alt_layer_value": 3,
            },
            tcas.UPWARD,
        ),
    ],
)
def test_tcas_gives_the_advisory(changed, expected):
    assert advisory(**changed) == expected


def test_tcas_refuses_an_unknown_layer():
    with pytest.raises(IndexError):
        advisory(alt_layer_value=4)


def test_tsafe_sees_a_conflict_where_the_aircraft_meet():
    assert tsafe.conflict(0.0, 400.0, 400.0, 0.5, 0.5, 0.0, 20.0) == -1.0
    assert tsafe.conflict(0.0, 400.0, 400.0, 30.0, 40.0, 0.0, 20.0) == pytest.approx(50.0)
    assert tsafe.conflict(-90.0, 400.0, 400.0, 3000.0, 0.0, 1.0, 20.0) == 999.0


def test_tsafe_turns_by_the_angle_between_the_legs():
    assert tsafe.turn_logic(1.0, 1.0, 5.0, 1.0, 1.0, 2.0, 2.0, 1.0) == 0.0
    assert tsafe.turn_logic(0.0, 0.0, 5.0, 1.0, 1.0, 1.0, 1.0, 1.0) == 0.0
    right = tsafe.turn_logic(0.0, 0.0, 32.0, 0.0, 1.0, 1.0, 1.0, 1.0)
    assert right == pytest.approx(math.atan(math.pi / 2))
    left = tsafe.turn_logic(0.0, 0.0, 32.0, 0.0, 1.0, -1.0, 1.0, 1.0)
    assert left == pytest.approx(-math.atan(math.pi / 2))


def test_sine_is_the_sine():
    chance = random.Random(7)
    angles = [chance.uniform(-1e5, 1e5) for _ in range(2000)]
    angles += [chance.uniform(-8, 8) for _ in range(2000)]
    angles += [chance.choice((-1, 1)) * 10 ** chance.uniform(-20, 0) for _ in range(500)]

    assert max(abs(sine.sine(x) - math.sin(x)) for x in angles) < 1e-6


def test_sine_treats_special_numbers_apart():
    assert math.isnan(sine.sine(math.nan))
    assert math.isnan(sine.sine(-math.inf))
    assert sine.sine(5e-324) == 5e-324
    assert str(sine.sine(-0.0)) == "-0.0"
    assert str(sine.sine(-1e20)) == "-0.0"


def test_a_normalised_vector_has_length_1():
    assert ray.normalise_driver(3.0, 0.0, 4.0) == pytest.approx((0.6, 0.0, 0.8))
    assert ray.normalise_driver(0.0, 0.0, 0.0) == (0.0, 0.0, 0.0)
    assert ray.normalise_driver(0.0, 1.0, 0.0) == (0.0, 1.0, 0.0)


def test_a_ray_hits_the_sphere_before_it():
    assert ray.intersect_driver(0, 0, 5, 1, 0, 0, 0, 0, 0, 1)
    assert not ray.intersect_driver(0, 0, 5, 1, 0, 3, 0, 0, 0, 1)
    assert not ray.intersect_driver(0, 0, -5, 1, 0, 0, 0, 0, 0, 1)
    assert not ray.intersect_driver(0, 0, 1e39, 1, 0, 0, 0, 0, 0, 1)
    assert ray.trace_driver(0, 0, 5, 1, 0, 0, 9)
    assert not ray.trace_driver(0, 0, 5, 1, 9, 0, 0)


def test_the_front_of_a_sphere_is_lit_and_its_back_is_not():
    front = ray.shade_driver(ray.POINT, 0, 0, 0, 0, 0, 1, 4, 0)
    behind = ray.shade_driver(ray.POINT, 0, 0, 20, 0, 0, 1, 4, 0)
    ambient = ray.shade_driver(ray.AMBIENT, 0, 0, 0, 0, 0, 1, 4, 0)

    assert front == (1.0, 1.0, 1.0)
    assert behind == (0.0, 0.0, 0.0)
    assert ambient == pytest.approx((0.2, 0.2, 0.2))


def test_a_reflecting_sphere_shows_the_background():
    args = (ray.AMBIENT, 0, 0, 0, 0, 0, 4, 0, 0, -1, 0, 0, -1, 0.6, 0.4)

    assert ray.phong_driver(*args, 0) == pytest.approx((0.2, 0.2, 0.2))
    reflected = ray.phong_driver(*args, 255)
    assert reflected == pytest.approx([0.2 + 255 * 0.00392156 * part for part in ray.BACKGROUND])
