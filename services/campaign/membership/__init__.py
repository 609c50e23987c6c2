"""Membership: campaigns, who is at their tables in which role, and which characters sit there.

Read ``models``, ``requests`` (what can be asked), then the use cases: ``service`` (founding, reading and
editing campaigns), ``invitations``, ``members``, ``seats``, and what ends them: ``deletion`` of a campaign,
``erasure`` of an account. All SQL is in ``repository``.
"""
