"""Who carries out a job that was created in the store."""

from __future__ import annotations

from typing import Protocol


class JobExecutor(Protocol):
    """Carries out jobs of the store, here or in other processes. How a job ended is in its record, not in an answer."""

    async def execute(self, job_id: str) -> None:
        """Have the job of this id carried out, and return when it has ended or can go no further for now.

        A StormError of the job itself may be raised; its record counts all the same. When this is cancelled, the job
        need not end.
        """
        ...
