"""ended jobs in order"""

from alembic import op

revision = "map_0005"
down_revision = "map_0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_job_ended", "job", ["ended_at"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_job_ended", table_name="job")
