"""Reading a record's whole text in pieces, by any of its names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.errors import ToolError
from storm.models import DraftCitation, Hit
from storm.store import Lease, SourceCollector, Store
from storm.tools import SourceReader
from storm.tools.reading import PIECE, _split_pieces

PARAGRAPHS = [f"Paragraph {n}. {'It says a lot. ' * 40}".strip() for n in range(20)]
PAPER = Hit.of(
    "pubmed", "11248153", "https://pubmed.ncbi.nlm.nih.gov/11248153/", "Chemotherapy plus an antibody",
    text="\n\n".join(PARAGRAPHS), doi="10.1056/NEJM200103153441101",
)  # fmt: skip
TRIAL = Hit.of("clinicaltrials", "NCT00045032", "https://clinicaltrials.gov/study/NCT00045032", "HERA")


@pytest.fixture
async def reader(store: Store, lease: Lease) -> SourceReader:
    """Of a job that has seen both, and saved the paper as src_001."""
    collection = SourceCollector(store, lease.job_id, lease)
    await collection.record_hits([PAPER, TRIAL])
    await collection.save(PAPER, ["clinical.efficacy"], DraftCitation("It works.", "It says a lot.", True))
    return SourceReader(collection)


@pytest.mark.parametrize(
    "name",
    ["pubmed 11248153", "pubmed:11248153", "PubMed 11248153", "11248153", "doi:10.1056/nejm200103153441101", "src_001",
     "https://pubmed.ncbi.nlm.nih.gov/11248153/"],
)  # fmt: skip
async def test_a_record_is_found_by_each_of_its_names(reader: SourceReader, name: str) -> None:
    head = (await reader.read_source(name)).splitlines()[0]
    assert head == "pubmed 11248153: Chemotherapy plus an antibody (part 1 of 5)"


@pytest.mark.parametrize("before", ["web ", "web:", ""])
async def test_a_page_is_found_by_its_address_as_a_search_tells_it(store: Store, lease: Lease, before: str) -> None:
    url = "https://example.org/a:b?c=d"
    collection = SourceCollector(store, lease.job_id, lease)
    await collection.record_hits([Hit.of("web", url, url, "A page", text="It says so.")])
    assert (await SourceReader(collection).read_source(before + url)).endswith("It says so.")


async def test_all_parts_together_are_the_text(reader: SourceReader) -> None:
    parts = [(await reader.read_source("src_001", part)).partition("\n")[2] for part in range(1, 6)]
    assert "\n\n".join(parts) == PAPER.text
    assert all(len(part) <= PIECE for part in parts)
    with pytest.raises(ToolError, match="there is no part 6: the text has 5"):
        await reader.read_source("src_001", 6)


async def test_a_record_without_text_says_so(reader: SourceReader) -> None:
    assert (await reader.read_source("NCT00045032")).splitlines() == [
        "clinicaltrials NCT00045032: HERA (part 1 of 1)", "The record has no text beside its title.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pubmed 11248154", "was not returned by any search of this job; nearest seen: pmid:11248153"),
        ("src_404", "no source 'src_404' is saved in this job"),
        ("../../etc/passwd", "was not returned by any search of this job"),
        ("", "was not returned by any search of this job"),
    ],
)
async def test_what_no_search_returned_cannot_be_read(reader: SourceReader, name: str, expected: str) -> None:
    with pytest.raises(ToolError, match=expected):
        await reader.read_source(name)


@given(st.text(alphabet=st.sampled_from("ab .\n"), max_size=4 * PIECE))
def test_pieces_are_in_order_and_leave_out_white_space_only(text: str) -> None:
    pieces = _split_pieces(text)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(len(piece) <= PIECE for piece in pieces)
