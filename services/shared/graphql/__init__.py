"""GraphQL as every service serves it: read ``errors``, ``schema``, ``limits``, then ``http``."""
