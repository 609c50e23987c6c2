"""The REST face: the everyday requests of the graph for clients that speak plain HTTP.

**To add an operation, add one file**, ``schema/operations/<service>.<operation>.graphql``: the operation as
the service answers it, with a directive ``@rest`` that says verb, path, heading and status
(``schema/rest.graphql`` describes all directives). Its selection is the shape of the answer, its variables
are what is asked for; what can go wrong is known from the service's schema. Then run ``infra/schema``, and
give ``tests/matrix/requests.py`` a sound request for it, so that every role and every bad input is tried.

By hand are only accounts and keys, which are this process's own, and what is no JSON of the graph: files,
pictures, uploads, streams.

Read in this order: ``operation`` (a file), ``shapes``, ``forms`` and ``published`` (JSON Schemas of what it
asks for and answers), ``endpoint`` (one path with its verb, wherever it comes from), ``asked``, ``shown``
and ``graph_endpoints`` (endpoints out of operations), ``requests`` and ``answers``, ``routes``,
``openapi``, and ``app``, which puts them together. ``visitor`` says who may come in and what it costs,
``guard`` what no request may hold, ``problems`` and ``codes`` what is answered to what goes wrong,
``subgraphs`` how the services are asked. ``accounts``, ``sheets``, ``drawings``, ``map_pictures``,
``batch_files``, ``simulation_tables``, ``receipts`` and ``export`` are written by hand, on what ``files`` and
``streaming`` have for them; ``own_graph`` answers operations of the account service, which is this process's
own.
"""
