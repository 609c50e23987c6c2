"""expired keys in order"""

from alembic import op

revision = "account_0003"
down_revision = "account_0002"
branch_labels = None
depends_on = None

ORDERED = (("api_key", "expires_at"), ("api_key", "revoked_at"), ("invitation", "expires_at"))


def upgrade() -> None:
    for table, column in ORDERED:
        op.create_index(op.f(f"ix_{table}_{column}"), table, [column], unique=False)


def downgrade() -> None:
    for table, column in ORDERED:
        op.drop_index(op.f(f"ix_{table}_{column}"), table_name=table)
