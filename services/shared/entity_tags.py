"""Entity tags of HTTP: whether a client has what it asks for already (RFC 9110, 13.1.2)."""


def matches(if_none_match: str | None, etag: str) -> bool:
    """Compare weakly: a tag's ``W/`` does not count.

    Args:
        if_none_match: the header: one tag, several, or ``*`` for any; None without it.
        etag: quoted; of what is there.
    """
    if if_none_match is None:
        return False
    known = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
    return "*" in known or etag.removeprefix("W/") in known
