"""The gates that keep the door shut: ``infra/gate NAME``."""
