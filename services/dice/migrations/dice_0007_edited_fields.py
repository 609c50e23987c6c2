"""in which version each field of a macro was changed last; of earlier edits it is not known"""

import sqlalchemy as sa
from alembic import op

revision = "dice_0007"
down_revision = "dice_0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("macro", sa.Column("field_versions", sa.JSON(), nullable=False, server_default="{}"))


def downgrade() -> None:
    op.drop_column("macro", "field_versions")
