"""How Hearthforge gets from a bare Python to a running product, on Linux and macOS.

Read in this order:

1. ``bootstrap``    virtual environment, hashed lock, Node packages; standard library only
2. ``failure``      what can go wrong before or while starting, each with its mend
3. ``data_folder``  the folder that keeps everything: secrets, lock, ``run.json``, logs
4. ``servers``      Valkey and PostgreSQL as the wheels bring them
5. ``environment``  the variables that every process reads
6. ``processes``    the table of processes: what runs, what it waits for, how it stops
7. ``supervisor``   starts, watches, restarts and stops the table (``probes``, ``logs``, ``warden`` and
   ``forkserver`` serve it)
8. ``up``           ``infra/up`` from the first line to the last
9. ``offline``      ``infra/migrate`` and ``infra/key``: one command in the data folder's environment
10. ``kernels``     the compiled kernels of maps, made before anything needs them

Importing the package on a Python that is too old, or on Windows, ends the program with one line. This file
therefore keeps to syntax that every Python 3 reads.
"""

import sys

OLDEST = (3, 11)

if sys.version_info < OLDEST:
    import shutil

    names = ["python3." + str(minor) for minor in range(19, 10, -1)]
    newer = [name for name in names if shutil.which(name)] + ["python3.11"]
    here = sys.version.split(" ", maxsplit=1)[0] + ", " + sys.executable
    advice = "start it as: " + newer[0] + " " + sys.argv[0]
    sys.exit("Hearthforge needs Python 3.11 or newer; this is " + here + "; " + advice)

if sys.platform == "win32":
    sys.exit("Hearthforge runs on Linux and macOS; on Windows start it inside WSL (wsl --install)")
