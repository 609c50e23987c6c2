"""The gates that keep the door shut: ``infra/gate [NAME...]``, all of them without a name.

Every module of this package is a gate, found by its file name: it says in the first line of its docstring
what is held, and its function ``run(house, options)`` yields ``Figure`` objects, printed as JSON lines with
the members ``gate``, ``value``, ``unit``, ``target`` and ``met``. Each starts the product by itself on a free
port or uses the one that runs already, talks to this machine only, and is bounded in count and time.

============  ==================================================================  =======  =============
gate          held                                                                minutes  also in tests/
============  ==================================================================  =======  =============
audits        61 of 61 audits of graphql-http: gateway and each service               1    platform
campaigns     300 campaigns at random; nothing hidden in one of 20 quests             10    rules
canary        nothing hidden in 10,000 answers, over HTTP and over sockets            4    platform
contract      5,000 cases of REST and of the graph by schemathesis, no finding        4    platform/door
costs         processor time a point of the dearest requests, within 3 x median       4
documents     too large or no request at all: 4xx, below 50 ms of processor time      1    platform/door
faults        100 faults of 11 kinds while simulations are played: the same answers        12    workers
framing       5,000 requests of every framing beside a victim: no foreign byte        1    platform/door
idempotency   fifty requests at once with one key: one effect, one answer             2    matrix
matrix        every operation asked by six roles                                      3    matrix
proofs        every way to spoil an input, all that is asked about ids, all scenes       20   matrix, rules
protocols     29 ways to misbehave on a socket, the protocols' own clients            1    platform/door
soak          200 sockets and streams for 10 minutes: all as at the start            12    platform/door
steps         no step on an event loop above 100 ms in the dearest requests           3    platform/door
stranger      p99 of a stranger beside ten attackers with full budgets: 300 ms        1
============  ==================================================================  =======  =============

``infra/gate costs --only TEXT`` measures some of the requests; ``--minutes``, ``--cases`` and ``--seed`` say
how much is tried of what is drawn. Read ``frame`` in this order:

1. ``frame.figures``     a measured figure, its target, the line it is printed as
2. ``frame.house``       the product that gates are held against, and a table in it
3. ``frame.command``     ``infra/gate`` from its arguments to its exit code
4. ``frame.suite``       gates that are tests already
5. ``frame.processor``   processor time of all processes of a product; ``frame.holdings`` what they hold
6. ``frame.requests``    the form of the expensive requests in ``costly``
7. ``frame.graph_checks``  what schemathesis holds answers of the graph against
8. ``frame.crowd``       clients that come and leave in every way there is
"""
