"""Drug names as people write them, and as nobody should: a clear answer, never a query language, never a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from storm_program import FinishedJob, Outcome, Program

from storm.models.request import check_drug_name, check_text

#: None of them is in the sample; several mean something in a query language, a shell, a path or a terminal.
UNKNOWN = [
    "5-HTP", "AND", "[177Lu]Lu-PSMA-617", "α-tocopherol", "interferon beta-1a", "NOT*", "a:b", "(a",
    "trastuzumab OR *", "no-such-drug-xyzzy", "../../etc/passwd", "; rm -rf ~", "--help-me", "*a", "title:trastuzumab",
    "\\a", '"a', "trastuzumab AND NOT metformin", "<script>", "${HOME}",
]  # fmt: skip

UNUSABLE = {
    "": "the drug name is empty",
    "   ": "the drug name is empty",
    "x" * 5000: "the drug name has 5,000 characters, at most 200 are taken",
    "x" * 201: "the drug name has 201 characters, at most 200 are taken",
    "tab\there": "the drug name contains control characters",
    "new\nline": "the drug name contains control characters",
    "red\x1b[31m": "the drug name contains control characters",
    "nul\x00": "the drug name contains control characters",
    "right\u202eleft": "the drug name contains invisible characters",
    "zero\u200bwidth": "the drug name contains invisible characters",
    "!!!": "the drug name has no letter or digit",
    '"*(': "the drug name has no letter or digit",
}


def run(program: Program, name: str, *options: str) -> Outcome:
    return program("run", "--offline", "--out", "reports", *options, "--", name)


def report(program: Program) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((program.folder / "reports/dossier.json").read_text(encoding="utf-8"))
    return value


@pytest.mark.parametrize("name", UNUSABLE, ids=lambda name: ascii(name[:12]))
def test_a_name_that_cannot_be_one_is_a_usage_error(program: Program, name: str) -> None:
    outcome = run(program, name)
    assert outcome.code == 2
    assert outcome.is_one_clear_error()
    assert outcome.err.startswith(f"Error: {UNUSABLE[name]}")
    assert "\x1b" not in outcome.text


def test_a_synonym_that_cannot_be_one_is_a_usage_error(program: Program) -> None:
    for name, why in (("tab\there", "contains control characters"), ("x" * 201, "has 201 characters")):
        outcome = run(program, "trastuzumab", "--also", name)
        assert outcome.code == 2
        assert outcome.err.startswith(f"Error: the synonym {why}") and "synonyms go to" not in outcome.err


def test_a_name_of_200_characters_is_taken(program: Program) -> None:
    assert run(program, "x" * 200).code == 4


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_drug_that_is_not_there_is_reported_as_nothing_found(program: Program, name: str) -> None:
    outcome = run(program, name)
    assert outcome.code == 4
    assert outcome.out.startswith(f"No record in what was searched names {name}. ")
    assert "Traceback" not in outcome.text and "\x1b" not in outcome.text


@pytest.mark.parametrize("name", ["../../etc/passwd", "--help-me", "α", "${HOME}"])
def test_a_drug_that_is_not_there_has_a_job_id_that_is_safe_in_a_path(program: Program, name: str) -> None:
    run(program, name)
    job_id = program.jobs()[0]["job_id"]
    assert set(job_id) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") and not job_id.startswith("-")


def test_nothing_found_gives_a_dossier_without_prose(program: Program) -> None:
    run(program, "no-such-drug-xyzzy")
    found = report(program)
    assert found["exit_code"] == 4
    assert [answer["statements"] for answer in found["answers"]] == [[]] * 6
    assert found["references"] == [] and found["coverage"]["total"] == 0
    assert not any(found["at_a_glance"][field] for field in ("names", "approvals", "sponsors", "boxed_warnings"))


def test_nothing_found_lists_the_queries_that_were_run(program: Program) -> None:
    outcome = run(program, "no-such-drug-xyzzy")
    queries = [line["query"] for line in report(program)["search_log"]]
    assert queries and all('"no-such-drug-xyzzy"' in query for query in queries)
    assert f"The dossier lists the {len(queries)} queries that were tried." in outcome.out
    page = (program.folder / "reports/dossier.md").read_text(encoding="utf-8")
    log = page.partition("## Appendix: all searches")[2]
    assert all(query in log for query in queries) and "Bundled sample: none" in log


def test_nothing_found_says_so_for_each_question(program: Program) -> None:
    run(program, "no-such-drug-xyzzy")
    for answer in report(program)["answers"]:
        assert any(gap.startswith("Found 0 of ") for gap in answer["gaps"])


def test_not_in_the_sample_is_not_reported_as_not_in_the_literature(program: Program) -> None:
    outcome = run(program, "aspirin")
    page = (program.folder / "reports/dossier.md").read_text(encoding="utf-8")
    assert outcome.code == 4
    assert "Only the bundled sample (trastuzumab, metformin) was searched" in outcome.out
    assert "This says nothing about the wider literature." in outcome.out
    assert "Only the bundled sample (trastuzumab, metformin) was searched" in page
    for text in (outcome.text, page):
        assert "nothing was found about" not in text.lower()


def test_a_name_is_escaped_in_the_page(program: Program) -> None:
    run(program, "[177Lu]Lu-PSMA-617")
    page = (program.folder / "reports/dossier.md").read_text(encoding="utf-8")
    assert page.startswith("# \\[177Lu\\]Lu-PSMA-617: research dossier\n")


@pytest.mark.slow
def test_the_case_of_a_name_does_not_matter(program: Program, finished: FinishedJob) -> None:
    run(program, "TRASTUZUMAB")
    assert report(program)["coverage"] == json.loads((finished.reports / "dossier.json").read_text())["coverage"]


@pytest.mark.slow
def test_a_name_with_space_around_it_is_the_name(program: Program) -> None:
    assert run(program, "  trastuzumab ").code == 0
    assert report(program)["drug"] == "trastuzumab"


@pytest.mark.slow
def test_a_brand_name_of_the_records_is_found(program: Program) -> None:
    assert run(program, "Herceptin").code in (0, 3)
    assert "trastuzumab" in [name.lower() for name in report(program)["names"]]


def test_a_name_that_looks_like_an_option_needs_the_separator(program: Program, tmp_path: Path) -> None:
    outcome = program("run", "--no-such-option", "--offline")
    assert outcome.code == 2 and "No such option" in outcome.err


def test_a_drug_that_is_named_but_answers_no_question_is_reported_so(program: Program) -> None:
    (program.folder / "own.jsonl").write_text(
        '{"database": "web", "external_id": "1", "url": "https://example.org/1", "title": "Barzumab", "text": "It."}\n'
    )
    program("corpus", "add", "own.jsonl")
    outcome = program("run", "barzumab", "--offline")
    assert outcome.code == 4
    assert outcome.out.startswith("1 record was found, and the rules recognised no answer on barzumab in it")


def test_full_width_letters_of_a_name_or_a_question_are_plain_ones() -> None:
    assert check_drug_name("ｔｒａｓｔｕｚｕｍａｂ") == "trastuzumab"
    assert check_text("Ｉｓ　ｉｔ　ｓａｆｅ？ 10⁹ cells", "question").replace("\u3000", " ") == "Is it safe？ 10⁹ cells"


def test_a_no_break_space_in_a_name_is_a_space(program: Program) -> None:
    outcome = program("run", "interferon\N{NO-BREAK SPACE}beta-1a", "--offline", "--json")
    assert (outcome.code, outcome.json()["drug"]) == (4, "interferon beta-1a")


def molecule(number: str, name: str) -> dict[str, Any]:
    url = f"https://www.ebi.ac.uk/chembl/explore/compound/{number}"
    outcome = f"{name} is a BCR-ABL tyrosine kinase inhibitor."
    return {
        "database": "chembl", "external_id": number, "url": url, "title": name, "drugs": ["imatinib"], "text": outcome,
    }  # fmt: skip


def test_two_records_of_one_drug_make_one_dossier_that_says_what_was_joined(program: Program) -> None:
    """Salt and parent, both listed as imatinib, of which neither record names the other."""
    records = [molecule("CHEMBL1642", "Imatinib mesylate"), molecule("CHEMBL941", "Imatinib")]
    own = program.folder / "own.jsonl"
    own.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    assert program("corpus", "add", str(own)).code == 0
    assert run(program, "imatinib").code == 3  # found, with gaps
    identity = report(program)["identity"]
    assert (identity["chembl"], identity["candidates"]) == ("CHEMBL941", [])
    assert [one["chembl"] for one in identity["joined"]] == ["CHEMBL1642"]
    page = (program.folder / "reports/dossier.md").read_text(encoding="utf-8")
    assert "treated as the same drug: imatinib (CHEMBL1642)" in page


def test_a_job_that_gathered_nothing_as_its_drug_was_not_identified_is_not_left_behind(program: Program) -> None:
    outcome = program("run", "trastuzumab", "--offline", "--meaning", "CHEMBL1")
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert program.jobs() == []
