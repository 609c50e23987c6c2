"""The REST face: the everyday requests of the graph for clients that speak plain HTTP.

Read ``app`` for how it is put together, ``visitor`` for who may come in and what it costs, ``subgraphs`` for
how a request becomes an operation of ``schema/operations``, then one module a resource. FastAPI checks the
requests and describes them (OpenAPI 3.1); what they do is decided by the service that owns the resource.
"""
