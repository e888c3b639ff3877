"""The references of a report, and whether they agree with its marks."""

from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict, model_validator

from storm.models.base import Frozen
from storm.models.publication import Publication
from storm.models.relation import Relation, RelationKind, with_kind
from storm.models.retraction import Retraction


class Reference(Frozen):
    """One cited source, made from its record; `note` is a research note that does not quote the record.

    `retrieved` is the day (ISO) on which a public service returned the record; None for a local record. `design`
    and the following fields describe the reported study, as far as the record states it. `participants` took part;
    planned numbers are left out; `study_names` are those by which the record calls it ("cleopatra"). The levels are
    starting levels by design (OCEBM 2011), None if there is none; `score` (0 to 100) is the sum of its parts, None
    in a dossier of an earlier version. `level_basis` says where the record states the design; `text_read` is what
    was read of the source ("full text", "abstract", "registry record", "label"). `extended_until` is the date to which
    paediatric exclusivity extends the protection that the record is of.
    """

    n: int
    source_id: str
    source_type: str
    external_id: str
    url: str
    title: str
    authors: tuple[str, ...] = ()
    container: str | None = None
    year: int | None = None
    date: str | None = None
    agency: str | None = None
    country: str | None = None
    identifiers: tuple[str, ...] = ()
    publication_types: tuple[str, ...] = ()
    relation: Relation = Relation.ITSELF
    relation_kind: RelationKind = RelationKind.ITSELF
    retraction: Retraction = Retraction.NOT_CHECKED
    notices: tuple[str, ...] = ()
    open_access: bool | None = None
    open_url: str | None = None
    extended_until: str | None = None
    note: str = ""
    retrieved: str | None = None
    design: str = ""
    participants: int | None = None
    population: str = ""
    animals: bool = False
    comparator: str = ""
    partners: tuple[str, ...] = ()
    shared_treatment: str = ""
    follow_up: str = ""
    dose: str = ""
    funding: str = ""
    trials: tuple[str, ...] = ()
    study_names: tuple[str, ...] = ()
    historical_control: bool = False
    crossover: bool = False
    blinding: str = ""
    publication: Publication = Publication.model_construct()
    level_efficacy: int | None = None
    level_safety: int | None = None
    level_reason: str = ""
    level_basis: str = ""
    text_read: str = ""
    preprint: bool = False
    score: int | None = None
    score_parts: dict[str, int] = {}

    _kind = model_validator(mode="before")(with_kind)


def find_reference_problems(marked: Iterable[int], references: Sequence[Reference]) -> tuple[str, ...]:
    """One line for each mark [n] without a reference, each uncited reference, and each number that is used twice."""
    marks = set(marked)
    counts = Counter(reference.n for reference in references)
    problems = [f"mark [{n}] has no reference" for n in sorted(marks - counts.keys())]
    problems += [f"reference {n} is not cited" for n in sorted(counts.keys() - marks)]
    problems += [f"number {n} is given to {times} references" for n, times in sorted(counts.items()) if times > 1]
    return tuple(problems)


class ReferenceList(BaseModel):
    """The references of a stored dossier, or report, without the rest of it: what bibliographies are written from."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    file_name: str = ""
    job_id: str
    exit_code: int
    references: tuple[Reference, ...]
    can_go_on: bool = False
