"""The parts of a document."""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any, Self

from pydantic import Field

from storm.models.base import Frozen
from storm.models.table import TableRow, rows_text

#: Characters of a section of running text that a service's answer or a file gives: what reads one takes time with its
#: length, and hears no signal in between. No section of a real article is so long; a book in one field is.
LONGEST = 50_000
#: Where a longer one is divided, best first: between paragraphs, sentences, words.
_DIVISIONS = ("\n\n", ". ", " ")


class SectionKind(StrEnum):
    """The kind of a part of a document; `OTHER` if its heading says nothing of it."""

    ABSTRACT = "abstract"
    INTRODUCTION = "introduction"
    METHODS = "methods"
    RESULTS = "results"
    DISCUSSION = "discussion"
    CONCLUSION = "conclusion"
    TABLE = "table"
    CAPTION = "caption"
    LIST = "list"
    FIELD = "registry field"
    LABEL = "label section"
    BACK_MATTER = "back matter"
    OTHER = "other"


def _find_kind(fields: Mapping[str, Any]) -> SectionKind:
    """The kind that the heading states, where none is given."""
    return kind_of_heading(fields.get("label", ""))


class Section(Frozen):
    """A part of a document's text: `label` is its heading with those above it ("Results: Survival"), or empty, and
    `place` is its own name ("Table 2"), or empty. A table's text is its `rows`; `cited` are the positions in the text
    at which a reference mark was left out."""

    label: str = ""
    text: str
    kind: SectionKind = Field(default_factory=_find_kind)
    place: str = ""
    rows: tuple[TableRow, ...] = ()
    cited: tuple[int, ...] = ()

    @property
    def is_prose(self) -> bool:
        """Whether it is running text: neither a table nor back matter."""
        return self.kind not in (SectionKind.TABLE, SectionKind.BACK_MATTER)

    @classmethod
    def of_rows(cls, rows: tuple[TableRow, ...], label: str, place: str) -> Self:
        """A section that is a table."""
        return cls(label=label, text=rows_text(rows), kind=SectionKind.TABLE, place=place, rows=rows)

    def divide(self) -> Iterator[Self]:
        """The section in parts of at most `LONGEST` characters; a table stays whole."""
        start = 0
        while not self.rows and len(self.text) - start > LONGEST:
            end = start + _find_division(self.text[start : start + LONGEST])
            if (part := self._cut(start, end)).text:
                yield part
            start = end
        yield self._cut(start, len(self.text)) if start else self

    def _cut(self, start: int, end: int) -> Self:
        text = self.text[start:end].rstrip()
        begin = start + len(text) - len(text.lstrip())
        cited = tuple(at - begin for at in self.cited if begin <= at <= begin + len(text.strip()))
        return self.model_copy(update={"text": text.lstrip(), "cited": cited})

    @property
    def name(self) -> str:
        """Its name for a reader ("Table 2", "Abstract: RESULTS", "Results: Survival"); may be empty."""
        if self.place:
            return self.place
        if self.kind is SectionKind.ABSTRACT and self.label.lower() not in ("", "abstract"):
            return f"Abstract: {self.label.rstrip(' :')}"
        return "Abstract" if self.kind is SectionKind.ABSTRACT else self.label.rstrip(" :")

    @property
    def role(self) -> SectionKind:
        """The kind of its text; a part of an abstract has the kind of its heading (RESULTS: results)."""
        if self.kind is not SectionKind.ABSTRACT:
            return self.kind
        own = kind_of_heading(self.label)
        return SectionKind.ABSTRACT if own is SectionKind.OTHER else own


def _find_division(text: str) -> int:
    """Where a text is best divided: behind the last division in its second half, else at its end."""
    found = (text.rfind(division) + len(division) for division in _DIVISIONS)
    return next((end for end in found if end > len(text) // 2), len(text))


#: What happened to a patient, which PubMed's categories take for methods: "METHODS: CASE PRESENTATION".
_OF_CASE = re.compile(
    r"\bcase (?:presentations?|reports?|summary|descriptions?)\b|\bpresentation of (?:the )?cases?\b", re.I
)


@lru_cache(maxsize=1_024)
def kind_of_heading(label: str) -> SectionKind:
    """The kind of the text under a heading; in a path of headings the first known one counts."""
    if _OF_CASE.search(label[:200]):
        return SectionKind.RESULTS
    for heading in label.split(": "):
        for kind, words in _heading_patterns().items():
            if words.search(heading[:200]):
                return kind
    return SectionKind.ABSTRACT if label.strip().lower() in ("abstract", "summary") else SectionKind.OTHER


@cache
def _heading_patterns() -> Mapping[SectionKind, re.Pattern[str]]:
    """Words of a heading that identify the kind of its section; the first match counts. "Results and discussion" is a
    discussion: its text may be either, and only the weaker kind is certain."""
    return {  # compiled on first use: stored sections have their kinds
        SectionKind.BACK_MATTER: re.compile(
            r"(?<![a-z])(?:"
            r"authors?['’]? ?(?:contribution|information|details)|(?:competing|conflicts?|declaration)s? of? ?interest|"
            r"competing|conflict|acknowledge?ment|funding|financial (?:support|disclosure)|disclosures?\b|"
            r"abbreviation|supplement|electronic supplementary|pre-publication|data availability|availability of data|"
            r"consent|ethic|appendix|appendices|registration\b|registered report|references|publisher"
            r")",
            re.I,
        ),
        SectionKind.DISCUSSION: re.compile(
            r"(?<![a-z])(?:"
            r"dis?cus+ions?\b|comments?\b|commentary|limitations?\b|strengths?\b|expert opinion"
            r")",
            re.I,
        ),
        SectionKind.CONCLUSION: re.compile(
            r"(?<![a-z])(?:"
            r"con?clu?(?:sion|tion|ding)|interpretation|(?:clinical )?(?<!ethnopharmacological )(?:relevance|"
            r"implication)s?\b|"
            r"key (?:messages?|points?|findings?)\b|take[- ]home|summary answer|"
            r"what(?: is|['’]s) new|what this (?:study|paper|trial)"
            r")",
            re.I,
        ),
        SectionKind.RESULTS: re.compile(
            r"(?<![a-z])(?:"
            r"results?\b|findings?\b|main outcomes?$|outcomes?$|(?:principal )?observations$|"
            r"efficacy\b(?! (?:and safety )?(?:assess|measure|end|eval|variable|param))|"
            r"safety(?: and tolerability)?$|adverse (?:events?|effects?|reactions?)$|tolerability\b"
            r")",
            re.I,
        ),
        SectionKind.METHODS: re.compile(
            r"(?<![a-z])(?:"
            r"(?:materials?|patients?|participants|subjects?|animals?|study|design|data|main outcome)\b.{0,30}"
            r"(?:methods?|procedures?|design|population|measures?|sources?|extraction|selection|setting)|methods?\b|"
            r"methodolog|experimental\b|procedures?\b|(?:statistic|sample size|randomi[sz]ation|blinding|"
            r"intervention|^(?:[\d.]+ )?(?:study |trial )?(?:participants?|patients?|subjects?)$|setting|design|"
            r"measure|"
            r"data (?:analys|collect|synthes|source)|"
            r"eligib|inclusion|exclusion|outcome measures?|study (?:design|population|selection|protocol|drug)|"
            r"protocol|assays?\b|assessment|exposures?$|selection criteria|literature search|areas covered|"
            r"sources of evidence|patients? concerns?|diagnos[ei]s$)"
            r")",
            re.I,
        ),
        SectionKind.INTRODUCTION: re.compile(
            r"(?<![a-z])(?:"
            r"introdu?c?tion|backgr?ou?n?d|objectives?\b|aims?\b|purpose|rationale|hypoth?es|context$|"
            r"importance$|ethnopharmacolog|motivation$|what(?: is| was|['’]s) (?:already )?known"
            r")",
            re.I,
        ),
    }
