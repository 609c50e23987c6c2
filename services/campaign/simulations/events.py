"""The facts that simulations publish."""

from services.shared.outbox import Event


def simulation_topic(simulation: str) -> str:
    """Name what subscriptions to a simulation wait for."""
    return f"simulation:{simulation}"


def simulation_changed(simulation: str, version: int) -> Event:
    """Tell that more is known, or that it has ended; what is known is read by those who may."""
    payload = {"simulation": simulation, "version": version}
    return Event("simulation.changed", simulation_topic(simulation), payload)
