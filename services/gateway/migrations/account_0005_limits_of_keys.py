"""limits of keys"""

import sqlalchemy as sa
from alembic import op

revision = "account_0005"
down_revision = "account_0004"
branch_labels = None
depends_on = None

COLUMNS = ("capacity", "refill_per_second")


def upgrade() -> None:
    for name in COLUMNS:
        op.add_column("api_key", sa.Column(name, sa.Integer(), nullable=True))


def downgrade() -> None:
    for name in reversed(COLUMNS):
        op.drop_column("api_key", name)
