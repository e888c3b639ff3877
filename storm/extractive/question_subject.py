"""Finds what a question is about: the drug that it names, by databases' records, or its words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from storm import planning_wording, wording
from storm.databases.identity.known_names import KnownNames
from storm.databases.identity.substance_names import strip_salt
from storm.extractive.asked_question import AskedQuestion
from storm.extractive.biomedical_words import are_biomedical
from storm.extractive.drug_names import IDENTITY_DATABASES, DrugNames, NamedDrug, drop_repeats, resolve_name
from storm.extractive.question_words import MOST_READ, Candidate
from storm.models import DrugIdentity, Hit, JobRequest, NameKind
from storm.models.names import fold_text, split_words
from storm.models.search import WEB
from storm.ports import Searcher
from storm.syllabus.drug_names import has_stem

#: Substances of daily life: the drug beside them is the subject.
_DAILY = frozenset((
    "alcohol", "water", "caffeine", "oxygen", "sugar", "glucose", "salt", "nicotine", "iron", "calcium", "zinc",
    "magnesium", "potassium", "sodium", "cholesterol", "honey", "coffee", "tea", "gold", "silver", "lead", "air", "ice",
))  # fmt: skip
#: The longest abbreviation that only a list of names, a generic name or a code explains: "CBT", "NBA".
_ABBREVIATION = 4
#: "The HERA trial": a study by its name.
_NAMED_STUDY = re.compile(r"\b[A-Z][A-Z\d-]{2,20} (?:trial|study)\b|\b(?:trial|study) [A-Z][A-Z\d-]{2,20}\b")
#: Who takes part in a study.
_PARTICIPANTS = re.compile(r"\b(?:patients|randomi[sz]ed|placebo)\b", re.I)
#: What stands before what a treatment is compared with.
_COMPARED = re.compile(r"\b(?:compared (?:with|to)|in comparison (?:with|to)|versus|vs\.?|rather than)\s", re.I)
#: What an antibody carries, whose name follows the antibody's: both are another drug than the antibody.
_CONJUGATE = re.compile(
    r"(?:deruxtecan|govitecan|[a-z]{0,10}tansine|vedotin|ejfv|ozogamicin|tesirine|mafodotin|pasudotox)"
)
#: How alike two words are that may be one drug's name, once mistyped.
_CLOSE = 0.85
#: Names longer than this may have the ending of another language.
_LONG_NAME = 6


class Subject(NamedTuple):
    """What a question is about: a drug, or words; drugs' names that may mean several; and further drugs that it names,
    by the words for them, with their generic names."""

    drug: NamedDrug | None = None
    ambiguous: tuple[DrugIdentity, ...] = ()
    others: tuple[tuple[Candidate, str], ...] = ()


class _Searched(NamedTuple):
    """The words that may name drugs, each with the names that were looked up, and the records found."""

    request: JobRequest
    named: Sequence[tuple[Candidate, Sequence[str]]]
    hits: Sequence[Hit]
    #: Where the question begins to name what it compares with.
    comparison: int

    @property
    def names(self) -> Iterator[str]:
        """The names in the order in which the question has them; those that the user gives first, those of what it
        compares with after them, those of daily life last."""
        yield from self.request.also
        for one, names in sorted(self.named, key=lambda pair: (pair[0].word.folded in _DAILY, pair[0].word.start)):
            if one.word.start < self.comparison:
                yield from names
        for one, names in self.named:
            if one.word.start >= self.comparison:
                yield from names

    def written_for(self, name: str) -> Iterator[str]:
        """How the question writes a name in another language: "metformina" for "metformin"."""
        for _, names in self.named:
            yield from (one for one in names[:-1] if name in names and one[:-1] == name)


def _names_of_conjugate(one: Candidate, conjugates: Mapping[int, str]) -> tuple[str, ...]:
    """The names to look up; of an antibody whose conjugate the question names, the whole name alone."""
    carried = conjugates.get(one.word.end + 1)
    return tuple(name for name in one.names if name.casefold().endswith(f" {carried}")) if carried else one.names


class SubjectFinder:
    """Finds the drugs that questions name. With `needs_answer` a database must answer. `known` are names that no
    database can resolve."""

    def __init__(self, searcher: Searcher, drug_names: DrugNames, known: KnownNames, *, needs_answer: bool) -> None:
        self._searcher = searcher
        self._drug_names = drug_names
        self._needs_answer = needs_answer
        self._known = known

    async def find(
        self,
        request: JobRequest,
        asked: AskedQuestion,
        without: Collection[int] = (),
        unlikely: Collection[int] | None = None,
    ) -> Subject:
        """The first drug that the question names, and the others; `without` are places of words that name something
        else. A word that no record lists is a drug by the stem of its international name, but not with `unlikely`
        places: then the question must name a drug, and if no word is known as one, a word at another place is one that
        any record lists. NothingSearched if an answer is needed and no database gives one in time."""
        candidates = [one for one in asked.candidates if one.word.start not in without]
        conjugates = {one.start: one.folded for one in asked.words if one.joined and _CONJUGATE.fullmatch(one.folded)}
        named = [
            _other_spellings(one.names) if not asked.is_readable else _names_of_conjugate(one, conjugates)
            for one in candidates
        ]
        compared = _COMPARED.search(asked.text)
        place = compared.start() if compared else len(asked.text)
        searched = _Searched(request, list(zip(candidates, named, strict=True)), (), place)
        searched = searched._replace(hits=await self._find_records(searched, asked))
        found = await self._choose(searched)
        if found.drug or found.ambiguous:
            return found
        if unlikely is None:
            return Subject(await self._name_unlisted(searched))
        likely = [(one, names) for one, names in searched.named if one.word.start not in unlikely]
        return await self._choose(searched._replace(named=likely), is_sure=False)

    async def _choose(self, searched: _Searched, *, is_sure: bool = True) -> Subject:
        request = searched.request
        ambiguous: list[DrugIdentity] = []
        for name in searched.names:
            identity = self._identify(name, searched, is_sure=is_sure)
            if identity is None:
                continue
            if not identity.is_ambiguous:
                also = (*request.also, *searched.written_for(name))
                drug = await self._drug_names.resolve(name, also, request.meaning, request.databases)
                if not drug.identity.is_ambiguous:
                    return Subject(drug, others=tuple(self._find_others(searched, drug)))
                identity = drug.identity
            ambiguous.append(identity)
        return Subject(ambiguous=tuple(ambiguous))

    async def _name_unlisted(self, searched: _Searched) -> NamedDrug | None:
        """The first drug that has the stem of an international name, and no record of drugs."""
        tried = (name for one, names in searched.named if one.word.start < searched.comparison for name in names)
        for name in (*searched.request.also, *tried):
            if has_stem(name) and not self._known.breadth_of(name):
                return await self._drug_names.resolve(name, searched.request.also, "", searched.request.databases)
        return None

    async def _find_records(self, searched: _Searched, asked: AskedQuestion) -> Sequence[Hit]:
        request = searched.request
        groups = [drop_repeats((*names, *map(self._known.full_name, names))) for _, names in searched.named]
        if request.also:
            groups.append(request.also)
        if not self._needs_answer:
            return await self._drug_names.find_records(groups, request.databases)
        groups = groups or [(phrase.text,) for phrase in asked.phrases()[:1]] or [(asked.text,)]
        return await self._drug_names.find_records_in_time(groups, request.databases)

    def _identify(self, name: str, searched: _Searched, *, is_sure: bool = True) -> DrugIdentity | None:
        """What a name means; None if it is not a drug's, or `is_sure` to be only if it is known as one."""
        if self._known.breadth_of(name):
            return None
        identity = resolve_name(name, self._known.full_name(name), searched.request.meaning, searched.hits)
        if identity.is_ambiguous:
            return identity
        return identity if identity.inn and (self._is_drug_name(name, identity) or not is_sure) else None

    def _find_others(self, searched: _Searched, drug: NamedDrug) -> Iterator[tuple[Candidate, str]]:
        """The candidates that name another drug, none of daily life."""
        own = {strip_salt(name.casefold()) for name in (*drug.names, drug.identity.inn or "")}
        for candidate, names in searched.named:
            if candidate.word.folded in _DAILY or not own.isdisjoint(map(str.casefold, names)):
                continue
            meant = next(filter(None, (self._identify(name, searched) for name in names)), None)
            if meant and meant.inn and strip_salt(meant.inn.casefold()) not in own:
                yield candidate, meant.inn

    def _is_drug_name(self, name: str, identity: DrugIdentity) -> bool:
        """Whether a word of a question means the drug that it is a name of: not an abbreviation of something else, nor
        a word that only ChEMBL lists as a brand."""
        kinds = {kind for _, kind in identity.matched}
        if kinds & {NameKind.INN, NameKind.SALT} or self._known.full_name(name) != name:
            return True
        if name.isupper() and name.isalpha() and len(name) <= _ABBREVIATION:
            return False
        brands = {fold_text(brand) for brand in identity.brands}
        return fold_text(name) in brands or not name.islower() or any(map(str.isdigit, name))

    def is_biomedical(self, asked: AskedQuestion, subject: Subject) -> bool:
        """Whether a drug or another word of the question is of medicine or biology; one in another language may be."""
        if subject.drug or subject.ambiguous:
            return True
        words = [part for word in asked.words for part in (word.folded, *word.folded.split("-"))]
        is_class = any(self._known.breadth_of(word.text) for word in asked.words if word.folded not in _DAILY)
        is_class = is_class or bool(_NAMED_STUDY.search(asked.text) or _PARTICIPANTS.search(asked.text))
        return is_class or are_biomedical(words) or any(p.names_drug for p in asked.phrases()) or not asked.is_readable

    def write_notes(
        self, request: JobRequest, asked: AskedQuestion, subject: Subject, *, is_biomedical: bool
    ) -> Iterator[str]:
        """What a reader must know of how the question was read."""
        drug = subject.drug
        if drug and not drug.identity.inn:
            yield describe_unlisted(drug.asked, request, self._known)
        if drug and drug.full_name != drug.asked:
            yield wording.SHORT_NAME.format(asked=drug.asked, meant=drug.full_name)
        for identity in () if drug else subject.ambiguous:
            named = ", ".join(one.name for one in identity.candidates)
            yield planning_wording.AMBIGUOUS_WORD.format(asked=identity.asked, drugs=named)
        if not asked.is_readable:
            yield planning_wording.NOT_READ_IN_LANGUAGE
        if asked.is_cut:
            yield planning_wording.QUESTION_CUT.format(most=MOST_READ)
        if not is_biomedical:
            yield planning_wording.NOT_BIOMEDICAL if self._searches_web(request) else planning_wording.NO_WEB

    def _searches_web(self, request: JobRequest) -> bool:
        is_allowed = not request.databases or WEB in request.databases
        return is_allowed and any(database.name == WEB for database in self._searcher.databases)


def describe_unlisted(name: str, request: JobRequest, known: KnownNames) -> str:
    """That no record lists the drug, with a drug that is written much like it; or that no database was searched which
    could."""
    if request.databases and not set(request.databases).intersection(IDENTITY_DATABASES):
        return planning_wording.NO_DRUG_DATABASE.format(asked=f'"{name}"')
    note = planning_wording.NOT_LISTED.format(asked=f'"{name}"')
    close = (drug for drug in known.drugs if abs(len(drug) - len(name)) <= 1)  # two letters make another drug
    drugs = sorted(drug for drug in close if drug.casefold() != name.casefold())
    meant = get_close_matches(name.casefold(), drugs, n=1, cutoff=_CLOSE)
    return note + planning_wording.DID_YOU_MEAN.format(name=meant[0]) if meant else note


def places_of(names: Sequence[str], asked: AskedQuestion) -> Sequence[int]:
    """Where the words stand that name the drug of these names."""
    own = {" ".join(split_words(name)) for name in names}
    parts = set(split_words(names[0]))
    places = []
    for word in asked.words:
        folded = " ".join(split_words(word.folded.removesuffix("'s").removesuffix("’s")))
        if folded in own or folded in parts or parts.issuperset(folded.split()):
            places.append(word.start)
    return places


def _other_spellings(names: Sequence[str]) -> tuple[str, ...]:
    """The names, and their international spelling: French "metformine" and "kétamine", Spanish "metformina"."""
    plain = (folded for name in names if (folded := fold_text(name)) != name.casefold())
    return (*names, *plain, *(name[:-1] for name in names if len(name) > _LONG_NAME and name.endswith(("a", "e"))))
