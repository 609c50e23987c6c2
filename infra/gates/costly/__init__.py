"""The most expensive requests that anyone found, for the gate ``costs``; their form: ``frame.requests``."""
