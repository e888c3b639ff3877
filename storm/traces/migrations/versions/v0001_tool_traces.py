"""The table of traces."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the table and its indexes."""
    op.create_table(
        "tool_traces",
        sa.Column("id", sa.String(200), primary_key=True),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("org_id", sa.BigInteger),
        sa.Column("tool_name", sa.String(100), nullable=False),
        sa.Column("input_params", sa.JSON, nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("progress", sa.Float(53), nullable=False),
        sa.Column("current_stage", sa.Text, nullable=False),
        sa.Column("state", sa.JSON),
        sa.Column("result", sa.JSON),
        sa.Column("error_message", sa.Text),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True)),
        sa.Column("completed_at", sa.DateTime(timezone=True)),
        sa.Column("metrics", sa.JSON),
    )
    op.create_index("ix_tool_traces_user_id_tool_name", "tool_traces", ["user_id", "tool_name"])
    op.create_index("ix_tool_traces_status", "tool_traces", ["status"])
    op.create_index("ix_tool_traces_user_id_created_at", "tool_traces", ["user_id", "created_at", "id"])
    op.create_index(
        "ix_tool_traces_user_id_status_created_at", "tool_traces", ["user_id", "status", "created_at", "id"]
    )
    op.create_index("ix_tool_traces_org_id_created_at", "tool_traces", ["org_id", "created_at", "id"])
