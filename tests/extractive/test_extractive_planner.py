"""What a drug's name means, and by which names it is searched."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from storm.databases.identity.known_names import read_known_names
from storm.errors import Code, DrugNotIdentified, NothingSearched, UsageError
from storm.extractive.drug_names import IDENTITY_DATABASES
from storm.extractive.planner import ExtractivePlanner
from storm.models import (
    DrugName,
    Hit,
    JobRequest,
    NameKind,
    Plan,
    Question,
    RecordFacts,
    SearchQuery,
    SearchRecord,
    SearchStatus,
    Syllabus,
)
from storm.models.plan import MOST_NAMES

SYLLABUS = Syllabus(name="own", questions=(Question(key="own", label="Own", description="All", min_sources=1),))


def molecule(number: int, inn: str, **names: NameKind) -> Hit:
    named = tuple(DrugName(kind=kind, text=text) for text, kind in names.items())
    facts = RecordFacts(names=(DrugName(kind=NameKind.INN, text=inn), *named), substances=(inn,))
    key = f"CHEMBL{number}"
    drugs = tuple(name.text for name in facts.names)
    return Hit.of("chembl", key, f"https://example.org/{key}", inn, drugs=drugs, facts=facts)


TRASTUZUMAB = molecule(1201585, "TRASTUZUMAB", HERCEPTIN=NameKind.BRAND, R597=NameKind.CODE)


class Records:
    """Plays searcher and collection: the records that list one of the names that are searched."""

    def __init__(self, *hits: Hit, refusing: bool = False, answers_by_name: bool = True) -> None:
        self.asked: list[SearchQuery] = []
        self._refusing = refusing
        self._answers_by_name = answers_by_name
        self._hits = {hit.key: hit for hit in hits}

    async def search(self, wanted: Mapping[str, Sequence[SearchQuery]]) -> Mapping[str, Sequence[Sequence[str]]]:
        ((question, queries),) = wanted.items()
        self.asked += queries
        names = {name.casefold() for query in queries for name in query.names}
        return {question: [[key for key, hit in self._hits.items() if names & {drug.casefold() for drug in hit.drugs}]]}

    def latest_searches(self) -> Sequence[SearchRecord]:
        return [self._record(query) for query in self.asked]

    async def wait_for_answer(self, seconds: float) -> None:
        if all(record.status is SearchStatus.FAILED for record in self.latest_searches()):
            await asyncio.sleep(seconds)

    def _record(self, query: SearchQuery) -> SearchRecord:
        refused = self._refusing and bool(query.databases or not self._answers_by_name)
        status = SearchStatus.FAILED if refused else SearchStatus.NONE
        fields = {"scope": "", "question": "", "query": str(query), "at": datetime(2026, 1, 1, tzinfo=UTC)}
        name = query.databases[0] if query.databases else "pubmed"
        return SearchRecord(database=name, status=status, reason="it refuses" * refused, **fields)  # type: ignore[arg-type]

    async def find_hits(self, keys: Sequence[str]) -> Sequence[Hit | None]:
        return [self._hits.get(key) for key in keys]


KNOWN_NAMES = read_known_names(Path(__file__).parents[2] / "config" / "names.yaml")


async def plan(records: Records, drug: str, *, needs_answer: bool = False, **request: object) -> Plan:
    asked = JobRequest.model_validate({"text": drug, "syllabus": SYLLABUS, **request})
    planner = ExtractivePlanner(records, records, needs_answer=needs_answer, known_names=KNOWN_NAMES)  # type: ignore[arg-type]
    return await planner.plan(asked)


async def test_a_name_is_resolved_to_the_names_of_its_molecule() -> None:
    found = await plan(Records(TRASTUZUMAB), "trastuzumab")
    assert found.names == ("trastuzumab", "R597", "HERCEPTIN")
    assert found.identity is not None
    assert (found.identity.inn, found.identity.chembl) == ("TRASTUZUMAB", "CHEMBL1201585")


async def test_names_that_the_user_gives_come_first_each_once() -> None:
    found = await plan(Records(TRASTUZUMAB), "Trastuzumab", also=["herceptin", "anti-HER2"])
    assert found.names == ("Trastuzumab", "herceptin", "anti-HER2", "R597")


async def test_only_records_of_drugs_are_asked_what_a_name_means() -> None:
    records = Records(TRASTUZUMAB)
    await plan(records, "trastuzumab")
    (query,) = records.asked
    assert (query.names, query.databases) == (("trastuzumab",), IDENTITY_DATABASES)


async def test_a_brand_s_substance_is_looked_up_as_well() -> None:
    label = Hit.of("openfda", "set-1", "https://example.org/set-1", "HERCEPTIN label", drugs=("Ogiri", "trastuzumab"))
    records = Records(TRASTUZUMAB, label)
    found = await plan(records, "Ogiri")
    assert [query.names for query in records.asked] == [("Ogiri",), ("trastuzumab",)]
    assert set(found.names) >= {"Ogiri", "HERCEPTIN"}


async def test_a_name_that_no_record_knows_is_searched_as_it_is() -> None:
    found = await plan(Records(TRASTUZUMAB), "nosuchmab")
    assert found.names == ("nosuchmab",)
    assert found.identity is not None
    assert found.identity.inn is None


async def test_databases_that_were_not_asked_for_are_not_asked_what_a_name_means() -> None:
    records = Records(TRASTUZUMAB)
    assert (await plan(records, "trastuzumab", databases=["pubmed"])).names == ("trastuzumab",)
    assert records.asked == []


async def test_all_names_are_known_though_no_more_are_searched_than_services_take() -> None:
    brands = {f"brand-{n}": NameKind.BRAND for n in range(40)}
    found = await plan(Records(molecule(2, "manymab", **brands, R597=NameKind.CODE)), "manymab", also=["many"])
    assert len(found.names) == 43
    assert found.searched_names == found.names[:MOST_NAMES]
    assert found.searched_names[:4] == ("manymab", "many", "R597", "brand-0")


async def test_the_substance_of_a_salt_is_looked_up_as_well() -> None:
    gleevec = Hit.of("openfda", "set-1", "https://example.org/1", "Gleevec", drugs=("Gleevec", "imatinib mesylate"))
    generic = Hit.of("openfda", "set-2", "https://example.org/2", "Imatinib", drugs=("imatinib",))
    records = Records(gleevec, generic)
    found = await plan(records, "Gleevec")
    assert [query.names for query in records.asked] == [("Gleevec",), ("imatinib mesylate", "imatinib")]
    assert found.names == ("Gleevec", "imatinib", "imatinib mesylate")


AMBIGUOUS = (molecule(3, "amimab", ONE=NameKind.OTHER), molecule(4, "bemimab", ONE=NameKind.OTHER))


async def test_a_name_of_several_drugs_is_refused_with_all_of_them() -> None:
    with pytest.raises(UsageError, match=r"ONE is a name of several drugs: .*CHEMBL3.*CHEMBL4") as refused:
        await plan(Records(*AMBIGUOUS), "ONE")
    assert refused.value.code is Code.DRUG_AMBIGUOUS and "meaning='CHEMBL" in str(refused.value.hint)


async def test_the_user_s_choice_among_several_drugs_is_kept() -> None:
    found = await plan(Records(*AMBIGUOUS), "ONE", meaning="CHEMBL4")
    assert found.identity is not None
    assert (found.identity.inn, found.identity.chosen) == ("bemimab", "bemimab")
    assert {candidate.chembl for candidate in found.identity.candidates} == {"CHEMBL3", "CHEMBL4"}


async def test_a_choice_that_is_none_of_them_is_refused() -> None:
    with pytest.raises(UsageError, match="ONE is a name of several drugs"):
        await plan(Records(*AMBIGUOUS), "ONE", meaning="CHEMBL5")
    with pytest.raises(UsageError, match="no searched database has a drug CHEMBL5 by the name nosuchmab"):
        await plan(Records(*AMBIGUOUS), "nosuchmab", meaning="CHEMBL5")


async def test_where_those_who_know_names_refuse_the_others_are_asked_before_anything_is_planned() -> None:
    records = Records(refusing=True)
    found = await plan(records, "trastuzumab", needs_answer=True)
    assert found.names == ("trastuzumab",)
    assert [query.databases for query in records.asked] == [IDENTITY_DATABASES, ()]


@pytest.mark.parametrize("databases", [(), ("pubmed",)])
async def test_where_nobody_answers_there_is_no_plan_but_the_reasons(databases: tuple[str, ...]) -> None:
    records = Records(refusing=True, answers_by_name=False)
    with pytest.raises(NothingSearched) as caught:
        await plan(records, "trastuzumab", needs_answer=True, databases=databases)
    assert caught.value.reasons["pubmed"] == "it refuses"


class Silent(Records):
    """Who accepts every search and never answers."""

    async def search(self, wanted: Mapping[str, Sequence[SearchQuery]]) -> Mapping[str, Sequence[Sequence[str]]]:
        self.asked += [query for queries in wanted.values() for query in queries]
        await asyncio.Event().wait()
        return {}

    def latest_searches(self) -> Sequence[SearchRecord]:
        return []


async def test_who_never_answers_is_not_waited_for_as_long_as_a_search_may_take(
    caplog: pytest.LogCaptureFixture,
) -> None:
    records = Silent()
    request = JobRequest(text="trastuzumab", syllabus=SYLLABUS)
    with pytest.raises(NothingSearched) as caught:
        await ExtractivePlanner(records, records, alone=0.01, together=0.01, needs_answer=True).plan(request)
    assert [query.databases for query in records.asked] == [IDENTITY_DATABASES, ()]
    assert (caught.value.reasons, caught.value.other) == ({}, "no answer within 0.02 s")
    gc.collect()
    assert caplog.records == []  # what nobody waited for is no news to the user


async def test_what_is_on_this_machine_is_not_asked_whether_it_answers() -> None:
    records = Records(refusing=True, answers_by_name=False)
    await plan(records, "trastuzumab")
    assert [query.databases for query in records.asked] == [IDENTITY_DATABASES]


@pytest.mark.parametrize("meaning", ["", "CHEMBL941", "CHEMBL1642", "imatinib mesylate"])
async def test_a_salt_and_its_parent_are_one_drug_by_whichever_record_the_user_means_it(meaning: str) -> None:
    salt = molecule(1642, "IMATINIB MESYLATE", Imatinib=NameKind.INN, Gleevec=NameKind.BRAND)
    found = await plan(Records(salt, molecule(941, "IMATINIB")), "imatinib", meaning=meaning)
    assert found.identity is not None and found.identity.chembl == "CHEMBL941"
    assert [one.chembl for one in found.identity.joined] == ["CHEMBL1642"]
    assert found.names == ("imatinib", "IMATINIB MESYLATE", "Gleevec")


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("insulin", "several substances go by the name insulin, among them insulin human"),
        ("Oestrogens", "several substances go by the name Oestrogens, among them estradiol"),
        ("vitamin D", "among them colecalciferol"),
        ("iron", "among them ferrous sulfate"),
        ("water", "several substances"),
        ("statins", "statins is a class of drugs, such as atorvastatin"),
        ("SSRI", "SSRI is a class of drugs, such as sertraline"),
        ("PD-1 inhibitors", "PD-1 inhibitors is a class of drugs. What"),
    ],
)
async def test_a_name_of_several_drugs_is_said_to_be_one(asked: str, says: str) -> None:
    (note,) = (await plan(Records(), asked)).notes
    assert note.startswith("Not one drug: ")
    assert says in note


async def test_a_name_that_several_drugs_contain_is_said_to_be_no_drug_of_its_own() -> None:
    alfa, beta = molecule(1, "ZORFERON ALFA", zorferon=NameKind.CODE), molecule(2, "ZORFERON BETA")
    without = [one.model_copy(update={"drugs": ("zorferon",)}) for one in (molecule(1, "ZORFERON ALFA"), beta)]
    (note,) = (await plan(Records(*without), "zorferon")).notes
    assert "among them ZORFERON ALFA, ZORFERON BETA." in note
    assert (await plan(Records(alfa), "zorferon")).notes == ()


@pytest.mark.parametrize("asked", ["trastuzumab", "insulin glargine", "parathyroid hormone", "nosuchmab"])
async def test_nothing_is_said_of_a_name_of_one_drug(asked: str) -> None:
    assert (await plan(Records(TRASTUZUMAB), asked)).notes == ()


async def test_nothing_is_said_where_the_user_chose_one_of_several() -> None:
    glargine = molecule(7, "INSULIN GLARGINE", insulin=NameKind.OTHER)
    found = await plan(Records(glargine), "insulin", meaning="insulin glargine")
    assert found.notes == ()


@pytest.mark.parametrize("asked", ["placebo", "Placebos", "sham", "vehicle"])
async def test_a_name_of_no_drug_is_refused_before_anything_is_searched(asked: str) -> None:
    records = Records(TRASTUZUMAB)
    with pytest.raises(DrugNotIdentified, match="is not a drug") as refused:
        await plan(records, asked)
    assert refused.value.code is Code.NO_DRUG
    assert records.asked == []


async def test_a_short_name_is_searched_with_what_it_stands_for() -> None:
    conjugate = molecule(1743082, "TRASTUZUMAB EMTANSINE", KADCYLA=NameKind.BRAND)
    found = await plan(Records(conjugate), "T-DM1")
    assert found.names == ("T-DM1", "trastuzumab emtansine", "KADCYLA")
    assert found.identity is not None
    assert found.identity.inn == "TRASTUZUMAB EMTANSINE"
    assert found.notes == ("T-DM1 was read as short for trastuzumab emtansine.",)
    assert (await plan(Records(conjugate), "trastuzumab emtansine")).names[-1] == "T-DM1"


async def test_a_short_name_that_may_mean_much_is_not_added() -> None:
    assert "ASA" not in (await plan(Records(), "acetylsalicylic acid")).names


async def test_another_drug_among_the_names_is_said_to_be_one() -> None:
    records = Records(TRASTUZUMAB, molecule(1431, "METFORMIN", GLUCOPHAGE=NameKind.BRAND))
    (note,) = (await plan(records, "trastuzumab", also=["Glucophage"])).notes
    assert note.startswith("Glucophage is another drug (METFORMIN), not another name of trastuzumab")
    assert (await plan(records, "trastuzumab", also=["R597", "anti-HER2"])).notes == ()


@pytest.mark.parametrize("name", ["cancer", "Breast cancer", "diabetes", "hepatitis"])
async def test_a_name_of_a_disease_that_no_database_knows_as_a_drug_is_warned_of(name: str) -> None:
    (note,) = (await plan(Records(TRASTUZUMAB), name)).notes
    assert note.startswith(
        f"Nothing that was searched knows a drug by the name {name}; it is written like the name of a"
    )
    assert (await plan(Records(molecule(1, name.upper())), name)).notes == ()


async def test_a_name_that_is_written_like_a_targets_and_known_as_no_drugs_is_warned_of() -> None:
    (note,) = (await plan(Records(TRASTUZUMAB), "HER2")).notes
    assert note.startswith("Nothing that was searched knows a drug by the name HER2")
    assert (await plan(Records(TRASTUZUMAB), "zorvimab")).notes == ()
    assert (await plan(Records(TRASTUZUMAB), "R597")).notes == ()
