"""What is searched for, and which questions a record is filed under."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from storm.evidence.candidates import CandidateReader
from storm.extractive.record_assignment import AssignedRecord, assign_record, best_excerpt
from storm.extractive.researcher import ExtractiveResearcher, _take_batch, queries_for
from storm.models import (
    CollectionProgress,
    Exclusion,
    Hit,
    JobRequest,
    Plan,
    Question,
    RecordFacts,
    Retraction,
    SearchQuery,
)
from storm.syllabus import bundled_syllabus

DRUG = bundled_syllabus(Path(__file__).parents[2] / "config")
PLAN = Plan(names=("trastuzumab", "Herceptin"), syllabus=DRUG)
READER = CandidateReader(PLAN)
OPEN = Question(key="own", label="Dosing", description="How it is given", min_sources=2)


def questions_for(hit: Hit, reader: CandidateReader, found_for: Sequence[str]) -> tuple[str, ...]:
    return assign_record(hit, reader, found_for).questions


def trial(title: str, text: str) -> Hit:
    return Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", title, text=text, pmid="1")


def test_a_template_for_a_database_is_searched_in_that_database_only() -> None:
    question = OPEN.model_copy(update={"queries": {"default": ("dose",), "patents": ("dosage regimen",)}})
    everywhere, patents = queries_for(question, PLAN.names, ())
    assert (everywhere.words, everywhere.databases) == (("dose",), ())
    assert (patents.words, patents.databases) == (("dosage", "regimen"), ("patents",))


def test_databases_that_were_not_asked_for_are_not_searched() -> None:
    question = OPEN.model_copy(update={"queries": {"default": ("dose",), "patents": ("dosage regimen",)}})
    (only,) = queries_for(question, PLAN.names, ("pubmed",))
    assert only.databases == ("pubmed",)


def test_a_question_without_templates_is_searched_by_its_own_words() -> None:
    (query,) = queries_for(OPEN, PLAN.names, ())
    assert set(query.words) == {"Dosing", "How", "it", "is", "given"}


class Nothing:
    """Plays searcher and collection: every search is answered, and nothing is found."""

    def __init__(self) -> None:
        self.asked: list[SearchQuery] = []

    async def search(self, wanted: Mapping[str, Sequence[SearchQuery]]) -> Mapping[str, Sequence[Sequence[str]]]:
        self.asked += [query for queries in wanted.values() for query in queries]
        return {question: [[] for _ in queries] for question, queries in wanted.items()}

    async def find_hits(self, keys: Sequence[str]) -> Sequence[Hit | None]:
        return [None for _ in keys]

    async def record_exclusions(self, reasons: Mapping[str, Exclusion]) -> None:
        self.excluded = dict(reasons)


async def test_a_query_has_no_more_names_than_services_take() -> None:
    nothing = Nothing()
    plan = PLAN.model_copy(update={"names": tuple(f"name-{n}" for n in range(40))})
    none: Any = None
    researcher = ExtractiveResearcher(nothing, lambda _: none, nothing, none)  # type: ignore[arg-type]
    assert await researcher.gather(JobRequest(text="name-0", syllabus=DRUG), plan) == "no_progress"
    assert {query.names for query in nothing.asked} == {plan.names[:16]}


def test_a_record_that_does_not_name_the_drug_answers_nothing() -> None:
    hit = trial("Lapatinib trial", "Lapatinib improved survival (hazard ratio 0.7; P<0.001).")
    assert questions_for(hit, READER, ["clinical.efficacy"]) == ()


def test_evidence_of_a_conjugate_counts_for_the_landscape_not_for_the_drug_s_own_efficacy() -> None:
    hit = trial(
        "Trastuzumab deruxtecan versus trastuzumab emtansine for breast cancer: a randomised phase 3 trial",
        "Progression-free survival was longer with trastuzumab deruxtecan (hazard ratio 0.28; P<0.001).",
    )
    found = questions_for(hit, READER, [])
    assert "clinical.efficacy" not in found
    assert "competitive.landscape" in found


@pytest.mark.parametrize("kind", ["Published Erratum", "Editorial", "Clinical Trial Protocol", "Retraction Notice"])
def test_what_reports_nothing_of_its_own_answers_nothing(kind: str) -> None:
    hit = trial(
        "Trastuzumab in breast cancer", "Trastuzumab improved survival (hazard ratio 0.7, 95% CI 0.6-0.8; P<0.001)."
    )
    assert "clinical.efficacy" in questions_for(hit, READER, [])
    assert questions_for(hit.model_copy(update={"publication_types": (kind,)}), READER, []) == ()


def test_a_trial_of_another_drug_against_it_is_evidence_of_both() -> None:
    text = "Progression-free survival was 9.1 months with lapatinib and 13.6 with trastuzumab (HR 1.48; P<0.001)."
    arm = questions_for(trial("Lapatinib versus trastuzumab in breast cancer: a phase 3 trial", text), READER, [])
    assert {"clinical.efficacy", "competitive.landscape"} <= set(arm)
    beside = questions_for(trial("Lapatinib added to trastuzumab versus placebo: a phase 3 trial", text), READER, [])
    assert "clinical.efficacy" not in beside


def test_a_question_without_rules_takes_of_what_its_own_search_found_what_its_words_stand_in() -> None:
    plan = PLAN.model_copy(update={"syllabus": DRUG.model_copy(update={"questions": (OPEN,)})})
    hit = trial("Trastuzumab dosing", "A dose of trastuzumab is given weekly.")
    assert questions_for(hit, CandidateReader(plan), ["own"]) == ("own",)
    assert questions_for(hit, CandidateReader(plan), []) == ()
    assert (
        questions_for(trial("Trastuzumab", "Trastuzumab was approved in 1998."), CandidateReader(plan), ["own"]) == ()
    )


def _waiting(**queues: list[str]) -> dict[str, list[AssignedRecord]]:
    def filed(name: str, question: str) -> AssignedRecord:
        return AssignedRecord(trial(name, "").model_copy(update={"identifiers": (f"own:{name}",)}), (question,))

    return {question: [filed(name, question) for name in names] for question, names in queues.items()}


def test_only_wanted_questions_are_served_and_nothing_twice() -> None:
    first, second = (OPEN.model_copy(update={"key": key, "min_sources": 1}) for key in ("first", "second"))
    waiting = _waiting(first=[*"abcdefgh"], second=["a", "z"])
    batch = _take_batch([first], waiting)
    assert [(question.key, [one.hit.title for one in filed]) for question, filed in batch] == [("first", [*"abcdef"])]
    assert [one.hit.title for one in waiting["second"]] == ["z"]
    assert _take_batch([second], waiting)[0][1][0].hit.title == "z"
    assert _take_batch([second], waiting) == []


def test_all_listed_patents_are_taken_those_that_end_last_first() -> None:
    def listed(number: int, **facts: str) -> AssignedRecord:
        hit = Hit.of("orangebook", f"N1-{number}", f"https://example.org/{number}", f"Patent {number}")
        return AssignedRecord(hit.model_copy(update={"facts": RecordFacts(**facts)}), ("dated",))

    dated = OPEN.model_copy(update={"key": "dated", "dated": True})
    expired = [listed(number, expiry="2020-01-01") for number in range(20)]
    others = [
        listed(20),
        listed(21, expiry="2031-01-01"),
        listed(22, expiry="2030-12-31", paediatric_expiry="2031-06-30"),
    ]
    waiting = {"dated": [*expired, *others]}
    ((_, chosen),) = _take_batch([dated], waiting)
    assert chosen == [*expired[:12], others[2], others[1], *expired[12:]]
    assert waiting["dated"] == [others[0]]
    ((_, chosen),) = _take_batch([OPEN], {"own": [*expired, *others]})
    assert chosen == expired[:12]


def test_an_excerpt_is_a_sentence_of_the_record_word_for_word() -> None:
    text = "We thank the nurses. Median survival was 25.1 months with trastuzumab (P=0.046) [12]. It rained."
    excerpt = best_excerpt(trial("Trastuzumab", text), DRUG.question("clinical.efficacy"), PLAN.names)
    assert excerpt == "Median survival was 25.1 months with trastuzumab (P=0.046) [12]."


@pytest.mark.parametrize("text", ["", "[12]"])
def test_a_record_without_words_has_no_excerpt(text: str) -> None:
    assert best_excerpt(trial("Trastuzumab", text), DRUG.question("clinical.efficacy"), PLAN.names) is None


class Refusing(Nothing):
    """Plays searcher, collection, toolbox and journal: one record is found, and it cannot be filed."""

    found = trial("Trastuzumab: survival in a randomised trial", "Trastuzumab improved survival (hazard ratio 0.7).")

    def __init__(self) -> None:
        super().__init__()
        self.events: list[tuple[str, str]] = []

    async def search(self, wanted: Mapping[str, Sequence[SearchQuery]]) -> Mapping[str, Sequence[Sequence[str]]]:
        return {question: [[self.found.key]] for question in wanted}

    async def find_hits(self, keys: Sequence[str]) -> Sequence[Hit | None]:
        return [self.found for _ in keys]

    async def save_source(self, *about: Any, key_excerpts: str) -> dict[str, str]:
        return {"error": "it is two works"}

    async def report(self, kind: str, message: str) -> None:
        self.events.append((kind, message))

    async def progress(self) -> CollectionProgress:
        return CollectionProgress(total=0, counts={}, databases=())


async def test_a_record_that_cannot_be_filed_is_reported_and_the_job_goes_on() -> None:
    job: Any = Refusing()
    researcher = ExtractiveResearcher(job, lambda _: job, job, job)
    assert await researcher.gather(JobRequest(text="trastuzumab", syllabus=DRUG), PLAN) == "no_progress"
    assert set(job.events) == {("unsaved", "pmid:1 was not filed: it is two works")}


class Library(Refusing):
    """Plays all parts of a job: each search of a question finds these records, and each of them can be saved."""

    def __init__(self, *hits: Hit, found_for: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        self.hits = {hit.key: hit for hit in hits}
        self.found_for = found_for
        self.saved: list[str] = []

    async def search(self, wanted: Mapping[str, Sequence[SearchQuery]]) -> Mapping[str, Sequence[Sequence[str]]]:
        return {question: [self.found_for.get(question, ())] for question in wanted}

    async def find_hits(self, keys: Sequence[str]) -> Sequence[Hit | None]:
        return [self.hits[key] for key in keys]

    async def save_source(self, database: str, *about: Any, key_excerpts: str) -> dict[str, str]:
        self.saved.append(f"pmid:{about[0]}")
        return {}

    async def progress(self) -> CollectionProgress:
        return CollectionProgress(total=len(self.saved), counts={"own": len(self.saved)}, databases=("pubmed",))


def record(number: int, title: str, text: str, **fields: Any) -> Hit:
    return Hit.of("pubmed", str(number), f"https://example.org/{number}", title, text=text, **fields)


async def test_why_each_record_that_was_found_was_not_kept_is_recorded() -> None:
    dose = "A dose of trastuzumab is given weekly."
    hits = (
        *(record(number, "Trastuzumab dosing", dose) for number in range(1, 14)),
        record(14, "Lapatinib dosing", "A dose of lapatinib is given weekly."),
        record(15, "Trastuzumab dosing", dose, publication_types=("Published Erratum",)),
        record(16, "Trastuzumab", "Trastuzumab was approved in 1998."),
        record(17, "Trastuzumab", ""),
        record(18, "Trastuzumab dosing", dose, retraction=Retraction.RETRACTED),
    )
    job: Any = Library(*hits, found_for={"own": [hit.key for hit in hits]})
    plan = PLAN.model_copy(update={"syllabus": DRUG.model_copy(update={"questions": (OPEN,), "min_databases": 1})})
    researcher = ExtractiveResearcher(job, lambda _: job, job, job)

    assert await researcher.gather(JobRequest(text="trastuzumab", syllabus=plan.syllabus), plan) == "complete"
    left = sorted({hit.key for hit in hits[:13]} - set(job.saved))
    assert len(job.saved) == 12 and len(left) == 1
    assert job.excluded == dict.fromkeys(left, Exclusion.MINIMUM_MET) | {
        "pmid:14": Exclusion.NOT_NAMED,
        "pmid:15": Exclusion.NO_REPORT,
        "pmid:16": Exclusion.NO_QUESTION,
        "pmid:17": Exclusion.NO_TEXT,
        "pmid:18": Exclusion.RETRACTED,
    }


async def test_a_record_of_another_question_s_search_ranked_below_the_cut_of_its_own() -> None:
    survival = trial("Trastuzumab: survival in a randomised trial", "Trastuzumab improved survival (hazard ratio 0.7).")
    job: Any = Library(survival, found_for={"ip.patents": [survival.key]})
    researcher = ExtractiveResearcher(job, lambda _: job, job, job)
    assert await researcher.gather(JobRequest(text="trastuzumab", syllabus=DRUG), PLAN) == "no_progress"
    assert (job.saved, job.excluded) == ([], {"pmid:1": Exclusion.BELOW_CUT})
