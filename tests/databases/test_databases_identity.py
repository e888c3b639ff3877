"""Which drug a name means, by records of drug databases."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.databases.formats.chembl import MoleculeTables, read_molecule
from storm.databases.formats.openfda import read_openfda
from storm.databases.identity import resolve
from storm.models import Hit, NameKind, Relation

PAYLOADS = Path(__file__).parents[2] / ".." / "shared" / "payloads"


def molecule(number: str, name: str, *synonyms: tuple[str, str], salts: tuple[tuple[str, str], ...] = ()) -> Hit:
    def row(number: str, name: str, *synonyms: tuple[str, str]) -> dict[str, Any]:
        listed = [{"molecule_synonym": text, "syn_type": kind} for kind, text in synonyms]
        return {"molecule_chembl_id": number, "pref_name": name, "molecule_synonyms": listed}

    hit = read_molecule(row(number, name, *synonyms), MoleculeTables([row(n, text) for n, text in salts]))
    assert isinstance(hit, Hit)
    return hit


def label(number: int, brand: str, *substances: str, unii: str = "") -> Hit:
    known = {"brand_name": [brand], "substance_name": list(substances), "generic_name": [" AND ".join(substances)]}
    known |= {"unii": [unii]} if unii else {}
    body = json.dumps({"set_id": f"label-{number}", "openfda": known})
    (hit,) = read_openfda(io.BytesIO(body.encode()))
    assert isinstance(hit, Hit)
    return hit


def purple(number: int, brand: str, proper: str) -> Hit:
    return Hit.of("purplebook", f"BLA{number}-1", "https://example.org", f"{brand} ({proper})", drugs=(brand, proper))


IMATINIB = molecule(
    "CHEMBL941",
    "IMATINIB",
    ("INN", "Imatinib"),
    ("TRADE_NAME", "Glivec"),
    ("RESEARCH_CODE", "STI-571"),
    ("OTHER", "Imatinib base"),
    salts=(("CHEMBL1642", "IMATINIB MESYLATE"),),
)
TRASTUZUMAB = molecule("CHEMBL1201585", "TRASTUZUMAB", ("TRADE_NAME", "Herceptin"))
GLEEVEC = label(1, "GLEEVEC", "IMATINIB MESYLATE", unii="8A1O1M485B")
PRODUCTS = (
    label(2, "HERCEPTIN", "TRASTUZUMAB", unii="P188ANX8CK"),
    label(3, "KADCYLA", "ADO-TRASTUZUMAB EMTANSINE"),
    label(4, "HERCEPTIN HYLECTA", "TRASTUZUMAB", "HYALURONIDASE"),
    purple(5, "Ogivri", "trastuzumab-dkst"),
)


def test_names_of_every_kind_are_gathered_from_all_records() -> None:
    identity = resolve("imatinib", [IMATINIB, GLEEVEC])
    assert (identity.inn, identity.chembl, identity.uniis) == ("IMATINIB", "CHEMBL941", ("8A1O1M485B",))
    assert identity.brands == ("Glivec", "GLEEVEC")
    assert identity.salts == ("IMATINIB MESYLATE",)
    assert identity.codes == ("STI-571",)
    assert identity.others == ("Imatinib base",)
    assert identity.names == ("imatinib", "Glivec", "GLEEVEC", "IMATINIB MESYLATE", "STI-571")
    assert not identity.ambiguous


@pytest.mark.parametrize(
    ("asked", "record", "kind"),
    [
        ("Gleevec", "openfda:label-1", NameKind.BRAND),
        ("imatinib mesylate", "chembl:CHEMBL941", NameKind.SALT),
        ("sti 571", "chembl:CHEMBL941", NameKind.CODE),
        ("CHEMBL941", "chembl:CHEMBL941", NameKind.OTHER),
        ("IMATINIB", "chembl:CHEMBL941", NameKind.INN),
    ],
)
def test_it_is_told_which_record_has_the_asked_name_and_as_what(asked: str, record: str, kind: NameKind) -> None:
    identity = resolve(asked, [IMATINIB, GLEEVEC])
    assert (identity.inn, identity.matched) == ("IMATINIB", ((record, kind),))


def test_related_products_are_told_apart_from_the_drug() -> None:
    identity = resolve("Herceptin", [TRASTUZUMAB, *PRODUCTS])
    assert identity.brands == ("Herceptin",)
    assert {(related.relation, related.text) for related in identity.related} == {
        (Relation.DERIVATIVE, "ADO-TRASTUZUMAB EMTANSINE"),
        (Relation.DERIVATIVE, "KADCYLA"),
        (Relation.COMBINATION, "HYALURONIDASE and TRASTUZUMAB"),
        (Relation.COMBINATION, "HERCEPTIN HYLECTA"),
        (Relation.BIOSIMILAR, "trastuzumab-dkst"),
        (Relation.BIOSIMILAR, "Ogivri"),
    }


@pytest.mark.parametrize(
    ("asked", "inn"),
    [
        ("ogivri", "trastuzumab-dkst"),
        ("Kadcyla", "ADO-TRASTUZUMAB EMTANSINE"),
        ("Herceptin Hylecta", "HYALURONIDASE and TRASTUZUMAB"),
    ],
)
def test_a_related_product_is_a_drug_of_its_own_when_asked_for(asked: str, inn: str) -> None:
    identity = resolve(asked, [TRASTUZUMAB, *PRODUCTS])
    assert identity.inn == inn
    assert "Herceptin" not in identity.names


def test_a_suffix_that_no_other_record_leaves_out_is_not_a_biosimilars() -> None:
    identity = resolve("Zorvia", [purple(1, "Zorvia", "zorvimab-abcd")])
    assert (identity.inn, identity.others, identity.brands) == ("zorvimab", ("zorvimab-abcd",), ("Zorvia",))


def test_a_brand_of_two_drugs_is_ambiguous_until_one_is_chosen() -> None:
    hits = [label(1, "SLEEPWELL", "DOXYLAMINE SUCCINATE"), label(2, "SLEEPWELL", "DIPHENHYDRAMINE CITRATE")]
    identity = resolve("Sleepwell", hits)
    assert identity.ambiguous
    assert sorted(candidate.name for candidate in identity.candidates) == ["DIPHENHYDRAMINE", "DOXYLAMINE"]
    assert identity.names == ("Sleepwell",)
    chosen = resolve("Sleepwell", hits, choice="doxylamine")
    assert (chosen.inn, chosen.chosen, chosen.ambiguous) == ("DOXYLAMINE", "DOXYLAMINE", False)
    assert len(chosen.candidates) == 2
    assert resolve("Sleepwell", hits, choice="neither").ambiguous


def test_a_generic_name_is_stronger_than_a_brand_that_is_written_the_same() -> None:
    identity = resolve("imatinib", [IMATINIB, label(9, "IMATINIB", "NILOTINIB")])
    assert identity.inn == "IMATINIB"
    assert not identity.ambiguous


def test_words_of_salts_alone_are_substances() -> None:
    assert resolve("sodium chloride", [label(1, "SALINE", "SODIUM CHLORIDE")]).inn == "SODIUM CHLORIDE"


def test_a_name_that_no_record_has_is_only_itself() -> None:
    identity = resolve("nonsense", [IMATINIB, GLEEVEC])
    assert (identity.names, identity.matched, identity.candidates, identity.inn) == (("nonsense",), (), (), None)


def test_articles_and_report_counts_are_no_records_of_a_drug() -> None:
    article = Hit.of("pubmed", "1", "https://example.org", "Imatinib", drugs=("imatinib", "wonderdrug"))
    counts = Hit.of("openfda", "faers:imatinib", "https://example.org", "Reports that name imatinib")
    assert resolve("imatinib", [article, counts]).matched == ()


@given(st.randoms(use_true_random=False), st.sampled_from(["imatinib", "Herceptin", "trastuzumab", "ogivri"]))
def test_neither_order_nor_repetition_changes_anything(order: random.Random, asked: str) -> None:
    hits = [IMATINIB, GLEEVEC, TRASTUZUMAB, *PRODUCTS]
    shuffled = [*hits, *hits]
    order.shuffle(shuffled)
    assert resolve(asked, shuffled) == resolve(asked, hits)


@given(st.text(), st.lists(st.lists(st.text(), max_size=3), max_size=4))
def test_any_names_give_an_identity_that_keeps_the_asked_one(asked: str, drugs: list[list[str]]) -> None:
    databases = ("chembl", "openfda", "orangebook", "dailymed")
    hits = [
        Hit.of(database, str(n), "https://example.org", "title", drugs=tuple(names))
        for n, (database, names) in enumerate(zip(databases, drugs, strict=False))
    ]
    assert resolve(asked, hits).names[0] == asked


@pytest.mark.skipif(not PAYLOADS.is_dir(), reason="the recorded answers are not here")
def test_recorded_labels_tell_a_drug_from_its_combination() -> None:
    with (PAYLOADS / "openfda" / "label_keytruda_20260811.json").open("rb") as stream:
        hits = [hit for hit in read_openfda(stream) if isinstance(hit, Hit)]
    identity = resolve("Keytruda", hits)
    assert (identity.inn, identity.brands) == ("PEMBROLIZUMAB", ("KEYTRUDA",))
    assert {related.text for related in identity.related} == {
        "BERAHYALURONIDASE ALFA-PMPH and PEMBROLIZUMAB",
        "KEYTRUDA QLEX",
    }
