"""Railbird: a workbench for Texas Hold'em agents that learn by watching."""

__version__ = "0.1.0"
