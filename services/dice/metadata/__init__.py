"""What apps keep beside rolls; see ``services.shared.metadata``."""
