"""How a request whether a drug could treat a disease becomes a plan without a model."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from drug_records import Records, molecule
from hypothesis import given, settings
from hypothesis import strategies as st

from storm import planning_wording
from storm.databases.identity.known_names import read_known_names
from storm.errors import DrugNotIdentified, NothingSearched, UsageError
from storm.extractive import RepurposingPlanner
from storm.models import Hit, Intent, JobRequest, NameKind, Plan, Question, RecordFacts, RequestKind, Syllabus
from storm.syllabus import bundled_syllabus

CONFIG = Path(__file__).parents[2] / "config"
SYLLABUS, KNOWN_NAMES = bundled_syllabus(CONFIG), read_known_names(CONFIG / "names.yaml")

METFORMIN = molecule(
    1431,
    "METFORMIN",
    targets=("MT-ND1..3", "NDUF*", "GPD2"),
    drug_class=("Mitochondrial complex I (NADH dehydrogenase) inhibitor", "Biguanide"),
    text="It acts on AMP-activated protein kinase (AMPK) and on complex I, with its NDUF genes.",
    GLUCOPHAGE=NameKind.BRAND,
    METFORMIN_HYDROCHLORIDE=NameKind.SALT,
)
TRASTUZUMAB = molecule(
    1201585,
    "TRASTUZUMAB",
    targets=("Receptor protein-tyrosine kinase erbB-2",),
    text="Trastuzumab acts on the product of the ERBB2 gene.",
    HERCEPTIN=NameKind.BRAND,
)
SIROLIMUS = molecule(413, "SIROLIMUS", targets=("Mammalian target of rapamycin (mTOR)",), rapamycin=NameKind.OTHER)
OTHERS = tuple(
    molecule(number, inn)
    for number, inn in enumerate(
        ("KETAMINE", "ATORVASTATIN", "SEMAGLUTIDE", "PIOGLITAZONE", "MODAFINIL", "COCAINE", "ALCOHOL", "EMPAGLIFLOZIN",
         "MINOXIDIL", "VALPROIC ACID", "NALTREXONE", "AMANTADINE")
    )
)  # fmt: skip
#: A product of two drugs, whose targets are not those of one of them.
COMBINATION = Hit.of(
    "openfda",
    "set-1",
    "https://example.org/set-1",
    "JANUMET (sitagliptin and metformin) label",
    drugs=("Janumet", "metformin", "sitagliptin"),
    facts=RecordFacts(targets=("Dipeptidyl Peptidase 4 Inhibitors",), substances=("SITAGLIPTIN", "METFORMIN")),
)
LABEL = Hit.of(
    "openfda",
    "set-2",
    "https://example.org/set-2",
    "HERCEPTIN label",
    drugs=("Herceptin", "trastuzumab"),
    facts=RecordFacts(
        targets=("HER2/Neu Receptor Antagonists", "Cytochrome P450 3A4 Inhibitors"), substances=("TRASTUZUMAB",)
    ),
)
RECORDS = (METFORMIN, TRASTUZUMAB, SIROLIMUS, *OTHERS, COMBINATION, LABEL)


async def plan(text: str, records: Records | None = None, *, needs_answer: bool = False, **request: object) -> Plan:
    records = records or Records(*RECORDS)
    asked = JobRequest.model_validate({"kind": RequestKind.REPURPOSING, "text": text, **request})
    planner = RepurposingPlanner(
        records,  # type: ignore[arg-type]
        records,  # type: ignore[arg-type]
        SYLLABUS,
        needs_answer=needs_answer,
        known_names=KNOWN_NAMES,
    )
    return await planner.plan(asked)


def read(made: Plan) -> tuple[str | None, str | None]:
    return made.identity.inn if made.identity else None, made.disease.label if made.disease else None


@pytest.mark.parametrize(
    ("text", "inn", "disease"),
    [
        ("metformin for Alzheimer's disease", "METFORMIN", "Alzheimer's disease"),
        ("Could metformin treat Alzheimer's?", "METFORMIN", "Alzheimer's disease"),
        ("Alzheimer's disease: metformin", "METFORMIN", "Alzheimer's disease"),
        ("glucophage for alzheimers", "METFORMIN", "Alzheimer's disease"),
        ("METFORMIN HYDROCHLORIDE FOR ALZHEIMER’S DISEASE", "METFORMIN", "Alzheimer's disease"),
        ("repurposing ketamine in depression", "KETAMINE", "depression"),
        ("ketamine for major depressive disorder", "KETAMINE", "major depressive disorder"),
        ("atorvastatin multiple sclerosis", "ATORVASTATIN", "multiple sclerosis"),
        ("multiple sclerosis atorvastatin", "ATORVASTATIN", "multiple sclerosis"),
        ("does semaglutide help alcohol use disorder", "SEMAGLUTIDE", "alcohol use disorder"),
        ("modafinil: cocaine addiction", "MODAFINIL", "cocaine addiction"),
        ("cocaine addiction: modafinil", "MODAFINIL", "cocaine addiction"),
        ("Herceptin for HER2-positive breast cancer", "TRASTUZUMAB", "HER2-positive breast cancer"),
        ("rapamycin for ageing", "SIROLIMUS", "ageing"),
        ("valproic acid in multiple system atrophy", "VALPROIC ACID", "multiple system atrophy"),
        ("naltrexone in cancer of the bladder in women", "NALTREXONE", "cancer of the bladder"),
        ("naltrexone for stroke recovery", "NALTREXONE", "stroke"),
        ("repurpose amantadine: levodopa-induced dyskinesia", "AMANTADINE", "levodopa-induced dyskinesia"),
        ("amantadine: grimbling", "AMANTADINE", "grimbling"),
        ("metformin for blorp", "METFORMIN", "blorp"),
        (
            "Heart failure with preserved ejection fraction: could empagliflozin be repurposed?",
            "EMPAGLIFLOZIN",
            "heart failure with preserved ejection fraction",
        ),
        ("treating heart failure with empagliflozin", "EMPAGLIFLOZIN", "heart failure"),
    ],
)
async def test_a_request_names_a_drug_and_a_disease(text: str, inn: str, disease: str) -> None:
    made = await plan(text)
    assert read(made) == (inn, disease)
    assert made.notes == ()


@pytest.mark.parametrize(
    ("text", "disease"),
    [
        ("can minoxidil, approved for hypertension, be used in hair loss?", "hair loss"),
        ("repurposing minoxidil from hypertension to alopecia", "alopecia"),
        ("The diabetes drug metformin in breast cancer", "breast cancer"),
        ("minoxidil used for hypertension", "hypertension"),
    ],
)
async def test_what_the_drug_is_for_already_is_the_disease_only_if_there_is_no_other(text: str, disease: str) -> None:
    assert (await plan(text)).disease.label == disease  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("metformin for Alzheimer's disease", ("Alzheimer's disease", "Alzheimer disease", "Alzheimer's")),
        ("metformin for Huntington's disease", ("Huntington's disease", "Huntington disease")),
        ("metformin for leukaemia", ("leukaemia", "leukemia")),
        ("metformin for type 2 diabetes", ("type 2 diabetes", "t2dm", "t2d", "type 2 diabetes mellitus")),
        ("ketamine for anxiety disorders", ("anxiety disorders",)),
    ],
)
async def test_a_disease_has_the_other_forms_of_its_name(text: str, names: tuple[str, ...]) -> None:
    assert (await plan(text)).disease.names == names  # type: ignore[union-attr]


async def test_the_questions_are_on_the_drug_its_targets_models_and_patients() -> None:
    made = await plan("Glucophage for Alzheimer's disease")
    assert [(one.key, one.label) for one in made.syllabus.questions] == [
        ("mechanism.drug", "Targets and mechanism of metformin"),
        ("mechanism.disease", "Targets of metformin in Alzheimer's disease"),
        ("mechanism.models", "Metformin in animal and laboratory models of Alzheimer's disease"),
        ("clinical.benefit", "Metformin in patients with Alzheimer's disease"),
        ("clinical.harm", "Harms of metformin in patients with Alzheimer's disease"),
    ]
    assert made.syllabus.min_databases == 1
    assert {one.min_sources for one in made.syllabus.questions} == {1}
    assert made.research is not None
    assert made.research.is_biomedical


async def test_all_but_the_drug_s_mechanism_are_about_the_disease() -> None:
    made = await plan("metformin for Alzheimer's disease")
    assert made.disease is not None
    mechanism, on_targets, *others = made.syllabus.questions
    assert mechanism.about == ()
    assert [one.names for one in made.syllabus.questions] == [(), made.disease.names, (), (), ()]
    assert {(narrowing.role, narrowing.phrases) for one in others for narrowing in one.about} == {
        ("setting", made.disease.names)
    }
    assert [(narrowing.role, narrowing.phrases[:2]) for narrowing in on_targets.about] == [
        ("outcome", ("MT-ND1", "MT-ND2"))
    ]


@pytest.mark.parametrize(
    ("key", "counterpart"), [("clinical.benefit", "clinical.efficacy"), ("clinical.harm", "clinical.safety")]
)
async def test_questions_on_patients_have_the_rules_of_the_drug_s_syllabus(key: str, counterpart: str) -> None:
    made, known = (await plan("ketamine for pain")).syllabus.question(key), SYLLABUS.question(counterpart)
    kept = ("rules", "threshold", "says", "cues", "precedence", "itself_only", "takes_facts")
    assert all(getattr(made, field) == getattr(known, field) for field in kept)


@pytest.mark.parametrize(
    "sentence",
    ["Metformin reduced plaques in APP/PS1 mice.", "In cell lines it slowed growth.", "Neurons survived in vitro."],
)
async def test_sentences_on_animals_and_cells_are_of_their_question(sentence: str) -> None:
    models = (await plan("metformin for Alzheimer's disease")).syllabus.question("mechanism.models")
    assert any(re.search(pattern, sentence, re.I) for pattern in models.says)
    assert models.precedence > SYLLABUS.question("mechanism.moa").precedence


async def test_searches_have_the_disease_but_those_of_labels() -> None:
    harm = (await plan("metformin for breast cancer")).syllabus.question("clinical.harm")
    assert harm.queries["default"][0] == "breast cancer"
    assert all(query.startswith("breast cancer") for query in harm.queries["default"])
    assert harm.queries["openfda"] == SYLLABUS.question("clinical.safety").queries["openfda"]


async def find_targets(text: str, *records: Hit) -> tuple[str, ...]:
    made = await plan(text, Records(*(records or RECORDS)))
    return made.syllabus.question("mechanism.disease").about[0].phrases


async def test_targets_have_their_short_names_first() -> None:
    assert await find_targets("trastuzumab for gastric cancer") == (
        "erbB-2", "ERBB2", "HER2", "Neu", "Receptor protein-tyrosine kinase erbB-2",
    )  # fmt: skip
    assert await find_targets("metformin for pain") == (
        "MT-ND1", "MT-ND2", "MT-ND3", "NDUF", "GPD2", "NADH dehydrogenase", "Mitochondrial complex I",
    )  # fmt: skip
    assert await find_targets("sirolimus for pain") == ("mTOR", "Mammalian target of rapamycin")


async def test_a_short_name_beside_the_name_of_a_target_is_one() -> None:
    text = "Zorvimab activates AMP-activated protein kinase (AMPK), not placebin kinase (PBK)."
    zorvimab = molecule(1, "ZORVIMAB", drug_class=("AMP-activated protein kinase activator",), text=text)
    assert await find_targets("zorvimab for pain", zorvimab) == ("AMPK", "AMP-activated protein kinase")


async def test_targets_of_a_product_with_two_drugs_are_not_those_of_one() -> None:
    assert not any("Dipeptidyl" in name for name in await find_targets("metformin for pain"))


async def test_without_a_known_target_there_is_no_question_on_targets() -> None:
    assert "mechanism.disease" not in (await plan("ketamine for depression")).syllabus.keys


async def test_of_several_drugs_the_first_is_the_subject() -> None:
    made = await plan("metformin and pioglitazone for Parkinson's disease")
    assert read(made) == ("METFORMIN", "Parkinson's disease")
    assert made.notes == (planning_wording.FIRST_DRUG.format(drug="metformin", others="pioglitazone"),)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("flibbertimab in psoriasis", ("flibbertimab",)),
        ("statins for psoriasis", ("statins",)),
        ("could zanubrinol help against psoriasis?", ("zanubrinol",)),
    ],
)
async def test_a_drug_that_no_database_lists_is_searched_for_by_its_name_and_the_plan_says_so(
    text: str, names: tuple[str, ...]
) -> None:
    made = await plan(text)
    assert read(made) == (None, "psoriasis")
    assert made.names[: len(names)] == names
    assert made.notes == (planning_wording.NOT_LISTED.format(asked=f'"{names[0]}"'),)


@pytest.mark.parametrize("text", ["for", "Could a drug help?", "treatment for patients"])
async def test_a_request_that_names_neither_a_drug_nor_a_disease_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="names neither a drug nor a disease"):
        await plan(text)
    assert (await plan(text, also=("metformin",))).names


@pytest.mark.parametrize("text", ["psoriasis", "treatments for psoriasis", "What helps against psoriasis?"])
async def test_where_no_word_may_name_a_drug_there_is_nothing_to_test(text: str) -> None:
    made = await plan(text)
    assert made.disease is None and made.identity is None
    assert planning_wording.NO_DRUG_NAMED in made.notes
    assert all(question.key == "mechanism.drug" for question in made.syllabus.questions)


async def test_an_ambiguous_drug_is_none() -> None:
    first, second = (molecule(number, inn, Zorvex=NameKind.BRAND) for number, inn in ((1, "ZORVIMAB"), (2, "PLACEBIN")))
    made = await plan("Zorvex for psoriasis", Records(first, second))
    assert read(made) == (None, "psoriasis")
    assert made.names == ("Zorvex",)
    assert len(made.notes) == 1 and "Zorvex" in made.notes[0]
    assert read(await plan("Zorvex for psoriasis", Records(first, second), meaning="placebin"))[0] == "PLACEBIN"


async def test_synonyms_of_the_user_name_the_drug() -> None:
    made = await plan("XR-77 for psoriasis", also=("metformin",))
    assert read(made) == ("METFORMIN", "psoriasis")


@pytest.mark.parametrize("text", ["metformin", "is metformin safe?"])
async def test_without_a_disease_the_only_question_is_on_the_drug(text: str) -> None:
    made = await plan(text)
    assert made.disease is None
    assert made.syllabus.keys == ("mechanism.drug",)
    assert made.notes == (planning_wording.NO_DISEASE.format(drug="metformin"),)


async def test_what_is_not_biomedical_is_searched_on_the_web_and_says_so() -> None:
    made = await plan("Who is the best NBA player?")
    assert read(made) == (None, None)
    assert made.notes == (planning_wording.NOT_BIOMEDICAL,)
    (question,) = made.syllabus.questions
    assert (question.key, question.queries) == ("mechanism.drug", {"web": ("NBA player",)})
    assert made.research is not None
    assert not made.research.is_biomedical


@pytest.mark.parametrize("text", ["qwertyx for blorp", "Could qwertyx treat blorp?", "qwertyx against blorp"])
async def test_words_that_nothing_knows_are_a_drug_and_what_it_is_for(text: str) -> None:
    made = await plan(text)
    assert read(made) == (None, "blorp")
    assert made.names == ("qwertyx",)
    assert made.notes == (planning_wording.NOT_LISTED.format(asked='"qwertyx"'),)


@pytest.mark.parametrize(
    ("text", "disease"),
    [
        ("Does metformin reduce mortality in breast cancer?", "breast cancer"),
        ("metformin and cardiovascular mortality in psoriasis", "psoriasis"),
        ("ketamine for relapse of depression", "depression"),
        ("metformin to improve overall survival of glioblastoma", "glioblastoma"),
        ("Does metformin reduce breast cancer mortality?", "breast cancer"),
        ("metformin to lower mortality in blorp", "blorp"),
        ("Can metformin lower the chance of dying from leukaemia?", "leukaemia"),
        ("metformin for maternal mortality", "maternal mortality"),
        ("metformin for cancer mortality", "cancer"),
        ("Does metformin slow tumour progression in breast cancer?", "breast cancer"),
    ],
)
async def test_an_outcome_is_no_disease_where_the_request_names_one(text: str, disease: str) -> None:
    made = await plan(text)
    assert read(made) == ("METFORMIN" if "metformin" in text else "KETAMINE", disease)
    assert made.notes == ()


@pytest.mark.parametrize(
    ("text", "disease"),
    [
        ("can my diabetes pill metformin help against my mum's tumour in the breast?", "tumour in the breast"),
        ("my diabetes pill metformin", "diabetes"),
        ("metformin against my father’s psoriasis", "psoriasis"),
    ],
)
async def test_the_disease_is_read_from_the_words_of_daily_life(text: str, disease: str) -> None:
    assert read(await plan(text)) == ("METFORMIN", disease)


@pytest.mark.parametrize(
    ("text", "disease"),
    [
        ("Kann Trastuzumab bei Magenkrebs helfen?", "Magenkrebs"),
        ("Trastuzumab gegen Brustkrebs", "Brustkrebs"),
        ("Le trastuzumab peut-il aider contre le cancer du sein ?", "cancer du sein"),
    ],
)
async def test_a_disease_in_another_language_is_the_noun_and_the_plan_says_so(text: str, disease: str) -> None:
    made = await plan(text)
    assert read(made) == ("TRASTUZUMAB", disease)
    assert made.notes == (planning_wording.NOT_READ_IN_LANGUAGE,)


async def test_a_drug_is_found_by_its_name_without_the_accents_of_another_language() -> None:
    made = await plan("Peut-on utiliser la kétamine contre la dépression ?")
    assert read(made) == ("KETAMINE", "dépression")
    unknown = await plan("zanubrinol contre le psoriasis")
    assert unknown.names[0] == "zanubrinol"


@pytest.mark.parametrize(
    ("text", "disease", "others"),
    [
        ("metformin for breast cancer and prostate cancer", "breast cancer", "prostate cancer"),
        ("metformin for breast or prostate cancer", "breast cancer", "prostate cancer"),
        ("metformin for psoriasis, anxiety and gout", "psoriasis", "anxiety, gout"),
        ("metformin: NASH or obesity", "obesity", "NASH"),
    ],
)
async def test_of_several_diseases_the_first_is_the_subject(text: str, disease: str, others: str) -> None:
    made = await plan(text)
    assert read(made) == ("METFORMIN", disease)
    assert made.notes == (planning_wording.FIRST_DISEASE.format(disease=disease, others=others),)


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("stomach cancer", "gastric cancer"),
        ("Breast Carcinoma", "breast cancer"),
        ("cancer of the breast", "breast cancer"),
        ("tumour in the breast", "breast cancer"),
        ("renal cell carcinoma", "kidney cancer"),
        ("metastatic kidney cancer", "metastatic renal cell carcinoma"),
        ("hepatocellular carcinoma", "liver cancer"),
        ("bowel cancer", "colorectal cancer"),
        ("HER2-positive gastric tumours", "HER2-positive stomach cancer"),
    ],
)
async def test_a_cancer_has_the_other_names_of_its_organ(asked: str, name: str) -> None:
    disease = (await plan(f"metformin for {asked}")).disease
    assert disease is not None
    assert disease.names[0] == asked
    assert name in disease.names


async def test_a_benign_tumour_has_no_name_of_a_cancer() -> None:
    disease = (await plan("metformin for benign breast tumours")).disease
    assert disease is not None
    assert not any("cancer" in name for name in disease.names)


@pytest.mark.parametrize("text", ["metformin for psoriasis", "flibbertimab for psoriasis"])
async def test_a_meaning_that_no_record_gives_the_drug_is_an_error(text: str) -> None:
    with pytest.raises(DrugNotIdentified, match="no searched database has a drug CHEMBL999 by the name"):
        await plan(text, meaning="CHEMBL999")
    assert read(await plan("metformin for psoriasis", meaning="chembl1431")) == ("METFORMIN", "psoriasis")


async def test_where_no_database_of_drugs_is_searched_the_plan_says_that() -> None:
    (note,) = (await plan("metformin for psoriasis", databases=("pubmed",))).notes
    assert note.startswith("No database of drugs was searched")
    assert "chembl and openfda" in note


async def test_another_drug_is_no_mistyped_one() -> None:
    (note,) = (await plan("prednisone for psoriasis")).notes  # prednisolone is on the list
    assert note == planning_wording.NOT_LISTED.format(asked='"prednisone"')


@pytest.mark.parametrize(("asked", "meant"), [("metfromin", "metformin"), ("Atorvastatn", "atorvastatin")])
async def test_a_mistyped_drug_is_not_read_as_the_one_it_resembles_but_the_plan_names_that(
    asked: str, meant: str
) -> None:
    made = await plan(f"{asked} for psoriasis")
    assert read(made) == (None, "psoriasis")
    assert made.notes[0].endswith(planning_wording.DID_YOU_MEAN.format(name=meant))


async def test_a_given_syllabus_is_used_as_it_is() -> None:
    own = Syllabus(name="own", questions=(Question(key="own", label="Own", description="Own words", min_sources=1),))
    made = await plan("metformin for psoriasis", syllabus=own)
    assert made.syllabus == own
    assert read(made) == ("METFORMIN", "psoriasis")


async def test_the_kind_of_answer_is_read_as_of_questions() -> None:
    made = await plan("Could metformin treat Alzheimer's?")
    assert made.research is not None
    assert made.research.intent is Intent.FACT


async def test_without_an_answer_there_is_no_plan_where_one_is_needed() -> None:
    with pytest.raises(NothingSearched):
        await plan("metformin for psoriasis", Records(*RECORDS, fails=True), needs_answer=True)


DISEASES = (
    "Alzheimer's disease", "breast cancer", "HER2-positive gastric cancer", "alcohol use disorder", "psoriasis",
    "multiple sclerosis", "chronic kidney disease", "major depression", "restless legs syndrome", "anaemia",
)  # fmt: skip
DRUGS = ("metformin", "Herceptin", "ketamine", "valproic acid", "metformin hydrochloride")
PHRASINGS = (
    "{drug} for {disease}", "{disease}: {drug}", "could {drug} treat {disease}?", "{drug} {disease}",
    "{disease}, {drug}", "does {drug} help against {disease}?", "repurposing {drug} in patients with {disease}",
)  # fmt: skip


@pytest.mark.slow
@given(drug=st.sampled_from(DRUGS), disease=st.sampled_from(DISEASES), phrasing=st.sampled_from(PHRASINGS))
@settings(max_examples=60, deadline=None)
async def test_order_of_words_and_case_change_neither_drug_nor_disease(drug: str, disease: str, phrasing: str) -> None:
    expected = await plan(f"{drug} for {disease}")
    made = [await plan(case(phrasing.format(drug=drug, disease=disease))) for case in (str, str.lower, str.upper)]
    assert {read(one)[0] for one in made} == {read(expected)[0]}
    names = [[name.casefold() for name in one.disease.names] if one.disease else [] for one in (expected, *made)]
    assert names == [names[0]] * len(names)
    assert disease.casefold() in names[0]
