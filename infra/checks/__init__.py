"""What must hold before a change is taken: ``schema`` makes the published contracts, ``check`` checks all."""
