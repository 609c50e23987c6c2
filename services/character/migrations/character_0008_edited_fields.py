"""in which version each field of a pack was changed last; of earlier edits it is not known"""

import sqlalchemy as sa
from alembic import op

revision = "character_0008"
down_revision = "character_0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("pack", sa.Column("field_versions", sa.JSON(), nullable=False, server_default="{}"))


def downgrade() -> None:
    op.drop_column("pack", "field_versions")
