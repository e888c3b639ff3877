"""What a record is about, seen from the drug."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from steps import count_steps

from storm.databases.corpus.index import CorpusIndex
from storm.databases.corpus.writer import CorpusWriter
from storm.models import Approval, Hit, RecordFacts, Related, Relation, SearchQuery, Section
from storm.syllabus.relation import names_drug, relation_of

ITSELF = Relation.ITSELF
DERIVATIVE = Relation.DERIVATIVE
COMBINATION = Relation.COMBINATION
BIOSIMILAR = Relation.BIOSIMILAR
COMPARATOR = Relation.COMPARATOR

TRASTUZUMAB = ("trastuzumab", "Herceptin")
METFORMIN = ("metformin", "Glucophage")


def hit(title: str, text: str = "", database: str = "pubmed", drugs: tuple[str, ...] = ()) -> Hit:
    return Hit.of(database, "1", "https://example.org/1", title, text=text, drugs=drugs)


#: Titles of real records, judged by hand.
TITLES = [
    # trastuzumab
    ("Trastuzumab after adjuvant chemotherapy in HER2-positive breast cancer", ITSELF),
    ("Pertuzumab plus trastuzumab plus docetaxel for metastatic breast cancer", ITSELF),
    ("Adjuvant Pertuzumab and Trastuzumab in Early Human Epidermal Growth Factor Receptor 2-Positive Breast Cancer in "
     "the APHINITY Trial: Third Interim Overall Survival Analysis With Efficacy Update", ITSELF),
    ("Pertuzumab monotherapy after trastuzumab-based treatment and subsequent reintroduction of trastuzumab: activity "
     "and tolerability", ITSELF),
    ("Randomized study of Lapatinib alone or in combination with trastuzumab in women with ErbB2-positive, "
     "trastuzumab-refractory metastatic breast cancer", ITSELF),
    ("6 months versus 12 months of adjuvant trastuzumab in early breast cancer (PHARE)", ITSELF),
    ("PTEN activation contributes to tumor inhibition by trastuzumab, and loss of PTEN predicts trastuzumab resistance "
     "in patients", ITSELF),
    ("Structure of the extracellular region of HER2 alone and in complex with the Herceptin Fab", ITSELF),
    ("Resistance to Trastuzumab", ITSELF),
    ("Cardiac safety of dual anti-HER2 blockade with pertuzumab plus trastuzumab in early HER2-positive breast cancer",
     ITSELF),
    ("ToGA Study - A Study of Herceptin (Trastuzumab) in Combination With Chemotherapy Compared With Chemotherapy "
     "Alone in Patients With HER2-Positive Advanced Gastric Cancer", ITSELF),
    ("Pilot trial of paclitaxel-trastuzumab adjuvant therapy for early stage breast cancer", ITSELF),
    ("Tucatinib with trastuzumab and capecitabine: final results of HER2CLIMB (report)", ITSELF),
    ("Mylan obtains global license to trastuzumab in IPR settlement", ITSELF),
    ("Trastuzumab Emtansine for Residual Invasive HER2-Positive Breast Cancer", DERIVATIVE),
    ("Trastuzumab Deruxtecan versus Trastuzumab Emtansine for Breast Cancer", DERIVATIVE),
    ("A Study of Trastuzumab Emtansine (T-DM1) Plus Pertuzumab/Pertuzumab Placebo Versus Trastuzumab [Herceptin] Plus "
     "a Taxane in Participants With Metastatic Breast Cancer (MARIANNE)", DERIVATIVE),
    ("A Study of Trastuzumab Emtansine Versus Capecitabine + Lapatinib in Participants With HER2-positive Locally "
     "Advanced or Metastatic Breast Cancer (EMILIA)", DERIVATIVE),
    ("Clinical implications of covariates on the population pharmacokinetics of trastuzumab emtansine, a HER2-targeted "
     "antibody-drug conjugate", DERIVATIVE),
    ("Table 1. Studies to date of trastuzumab biosimilars", BIOSIMILAR),
    ("Integrating Trastuzumab Biosimilars and HER2-Directed Therapies into HER2-Positive Breast Cancer Management",
     BIOSIMILAR),
    ("Ogivri (trastuzumab-dkst), first US trastuzumab biosimilar", BIOSIMILAR),
    ("Kanjinti (trastuzumab-anns)", BIOSIMILAR),
    ("Herzuma (trastuzumab-pkrb) biosimilar", BIOSIMILAR),
    ("Method for making humanized antibodies", None),
    # metformin
    ("Reduction in the incidence of type 2 diabetes with lifestyle intervention or metformin", ITSELF),
    ("Glycemic durability of rosiglitazone, metformin, or glyburide monotherapy", ITSELF),
    ("Glycemic control with diet, sulfonylurea, metformin, or insulin in patients with type 2 diabetes mellitus",
     ITSELF),
    ("Metformin versus placebo in combination with insulin analogues in patients with type 2 diabetes mellitus",
     ITSELF),
    ("MARCH2: Comparative Assessment of Therapeutic Effects of Acarbose and Metformin in Newly Diagnosed Type 2 "
     "Diabetes Patients", ITSELF),
    ("Randomized Controlled Study of Metformin and Sitagliptin on Long-term Normoglycemia Remission", ITSELF),
    ("Metformin, the rebirth of a biguanide: mechanism of action and place in the prevention of insulin resistance",
     ITSELF),
    ("Feto-maternal outcomes and Glycemic control in Metformin versus insulin treated Gestational Diabetics", ITSELF),
    ("The 10-year cost-effectiveness of lifestyle intervention or metformin for diabetes prevention", ITSELF),
    ("Riomet (metformin hydrochloride)", ITSELF),
    ("Effect of Metformin vs Placebo on Invasive Disease-Free Survival in Patients With Breast Cancer", ITSELF),
    ("Efficacy and safety of pioglitazone versus metformin in patients with type 2 diabetes mellitus", COMPARATOR),
    ("Effect of dapagliflozin in patients with type 2 diabetes who have inadequate glycaemic control with metformin",
     COMPARATOR),
    ("Comparison of empagliflozin and glimepiride as add-on to metformin in patients with type 2 diabetes", COMPARATOR),
    ("Liraglutide versus sitagliptin for patients with type 2 diabetes who did not have adequate glycaemic control "
     "with metformin", COMPARATOR),
    ("Ertugliflozin Compared with Glimepiride in Patients with Type 2 Diabetes Mellitus Inadequately Controlled on "
     "Metformin: The VERTIS SU Randomized Study", COMPARATOR),
    ("Vildagliptin add-on to metformin produces similar efficacy and reduced hypoglycaemic risk compared with "
     "glimepiride", COMPARATOR),
    ("Metformin and sitagliptin fixed-dose combination in type 2 diabetes", COMBINATION),
    ("Efficacy of a fixed-dose combination of sitagliptin and metformin in type 2 diabetes", COMBINATION),
]  # fmt: skip


@pytest.mark.parametrize(("title", "expected"), TITLES, ids=[title[:50] for title, _ in TITLES])
def test_real_titles_are_read_as_a_person_reads_them(title: str, expected: Relation | None) -> None:
    names = METFORMIN if "etformin" in title else TRASTUZUMAB
    assert relation_of(hit(title), names) is expected


@pytest.mark.parametrize(
    "title",
    ["Janumet (sitagliptin + metformin)", "Synjardy (empagliflozin and metformin hydrochloride)",
     "Sitagliptin and metformin hydrochloride tablets", "Jentadueto (linagliptin/metformin)"],
)  # fmt: skip
def test_a_product_of_several_substances_is_a_combination_product(title: str) -> None:
    assert relation_of(hit(title, database="openfda"), METFORMIN) is COMBINATION


def test_own_names_of_a_record_decide_where_the_title_does_not_name_the_drug() -> None:
    combination = hit("Janumet", database="openfda", drugs=("JANUMET", "SITAGLIPTIN AND METFORMIN HYDROCHLORIDE"))
    assert relation_of(combination, METFORMIN) is COMBINATION
    assert relation_of(hit("Glumetza", database="openfda", drugs=("metformin hydrochloride",)), METFORMIN) is ITSELF


def test_own_names_of_a_licensed_product_outweigh_its_title() -> None:
    title = "FDA approves new formulation of Herceptin for subcutaneous use"
    drugs = ("trastuzumab and hyaluronidase-oysk", "Herceptin Hylecta")
    assert relation_of(hit(title, database="openfda", drugs=drugs), TRASTUZUMAB) is COMBINATION
    assert relation_of(hit(title, database="web"), TRASTUZUMAB) is ITSELF
    molecule = hit("TRASTUZUMAB", database="chembl", drugs=("Trastuzumab", "Trastuzumab biosimilar"))
    assert relation_of(molecule, TRASTUZUMAB) is ITSELF


@pytest.mark.parametrize(
    ("title", "drugs"),
    [
        ("JANUMET (METFORMIN HYDROCHLORIDE, SITAGLIPTIN PHOSPHATE): FDA application NDA022044",
         ("JANUMET", "METFORMIN HYDROCHLORIDE", "SITAGLIPTIN PHOSPHATE")),
        ("Orange Book: JANUMET (METFORMIN HYDROCHLORIDE; SITAGLIPTIN PHOSPHATE), application N022044",
         ("JANUMET", "METFORMIN HYDROCHLORIDE", "SITAGLIPTIN PHOSPHATE")),
        ("Cold and sugar label", ("Metformin hydrochloride, Sitagliptin", "METFORMIN HYDROCHLORIDE", "SITAGLIPTIN")),
    ],
)  # fmt: skip
def test_a_list_of_ingredients_is_a_combination_product(title: str, drugs: tuple[str, ...]) -> None:
    assert relation_of(hit(title, database="openfda", drugs=drugs), METFORMIN) is COMBINATION
    assert relation_of(hit(title, database="openfda", drugs=drugs), ("Janumet",)) in (ITSELF, None)


def licence(database: str, number: str, title: str, drugs: tuple[str, ...]) -> Hit:
    return Hit.of(database, number, "https://example.org/1", title, drugs=drugs)


def test_a_product_of_an_abbreviated_application_is_a_generic() -> None:
    title, drugs = "METFORMIN HYDROCHLORIDE: FDA application", ("METFORMIN HYDROCHLORIDE",)
    facts = RecordFacts(approvals=(Approval(agency="FDA", number="ANDA076467"),))
    for record in (
        licence("openfda", "ANDA076467", title, drugs),
        licence("orangebook", "A076467", title, drugs),
        licence("orangebook", "A076467-1234567", title, drugs),
        licence("dailymed", "8f2c5b0a-1", title, drugs).model_copy(update={"facts": facts}),
        licence("openfda", "ANDA076467", title, ()),
    ):
        assert relation_of(record, METFORMIN) is BIOSIMILAR
    assert relation_of(licence("openfda", "NDA020357", title, drugs), METFORMIN) is ITSELF
    assert relation_of(licence("orangebook", "N020357", title, drugs), METFORMIN) is ITSELF
    assert relation_of(licence("dailymed", "a0764671-55aa", title, drugs), METFORMIN) is ITSELF
    assert relation_of(licence("openfda", "ANDA076467", title, drugs), TRASTUZUMAB) is None


def test_a_generic_of_a_combination_product_is_a_combination_product() -> None:
    drugs = ("SITAGLIPTIN AND METFORMIN HYDROCHLORIDE",)
    assert relation_of(licence("openfda", "ANDA202425", "Sitagliptin tablets", drugs), METFORMIN) is COMBINATION


def test_a_product_licensed_as_a_biosimilar_is_one_whatever_it_is_called() -> None:
    record = licence("purplebook", "BLA761074-1", "Ogivri", ("trastuzumab",))
    assert relation_of(record, TRASTUZUMAB) is ITSELF
    assert relation_of(record.model_copy(update={"publication_types": ("Biosimilar",)}), TRASTUZUMAB) is BIOSIMILAR


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        ("Herceptin Hylecta (trastuzumab and hyaluronidase-oysk)", COMBINATION),
        ("ado-trastuzumab emtansine", DERIVATIVE),
        ("fam-trastuzumab deruxtecan-nxki", DERIVATIVE),
        ("trastuzumab duocarmazine", DERIVATIVE),
        ("[177Lu]Lu-DOTA-trastuzumab", DERIVATIVE),
        ("89Zr-trastuzumab PET", DERIVATIVE),
        ("pegylated trastuzumab", DERIVATIVE),
        ("generic versions of trastuzumab", BIOSIMILAR),
        ("a biosimilar to trastuzumab", BIOSIMILAR),
        ("trastuzumab-free intervals", ITSELF),
        ("trastuzumab-like activity", ITSELF),
        ("trastuzumab-only arms", ITSELF),
        ("trastuzumab-based therapy", ITSELF),
        ("trastuzumab and irinotecan", ITSELF),
        ("trastuzumab-lean patients", ITSELF),
        ("Trastuzumab-DM1", DERIVATIVE),
        ("trastuzumab-MCC-DM1", DERIVATIVE),
        ("trastuzumab\u2011DM1", DERIVATIVE),
        ("trastuzumab-DOTA", DERIVATIVE),
        ("trastuzumab\u2011dkst", BIOSIMILAR),
        ("TRASTUZUMAB", ITSELF),
        ("a retrastuzumabised cell", None),
    ],
)
def test_the_longest_name_decides(mention: str, expected: Relation | None) -> None:
    assert relation_of(hit(mention), TRASTUZUMAB) is expected
    assert relation_of(hit("A report", f"This is about {mention}."), TRASTUZUMAB) is expected


@pytest.mark.parametrize("word", ["diet", "mice", "lean", "rats", "dkst"])
def test_only_a_biologic_is_given_a_suffix(word: str) -> None:
    assert relation_of(hit(f"Effects in Metformin-{word} groups"), METFORMIN) is ITSELF


@pytest.mark.parametrize(
    ("name", "suffixed"),
    [
        ("etanercept", "etanercept-szzs"),
        ("filgrastim", "filgrastim-sndz"),
        ("insulin glargine", "Insulin glargine-yfgn"),
        ("epoetin alfa", "epoetin alfa-epbx"),
    ],
)
def test_a_biologic_with_a_suffix_is_a_biosimilar(name: str, suffixed: str) -> None:
    assert relation_of(hit(f"{suffixed} for injection"), (name,)) is BIOSIMILAR


def test_salts_are_the_drug_itself() -> None:
    assert relation_of(hit("Metformin hydrochloride and survival"), METFORMIN) is ITSELF
    assert relation_of(hit("Pemetrexed disodium in lung cancer"), ("pemetrexed",)) is ITSELF


def test_a_record_about_another_drug_that_names_ours_in_its_text_has_it_as_comparator() -> None:
    label = hit("Perjeta (pertuzumab) [package insert]", "Given with trastuzumab and docetaxel.", database="openfda")
    assert relation_of(label, TRASTUZUMAB) is COMPARATOR


def test_the_title_outweighs_the_text() -> None:
    text = "Trastuzumab emtansine is mentioned. Trastuzumab emtansine again."
    assert relation_of(hit("Cardiac toxicity of trastuzumab", text), TRASTUZUMAB) is ITSELF


def test_a_suffix_that_is_one_of_the_given_names_is_the_drug_itself() -> None:
    assert relation_of(hit("Emicizumab-kxwh in haemophilia"), ("emicizumab", "emicizumab-kxwh")) is ITSELF


def test_a_record_without_the_name_has_no_relation_and_neither_has_an_empty_list_of_names() -> None:
    assert relation_of(hit("Aspirin in stroke", "No such drug."), TRASTUZUMAB) is None
    assert relation_of(hit("Aspirin in stroke"), ()) is None


def test_names_are_not_read_as_patterns() -> None:
    assert relation_of(hit("A+Bc (x) [y] in stroke"), ("A+Bc (x) [y]",)) is ITSELF
    assert relation_of(hit("AABc in stroke"), ("A+Bc",)) is None
    assert relation_of(hit("A+Bc in stroke"), (".+",)) is None


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("interferon beta-1a", "Interferon beta 1a in multiple sclerosis"),
        ("interferon beta-1a", "Interferon beta\u20111a in multiple sclerosis"),
        ("interferon beta 1a", "Interferon-beta-1a in multiple sclerosis"),
        ("5-FU", "Capecitabine or 5\u2011FU"),
        ("5\u2011FU", "Leucovorin and 5-fu"),
        ("alpha-tocopherol", "ALPHA TOCOPHEROL and selenium"),
        ("\u03b1-tocopherol", "\u0391\u2010Tocopherol and selenium"),
        ("[177Lu]Lu-PSMA-617", "[\u00b9\u2077\u2077Lu]Lu\u2011PSMA\u2011617 in prostate cancer"),
        ("metformine", "La M\u00e9tformine chez les patients"),
        ("M\u00e9tformine", "metformine chez les patients"),
        ("Herceptin", "Herceptin\u2122 at home"),
        ("Herceptin", "Herceptin\u00ae at home"),
        ("Herceptin", "Herceptin\u00b2 at home"),
        ("Herceptin\u2122", "Herceptin at home"),
    ],
)
def test_a_name_is_found_however_it_is_written(name: str, title: str) -> None:
    assert relation_of(hit(title), (name,)) is ITSELF
    assert relation_of(hit("A report", title), (name,)) is ITSELF


@pytest.mark.parametrize("name", ["AND", "NOT*", "a:b"])
def test_an_odd_name_is_only_that_of_a_record_that_lists_just_this_drug(name: str) -> None:
    text = "This and not that, and a:b."
    assert relation_of(hit(text, text, drugs=("This and not that", "a:b:c")), (name,)) is None
    assert relation_of(hit("A drug", text, drugs=("Another", name)), (name,)) is ITSELF


def test_a_record_is_named_by_the_numbers_it_goes_by() -> None:
    trial = Hit.of("clinicaltrials", "NCT00045032", "https://example.org/1", "A study in breast cancer")
    assert relation_of(trial, ("NCT00045032",)) is ITSELF


_PIECES = (
    "interferon", "Beta", "b\u00e9ta", "1a", "17", "\u00b9\u2077", "and", "AND", "a", "\u00df", "SS", "\u2122",
    "\u00ae", "\u03a3", "\u03c2", "\u03c3", "\u0130", "\u13a0", "\uab70", "\u4e2d", "\u0301", "\u2011", "-", " ",
    "\u00a0", ".", "_", "(", "\n",
)  # fmt: skip
_TEXT = st.lists(st.sampled_from(_PIECES), max_size=6).map("".join)
_RECORD = st.tuples(_TEXT, st.lists(_TEXT, max_size=2), st.lists(_TEXT, max_size=2))


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.lists(_RECORD, max_size=20), st.lists(_TEXT, min_size=8, max_size=8))
def test_a_record_has_a_relation_exactly_where_the_corpus_finds_it_by_the_name(
    records: list[tuple[str, list[str], list[str]]], names: list[str]
) -> None:
    hits = [
        hit(title, drugs=tuple(drugs)).model_copy(
            update={"external_id": f"n{number}-beta", "sections": tuple(Section(text=text) for text in texts)}
        )
        for number, (title, texts, drugs) in enumerate(records)
    ]
    with tempfile.TemporaryDirectory() as folder:
        index = CorpusIndex(Path(folder) / "corpus")
        with CorpusWriter(index) as writer:
            for record in hits:
                writer.add_record(record, "file")
        found = {name: index.search(SearchQuery(names=(name,)), 20).hits for name in names}
    for name in names:
        related = {record.external_id for record in hits if relation_of(record, (name,))}
        assert related == {record.external_id for record in found[name]}, name


def test_of_a_long_text_with_many_mentions_no_more_are_looked_at_than_of_a_shorter_one() -> None:
    sentence = "Patients were given pertuzumab and docetaxel, or trastuzumab, and were followed for five years. " * 3
    short, long = (hit("Pertuzumab in practice", sentence * times) for times in (500, 1500))
    assert relation_of(short, TRASTUZUMAB) is relation_of(long, TRASTUZUMAB) is COMPARATOR
    steps = count_steps(lambda: relation_of(short, TRASTUZUMAB))
    assert count_steps(lambda: relation_of(long, TRASTUZUMAB)) == steps


RELATED = (
    Related(relation=Relation.COMBINATION, text="Herceptin Hylecta", hit="openfda:1"),
    Related(relation=Relation.BIOSIMILAR, text="Kanjinti", hit="openfda:2"),
    Related(relation=Relation.DERIVATIVE, text="Kadcyla", hit="openfda:3"),
)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Subcutaneous Herceptin Hylecta at home", Relation.COMBINATION),
        ("Kanjinti in practice", Relation.BIOSIMILAR),
        ("Kadcyla after surgery", Relation.DERIVATIVE),
        ("Herceptin at home", Relation.ITSELF),
        ("Kanjintis", None),
    ],
)
def test_names_of_related_products_tell_what_a_record_is_about(title: str, expected: Relation | None) -> None:
    hit = Hit.of("pubmed", "1", "https://example.org/1", title)
    assert relation_of(hit, ("trastuzumab", "Herceptin"), RELATED) is expected


def test_a_name_of_the_drug_itself_is_never_another_product_s() -> None:
    hit = Hit.of("pubmed", "1", "https://example.org/1", "Kanjinti in practice")
    assert relation_of(hit, ("trastuzumab", "kanjinti"), RELATED) is Relation.ITSELF


def test_a_patent_is_on_the_drug_that_its_record_lists_first() -> None:
    drugs = ("sitagliptin", "metformin", "Janumet")
    patent = hit("Phosphoric acid salt of an inhibitor", "The product holds metformin.", "patents", drugs)
    assert relation_of(patent, METFORMIN) is COMBINATION
    assert relation_of(patent, ("sitagliptin",)) is ITSELF
    assert relation_of(hit("A tablet", "", "patents", ("Glucophage", "metformin")), METFORMIN) is ITSELF


def test_the_name_of_a_disease_is_no_mention_of_the_drug() -> None:
    assert relation_of(hit("Glucophage tablets", "For non-insulin-dependent diabetes.", "web"), ("insulin",)) is None
    assert relation_of(hit("Tablets", "Given with insulin in insulin-dependent diabetes.", "web"), ("insulin",))


def test_an_enzyme_that_begins_with_the_name_is_not_the_drug() -> None:
    assert names_drug("Creatine helped.", ("creatine",))
    assert not names_drug("Creatine kinase-MB and creatine phosphokinase fell.", ("creatine",))
    assert relation_of(Hit.of("pmc", "1", "https://example.org/1", "Creatine kinase in yoga"), ("creatine",)) is None
