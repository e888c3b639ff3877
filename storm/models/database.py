"""The databases: what their records are and how their names are written. All other lists are derived from this one."""

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import NamedTuple


class Holds(StrEnum):
    """The kind of a database's records, which decides how they are read."""

    PAPERS = "papers"
    STUDIES = "studies"
    LICENCES = "licences"
    #: Their names include those of a molecule's copies and conjugates.
    MOLECULES = "molecules"
    PATENTS = "patents"
    PAGES = "pages"
    #: A single fact about a work that other databases describe: a retraction, a free copy.
    REMARKS = "remarks"
    #: Records of other databases, filed under those.
    OTHERS = "records of other databases"


class DatabaseInfo(NamedTuple):
    """A database: `label` is its display name, `agency` issues its records, and `names_drugs` says whether they state
    all names of a drug. Its hits are filed under `files_as` if that is not empty."""

    name: str
    label: str
    holds: Holds = Holds.PAPERS
    agency: str | None = None
    names_drugs: bool = False
    files_as: str = ""

    @property
    def is_product(self) -> bool:
        """Whether each of its records is about one product or molecule."""
        return self.holds in (Holds.LICENCES, Holds.MOLECULES)

    @property
    def is_literature(self) -> bool:
        """Whether its records report studies."""
        return self.holds in (Holds.PAPERS, Holds.STUDIES)


#: Two descriptions of one work are merged in this order, so that the order of arrival does not matter. The clients
#: refer to this table, not the reverse: records are merged and written where no client is loaded. A database that is
#: not listed is described by its client alone; it comes before web pages and after all others.
DATABASES = (
    DatabaseInfo("pubmed", "PubMed"),
    DatabaseInfo("pmc", "PubMed Central"),
    DatabaseInfo("europepmc", "Europe PMC"),
    DatabaseInfo("crossref", "Crossref"),
    DatabaseInfo("clinicaltrials", "ClinicalTrials.gov", Holds.STUDIES),
    DatabaseInfo("openfda", "openFDA", Holds.LICENCES, "FDA", names_drugs=True),
    DatabaseInfo("dailymed", "DailyMed", Holds.LICENCES, "FDA"),
    DatabaseInfo("orangebook", "Orange Book", Holds.LICENCES, "FDA", names_drugs=True),
    DatabaseInfo("purplebook", "Purple Book", Holds.LICENCES, "FDA", names_drugs=True),
    DatabaseInfo("chembl", "ChEMBL", Holds.MOLECULES, names_drugs=True),
    DatabaseInfo("patents", "Patents", Holds.PATENTS),
    DatabaseInfo("ris", "Reference list"),
    DatabaseInfo("web", "Web", Holds.PAGES),
    DatabaseInfo("sample", "Bundled sample", Holds.OTHERS),
    DatabaseInfo("corpus", "Your corpus", Holds.OTHERS),
    DatabaseInfo("epo_ops", "EPO Open Patent Services", Holds.OTHERS, files_as="patents"),
    DatabaseInfo("uspto_odp", "USPTO Open Data Portal", Holds.OTHERS, files_as="patents"),
    DatabaseInfo("retractions", "Crossref's notices", Holds.REMARKS),
    DatabaseInfo("unpaywall", "Unpaywall", Holds.REMARKS),
)
#: The databases that have records of their own.
DATABASE_ORDER = tuple(info.name for info in DATABASES if info.holds not in (Holds.OTHERS, Holds.REMARKS))
#: Databases that are queried by DOI about works that others describe.
REGISTERS = frozenset(info.name for info in DATABASES if info.holds is Holds.REMARKS)
_LISTED = {info.name: info for info in DATABASES}
_RANKS = {info.name: 2 * number for number, info in enumerate(DATABASES)}
_UNLISTED = _RANKS["web"] - 1

#: Finds the databases that only their clients describe. `app` sets it, as models do not import databases.
_find_more: Callable[[], Iterable[DatabaseInfo]] = tuple


def find_more_databases(find: Callable[[], Iterable[DatabaseInfo]]) -> None:
    """Set the function that returns unlisted databases; it is called when an unknown name occurs."""
    global _find_more
    _find_more = find


def database_info(name: str) -> DatabaseInfo:
    """The database of that name; an unknown one has only its name."""
    listed = _LISTED.get(name)
    return listed or next((info for info in _find_more() if info.name == name), DatabaseInfo(name, name, Holds.PAGES))


def database_label(name: str) -> str:
    """The database's display name; an unknown name unchanged."""
    return database_info(name).label


def database_rank(name: str) -> int:
    """The position of a database in the merging order."""
    return _RANKS.get(name, _UNLISTED)
