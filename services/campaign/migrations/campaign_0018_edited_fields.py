"""when campaigns are edited, and in which version each of their fields; of earlier edits it is not known"""

import sqlalchemy as sa
from alembic import op

revision = "campaign_0018"
down_revision = "campaign_0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("campaign", sa.Column("field_versions", sa.JSON(), nullable=False, server_default="{}"))
    op.add_column("campaign", sa.Column("edited_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("campaign", "edited_at")
    op.drop_column("campaign", "field_versions")
