"""All of one's data as one ZIP: ``GET /v1/account/export``.

**To add a kind of thing, add its operation**, ``schema/operations/export/<service>.<operation>.graphql``
where no operation of the REST face says all of it, **and its line in** ``contents``. A test fails while a
list of one's own things in the graph is in no file.

Read ``contents`` (which file is read from which operation), ``reading`` (how they are read, page by page,
with the viewer's own rights), ``archive`` (a ZIP that is sent while it grows) and ``desk`` (who may have one
now). The endpoint is ``services.gateway.rest.export``.
"""
