"""Run one of CPython's own test modules with the module it tests loaded through the instrumenter."""

import importlib
import sys
import unittest

from symcrete.instrument.hooks import Hooks
from symcrete.instrument.loader import RewritingFinder, Rewritten
from symcrete.values.tracking.recording import Recording, activate
from symcrete.world.sources import every_source


def main(suite: str, *modules: str) -> int:
    every_source()  # before modules that they need are taken away
    rewritten = Rewritten()
    record = Recording(rewritten.sites)
    rewritten.on_numbered = record.fit
    hooks = Hooks(record)
    hooks.install()
    hooks.allow(10**12)
    activate(record)
    record.live = True  # as in a run: calls of foreign code are watched
    for name in list(sys.modules):
        if name in modules:
            del sys.modules[name]
    sys.meta_path.insert(0, RewritingFinder(rewritten, lambda name, file: name in modules))
    for name in modules:
        importlib.import_module(name)
    assert len(rewritten.files) >= len(modules), "the module was not rewritten"
    loaded = unittest.defaultTestLoader.loadTestsFromName(suite)
    result = unittest.TextTestRunner(verbosity=0, stream=sys.stdout).run(loaded)
    if result.testsRun == 0:
        print("no tests ran")
        return 1
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
