"""The plan without a model: the configured syllabus, and the meaning of the drug's name by drug databases' records."""

from __future__ import annotations

import re
from collections.abc import Iterator

from storm import planning_wording, wording
from storm.databases.identity.known_names import NO_NAMES, Breadth, BroadName, KnownNames
from storm.databases.identity.resolution import drugs_named_after, resolve_drug
from storm.errors import Code, DrugNotIdentified, UsageError
from storm.extractive.biomedical_words import is_condition
from storm.extractive.drug_names import ALONE, TOGETHER, DrugNames, NamedDrug, is_meant, make_ambiguity_error
from storm.models import JobRequest, Plan
from storm.models.names import split_words
from storm.ports import Collection, Searcher

#: At most this many of the drugs that a name may mean are listed.
_MOST_EXAMPLES = 6

#: Symbols of genes and proteins: "HER2", "PD-L1", "EGFR", "IL-6".
_TARGET = re.compile(r"[A-Z]{2,5}-?[A-Z]?\d{0,2}[A-Z]?")


class ExtractivePlanner:
    """Implements `roles.Planner`. With `needs_answer` it makes no plan unless a database answers. `known_names` are
    names that no database can resolve."""

    def __init__(
        self,
        searcher: Searcher,
        collection: Collection,
        alone: float = ALONE,
        together: float = TOGETHER,
        *,
        needs_answer: bool = False,
        known_names: KnownNames = NO_NAMES,
    ) -> None:
        self._drug_names = DrugNames(searcher, collection, known_names, alone, together)
        self._needs_answer = needs_answer
        self._known = known_names

    async def plan(self, request: JobRequest) -> Plan:
        """The given names, then those that records of the same drug list; DrugNotIdentified if the name may mean
        several drugs, NothingSearched if an answer is needed and no database gives one in time."""
        if request.syllabus is None:
            raise UsageError("there are no questions to cover", hint="name a syllabus, or a planner that makes them")
        broad = self._known.breadth_of(request.text)
        if broad and broad.breadth is Breadth.NO_DRUG:
            raise _not_a_drug_error(request.text)
        drug = await self._drug_names.resolve(
            request.text, request.also, request.meaning, request.databases, in_time=self._needs_answer
        )
        identity = drug.identity
        if identity.is_ambiguous or (request.meaning and not is_meant(identity, request.meaning)):
            raise make_ambiguity_error(identity, request.meaning)
        return Plan(
            names=drug.names,
            syllabus=request.syllabus,
            identity=identity,
            notes=(
                *(() if request.meaning else _write_notes(drug, broad)),
                *(() if broad else _find_misnomers(request, drug)),
            ),
        )


def _write_notes(drug: NamedDrug, broad: BroadName | None) -> Iterator[str]:
    """Notes on how an abbreviated or ambiguous name was read."""
    asked = drug.asked
    if drug.full_name != asked:
        yield wording.SHORT_NAME.format(asked=asked, meant=drug.full_name)
    examples = ", ".join((broad.examples if broad else ()) or drugs_named_after(asked, drug.hits)[:_MOST_EXAMPLES])
    if broad and broad.breadth is Breadth.DRUG_CLASS:
        members = wording.CLASS_MEMBERS.format(examples=examples) if examples else ""
        yield wording.DRUG_CLASS.format(asked=asked, examples=members)
    elif examples:
        yield wording.SEVERAL_SUBSTANCES.format(asked=asked, examples=examples)


def _find_misnomers(request: JobRequest, drug: NamedDrug) -> Iterator[str]:
    """What was asked for under a name that is another drug's, or that is written like a target's or a disease's and
    known as none."""
    identity = drug.identity
    if not identity.inn and not identity.candidates:
        words = split_words(drug.full_name)
        if _TARGET.fullmatch(drug.full_name):
            yield planning_wording.PERHAPS_A_TARGET.format(asked=request.text)
        elif words and is_condition(words[-1].casefold()):
            yield planning_wording.PERHAPS_A_DISEASE.format(asked=request.text)
    for also in request.also if identity.inn else ():
        other = resolve_drug(also, drug.hits)
        if other.inn and other.chembl != identity.chembl and other.inn.casefold() != str(identity.inn).casefold():
            yield wording.ALSO_ANOTHER_DRUG.format(also=also, inn=other.inn, drug=request.text)


def _not_a_drug_error(asked: str) -> DrugNotIdentified:
    return DrugNotIdentified(
        f"{asked} is not a drug: every trial that uses it as a control names it",
        hint="name the drug that it was compared with",
        code=Code.NO_DRUG,
    )
