"""Everything that an installation keeps, as it was at one moment; and an installation made from that again.

Read in this order:

1. ``failure``    why a backup is not taken, or not restored, each with its mend
2. ``manifest``   what a backup holds: each file with its hash, each database with its migration
3. ``snapshots``  all databases as they were at one moment, while the product runs
4. ``transfer``   many stored files, some of them side by side
5. ``taking``     databases, files and secrets into a folder
6. ``packing``    that folder as it is, or as one archive
7. ``restoring``  an empty data folder, and maybe a bucket, become the installation that was backed up
8. ``command``    ``infra/backup`` and ``infra/restore`` from their arguments to their exit codes

Why one moment for all databases, and not one database after the other: services read each other's events in
circles (campaigns those of characters and maps, and these those of campaigns), so there is no order in
which every reader would be copied before what it reads. Copied at different moments, a reader could
remember that it has read events which its producer, restored, never sent, and would pass over as many new
ones. So all writers are held off for the instant in which the snapshots are opened. What is restored then
is what all machines would find after a power failure at that moment: everything caused by a commit is in
the backup only together with that commit. From there the product comes back by what it is made for: events
that a reader lacks are asked of the producer, whose outbox is part of the same moment; dice that had fallen
for a move which was not settled are found again by the move's key; jobs that ran are due again when their
lease ends.

Valkey is not part of a backup. It holds streams of events (the outboxes have them), hints that there is
work (the jobs tables know it), signs of life, and how much of their limits accounts have used lately.
"""
