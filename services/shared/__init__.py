"""The I/O kit of every service; it knows no game and no service.

Read ``settings`` and ``app`` (a process), ``database`` and ``sequence`` (what is kept), ``auth``, ``access``
and ``peers`` (who asks), ``outbox``, ``stream`` and ``consumer`` (what is told), ``jobs`` and ``storage``
(long work), ``problems``, ``pagination``, ``mirror`` and ``graphql`` (how it is answered); ``parts`` puts
them together.
"""
