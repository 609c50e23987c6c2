"""tell the character service once who sits at which table; it keeps the list of each party's changes"""

from alembic import op

revision = "campaign_0014"
down_revision = "campaign_0013"
branch_labels = None
depends_on = None

TOLD = """
INSERT INTO outbox (kind, topic, payload, created_at)
SELECT 'character.seated', 'campaign:' || campaign,
    '{"campaign": "' || campaign || '", "character": "' || character || '", "account": "' || account || '"}',
    CURRENT_TIMESTAMP
FROM seat ORDER BY campaign, seated_at, character
"""


def upgrade() -> None:
    op.execute(TOLD)


def downgrade() -> None:
    """What was told stays told."""
