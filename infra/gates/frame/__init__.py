"""What gates are made of; the order to read it in is in the package above."""
