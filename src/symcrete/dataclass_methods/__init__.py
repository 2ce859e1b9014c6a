"""The methods that `symcrete.slotted` gives to dataclasses."""
