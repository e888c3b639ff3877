"""The tables. A change here needs a migration (migrations/versions/)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, DateTime, Float, Index, String, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator


class UtcTime(TypeDecorator[datetime]):
    """A moment with its offset; SQLite, which has none, keeps it in UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    """What all tables share."""

    type_annotation_map = {datetime: UtcTime, dict[str, Any]: JSON(none_as_null=True)}


class ToolTrace(Base):
    """A run of a tool or job."""

    __tablename__ = "tool_traces"

    id: Mapped[str] = mapped_column(String(200), primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger)
    org_id: Mapped[int | None] = mapped_column(BigInteger)
    tool_name: Mapped[str] = mapped_column(String(100))
    input_params: Mapped[dict[str, Any]]
    status: Mapped[str] = mapped_column(String(20))
    progress: Mapped[float] = mapped_column(Float(53))
    current_stage: Mapped[str] = mapped_column(Text)
    state: Mapped[dict[str, Any] | None]
    result: Mapped[dict[str, Any] | None]
    error_message: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    completed_at: Mapped[datetime | None]
    metrics: Mapped[dict[str, Any] | None]

    __table_args__ = (
        Index("ix_tool_traces_user_id_tool_name", "user_id", "tool_name"),
        Index("ix_tool_traces_status", "status"),
        Index("ix_tool_traces_user_id_created_at", "user_id", "created_at", "id"),
        Index("ix_tool_traces_user_id_status_created_at", "user_id", "status", "created_at", "id"),
        Index("ix_tool_traces_org_id_created_at", "org_id", "created_at", "id"),
    )


class TimelineEvent(Base):
    """A search, a call of a model, or the beginning of a stage, in a trace."""

    __tablename__ = "trace_events"

    trace_id: Mapped[str] = mapped_column(String(200), primary_key=True)
    event_id: Mapped[str] = mapped_column(String(100), primary_key=True)
    at: Mapped[datetime]
    kind: Mapped[str] = mapped_column(String(20))
    name: Mapped[str] = mapped_column(Text)
    message: Mapped[str] = mapped_column(Text)
    outcome: Mapped[str] = mapped_column(Text)
    prompt_tokens: Mapped[int | None] = mapped_column(BigInteger)
    completion_tokens: Mapped[int | None] = mapped_column(BigInteger)
    cost_usd: Mapped[float | None] = mapped_column(Float(53))
    seconds: Mapped[float | None] = mapped_column(Float(53))
