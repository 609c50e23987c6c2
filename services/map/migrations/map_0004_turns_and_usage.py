"""jobs take turns, accounts have quotas"""

import sqlalchemy as sa
from alembic import op

revision = "map_0004"
down_revision = "map_0003"
branch_labels = None
depends_on = None

STORED = """
INSERT INTO map_usage (owner, maps, bytes)
SELECT owner, sum(maps), sum(bytes) FROM (
    SELECT owner, 1 AS maps, length(model) AS bytes FROM map
    UNION ALL
    SELECT map.owner, 0, map_file.bytes FROM map_file JOIN map ON map.id = map_file.map
    UNION ALL
    SELECT job.owner, 0, batch_part.bytes FROM batch_part JOIN job ON job.id = batch_part.job
) AS stored
GROUP BY owner
"""


def upgrade() -> None:
    op.drop_index("ix_job_resend", table_name="job")
    op.add_column("job", sa.Column("points", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("job", sa.Column("line", sa.String(length=8), nullable=True))
    op.drop_column("job", "resend_at")
    op.drop_column("job", "resent")
    op.execute(
        "UPDATE job SET line = CASE WHEN whole IS NOT NULL THEN 'part'"
        " WHEN kind = 'maps.batch' THEN 'whole' ELSE 'single' END"
        " WHERE state IN ('queued', 'running')"
    )
    op.create_index("ix_job_line", "job", ["line", "owner", "due_at", "id"], unique=False)
    op.create_table(
        "job_share",
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("rank", sa.Float(), nullable=False),
        sa.Column("passed", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("owner"),
    )
    op.create_table(
        "map_usage",
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("maps", sa.Integer(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("owner"),
    )
    op.execute(STORED)


def downgrade() -> None:
    op.drop_table("map_usage")
    op.drop_table("job_share")
    op.drop_index("ix_job_line", table_name="job")
    op.add_column("job", sa.Column("resent", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("job", sa.Column("resend_at", sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE job SET resend_at = due_at")
    with op.batch_alter_table("job") as table:
        table.alter_column("resend_at", existing_type=sa.DateTime(timezone=True), nullable=False)
    op.drop_column("job", "line")
    op.drop_column("job", "points")
    op.create_index("ix_job_resend", "job", ["state", "resend_at"], unique=False)
