"""Lays out the executive summary. What makes it reads texts, which writing a stored dossier does without."""

from __future__ import annotations

from collections.abc import Iterator

from storm import wording
from storm.models import Dossier
from storm.reports.answers import make_sentence
from storm.reports.bibliography import Bibliography
from storm.reports.document import Block, BulletList, Paragraph, make_heading, record_text


def summary_blocks(dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    """The summary for readers; nothing for a dossier without one."""
    summary = dossier.summary
    if not (summary.sentences or summary.not_known):
        return
    questions = {question.key: question for question in dossier.questions}
    yield make_heading(wording.SUMMARY, "summary")
    if summary.sentences:
        shown = (make_sentence(one, dossier, questions[one.question], bibliography) for one in summary.sentences)
        yield BulletList(items=tuple((sentence,) for sentence in shown))
    else:
        yield Paragraph(content=(record_text(wording.NO_STRONG_STATEMENT.format(report=dossier.file_name)),))
    yield Paragraph(content=(record_text(summary.not_known),))
