"""A system whose kernel builds no walls."""

from symcrete.sandbox.walls import kernel

kernel.machine = lambda: None
