"""The sentences on the trials behind an answer that the reader of a report sees; the others are in `storm.wording`."""

from __future__ import annotations

from storm.models.design import Design

#: Where a record states its design, by how `level_basis` begins.
BASES = {
    "publication type": " by type", "MeSH heading": " by heading", "registry field": " by registry field",
    "title": " by its words",
}  # fmt: skip
#: Of a result in a subgroup, whose size is not read.
PART_OF = "part of {people}"
SCORE_PART = "{name} {points}"
#: Parts of a score that are shown otherwise.
SCORE_PARTS = {"at least 0": "minimum of 0 adds {points}"}
RANDOMISED_TRIALS = "Randomised evidence: {trials}, participants not stated"
RANDOMISED_PARTICIPANTS = "Randomised evidence: {trials}, {participants} participants"
EACH_PAPER_A_TRIAL = "{trials} (papers without a trial number or a shared name counted as one each)"
UNKNOWN_SIZES = " ({number} without a stated number)"
DRUG_AS_COMPARATOR = "; the drug is the comparator in {number}"
DRUG_IN_COMBINATION = "; in {number} of them{size} it is combined with another drug, which may account for the result"
ALL_IN_COMBINATION = "; in each it is combined with another drug, which may account for the result"
SIZE_IN_COMBINATION = " ({participants} participants)"
#: Analyses of trials, whose participants may be among those counted before: one, several, and their sizes.
ANALYSES = {
    Design.META_ANALYSIS: ("meta-analysis", "meta-analyses"),
    Design.SECONDARY: ("secondary analysis of trials", "secondary analyses of trials"),
}
ANALYSES_OF_SIZE, NO_SIZE, NO_SIZES = "{analyses} ({sizes})", "size not stated", "sizes not stated"
BESIDE_TRIALS, ONLY_ANALYSES = "Besides, not added: {analyses}.", "Analyses of other studies: {analyses}."
UNCOUNTED_TRIALS = "Cited as randomised, but not counted: {references} ({reasons})."
#: Why a reference to a randomised trial is not counted as evidence.
IS_RETRACTED, IS_UNSUPPORTED = "retracted", "not supported by its source"
IS_OF_ANOTHER, IS_NO_RESULT = "on another drug or product", "cited for no result of its own"
