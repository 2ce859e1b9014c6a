"""Turn a subject that takes lists into one that takes ints, with the lists' lengths as a parameter.

A list input has a length, which a tester may vary too; the papers' subjects have buffers of a fixed
size. `flat_module` writes the text of a module whose function `entry` has one int parameter for
each element. The text depends on the arguments only.
"""

from collections.abc import Mapping


def flat_module(
    module: str,
    function: str,
    lengths: Mapping[str, int],
    *,
    fixed: Mapping[str, int] | None = None,
    closed: bool = False,
) -> str:
    """The text of a module that calls `module.function` with lists of these lengths.

    `fixed` gives the arguments that stay constant; `closed` ends every list with a concrete 0,
    as a string in C ends.
    """
    parameters = []
    arguments = []
    for name, length in lengths.items():
        cells = [f"{name}_{i:02}" for i in range(length)]
        parameters += [f"    {cell}: int,\n" for cell in cells]
        rows = [f"            {cell},\n" for cell in cells]
        if closed:
            rows.append("            0,\n")
        arguments.append(f"        {name}=[\n{''.join(rows)}        ],\n")
    arguments += [f"        {name}={value},\n" for name, value in (fixed or {}).items()]
    return (
        f'"""`{function}` of `{module}` with a parameter for each cell."""\n\n'
        f"from {module} import {function}\n\n\n"
        f"def entry(\n{''.join(parameters)}) -> object:\n"
        f"    return {function}(\n{''.join(arguments)}    )\n"
    )
