"""what is deleted is taken off the usage, and found by indexes"""

import sqlalchemy as sa
from alembic import op

revision = "map_0006"
down_revision = "map_0005"
branch_labels = None
depends_on = None

OCTETS = {"sqlite": "length(CAST(model AS BLOB))", "postgresql": "octet_length(model)"}

# How large the pictures of maps that were brought along are, no row tells: they count no more.
COUNTED = """
UPDATE map SET bytes = {octets}
    + coalesce((SELECT sum(map_file.bytes) FROM map_file WHERE map_file.map = map.id), 0)
"""
STORED = """
UPDATE map_usage SET
    maps = (SELECT count(*) FROM map WHERE map.owner = map_usage.owner),
    bytes = coalesce((SELECT sum(map.bytes) FROM map WHERE map.owner = map_usage.owner), 0)
        + coalesce((
            SELECT sum(batch_part.bytes) FROM batch_part JOIN job ON job.id = batch_part.batch
            WHERE job.owner = map_usage.owner
        ), 0)
"""


def upgrade() -> None:
    op.add_column("map", sa.Column("bytes", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("ix_map_scene", "map", ["scene"], unique=False)
    op.create_index(op.f("ix_scene_board_map"), "scene_board", ["map"], unique=False)
    op.add_column("map_usage", sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_map_usage_erased", "map_usage", ["erased_at"], unique=False)
    op.execute(COUNTED.format(octets=OCTETS[op.get_bind().dialect.name]))
    op.execute(STORED)


def downgrade() -> None:
    op.execute("DELETE FROM map_usage WHERE erased_at IS NOT NULL")
    op.drop_index("ix_map_usage_erased", table_name="map_usage")
    op.drop_column("map_usage", "erased_at")
    op.drop_index(op.f("ix_scene_board_map"), table_name="scene_board")
    op.drop_index("ix_map_scene", table_name="map")
    op.drop_column("map", "bytes")
