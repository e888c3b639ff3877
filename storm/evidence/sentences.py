"""Reads the sentences of a source that may be printed, before each has its question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from storm.evidence.abbreviations import read_abbreviations
from storm.evidence.arm_lists import list_comparators
from storm.evidence.arms import (
    explain_all_arms,
    explain_arm,
    explain_both_arms,
    explain_only_arm,
    has_one_arm,
    is_on_both_arms,
    tries_only,
)
from storm.evidence.clinical_outcomes import is_compared
from storm.evidence.design import abstract_of, design_of, is_animal, is_report
from storm.evidence.grave_results import reports_deaths
from storm.evidence.limitations import find_limitations
from storm.evidence.other_drugs import read_other_drugs
from storm.evidence.own_figures import has_foreign_figures
from storm.evidence.passages import Passage, read_passages
from storm.evidence.planned_endpoint import is_on_endpoint, read_planned_endpoint
from storm.evidence.predecessors import (
    continues_subgroup,
    depends_on_previous,
    is_limited_by,
    is_on_another,
    join_passages,
    states_cause,
)
from storm.evidence.sentence_kinds import SentenceKind, continues_other_work, kind_of
from storm.evidence.standalone import (
    has_unexplained_groups,
    is_taken_back,
    names_group_by_code,
    points_back,
    stands_alone,
    withdraws,
)
from storm.evidence.strength import evidence_of
from storm.evidence.study import read_study
from storm.evidence.subjects import compile_name_pattern, is_aside
from storm.models import Evidence, Hit, Plan, Relation, RelationKind, SectionKind, Source, database_info
from storm.models.design import Design
from storm.models.section import kind_of_heading
from storm.syllabus.relation import relations_in

#: Sections with a document's own results and conclusion.
_OWN_RESULTS = (SectionKind.RESULTS, SectionKind.CONCLUSION, SectionKind.ABSTRACT)
#: Factors for a sentence that names only a treated group, for one that also compares it, for one that names it by a
#: number or letter, for one that names only the arm of a trial without other drugs, and for one on both arms' harms.
_OF_GROUP = 0.4
_OF_COMPARED_GROUP = 0.65
_BY_CODE = 0.65
_OF_ITS_ARM = 0.8
_OF_BOTH_ARMS = 0.6
#: Studies in healthy people.
_HEALTHY = re.compile(
    r"\bhealthy(?:,? \w+){0,3} (?:volunteers|subjects|adults|men|women|participants|individuals|humans|people)\b"
    r"(?! (?:with|who (?:have|had|were)|having|suffering|undergoing|scheduled|diagnosed)\b)",
    re.I,
)
#: Characters of two sentences that are printed together.
_LONGEST_PAIR = 600
#: A sentence on what the one before has named, and how that says what a drug is.
_ON_IT = re.compile(
    r"(?:It|This (?:drug|agent|compound|molecule|antibody|medication|medicine|hormone|inhibitor|analogue?)) (?:\w+ly )?"
    r"(?:inhibit|bind|block|prolong|increase|decrease|reduce|enhance|stimulate|activate|suppresse?|act|prevent|induce|"
    r"potentiate|lower|raise|delay|target|mimic|slow|promote|restore|modulate|antagoni[sz]e|interfere|stabili[sz]e)s\b"
)
_IS_A = re.compile(
    r"(?: \([^()]{1,40}\))?(?:, (?:an?|the) | (?:is|acts as) (?:an?|the) )(?!most\b)"
    r"(?:[\w-]+(?: \([^()]{1,30}\))?,? ){0,7}(?:inhibitor|antagonist|agonist|antibody|blocker|modulator|"
    r"analog(?:ue)?|derivative|activator|antibiotic|hormone|enzyme|conjugate|ana?esthetic|analgesic|stimulant|"
    r"sensiti[sz]er|statin|steroid|vaccine)s?\b",
    re.I,
)
#: Where an abstract without headings turns to its own study; what stands before is what was known.
_OWN_STUDY = re.compile(
    r"\b(?:we|our|here|herein|in this|th(?:is|e (?:present|current)) (?:\w+ ){0,2}(?:study|trial|paper|report|article|"
    r"work|research|case|analysis|investigation)|aims?|aimed|objectives?|purpose|(?:was|were) (?:\w+ly )?(?:evaluated|"
    r"investigated|performed|conducted|carried out|designed|randomi[sz]ed|enrolled|recruited|treated|included|assigned|"
    r"examined|studied|assessed|analy[sz]ed|compared|measured))\b",
    re.I,
)
#: Designs whose abstracts say what is known from their first sentence on.
_OF_KNOWLEDGE = (Design.REVIEW, Design.GUIDELINE, Design.EDITORIAL, Design.NO_STUDY)
#: A heading inside the text of an abstract: "Results: Ketamine slowed …".
_INLINE_HEADING = re.compile(
    r"(?:Background|Introduction|Objectives?|Aims?|Purpose|Methods?|Results?|Findings|Conclusions?|Interpretation): "
)


class Sentence(NamedTuple):
    """A sentence before it has a question.

    `named` are the products that it names, `named_as` is a factor for how it names the drug, `in_healthy` and
    `in_animals` mark studies in healthy people and in animals, and `is_planned` results on the planned endpoint.
    """

    source: Source
    passage: Passage
    place: int
    role: SectionKind
    kind: SentenceKind
    named: frozenset[Relation]
    text: str
    in_healthy: bool
    in_animals: bool
    design: Design
    named_as: float = 1.0
    remark: str = ""
    is_planned: bool = False


def read_sentences(source: Source, plan: Plan) -> Iterator[Sentence]:
    """The findings and facts of a source that stand alone and are about the drug, its class or its comparator."""
    design, in_animals, in_healthy = design_of(source.hit), is_animal(source.hit), _is_of_healthy(source.hit)
    own_record = not database_info(source.hit.database).is_literature
    reports = own_record or is_report(source.hit)
    subjects = _Subjects(source, plan, reports=reports)
    planned = read_planned_endpoint(source.hit) if reports else frozenset()
    passages = list(assign_roles(source))
    limitations = find_limitations(passages)
    for place, ((passage, role), following) in enumerate(zip_longest(passages, passages[1:])):
        if place in limitations:
            continue
        found = subjects.find(passage.shown, role)
        if not (found.is_any or own_record or says_what_it_does(passage.shown)):
            continue
        if not stands_alone(passage.shown):
            described = join_definition(passages, place, plan.names)
            if described is None:
                continue
            passage, found = described, subjects.find(described.shown, role)
        if _is_taken_back(passage, following):
            continue
        if not (found.is_any or own_record) or is_aside(passage.shown, plan.names):
            continue
        kind = kind_of(passage, role)
        if place and continues_other_work(passage, passages[place - 1][0], role):
            kind = SentenceKind.SECOND_HAND
        is_discussed = role is SectionKind.DISCUSSION and kind is SentenceKind.FINDING
        if is_discussed and has_foreign_figures(passage.shown, source.hit):
            kind = SentenceKind.SECOND_HAND
        if has_unexplained_groups(found.explained or passage.shown):
            continue
        if kind is SentenceKind.FACT or (reports and kind is SentenceKind.FINDING):
            text = found.explained or passage.shown
            named_as, on_plan = subjects.weigh(found, passage.shown), is_on_endpoint(passage.shown, planned)
            is_result = _is_result(kind, role)
            if is_result and (whole := join_previous(passages, place)):
                text, passage = f"{whole.shown.removesuffix(passage.shown)}{text}", whole
            elif is_result and (whole := _join_following(passage, following)):
                text, passage = f"{text}{whole.shown.removeprefix(passage.shown)}", whole
            yield Sentence(
                source, passage, place, role, kind, found.named, text, in_healthy, in_animals, design,
                named_as, found.remark, on_plan,
            )  # fmt: skip


class _Found(NamedTuple):
    """What a sentence is about: the products that it names, its text with what its short names and arms stand for (or
    ""), a factor if it names only arms that have no name, and its subject if that is another drug."""

    named: frozenset[Relation]
    explained: str
    of_arms: float
    remark: str

    @property
    def is_any(self) -> bool:
        """Whether it is about a drug at all."""
        return bool(self.named or self.explained or self.remark)


class _Subjects:
    """Finds what the sentences of one source are about."""

    def __init__(self, source: Source, plan: Plan, *, reports: bool) -> None:
        self._source, self._plan = source, plan
        self._short = read_abbreviations(source.hit, plan.names)
        self._others = read_other_drugs(source.hit, plan.names)
        self._is_itself = is_itself = source.relation_kind is RelationKind.ITSELF
        titled = compile_name_pattern(plan.names).search(source.hit.title)
        self._is_trial = bool(titled) and is_itself and evidence_of(source.hit) is Evidence.RANDOMISED
        self._alone = reports and is_itself and tries_only(source.hit, plan.names)
        self._only_arm = self._alone and has_one_arm(source.hit, plan.names)

    def find(self, text: str, role: SectionKind) -> _Found:
        """What this sentence of a section with this role is about."""
        names, related = self._plan.names, self._plan.related_names
        named = relations_in(text, names, related)
        explained = "" if named else self._short.explain_short_names(text)
        if explained:
            named |= relations_in(explained, names, related) - {Relation.ITSELF}
        arm = both = ""
        if self._alone and not (named or explained) and role in _OWN_RESULTS:
            explained = arm = explain_arm(text, names[0])
        if self._only_arm and not (named or explained) and role is SectionKind.RESULTS:
            explained = arm = explain_only_arm(text, names[0])
        if not (named or explained) and role in _OWN_RESULTS and is_on_both_arms(text):
            explained = both = explain_both_arms(text, names[0], _read_comparator(self._source, names))
        if not (named or explained) and role in _OWN_RESULTS and self._is_trial:
            explained = both = explain_all_arms(text, names[0])
        # What an introduction knows of other drugs is on the drug's competitors in reports on the drug alone.
        is_on_others = not (named or explained) and (self._is_itself or role is not SectionKind.INTRODUCTION)
        remark = self._others.remark_on(text) if is_on_others else ""
        return _Found(named, explained, _OF_ITS_ARM if arm else _OF_BOTH_ARMS if both else 0.0, remark)

    def weigh(self, found: _Found, text: str) -> float:
        """A factor for how this sentence, about which that was found, names the drug."""
        is_named = bool(found.named) or self._short.names_drug(text)
        return 1.0 if is_named else found.of_arms or _weigh_group(text)


def _weigh_group(sentence: str) -> float:
    weight = _OF_COMPARED_GROUP if is_compared(sentence) else _OF_GROUP
    return weight * (_BY_CODE if names_group_by_code(sentence) else 1)


def _read_comparator(source: Source, names: tuple[str, ...]) -> str:
    """The comparator of a randomised trial that has the drug in its title, or compares it with one drug in its
    abstract; "" for any other source."""
    hit = source.hit
    is_trial = database_info(hit.database).is_literature and evidence_of(hit) is Evidence.RANDOMISED
    if source.relation_kind is not RelationKind.ITSELF or not is_trial:
        return ""
    comparator = read_study(hit, names).comparator
    drug = compile_name_pattern(names)
    words = {word for name in names for word in name.casefold().split()}
    is_arm = drug.search(hit.title) or comparator in list_comparators(abstract_of(hit), words)
    return comparator if is_arm else ""


def join_previous(
    passages: Sequence[tuple[Passage, SectionKind]], place: int, *, pointing: bool = False
) -> Passage | None:
    """The sentence there together with the one before it, if it depends on that (and also, with `pointing`, if it
    begins with a word for it: "This difference …") and both are findings, or if it gives values of the subgroup that
    the one before it names."""
    passage, role = passages[place]
    before = passages[max(0, place - 1)][0]
    depends = depends_on_previous(passage.shown) or (pointing and points_back(passage.shown))
    is_of_subgroup = continues_subgroup(before.shown, passage.shown)
    if not place or not (depends or is_of_subgroup):
        return None
    is_finding = is_of_subgroup or _is_result(kind_of(before, role), role)
    if not (is_finding and stands_alone(before.shown)):
        return None
    if depends_on_previous(before.shown) or has_unexplained_groups(before.shown):
        return None
    if is_on_another(before.shown, passage.shown):
        return None
    whole = join_passages(before, passage)
    return whole if whole and whole.shown.endswith(passage.shown) and len(whole.shown) < _LONGEST_PAIR else None


def _is_result(kind: SentenceKind, role: SectionKind) -> bool:
    """Whether a sentence of this kind is a result: a finding, or what a section of results states."""
    return kind is SentenceKind.FINDING or (kind is SentenceKind.FACT and role is SectionKind.RESULTS)


def _join_following(passage: Passage, following: tuple[Passage, SectionKind] | None) -> Passage | None:
    """The sentence together with the next one, if that says whether the treatment caused the deaths that this one
    reports, or withdraws serious harm, or if it is a finding that limits this one."""
    if following is None:
        return None
    tells_cause = reports_deaths(passage.shown) and states_cause(following[0].shown)
    if not (tells_cause or withdraws(following[0].shown) or _is_limited(passage, *following)):
        return None
    whole = join_passages(passage, following[0])
    return whole if whole and whole.shown.startswith(passage.shown) and len(whole.shown) < _LONGEST_PAIR else None


def _is_limited(passage: Passage, following: Passage, role: SectionKind) -> bool:
    if following.section is not passage.section or not is_limited_by(passage.shown, following.shown):
        return False
    return stands_alone(following.shown) and kind_of(following, role) is SentenceKind.FINDING


def says_what_it_does(sentence: str) -> bool:
    """Whether the sentence says what the thing named before does: "It inhibits …"."""
    return _ON_IT.match(sentence) is not None


def join_definition(
    passages: Sequence[tuple[Passage, SectionKind]], place: int, names: Sequence[str]
) -> Passage | None:
    """A sentence on "it" together with the one before it, if that says what the drug is: "X is a …. It inhibits …"."""
    passage = passages[place][0]
    if not place or not says_what_it_does(passage.shown):
        return None
    before = passages[place - 1][0]
    if not (defines_drug(before.shown, names) and stands_alone(before.shown)):
        return None
    whole = join_passages(before, passage)
    return whole if whole and len(whole.shown) < _LONGEST_PAIR else None


def defines_drug(sentence: str, names: Sequence[str]) -> bool:
    """Whether the sentence begins by saying what the drug is: "X is an inhibitor of …", "X, an antibody …"."""
    named = compile_name_pattern(tuple(names)).match(sentence)
    return named is not None and _IS_A.match(sentence, named.end()) is not None


def _is_taken_back(passage: Passage, following: tuple[Passage, SectionKind] | None) -> bool:
    return bool(
        following and following[0].section is passage.section and is_taken_back(passage.shown, following[0].shown)
    )


def _is_of_healthy(hit: Hit) -> bool:
    abstract = (section.text for section in hit.sections if section.kind is SectionKind.ABSTRACT)
    return any(_HEALTHY.search(text) for text in (hit.title, *abstract))


def assign_roles(source: Source) -> Iterator[tuple[Passage, SectionKind]]:
    """Each sentence with the role of its section. An introduction with a heading in an abstract is left out; the
    opening of an abstract without headings is an introduction, and the conclusion of a text a discussion: of what
    readers marked there, one sentence in six was worth printing, of the conclusions of abstracts four in five."""
    passages = list(read_passages(source.hit))
    opening = frozenset() if design_of(source.hit) in _OF_KNOWLEDGE else _find_opening(passages)
    section, inline = None, SectionKind.OTHER
    for passage in passages:
        if passage.section is not section:
            section, inline = passage.section, SectionKind.OTHER
        if heading := _INLINE_HEADING.match(passage.shown):
            inline = kind_of_heading(heading[0])
        role = section.role if inline is SectionKind.OTHER else inline
        if id(passage) in opening:
            yield passage, SectionKind.INTRODUCTION
            continue
        if role is SectionKind.CONCLUSION and section.kind is not SectionKind.ABSTRACT:
            role = SectionKind.DISCUSSION
        if role is not SectionKind.INTRODUCTION or section.kind is not SectionKind.ABSTRACT:
            yield passage, role


def _find_opening(passages: Sequence[Passage]) -> frozenset[int]:
    """The sentences of an abstract without headings before it turns to its own study; none if it never does."""
    plain = [one for one in passages if one.section.role is SectionKind.ABSTRACT]
    turn = next((n for n, one in enumerate(plain) if _OWN_STUDY.search(one.shown)), 0)
    return frozenset(map(id, plain[:turn]))
