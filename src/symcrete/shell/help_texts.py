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
    "symcrete completion": """\
examples:
  source <(symcrete completion bash)           in ~/.bashrc
  source <(symcrete completion zsh)            in ~/.zshrc, after compinit
  symcrete completion fish | source            in ~/.config/fish/config.fish
""",
}
