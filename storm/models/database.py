"""What the records of each database are, and how it is written for a reader: stated once, every list is derived."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import NamedTuple


class Holds(StrEnum):
    """What the records of a database are; it decides how they are read."""

    PAPERS = "papers"
    STUDIES = "studies"
    LICENCES = "licences"
    #: The names that they list are also those of a molecule's copies and conjugates.
    MOLECULES = "molecules"
    PATENTS = "patents"
    PAGES = "pages"
    #: One thing of works that others describe: a retraction, a free copy.
    REMARKS = "remarks"
    #: Records that are filed under the databases they come from.
    OTHERS = "records of other databases"


class DatabaseInfo(NamedTuple):
    """A database: `label` is its name for a reader, `agency` who issues its records, `names_drugs` whether they state
    all names of a drug. What it finds is filed under `files_as` where that is not its own name."""

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


#: Fields of two descriptions of one work are merged in this order, so that arrival order changes nothing. The clients
#: refer to this table, and not it to them: records are merged, told apart and written where no client is loaded (and
#: come from files, too), and what was stored must be read alike everywhere. A database that is not here is described in
#: its client alone: it comes before web pages and after all others.
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
#: Those that have records of their own.
DATABASE_ORDER = tuple(info.name for info in DATABASES if info.holds not in (Holds.OTHERS, Holds.REMARKS))
#: Who is asked about works that others describe, by their DOI.
REGISTERS = frozenset(info.name for info in DATABASES if info.holds is Holds.REMARKS)
_LISTED = {info.name: info for info in DATABASES}
_RANKS = {info.name: 2 * number for number, info in enumerate(DATABASES)}
_UNLISTED = _RANKS["web"] - 1

#: Finds the databases that are described in their clients alone. `app` sets it: models do not import databases.
_find_more: Callable[[], Iterable[DatabaseInfo]] = tuple


def find_more_databases(find: Callable[[], Iterable[DatabaseInfo]]) -> None:
    """Ask this for databases that are not listed; it is called when the name of one is met."""
    global _find_more
    _find_more = find


def database_info(name: str) -> DatabaseInfo:
    """What is known of the database of that name; of an unknown one nothing but its name."""
    listed = _LISTED.get(name)
    return listed or next((info for info in _find_more() if info.name == name), DatabaseInfo(name, name, Holds.PAGES))


def database_label(name: str) -> str:
    """The database's name as a reader knows it; an unknown one as it is written."""
    return database_info(name).label


def database_rank(name: str) -> int:
    """The place of a database in the order of merging."""
    return _RANKS.get(name, _UNLISTED)
