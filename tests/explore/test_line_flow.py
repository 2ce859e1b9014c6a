"""Where branches lead, by lines."""

import ast

from symcrete.explore.project.line_flow import Fork, blocks, forks

TEXT = """\
if (a and
        b):
    x = 1
elif c:
    x = 2
y = 1
for i in z:
    if i: break
match z:
    case 1 if y:
        pass
    case _:
        pass
"""


def test_each_side_of_a_branch_leads_to_a_line() -> None:
    found = forks(ast.parse(TEXT))

    assert found[1, 0] == Fork(1, 2, 3, 4)
    assert found[4, 0] == Fork(4, 4, 5, 0)
    assert found[7, 0] == Fork(7, 7, 8, 9)
    assert found[10, 9] == Fork(10, 10, 11, 12)


def test_the_blocks_of_a_statement_are_its_lists_of_statements() -> None:
    node = ast.parse("try:\n    a\nexcept E:\n    b\nelse:\n    c\nfinally:\n    d\n").body[0]

    assert [ast.unparse(block[0]) for block in blocks(node)] == ["a", "c", "d"]
