"""Compresses an answer to its strongest statements, without a model."""

from __future__ import annotations

from storm.evidence.statement_rank import rank_statements
from storm.models import Answer, Plan, Question, Verdict

#: Characters of a digest.
LENGTH = 900


class RuleDigester:
    """Implements `roles.Digester`: whole sentences, the strongest first, in at most `length` characters."""

    def __init__(self, length: int = LENGTH) -> None:
        self._length = length

    async def digest(self, question: Question, answer: Answer, plan: Plan) -> str:
        """The strongest statements that fit; of one that is longer than that, its first words."""
        sound = [s for s in answer.all_statements if s.verdict is not Verdict.UNSUPPORTED]
        ranked = rank_statements(question, list({s.identity: s for s in sound}.values()), {})
        kept: list[str] = []
        left = self._length
        for text in (statement.text for statement in ranked):
            if len(text) <= left:
                kept.append(text)
                left -= len(text) + 1
        if ranked and not kept:
            return ranked[0].text[: self._length - 1].rpartition(" ")[0] + "…"
        return " ".join(kept)
