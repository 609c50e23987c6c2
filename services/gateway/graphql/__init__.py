"""The GraphQL face of the account service; start with ``schema``."""
