"""Kinds of maps that are no part of the house; a test drops them in among the others."""
