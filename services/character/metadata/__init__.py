"""What apps keep beside characters; see ``services.shared.metadata``."""
