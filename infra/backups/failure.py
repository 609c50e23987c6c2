"""Why a backup is not taken, or not restored.

BackupFailure
├── TooBusy         the databases did not come to rest for an instant
├── ToolFailure     a program of PostgreSQL failed
├── TargetInUse     there is something already where the backup, or what is restored, is to go
├── NotABackup      what is to be restored is none, or one of a form that this version does not know
├── Damaged         a file of the backup is missing or is not what was written
├── NewerBackup     a newer version of the product wrote it
└── Unfit           it cannot be restored to the databases or under the secrets that were named
"""

from infra.launch.failure import Failure


class BackupFailure(Failure):
    """A backup that is not taken, or not restored; ``str()`` is one line with the mend."""


class TooBusy(BackupFailure):
    """The databases did not come to rest for an instant."""


class ToolFailure(BackupFailure):
    """A program of PostgreSQL failed."""


class TargetInUse(BackupFailure):
    """There is something already at the target."""


class NotABackup(BackupFailure):
    """It is no backup, or one of an unknown form."""


class Damaged(BackupFailure):
    """A file of the backup is missing or changed."""


class NewerBackup(BackupFailure):
    """A newer version of the product wrote the backup."""


class Unfit(BackupFailure):
    """The backup does not fit the environment that it is to be restored in."""
