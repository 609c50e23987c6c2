#!/bin/sh
# Starts a command with the kernels of maps that were compiled when the image was built. Numba reads them only
# from a folder that it can write, and the image's own files may be read-only: they are copied there (12 MB).
set -eu
mkdir -p "$NUMBA_CACHE_DIR"
cp -R /app/kernels/. "$NUMBA_CACHE_DIR/"
exec "$@"
