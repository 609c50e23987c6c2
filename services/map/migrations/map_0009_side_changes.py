"""what edits of maps change beside what undoing them takes back"""

import sqlalchemy as sa
from alembic import op

revision = "map_0009"
down_revision = "map_0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("map_edit", sa.Column("side_changes", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("map_edit", "side_changes")
