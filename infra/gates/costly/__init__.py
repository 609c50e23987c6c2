"""What the most expensive requests cost, compared with what they are charged."""
