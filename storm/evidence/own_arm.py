"""Finds results of a drug's own arm in a trial of another drug."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storm.evidence.sentence_kinds import SentenceKind
from storm.evidence.sentences import Sentence
from storm.evidence.subjects import compile_name_pattern
from storm.models import RelationKind, SectionKind
from storm.syllabus.drug_names import DRUG_NAME

#: A comparison, and one of the drug with no treatment: "zorvimab vs placebo", "between placebo and zorvimab".
_COMPARES = re.compile(
    r"\b(?:than|versus|vs|compared|between|differ\w*|superior|inferior|greatest|highest|followed by)\b|"
    r"\bp ?[<=>]",
    re.I,
)
_NOTHING = r"(?:the )?(?:placebo|controls?|no treatment|untreated)\b"
_AGAINST_PLACEBO = re.compile(
    rf"(?: (?:group|arm))?,? (?:and|or|versus|vs\.?|than|(?:as )?compared (?:with|to)) {_NOTHING}", re.I
)
_BESIDE_PLACEBO = re.compile(rf"\bbetween {_NOTHING},? and (?:the )?$", re.I)
_ALL_AGAINST_PLACEBO = re.compile(
    rf"\b(?:superior to|(?:better|greater|more|less|lower|higher|longer|fewer)\b[^.;]{{0,60}}\bthan(?: with| on)?|"
    rf"compared (?:with|to)|versus|vs\.?) (?:{_NOTHING}|(?:the )?[\w-]+/placebo\b)(?! and\b)",
    re.I,
)
#: What stands before a drug with which another is compared.
_AGAINST_DRUG = re.compile(
    r"\b(?:than|superior to|inferior to|compared (?:with|to)|versus|vs\.?) (?:the |with |on )?$", re.I
)
_OWN_RESULTS = (SectionKind.RESULTS, SectionKind.ABSTRACT, SectionKind.CONCLUSION)


def is_on_own_arm(sentence: Sentence, names: Sequence[str]) -> bool:
    """Whether a finding of a trial of another drug is on the arm of this one alone, or compares it with placebo."""
    text = sentence.passage.shown
    is_finding = sentence.kind is SentenceKind.FINDING and sentence.source.relation_kind is RelationKind.COMPARATOR
    drug = compile_name_pattern(tuple(names))
    is_own = is_finding and sentence.role in _OWN_RESULTS and drug.search(sentence.text) is not None
    if is_own and is_against_placebo(text):
        return True
    if not is_own or names_another_drug(text, names):
        return False
    return not _COMPARES.search(text) or any(
        _AGAINST_PLACEBO.match(text, own.end()) or _BESIDE_PLACEBO.search(text, 0, own.start())
        for own in drug.finditer(text)
    )


def is_against_placebo(text: str) -> bool:
    """Whether a text compares what it names with placebo, and with no drug: "A and B were superior to placebo"."""
    against_drug = any(_AGAINST_DRUG.search(text, 0, drug.start()) for drug in DRUG_NAME.finditer(text))
    return _ALL_AGAINST_PLACEBO.search(text) is not None and not against_drug


def names_another_drug(text: str, names: Sequence[str]) -> bool:
    """Whether a text names a drug of another name."""
    drug = compile_name_pattern(tuple(names))
    return any(not drug.match(text, other.start()) for other in DRUG_NAME.finditer(text))
