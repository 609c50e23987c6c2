"""Deleting maps and batches.

Read in this order: ``service`` (what people delete), ``repository`` (the rows that go, and those that are
handed on, also where a campaign or an account is gone: ``services.map.erasure``), ``batches`` (the rest of
long ones).

Rows go in the unit of work that deletes; nobody is answered by anything that is only kept beside them, such
as pictures that were drawn. Stored files stay behind and are removed by the sweeper within a day, see
``services.map.leftovers``. Units of work hold rows in one order, so that none waits for another that waits
for it: jobs that have not ended, parts before wholes; then the usage of accounts; then maps.
"""
