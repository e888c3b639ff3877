"""What a record is about, seen from the drug."""

from __future__ import annotations

import pytest

from storm.models import Hit, Relation
from storm.syllabus.relation import relation_of

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
        ("TRASTUZUMAB", ITSELF),
        ("a retrastuzumabised cell", None),
    ],
)
def test_the_longest_name_decides(mention: str, expected: Relation | None) -> None:
    assert relation_of(hit(mention), TRASTUZUMAB) is expected
    assert relation_of(hit("A report", f"This is about {mention}."), TRASTUZUMAB) is expected


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
    assert relation_of(hit("A+B (x) [y] in stroke"), ("A+B (x) [y]",)) is ITSELF
    assert relation_of(hit("AAB in stroke"), ("A+B",)) is None
