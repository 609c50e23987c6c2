"""GraphQL as every service serves it.

Read ``errors`` (what leaves a service, and with which code), ``limits`` and ``documents`` (what may be asked,
and how a question is remembered), ``schema`` (how it is answered), then ``http`` and ``websocket`` (how it
arrives).
"""
