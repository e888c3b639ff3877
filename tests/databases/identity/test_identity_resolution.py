"""Which drug a name means, by records of drug databases."""

from __future__ import annotations

import io
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded_answers import ANSWERS as PAYLOADS
from recorded_answers import needs_recorded_answers

from storm.databases.formats.chembl import MoleculeTables, read_molecule
from storm.databases.formats.openfda import read_openfda
from storm.databases.identity.resolution import resolve_drug
from storm.models import Hit, NameKind, Relation


def molecule(number: str, name: str, *synonyms: tuple[str, str], salts: tuple[tuple[str, str], ...] = ()) -> Hit:
    def row(number: str, name: str, *synonyms: tuple[str, str]) -> dict[str, Any]:
        listed = [{"molecule_synonym": text, "syn_type": kind} for kind, text in synonyms]
        return {"molecule_chembl_id": number, "pref_name": name, "molecule_synonyms": listed}

    hit = read_molecule(row(number, name, *synonyms), MoleculeTables([row(n, text) for n, text in salts]))
    assert isinstance(hit, Hit)
    return hit


def label(number: int, brand: str, *substances: str, unii: str = "", generic: str = "") -> Hit:
    known = {"brand_name": [brand], "substance_name": list(substances), "generic_name": [" AND ".join(substances)]}
    known |= {"unii": [unii]} if unii else {}
    known |= {"generic_name": [generic]} if generic else {}
    body = json.dumps({"set_id": f"label-{number}", "openfda": known})
    (hit,) = read_openfda(io.BytesIO(body.encode()))
    assert isinstance(hit, Hit)
    return hit


def application(number: int, brand: str, *ingredients: str) -> Hit:
    products = [{"brand_name": brand, "active_ingredients": [{"name": name} for name in ingredients]}]
    (hit,) = read_openfda(io.BytesIO(json.dumps({"application_number": f"NDA{number}", "products": products}).encode()))
    assert isinstance(hit, Hit)
    return hit


def purple(number: int, brand: str, proper: str, *types: str) -> Hit:
    key, title = f"BLA{number}-1", f"{brand} ({proper})"
    return Hit.of("purplebook", key, "https://example.org", title, drugs=(brand, proper), publication_types=types)


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
COPIED = molecule(
    "CHEMBL1201585",
    "TRASTUZUMAB",
    ("INN", "Trastuzumab"),
    ("USAN", "Trastuzumab-anns"),
    ("TRADE_NAME", "Herceptin"),
    ("TRADE_NAME", "Kanjinti"),
    ("TRADE_NAME", "Kadcyla"),
)
KANJINTI = (
    label(6, "KANJINTI", "TRASTUZUMAB", generic="TRASTUZUMAB-ANNS"),
    application(7, "KANJINTI", "TRASTUZUMAB"),
)
GLEEVEC = label(1, "GLEEVEC", "IMATINIB MESYLATE", unii="8A1O1M485B")
PRODUCTS = (
    label(2, "HERCEPTIN", "TRASTUZUMAB", unii="P188ANX8CK"),
    label(3, "KADCYLA", "ADO-TRASTUZUMAB EMTANSINE"),
    label(4, "HERCEPTIN HYLECTA", "TRASTUZUMAB", "HYALURONIDASE"),
    purple(5, "Ogivri", "trastuzumab-dkst"),
)


def test_names_of_every_kind_are_gathered_from_all_records() -> None:
    identity = resolve_drug("imatinib", [IMATINIB, GLEEVEC])
    assert (identity.inn, identity.chembl, identity.uniis) == ("IMATINIB", "CHEMBL941", ("8A1O1M485B",))
    assert (identity.brands, identity.other_brands) == (("GLEEVEC",), ("Glivec",))
    assert identity.salts == ("IMATINIB MESYLATE",)
    assert identity.codes == ("STI-571",)
    assert identity.others == ("Imatinib base",)
    assert identity.names == ("imatinib", "GLEEVEC", "IMATINIB MESYLATE", "STI-571", "Glivec")
    assert not identity.is_ambiguous


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
def test_it_is_shown_which_record_has_the_asked_name_and_as_what(asked: str, record: str, kind: NameKind) -> None:
    identity = resolve_drug(asked, [IMATINIB, GLEEVEC])
    assert (identity.inn, identity.matched) == ("IMATINIB", ((record, kind),))


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ("acetaminophen", ("acetaminophen", "Paracetamol", "Tylenol", "Panadol")),
        ("paracetamol", ("paracetamol", "ACETAMINOPHEN", "Tylenol", "Panadol")),
        ("Tylenol", ("Tylenol", "ACETAMINOPHEN", "Paracetamol", "Panadol")),
    ],
)
def test_every_generic_name_is_searched_before_the_brands(asked: str, names: tuple[str, ...]) -> None:
    listed = [("INN", "Paracetamol"), ("BAN", "Paracetamol"), ("TRADE_NAME", "Panadol"), ("TRADE_NAME", "Tylenol")]
    identity = resolve_drug(
        asked, [molecule("CHEMBL112", "ACETAMINOPHEN", *listed), label(1, "TYLENOL", "ACETAMINOPHEN")]
    )
    assert (identity.inn, identity.generics, identity.others) == ("ACETAMINOPHEN", ("Paracetamol",), ())
    assert identity.names == names


@pytest.mark.parametrize("kinds", [("TRADE_NAME", "INN", "OTHER"), ("OTHER", "INN", "TRADE_NAME")])
def test_a_generic_name_that_chembl_lists_as_a_brand_too_is_generic(kinds: tuple[str, ...]) -> None:
    drug = molecule("CHEMBL112", "ACETAMINOPHEN", *((kind, "Paracetamol") for kind in kinds))
    assert resolve_drug("acetaminophen", [drug]).generics == ("Paracetamol",)


def test_a_salt_among_the_generic_names_of_a_molecule_is_a_salt() -> None:
    identity = resolve_drug("imatinib", [molecule("CHEMBL941", "IMATINIB", ("USAN", "Imatinib mesylate"))])
    assert (identity.generics, identity.salts) == ((), ("Imatinib mesylate",))


def test_brands_that_more_labels_state_come_first_and_those_of_chembl_alone_last() -> None:
    drug = molecule("CHEMBL25", "ASPIRIN", ("RESEARCH_CODE", "NSC-27223"), ("TRADE_NAME", "Aspro"))
    labels = [label(1, "BAYER", "ASPIRIN"), label(2, "ECOTRIN", "ASPIRIN"), label(3, "Ecotrin", "ASPIRIN")]
    assert resolve_drug("aspirin", [drug, *labels]).names == ("aspirin", "ECOTRIN", "BAYER", "NSC-27223", "Aspro")


@pytest.mark.parametrize(
    ("asked", "other"), [("ferrous sulfate", "FERROUS GLUCONATE"), ("Zinc Sulfate", "ZINC ACETATE")]
)
def test_salts_of_a_mineral_are_different_drugs(asked: str, other: str) -> None:
    hits = [label(1, "ONE", asked.upper()), label(2, "TWO", other), label(3, "THREE", asked.split()[0].upper())]
    identity = resolve_drug(asked, hits)
    assert (identity.inn, identity.brands, identity.related) == (asked.upper(), ("ONE",), ())


SALTS = (
    "bisulfate", "hyclate", "dimesylate", "ditosylate", "xinafoate", "cypionate", "valerate", "propionate", "palmitate",
    "decanoate", "enanthate", "embonate", "edisylate", "napsylate", "isethionate", "glucuronate", "trifenatate",
    "sodium trihydrate",
)  # fmt: skip


@pytest.mark.parametrize("salt", SALTS)
def test_a_salt_is_its_substance_where_a_record_states_that(salt: str) -> None:
    plain = label(2, "Zorvine", "ZORVINE FUMARATE", generic="Zorvine")
    identity = resolve_drug("zorvine", [label(1, "ZORVIA", f"ZORVINE {salt.upper()}"), plain])
    assert (identity.inn, identity.brands, identity.related) == ("ZORVINE", ("ZORVIA",), ())
    assert identity.salts == (f"ZORVINE {salt.upper()}", "ZORVINE FUMARATE")
    assert identity.matched == ((plain.key, NameKind.INN),)


def test_a_substance_that_no_record_states_is_not_made_up() -> None:
    identity = resolve_drug("Gleevec", [GLEEVEC])
    assert (identity.inn, identity.names) == ("IMATINIB MESYLATE", ("Gleevec", "IMATINIB MESYLATE"))


def test_a_name_that_only_a_salt_contains_is_found_and_ascribed_to_no_record() -> None:
    identity = resolve_drug("imatinib", [GLEEVEC])
    assert (identity.inn, identity.salts, identity.matched) == ("IMATINIB", ("IMATINIB MESYLATE",), ())


def test_a_form_after_a_comma_is_no_second_substance() -> None:
    identity = resolve_drug("Premarin", [label(1, "PREMARIN", "ESTROGENS, CONJUGATED")])
    assert identity.inn == "ESTROGENS, CONJUGATED"


def test_one_combination_in_two_salts_is_one_drug() -> None:
    hits = [
        label(1, "EXFORGE", "AMLODIPINE BESYLATE", "VALSARTAN"),
        label(2, "EXFORGE", "AMLODIPINE", "VALSARTAN"),
    ]
    identity = resolve_drug("Exforge", hits)
    assert (identity.inn, identity.candidates) == ("AMLODIPINE and VALSARTAN", ())


def test_a_combination_is_related_by_any_generic_name_of_the_drug() -> None:
    drug = molecule("CHEMBL112", "ACETAMINOPHEN", ("INN", "Paracetamol"))
    identity = resolve_drug("acetaminophen", [drug, label(1, "CODAMOL", "PARACETAMOL", "CODEINE")])
    assert {related.text for related in identity.related} >= {"CODEINE and PARACETAMOL", "CODAMOL"}
    assert {related.relation for related in identity.related} == {Relation.COMBINATION}


def test_a_copy_that_chembl_lists_among_the_names_is_no_name_of_the_molecule() -> None:
    identity = resolve_drug("trastuzumab", [COPIED, *PRODUCTS, *KANJINTI])
    assert identity.names == ("trastuzumab", "Herceptin")
    relations = {related.text.casefold(): related.relation for related in identity.related}
    assert relations["trastuzumab-anns"] is relations["kanjinti"] is relations["ogivri"] is Relation.BIOSIMILAR
    assert relations["kadcyla"] is Relation.DERIVATIVE


@pytest.mark.parametrize("asked", ["Kanjinti", "trastuzumab-anns"])
def test_a_copy_asked_for_is_itself_by_whatever_record_it_is_known(asked: str) -> None:
    identity = resolve_drug(asked, [COPIED, *PRODUCTS, *KANJINTI])
    assert identity.inn is not None
    assert (identity.inn.casefold(), identity.brands, identity.is_ambiguous) == (
        "trastuzumab-anns",
        ("KANJINTI",),
        False,
    )
    assert identity.chembl is None


def test_a_substance_listed_with_and_without_its_suffix_is_one() -> None:
    identity = resolve_drug("Kanjinti", [label(1, "KANJINTI", "TRASTUZUMAB", "TRASTUZUMAB-ANNS"), PRODUCTS[0]])
    assert (identity.inn, identity.brands) == ("TRASTUZUMAB-ANNS", ("KANJINTI",))


def test_two_suffixes_of_one_substance_are_two_products_even_if_only_chembl_lists_them() -> None:
    drug = molecule("CHEMBL1", "TRASTUZUMAB", ("USAN", "Trastuzumab-anns"), ("USAN", "Trastuzumab-dkst"))
    assert resolve_drug("trastuzumab", [drug]).names == ("trastuzumab",)
    assert resolve_drug("trastuzumab-dkst", [drug]).inn == "Trastuzumab-dkst"


EMICIZUMAB = molecule("CHEMBL2108900", "EMICIZUMAB", ("USAN", "Emicizumab-kxwh"), ("TRADE_NAME", "Hemlibra"))


@pytest.mark.parametrize(
    "records",
    [
        [purple(1, "Hemlibra", "emicizumab-kxwh", "Licensed biological product")],
        [label(1, "HEMLIBRA", "EMICIZUMAB", generic="EMICIZUMAB-KXWH")],
        [label(1, "HEMLIBRA", "EMICIZUMAB"), application(2, "HEMLIBRA", "EMICIZUMAB-KXWH")],
        [
            purple(1, "Hemlibra", "emicizumab-kxwh", "Licensed biological product"),
            purple(2, "Copyra", "emicizumab-abcd", "Biosimilar"),
        ],
    ],
)
@pytest.mark.parametrize("asked", ["emicizumab", "Hemlibra", "emicizumab-kxwh"])
def test_the_first_product_of_a_substance_keeps_it_though_it_has_a_suffix(asked: str, records: list[Hit]) -> None:
    identity = resolve_drug(asked, [EMICIZUMAB, *records])
    assert (identity.inn, identity.chembl) == ("EMICIZUMAB", "CHEMBL2108900")
    assert {"emicizumab-kxwh", "hemlibra"} <= {name.casefold() for name in identity.names}
    assert {related.text for related in identity.related} <= {"emicizumab-abcd", "Copyra"}


def test_a_brand_that_a_licence_gives_to_an_unrelated_drug_is_no_name_but_a_question() -> None:
    hits = [molecule("CHEMBL6966", "VERAPAMIL", ("TRADE_NAME", "Dilacor")), label(1, "DILACOR", "DILTIAZEM")]
    assert resolve_drug("verapamil", hits).names == ("verapamil",)
    assert {candidate.name for candidate in resolve_drug("Dilacor", hits).candidates} == {"VERAPAMIL", "DILTIAZEM"}


def test_related_products_are_distinguished_from_the_drug() -> None:
    identity = resolve_drug("Herceptin", [TRASTUZUMAB, *PRODUCTS])
    assert identity.brands == ("Herceptin",)
    assert {(related.relation, related.text) for related in identity.related} == {
        (Relation.DERIVATIVE, "ADO-TRASTUZUMAB EMTANSINE"),
        (Relation.DERIVATIVE, "KADCYLA"),
        (Relation.COMBINATION, "HYALURONIDASE and TRASTUZUMAB"),
        (Relation.COMBINATION, "TRASTUZUMAB AND HYALURONIDASE"),
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
    identity = resolve_drug(asked, [TRASTUZUMAB, *PRODUCTS])
    assert identity.inn == inn
    assert "Herceptin" not in identity.names


def test_a_suffix_that_no_other_record_leaves_out_is_not_a_biosimilars() -> None:
    identity = resolve_drug("Zorvia", [purple(1, "Zorvia", "zorvimab-abcd")])
    assert (identity.inn, identity.generics, identity.brands) == ("zorvimab", ("zorvimab-abcd",), ("Zorvia",))


def test_a_brand_of_two_drugs_is_ambiguous_until_one_is_chosen() -> None:
    hits = [label(1, "SLEEPWELL", "DOXYLAMINE SUCCINATE"), label(2, "SLEEPWELL", "DIPHENHYDRAMINE CITRATE")]
    identity = resolve_drug("Sleepwell", hits)
    assert identity.is_ambiguous
    assert sorted(candidate.name for candidate in identity.candidates) == [
        "DIPHENHYDRAMINE CITRATE",
        "DOXYLAMINE SUCCINATE",
    ]
    assert identity.names == ("Sleepwell",)
    chosen = resolve_drug("Sleepwell", hits, choice="doxylamine")
    assert (chosen.inn, chosen.chosen, chosen.is_ambiguous) == ("DOXYLAMINE SUCCINATE", "DOXYLAMINE SUCCINATE", False)
    assert len(chosen.candidates) == 2
    assert resolve_drug("Sleepwell", hits, choice="doxylamine succinate") == chosen
    assert resolve_drug("Sleepwell", hits, choice="neither").is_ambiguous


@pytest.mark.parametrize(
    "salt", ["IMATINIB", "IMATINIB MESYLATE", "Imatinib mesylate anhydrous", "imatinib hydrochloride"]
)
@pytest.mark.parametrize("asked", ["imatinib", "Gleevec", "STI-571"])
def test_two_records_of_one_drug_are_joined_and_it_is_reported_which(salt: str, asked: str) -> None:
    """Neither says that it is the other's parent, and both are listed as what is asked for."""
    listed = (("INN", "imatinib"), ("TRADE_NAME", "Gleevec"), ("RESEARCH_CODE", "STI-571"))
    records = [molecule("CHEMBL1642", salt, *listed), molecule("CHEMBL941", "IMATINIB", *listed)]
    found = resolve_drug(asked, records)
    assert found == resolve_drug(asked, records[::-1])
    assert (found.inn, found.chembl, found.candidates) == ("IMATINIB", "CHEMBL941", ())
    assert [(one.name, one.chembl, one.hits) for one in found.joined] == [(salt, "CHEMBL1642", ("chembl:CHEMBL1642",))]
    assert found.salts == (() if salt == "IMATINIB" else (salt,)) and found.related == ()
    assert resolve_drug(asked, records, "CHEMBL1642") == found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("MYCOPHENOLATE MOFETIL", "MYCOPHENOLIC ACID"),
        ("CITALOPRAM HYDROBROMIDE", "ESCITALOPRAM OXALATE"),
        ("OMEPRAZOLE", "ESOMEPRAZOLE MAGNESIUM"),
        ("INSULIN GLARGINE", "INSULIN LISPRO"),
        ("INSULIN", "INSULIN"),
        ("INTERFERON ALFA-2A", "INTERFERON BETA-1A"),
        ("TRASTUZUMAB", "TRASTUZUMAB EMTANSINE"),
        ("FLUTICASONE PROPIONATE", "FLUTICASONE FUROATE"),
        ("TESTOSTERONE", "TESTOSTERONE UNDECANOATE"),
        ("TENOFOVIR DISOPROXIL FUMARATE", "TENOFOVIR ALAFENAMIDE FUMARATE"),
        ("SODIUM CHLORIDE", "SODIUM BICARBONATE"),
        ("DIMETHYL FUMARATE", "DIROXIMEL FUMARATE"),
    ],
)
def test_different_substances_that_share_a_name_are_asked_about(one: str, other: str) -> None:
    shared = ("OTHER", "shared name")
    found = resolve_drug("shared name", [molecule("CHEMBL1", one, shared), molecule("CHEMBL2", other, shared)])
    assert found.is_ambiguous and {candidate.name for candidate in found.candidates} == {one, other}


@pytest.mark.parametrize(
    ("one", "other", "generic"),
    [
        ("OCTREOTIDE", "OCTREOTIDE ACETATE", "Octreotide"),
        ("FLECAINIDE", "FLECAINIDE ACETATE", "Flecainide"),
        ("LEUPROLIDE", "LEUPROLIDE ACETATE", "Leuprorelin"),
        ("VALPROIC ACID", "VALPROATE SODIUM", "Valproic acid"),
        ("DICLOFENAC", "DICLOFENAC EPOLAMINE", "Diclofenac"),
        ("CLOPIDOGREL", "CLOPIDOGREL HYDROGEN SULFATE", "Clopidogrel"),
        ("CLINDAMYCIN", "CLINDAMYCIN PHOSPHATE", "Clindamycin"),
        ("DEXAMETHASONE", "DEXAMETHASONE SODIUM PHOSPHATE", "Dexamethasone"),
    ],
)
def test_a_drug_and_its_salt_with_a_generic_name_in_common_are_one_drug(one: str, other: str, generic: str) -> None:
    shared = (("INN", generic), ("TRADE_NAME", "Zorvia"))
    records = [molecule("CHEMBL1", one, *shared), molecule("CHEMBL2", other, *shared)]
    for asked in (one, "Zorvia", generic):
        found = resolve_drug(asked, records)
        assert found == resolve_drug(asked, records[::-1])
        assert (found.inn, found.candidates, found.related) == (one, (), ())
        assert [joined.name for joined in found.joined] == [other]


@pytest.mark.parametrize("shared", [("INN", "Fluticasone"), ("OTHER", "Fluticasone")])
def test_several_esters_of_a_substance_stay_apart(shared: tuple[str, str]) -> None:
    names = ("FLUTICASONE", "FLUTICASONE PROPIONATE", "FLUTICASONE FUROATE")
    records = [molecule(f"CHEMBL{number}", name, shared) for number, name in enumerate(names)]
    found = [resolve_drug(name, records).inn for name in names[1:]]
    assert found == list(names[1:]) and not resolve_drug(names[1], records).joined


def test_an_acetate_is_neither_conjugate_nor_derivative_of_its_substance() -> None:
    records = [molecule("CHEMBL1", "LEUPROLIDE"), molecule("CHEMBL2", "LEUPROLIDE ACETATE")]
    assert resolve_drug("leuprolide", records).related == ()


def listed(number: str, *drugs: str) -> Hit:
    return Hit.of("chembl", number, "https://example.org", drugs[0], drugs=drugs)


@pytest.mark.parametrize("other", [("Sleepwell", "diphenhydramine"), ("Sleepwell", "DIPHENHYDRAMINE")])
def test_records_that_share_only_the_first_of_their_names_are_asked_about(other: tuple[str, ...]) -> None:
    records = [listed("CHEMBL1", "Sleepwell", "doxylamine"), listed("CHEMBL2", *other)]
    found = resolve_drug("Sleepwell", records)
    assert {candidate.chembl for candidate in found.candidates} == {"CHEMBL1", "CHEMBL2"}
    assert resolve_drug("Sleepwell", records, "CHEMBL1").inn == "doxylamine"


def test_records_that_share_a_substance_are_joined_whatever_they_list_first() -> None:
    records = [listed("CHEMBL1", "Sleepwell", "doxylamine"), listed("CHEMBL2", "Dormia", "doxylamine")]
    found = resolve_drug("Sleepwell", records)
    assert (found.inn, found.candidates, len(found.joined)) == ("doxylamine", (), 1)


def test_labels_of_two_salts_under_one_brand_are_one_drug() -> None:
    found = resolve_drug(
        "Xyzal", [label(1, "Xyzal", "ZORVINIB MESYLATE"), label(2, "Xyzal", "ZORVINIB SODIUM HYDRATE")]
    )
    assert not found.candidates and found.brands == ("Xyzal",)
    assert [one.name for one in found.joined] == ["ZORVINIB SODIUM HYDRATE"]


def test_a_generic_name_is_stronger_than_a_brand_that_is_written_the_same() -> None:
    identity = resolve_drug("imatinib", [IMATINIB, label(9, "IMATINIB", "NILOTINIB")])
    assert identity.inn == "IMATINIB"
    assert not identity.is_ambiguous


def test_words_of_salts_alone_are_substances() -> None:
    assert resolve_drug("sodium chloride", [label(1, "SALINE", "SODIUM CHLORIDE")]).inn == "SODIUM CHLORIDE"


def test_a_name_that_no_record_has_is_only_itself() -> None:
    identity = resolve_drug("nonsense", [IMATINIB, GLEEVEC])
    assert (identity.names, identity.matched, identity.candidates, identity.inn) == (("nonsense",), (), (), None)


def test_articles_and_report_counts_are_no_records_of_a_drug() -> None:
    article = Hit.of("pubmed", "1", "https://example.org", "Imatinib", drugs=("imatinib", "wonderdrug"))
    counts = Hit.of("openfda", "faers:imatinib", "https://example.org", "Reports that name imatinib")
    assert resolve_drug("imatinib", [article, counts]).matched == ()


@given(
    st.randoms(use_true_random=False), st.sampled_from(["imatinib", "Herceptin", "trastuzumab", "ogivri", "Kanjinti"])
)
def test_neither_order_nor_repetition_changes_anything(order: random.Random, asked: str) -> None:
    hits = [IMATINIB, GLEEVEC, COPIED, *PRODUCTS, *KANJINTI]
    shuffled = [*hits, *hits]
    order.shuffle(shuffled)
    assert resolve_drug(asked, shuffled) == resolve_drug(asked, hits)


WORDS = st.sampled_from(
    ["zorvimab", "zorvimab-abcd", "zorvimab-efgh", "Zorvia", "Copyra", "zorvimab sodium", "ferrous"]
)
RECORDS = st.one_of(
    st.builds(
        lambda n, brand, substances: label(n, brand, *substances), st.integers(1, 3), WORDS, st.sets(WORDS, max_size=2)
    ),
    st.builds(lambda n, brand, proper: purple(n, brand, proper), st.integers(1, 3), WORDS, WORDS),
    st.builds(
        lambda n, name, synonyms: molecule(f"CHEMBL{n}", name, *synonyms),
        st.integers(1, 3),
        WORDS,
        st.lists(st.tuples(st.sampled_from(["INN", "TRADE_NAME", "OTHER"]), WORDS), max_size=3),
    ),
)


@given(st.lists(RECORDS, max_size=6), WORDS, st.randoms(use_true_random=False))
def test_records_that_contradict_each_other_are_read_alike_in_any_order(
    hits: list[Hit], asked: str, order: random.Random
) -> None:
    shuffled = list(hits)
    order.shuffle(shuffled)
    identity = resolve_drug(asked, hits)
    assert identity == resolve_drug(asked, shuffled)
    stated = {hit.key: set[str]() for hit in hits}
    for hit in hits:
        stated[hit.key] |= {name.casefold() for name in (*hit.drugs, *(known.text for known in hit.facts.names))}
    assert all(asked.casefold() in stated[record] for record, _ in identity.matched)
    named = {name.casefold() for name in identity.names[1:] if " and " not in name}
    assert named <= set().union({"zorvimab"}, *stated.values())


def test_two_descriptions_of_one_record_are_both_read_in_either_order() -> None:
    older = molecule("CHEMBL941", "IMATINIB", ("RESEARCH_CODE", "CGP-57148B"))
    identity = resolve_drug("imatinib", [older, IMATINIB])
    assert identity == resolve_drug("imatinib", [IMATINIB, older])
    assert set(identity.codes) == {"CGP-57148B", "STI-571"}
    assert not identity.candidates


@given(st.text(), st.lists(st.lists(st.text(), max_size=3), max_size=4))
def test_any_names_give_an_identity_that_keeps_the_asked_one(asked: str, drugs: list[list[str]]) -> None:
    databases = ("chembl", "openfda", "orangebook", "dailymed")
    hits = [
        Hit.of(database, str(n), "https://example.org", "title", drugs=tuple(names))
        for n, (database, names) in enumerate(zip(databases, drugs, strict=False))
    ]
    assert resolve_drug(asked, hits).names[0] == asked


@needs_recorded_answers
def test_a_recorded_application_is_not_said_to_state_what_it_does_not() -> None:
    with (PAYLOADS / "openfda" / "drugsfda_imatinib_20260811.json").open("rb") as stream:
        hits = [hit for hit in read_openfda(stream) if isinstance(hit, Hit)]
    assert resolve_drug("imatinib", hits).matched == ()
    assert resolve_drug("Gleevec", hits).matched == (("openfda:NDA021588", NameKind.BRAND),)
    assert resolve_drug("imatinib mesylate", hits).matched == (("openfda:NDA021588", NameKind.INN),)


@needs_recorded_answers
def test_recorded_labels_tell_a_drug_from_its_combination() -> None:
    with (PAYLOADS / "openfda" / "label_keytruda_20260811.json").open("rb") as stream:
        hits = [hit for hit in read_openfda(stream) if isinstance(hit, Hit)]
    identity = resolve_drug("Keytruda", hits)
    assert (identity.inn, identity.brands) == ("PEMBROLIZUMAB", ("KEYTRUDA",))
    assert {related.text for related in identity.related} == {
        "BERAHYALURONIDASE ALFA-PMPH and PEMBROLIZUMAB",
        "PEMBROLIZUMAB AND BERAHYALURONIDASE ALFA-PMPH",
        "KEYTRUDA QLEX",
    }
    assert resolve_drug("pembrolizumab and berahyaluronidase alfa-pmph", hits).brands == ("KEYTRUDA QLEX",)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("Sunitinib", "SUNITINIB L-MALATE"),
        ("Warfarin", "WARFARIN SODIUM CLATHRATE"),
        ("Warfarin", "SODIUM WARFARIN"),
        ("Rosuvastatin", "ROSUVASTATIN HEMICALCIUM"),
        ("Perindopril", "PERINDOPRIL TERT-BUTYLAMINE"),
        ("Ibuprofen", "IBUPROFEN DL-LYSINE"),
        ("Doxorubicin", "DOXORUBICIN HYDROCHLORIDE LIPOSOMAL"),
        ("Gefitinib", "GEFITINIB (FREE BASE)"),
        ("Imatinib", "STI-571"),
    ],
)
def test_a_form_that_states_the_international_name_of_a_drug_is_that_drug(name: str, form: str) -> None:
    records = (molecule("CHEMBL1", name.upper(), ("INN", name)), molecule("CHEMBL2", form, ("INN", name)))
    drug = resolve_drug(name.lower(), records)
    assert (drug.chembl, [one.name for one in drug.joined]) == ("CHEMBL1", [form])


@pytest.mark.parametrize("other", ["TRASTUZUMAB EMTANSINE", "TESTOSTERONE ENANTHATE", "EPOETIN BETA"])
def test_another_substance_that_states_the_international_name_of_a_drug_is_not_joined_to_it(other: str) -> None:
    name = other.split()[0].capitalize()
    esters = [molecule(f"CHEMBL{n}", f"{name} {ester}", ("INN", name)) for n, ester in enumerate(("CYPIONATE",), 3)]
    records = (molecule("CHEMBL1", name.upper(), ("INN", name)), molecule("CHEMBL2", other, ("INN", name)), *esters)
    drug = resolve_drug(name.lower(), records)
    assert other not in [one.name for one in drug.joined]


def test_records_of_one_name_are_one_drug_however_that_is_written() -> None:
    plain = [
        Hit.of("chembl", f"CHEMBL{n}", f"https://example.org/{n}", title, drugs=("Imatinib",))
        for n, title in ((941, "Imatinib"), (1642, "Imatinib mesylate"))
    ]
    assert not resolve_drug("imatinib", plain).is_ambiguous
