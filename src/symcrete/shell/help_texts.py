"""What `--help` says below the flags, by command: examples to copy."""

EXAMPLES = {
    "symcrete": """\
examples:
  symcrete cover shop.py                    every function of a file
  symcrete cover shop.py::price -o tests    one function, with pytest tests
  symcrete cover shop.pricing:Cart.total    a method of a module
  symcrete reach shop.py:42                 an input that executes line 42
  symcrete diff shop.py::price --rev HEAD   inputs on which a change shows
  symcrete explain shop.py::price --input "total=100, code='SAVE'"
  symcrete graph shop.py::price -o price.svg
  symcrete init                             settings and a CI recipe for a project

exit codes: 0 done; 1 something found or a goal not met; 3 internal error;
4 bad usage or the module cannot be imported; 5 nothing to analyse; 130 interrupted
""",
    "symcrete cover": """\
examples:
  symcrete cover shop.py                       every function of a file
  symcrete cover shop.py::price -o tests       one function, with tests
  symcrete cover src --total-budget 10m        a project, in ten minutes at most
  symcrete cover src --changed origin/main     what has changed, and what calls it
  symcrete cover src --coverage .coverage      what your own tests do not reach
""",
    "symcrete reach": """\
examples:
  symcrete reach shop.py:42                    an input that executes line 42, or a proof of none
  symcrete reach shop.py:42 --from checkout    calling this function
  symcrete reach shop.py --raises KeyError     an input for each place that can raise it
  symcrete reach --diff HEAD~1                 each changed line
""",
    "symcrete check": """\
examples:
  symcrete check shop.py                       asserts, contracts, exceptions nobody announced
  symcrete check shop.py::price --expect ValueError
  symcrete check src --emit sarif -o found.sarif   for code scanning
""",
    "symcrete diff": """\
examples:
  symcrete diff shop.py::price old.py::price   two functions
  symcrete diff shop.py::price --rev HEAD      a function before and after the last edit
""",
    "symcrete explain": """\
examples:
  symcrete explain shop.py::price --input "total=100, code='SAVE'"
  symcrete explain shop.py::price --input "total=0, code=''" --json
""",
    "symcrete graph": """\
examples:
  symcrete graph shop.py::price -o price.svg   a picture
  symcrete graph shop.py::price | dot -Tpdf -o price.pdf
  symcrete graph shop.py::price --chain -o price.pm
""",
    "symcrete report": """\
examples:
  symcrete report --open                       the page of the last run, in a browser
  symcrete report --emit junit -o found.xml    the last run for a CI server
""",
    "symcrete resume": """\
examples:
  symcrete resume                              the last run, after Ctrl-C or a crash
  symcrete resume -o tests                     and its tests
""",
    "symcrete replay": """\
examples:
  symcrete replay                              whether found inputs still do the same
  symcrete replay --json
""",
    "symcrete cache": """\
examples:
  symcrete cache                               how much is kept
  symcrete cache --clear                       forget it
""",
    "symcrete strategies": """\
examples:
  symcrete strategies                          then: symcrete cover shop.py --strategy cgs
""",
    "symcrete solvers": """\
examples:
  symcrete solvers                             then: symcrete cover shop.py --solver z3:seconds=5
""",
    "symcrete init": """\
examples:
  symcrete init                                in the folder of pyproject.toml
  symcrete init --no-ci                        settings only
""",
    "symcrete lsp": """\
examples:
  symcrete lsp                                 as the command of a language server in your editor
""",
    "symcrete completion": """\
examples:
  source <(symcrete completion bash)           in ~/.bashrc
  source <(symcrete completion zsh)            in ~/.zshrc, after compinit
  symcrete completion fish | source            in ~/.config/fish/config.fish
""",
}
