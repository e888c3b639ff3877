"""Searches in PubMed's own syntax: what is found wrong, what is repaired, and which plain terms they have."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.services.eutils import search_term
from storm.databases.services.pubmed_syntax import check_query, choose_query, repair_query
from storm.databases.services.pubmed_terms import read_terms
from storm.models import SearchQuery
from storm.models.search import MAX_NATIVE

RIGHT = [
    "metformin",
    'metformin[tiab] AND "diabetes mellitus, type 2"[MeSH Terms]',
    "(metformin[Title/Abstract] OR glucophage[tw]) NOT review[pt]",
    "asthma[mh] AND smith ja[au] AND english[la] AND 2015:2020[dp]",
    '("2015/01/01"[Date - Publication] : "3000"[Date - Publication]) AND asthma[majr:noexp]',
    '"last 5 years"[dp] AND hasabstract[text] AND humans[Filter]',
    '"sleep apnea"[tiab:~3] OR hepat*[ti]',
    "2015/03/01:2016[crdt] AND p53",
]


@pytest.mark.parametrize("text", RIGHT)
def test_nothing_is_wrong_with_a_search_as_pubmed_describes_it(text: str) -> None:
    assert check_query(text) == ()
    assert choose_query(text) == (text, "sent as written")


@pytest.mark.parametrize(
    ("text", "problem", "repaired"),
    [
        ('"heart failure[tiab] AND digoxin', "a quotation mark is not closed", '"heart failure"[tiab] AND digoxin'),
        ('a1 AND "b c', "a quotation mark is not closed", 'a1 AND "b c"'),
        ("((a1 OR b1) AND c1", "its parentheses are not balanced", "((a1 OR b1) AND c1)"),
        ("a1 OR b1) AND c1", "its parentheses are not balanced", "a1 OR b1 AND c1"),
        ("a1 AND ()", "parentheses are empty", "a1"),
        ("asthma[tiab AND b1[pt]", "its square brackets are not balanced", "asthma[tiab] AND b1[pt]"),
        ("asthma[keyword]", "there is no field [keyword]", "asthma"),
        ("(a1 OR b1)[tiab]", "a field stands after no term", "(a1 OR b1)"),
        ("a1 and b1 or c1", "operators are written in capitals: and", "a1 AND b1 OR c1"),
        ("a1[ti] not b1[ti]", "operators are written in capitals: not", "a1[ti] NOT b1[ti]"),
        ("AND a1", "AND has nothing to join", "a1"),
        ("a1 OR", "OR has nothing to join", "a1"),
        ("(a1 AND) b1", "AND has nothing to join", "(a1) b1"),
        ("a1 AND OR b1", "two operators stand together: AND OR", "a1 OR b1"),
        ("a1 AND NOT b1", "two operators stand together: AND NOT", "a1 NOT b1"),
        ("a1 AND 2015-2020[dp]", "2015-2020 is not a date or range of dates", "a1 AND 2015:2020[dp]"),
        ("2020:2015[dp]", "2020:2015 is not a date or range of dates", "2015:2020[dp]"),
        ("a1 last 2 years[dp]", "years is not a date or range of dates", 'a1 "last 2 years"[dp]'),
        ("a1 2015:2020", "2015:2020 is a range without the field of a date", "a1 2015:2020[dp]"),
        ("ratio 1:1[tiab]", "1:1 is a range without the field of a date", 'ratio "1:1"[tiab]'),
        ("a1 : b1", "a colon stands between terms that are not dates", "a1 b1"),
        ("“heart failure”[ti]", "it contains characters that no search may", '"heart failure"[ti]'),
        (r"\"heart failure\"[ti]", "it contains characters that no search may", '"heart failure"[ti]'),
        ("car*[ti]", "fewer than 4 letters stand before *", "car[ti]"),
        ('"" OR a1', "a phrase has no letter or digit", "a1"),
    ],
)
def test_a_fault_is_named_and_repaired(text: str, problem: str, repaired: str) -> None:
    assert problem in check_query(text)
    assert repair_query(text) == repaired
    assert choose_query(text) == (repaired, f"repaired: {repaired}")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it has no word to search for"),
        ("() [tiab]", "it has no word to search for"),
        ("NOT animals[mh]", "NOT has nothing to join"),
        ("a1 AND (NOT b1)", "NOT has nothing to join"),
        ("a1 OR NOT b1", "two operators stand together: OR NOT"),
        ("asthma not responding to steroids", "operators are written in capitals: not"),
        ("#1 AND #2", "#1 refers to an earlier search"),
        ("a1 AND soon[dp]", "soon is not a date or range of dates"),
        ("a" * (MAX_NATIVE + 1), "it has more than 4,000 characters"),
    ],
)
def test_what_a_repair_would_turn_into_something_else_is_sent_as_plain_terms(text: str, problem: str) -> None:
    assert repair_query(text) == ""
    chosen = choose_query(text)
    assert chosen.text == "" and chosen.remark.startswith("sent as plain terms, since ") and problem in chosen.remark


def test_an_empty_exclusion_excludes_nothing_else() -> None:
    assert repair_query("a1 NOT () AND b1") == ""


PARTS = st.sampled_from(
    ['"', "(", ")", "[", "]", "[tiab]", "[dp]", "[x]", " AND ", " OR ", " NOT ", " and ", ":", "*", "2015", "2020:2015",
     "-", "asthma", "“", "\\", "\n", "#1", " ", "é", "\ud800", "1:1"]
)  # fmt: skip
WRITTEN = st.one_of(st.text(max_size=60), st.lists(PARTS, max_size=25).map("".join))


@given(WRITTEN)
def test_what_is_sent_passes_the_check_whatever_was_written(text: str) -> None:
    sent = choose_query(text).text
    assert not sent or check_query(sent) == ()


@given(WRITTEN)
def test_a_repair_is_repaired_no_further(text: str) -> None:
    repaired = repair_query(text)
    assert not repaired or choose_query(repaired) == (repaired, "sent as written")


@given(WRITTEN, st.text(max_size=30))
def test_plain_terms_pass_the_check_as_they_are_sent(text: str, name: str) -> None:
    query = SearchQuery(names=(f"x{name}",), required=read_terms(text), words=("worse",))
    assert check_query(search_term(query, "Text Word")) == ()


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ('metformin[tiab] AND "type 2 diabetes"[mh]', [("metformin",), ("type 2 diabetes",)]),
        ("breast cancer[tiab] 5 year survival", [("breast cancer",), ("5",), ("year",), ("survival",)]),
        ("(a1 OR b1) AND (c1 AND d1) NOT (e1 OR f1)", [("a1", "b1"), ("c1",), ("d1",)]),
        ("((a1 AND b1) OR c1) AND d1", [("a1", "b1", "c1"), ("d1",)]),
        ("asthma/drug therapy[mh] AND smith[au] AND 2015:2020[dp] AND review[pt]", [("asthma",)]),
        ("vaccin* OR immunization", [("immunization",)]),
        ('the risk of "low dose" aspirin', [("risk",), ("low dose",), ("aspirin",)]),
        ("((a1", [("a1",)]),
        ("NOT animals[mh]", []),
    ],
)
def test_plain_terms_are_in_each_record_on_the_subject(text: str, groups: list[tuple[str, ...]]) -> None:
    assert sorted(read_terms(text)) == sorted(groups)


@needs_recorded_answers
def test_what_ncbi_made_of_searches_passes_the_check() -> None:
    folder = ANSWERS / "pubmed"
    recorded = [
        json.loads(path.read_text())["esearchresult"]["querytranslation"] for path in folder.glob("esearch_*.json")
    ]
    xml = (folder / "biopython_esearch1.xml").read_text()
    recorded += re.findall(r"<QueryTranslation>(.*?)</QueryTranslation>", xml)
    assert len(recorded) >= 3
    for text in recorded:
        plain = text.replace("&quot;", '"')
        assert check_query(plain) == (), plain
        assert read_terms(plain)
