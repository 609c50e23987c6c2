"""The most expensive requests that anyone found, for the gate ``costs``; see ``infra.gates.frame.requests``."""
