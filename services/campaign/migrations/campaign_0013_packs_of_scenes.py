"""the packs that scenes are played with, as they were when these began"""

import sqlalchemy as sa
from alembic import op

revision = "campaign_0013"
down_revision = "campaign_0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("scene", sa.Column("packs", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("scene", sa.Column("pack_documents", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("scene", "pack_documents")
    op.drop_column("scene", "packs")
