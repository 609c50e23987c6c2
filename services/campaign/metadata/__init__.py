"""What apps keep beside campaigns and scenes; see ``services.shared.metadata``."""
