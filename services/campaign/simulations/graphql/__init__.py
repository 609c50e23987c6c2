"""Simulations' part of the graph."""
