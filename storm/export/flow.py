"""The flow of records as a PRISMA 2020 picture, and as the table from which the R package PRISMA2020 draws it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from storm import wording
from storm.errors import StormError
from storm.export.csv_text import to_csv
from storm.models import Dossier, Exclusion, FlowCounts, RecordFlow, database_label
from storm.models.search import WEB
from storm.reports import Report
from storm.reports import flow_wording as words
from storm.reports.flow_blocks import caption_flow, explain_exclusions
from storm.reports.pictures.flow import draw_flow

_HEAD = ("data", "node", "box", "description", "boxtext", "tooltips", "url", "n")
_NONE = "NA"
#: The package's boxes: data, node, box, text. A box with several data has its node at the first.
_BOXES = (
    ("", "node4", "prevstud", words.BY_PREVIOUS),
    ("previous_studies", "node5", "box1", words.BOX_PREVIOUS_STUDIES),
    ("previous_reports", "", "box1", words.BOX_PREVIOUS_REPORTS),
    ("", "node6", "newstud", words.BY_SEARCH),
    ("database_results", "node7", "box2", words.BOX_DATABASES),
    ("database_specific_results", "", "box2", "Specific databases"),
    ("register_results", "", "box2", words.BOX_REGISTERS),
    ("register_specific_results", "", "box2", "Specific registers"),
    ("", "node16", "othstud", words.BY_OTHERS),
    ("website_results", "node17", "box11", words.BOX_WEBSITES),
    ("organisation_results", "", "box11", "Look-ups by name"),
    ("citations_results", "", "box11", "Citation searching"),
    ("duplicates", "node8", "box3", words.BOX_DUPLICATES),
    ("excluded_automatic", "", "box3", words.BOX_AUTOMATIC),
    ("excluded_other", "", "box3", words.BOX_OTHER_REASONS),
    ("records_screened", "node9", "box4", words.BOX_SCREENED),
    ("records_excluded", "node10", "box5", words.BOX_EXCLUDED),
    ("dbr_sought_reports", "node11", "box6", words.BOX_SOUGHT),
    ("dbr_notretrieved_reports", "node12", "box7", words.BOX_NOT_RETRIEVED),
    ("other_sought_reports", "node18", "box12", words.BOX_SOUGHT),
    ("other_notretrieved_reports", "node19", "box13", words.BOX_NOT_RETRIEVED),
    ("dbr_assessed", "node13", "box8", words.BOX_ASSESSED),
    ("dbr_excluded", "node14", "box9", words.BOX_NOT_INCLUDED),
    ("other_assessed", "node20", "box14", words.BOX_ASSESSED),
    ("other_excluded", "node21", "box15", words.BOX_NOT_INCLUDED),
    ("new_studies", "node15", "box10", words.BOX_STUDIES),
    ("new_reports", "", "box10", words.BOX_REPORTS),
    ("total_studies", "node22", "box16", words.BOX_TOTAL_STUDIES),
    ("total_reports", "", "box16", words.BOX_TOTAL_REPORTS),
    ("identification", "node1", "identification", "Identification"),
    ("screening", "node2", "screening", "Screening"),
    ("included", "node3", "included", "Included"),
)


def flow_to_svg(report: Report) -> bytes:
    """The PRISMA 2020 flow diagram."""
    dossier, flow = _require_flow(report)
    return draw_flow(
        flow, words.FLOW_TITLE.format(drug=dossier.drug), caption_flow(dossier), explain_exclusions(dossier)
    ).encode()


def flow_to_csv(report: Report) -> bytes:
    """The numbers in the columns of the package's PRISMA.csv; its reasons are separated by commas and semicolons."""
    _, flow = _require_flow(report)
    numbers = {**_search_numbers(flow), **_other_numbers(flow)}
    return to_csv([_HEAD, *_list_rows(numbers)])


def _require_flow(report: Report) -> tuple[Dossier, RecordFlow]:
    if isinstance(report, Dossier) and report.flow:
        return report, report.flow
    raise StormError(
        f"the {report.file_name} of {report.job_id} does not say what became of the records that were found",
        hint="leave the format flow out; dossiers of new jobs have it",
    )


def _list_rows(numbers: Mapping[str, str | int]) -> Iterator[tuple[str | int, ...]]:
    for data, node, box, text in _BOXES:
        tooltip, url = (text, f"{data or box}.html") if node else (_NONE, _NONE)
        yield data or _NONE, node or _NONE, box, text, text, tooltip, url, numbers.get(data, 0)


def _search_numbers(flow: RecordFlow) -> dict[str, str | int]:
    counts = flow.search_counts
    return {
        "database_results": _sum_identified(flow.bibliographic),
        "database_specific_results": _list_places(flow.bibliographic),
        "register_results": _sum_identified(flow.registers),
        "register_specific_results": _list_places(flow.registers),
        "duplicates": counts.duplicates,
        "excluded_automatic": counts.automatic,
        "excluded_other": counts.known_before,
        "records_screened": counts.screened,
        "records_excluded": counts.excluded,
        "dbr_sought_reports": counts.sought,
        "dbr_notretrieved_reports": counts.not_retrieved,
        "dbr_assessed": counts.assessed,
        "dbr_excluded": _list_uncited(counts),
        "new_studies": flow.studies,
        "new_reports": flow.total.included,
        "total_studies": flow.total_studies,
        "total_reports": flow.total_reports,
        "previous_studies": flow.previous.studies if flow.previous else 0,
        "previous_reports": flow.previous.reports if flow.previous else 0,
    }


def _other_numbers(flow: RecordFlow) -> dict[str, str | int]:
    counts = flow.other_counts
    websites = flow.others.get(WEB, FlowCounts()).identified
    return {
        "website_results": websites,
        "organisation_results": counts.identified - websites,
        "other_sought_reports": counts.sought,
        "other_notretrieved_reports": counts.not_retrieved,
        "other_assessed": counts.assessed,
        "other_excluded": _list_uncited(counts),
    }


def _sum_identified(places: Mapping[str, FlowCounts]) -> int:
    return sum(counts.identified for counts in places.values())


def _list_places(places: Mapping[str, FlowCounts]) -> str:
    return _join_numbers({database_label(name): counts.identified for name, counts in places.items()})


def _list_uncited(counts: FlowCounts) -> str:
    none = {wording.EXCLUSIONS[Exclusion.NOT_CITED]: 0}
    return _join_numbers({wording.EXCLUSIONS[reason]: n for reason, n in counts.uncited_reasons.items()} or none)


def _join_numbers(numbers: Mapping[str, int]) -> str:
    """`PubMed, 20; ChEMBL, 3`: no name may contain the separators."""
    named = (f"{name.replace(',', ' ').replace(';', ' ')}, {number}" for name, number in numbers.items())
    return "; ".join(named) or "None, 0"
