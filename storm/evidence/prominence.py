"""Whether a paper of which only the abstract is there is about the drug, or names it here and there."""

from __future__ import annotations

from storm.evidence.abbreviations import read_abbreviations
from storm.evidence.design import abstract_of, design_of
from storm.evidence.levels import text_read_of
from storm.evidence.subjects import compile_name_pattern
from storm.models import Hit, Holds, database_info
from storm.models.design import Design

#: In an abstract whose title does not name the drug so many mentions are needed, or one in so many characters.
_MANY, _APART = 5, 300
#: Designs that name each of several treatments a few times, or are about one harm.
_OF_SEVERAL = (
    Design.META_ANALYSIS, Design.REVIEW, Design.GUIDELINE, Design.RANDOMISED, Design.NON_RANDOMISED,
    Design.INTERVENTIONAL, Design.CASE_CONTROL,
)  # fmt: skip


def is_prominent(hit: Hit, names: tuple[str, ...]) -> bool:
    """Whether sentences of a record are to be printed about the drug: of an abstract only if its title names the drug,
    if it names it often, or if it is a trial, a review, a guideline or a case-control study.

    Of 59 sentences of other abstracts that were printed without this rule, readers found 18 good and 10 misleading
    (docs/benchmarks.md).
    """
    if database_info(hit.database).holds is not Holds.PAPERS or text_read_of(hit) != "abstract":
        return True
    pattern = compile_name_pattern(names)
    if pattern.search(hit.title) or design_of(hit) in _OF_SEVERAL:
        return True
    short, abstract = read_abbreviations(hit, names), abstract_of(hit)
    mentions = len(pattern.findall(abstract)) + short.count_names(abstract)
    return short.names_drug(hit.title) or mentions >= min(_MANY, len(abstract) / _APART)
