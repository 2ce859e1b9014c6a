"""A system whose kernel builds no walls."""

from symcrete.sandbox import kernel

kernel.machine = lambda: None
