"""What can run after what, statement by statement."""

from __future__ import annotations

from tests.program.texts import Program, arcs


def test_a_condition_has_an_edge_for_each_side():
    program = Program("""
        def f(a, b):
            if a and b:
                return 1
            return 2
        """)

    cfg = program.cfg("f")

    assert set(cfg.branches) == {program.outcome(t, s) for t in "ab" for s in (False, True)}
    lines = {outcome: cfg.points[edge.target].line for outcome, edge in cfg.branches.items()}
    assert lines[program.outcome("a", True)] == 2  # b is asked next
    assert lines[program.outcome("a", False)] == 4
    assert lines[program.outcome("b", True)] == 3
    assert lines[program.outcome("b", False)] == 4


def test_a_loop_leads_back_to_its_head_and_break_skips_the_else():
    found = arcs("""
        def f(xs):
            for x in xs:
                if x:
                    break
            else:
                xs = 1
            return xs
        """)

    assert (2, 3) in found and (3, 2) in found
    assert (2, 6) in found and (6, 7) in found
    assert (4, 7) in found and (4, 6) not in found


def test_a_call_in_a_try_may_lead_to_every_handler_and_out():
    found = arcs("""
        def f():
            try:
                g()
            except KeyError:
                a = 1
            except ValueError:
                a = 2
            return a
        """)

    assert (3, 4) in found and (4, 6) in found
    assert (6, -1) in found  # neither
    assert (3, 6) not in found  # asked in turn


def test_a_return_passes_through_finally():
    found = arcs("""
        def f(a):
            try:
                return a
            finally:
                b = 1
            return b
        """)

    assert (3, 5) in found and (5, -1) in found
    assert (5, 6) not in found


def test_leaving_a_with_goes_back_to_its_line():
    found = arcs("""
        def f(a):
            with a:
                b = 1
            return b
        """)

    assert {(2, 3), (3, 2), (2, 4)} <= found
    assert (3, 4) not in found


def test_a_raise_goes_to_the_handler_and_nowhere_else():
    found = arcs("""
        def f(a):
            try:
                raise a
            except ValueError:
                pass
            return 1
        """)

    assert {target for source, target in found if source == 3} == {4}


def test_cases_are_tried_in_turn_and_a_guard_may_refuse():
    found = arcs("""
        def f(a):
            match a:
                case 0 if f:
                    return 1
                case [x]:
                    return 2
                case _:
                    return 3
        """)

    assert {(2, 3), (3, 4), (3, 5), (5, 6), (5, 7), (7, 8)} <= found
    assert (7, -1) in found  # matching may raise
    assert (2, 5) not in found


def test_a_failed_assertion_raises():
    program = Program("""
        def f(a):
            assert a
            return a
        """)
    cfg = program.cfg("f")

    failed = cfg.branches[program.outcome("a", False)].target

    assert [edge.target for edge in cfg.after[failed]] == [2]
    assert not cfg.after[failed][0].implicit


def test_a_comprehension_is_a_loop_with_filters():
    program = Program("""
        def f(xs):
            return [x for x in xs if x]
        """)
    cfg = program.cfg("f")

    refused = cfg.branches[program.sites[1].number, False].target
    element = cfg.branches[program.sites[0].number, True].source

    assert program.sites[1].kind == "filter"
    assert element in {edge.target for edge in cfg.after[refused]}  # on to the next element


def test_a_generator_need_not_be_asked_to_its_end():
    program = Program("""
        def f(xs):
            return any(x for x in xs if x)
        """)
    cfg = program.cfg("f")

    taken = cfg.branches[1, True].target

    targets = {cfg.points[edge.target].kind for edge in cfg.after[taken] if not edge.implicit}
    assert len({edge.target for edge in cfg.after[taken] if not edge.implicit}) == 2
    assert targets == {"evaluation"}


def test_each_outcome_is_one_edge_even_behind_a_finally():
    program = Program("""
        def f(a, b):
            while a:
                try:
                    if b:
                        return 1
                finally:
                    if a:
                        b = 2
            return 3
        """)

    assert len(program.cfg("f").branches) == 2 * len(program.sites)


def test_lambdas_and_class_bodies_have_graphs_of_their_own():
    program = Program("""
        def f():
            class C:
                x = 1
            return lambda y: y or 1
        """)

    assert {each.scope for each in program.graphs} == {"", "f", "f.C", "f.<lambda>"}
    assert len(program.cfg("f.<lambda>").branches) == 2


def test_an_implicit_branch_is_found_by_its_place():
    program = Program("""
        def f(a, b):
            if a:
                return a // b
            return 0
        """)

    point = program.cfg("f").covering(3, 15)

    assert point is not None and point.text == "return a // b"
    assert program.cfg("f").covering(9, 0) is None
