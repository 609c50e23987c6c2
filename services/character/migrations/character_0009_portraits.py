"""portraits"""

import sqlalchemy as sa
from alembic import op

revision = "character_0009"
down_revision = "character_0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("character", sa.Column("portrait", sa.String(length=40), nullable=True))


def downgrade() -> None:
    op.drop_column("character", "portrait")
