"""How much of what was freed a process keeps for itself.

The C library learns from every large block that is freed: the next of that size lies in a heap which can only
shrink at its end, and every thread has a heap of its own. A process that has once carried large answers or
maps would so stay as large for good. With fixed thresholds large blocks go back to the system as they are
freed, and few heaps are shared by all threads.
"""

import ctypes
import sys

LARGE_BYTES = 2**20
HEAPS = 2

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # of <malloc.h>


def give_back_what_is_freed() -> bool:
    """Fix the thresholds of the C library's allocator; tell whether it has any."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    settings = ((_MMAP_THRESHOLD, LARGE_BYTES), (_TRIM_THRESHOLD, LARGE_BYTES), (_ARENA_MAX, HEAPS))
    return all(mallopt(option, value) == 1 for option, value in settings)
