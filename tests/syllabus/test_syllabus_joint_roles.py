"""The part of a drug that is given with another treatment, or that another is held against."""

from __future__ import annotations

import pytest

from storm.models import Hit, RelationKind, Section, SectionKind
from storm.syllabus.aboutness import subject_of

ITSELF, COMBINATION, COMPARATOR = RelationKind.ITSELF, RelationKind.COMBINATION, RelationKind.COMPARATOR
BACKGROUND, MENTIONED = RelationKind.BACKGROUND, RelationKind.MENTIONED


def kind_of(title: str, *abstract: str) -> RelationKind:
    sections = tuple(Section(label="Results", text=text, kind=SectionKind.ABSTRACT) for text in abstract)
    subject = subject_of(Hit.of("pubmed", "1", "https://example.org/1", title, sections=sections), ("zorvimab",))
    assert subject
    return subject.kind


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Wogonin synergizes the anticancer properties of zorvimab in colorectal cells", COMBINATION),
        ("ATR inhibition amplifies antitumour effects of zorvimab", COMBINATION),
        ("Methotrexate enhances the antiviral efficacy of zorvimab in cells", COMBINATION),
        ("Addition of bromelain and acetylcysteine to zorvimab in mice", COMBINATION),
        ("Switching to zorvimab plus boosted darunavir in clinical practice", COMBINATION),
        ("Zorvimab two-drug regimens in people living with HIV", COMBINATION),
        ("Zorvimab/nab-paclitaxel versus FOLFIRINOX for pancreatic cancer", COMBINATION),
        ("Wogonin plus zorvimab versus wogonin alone in mice", ITSELF),
        ("Zorvimab plus usual care in older women", ITSELF),
        ("Potentiation of the analgesic effects of fentanyl by zorvimab", ITSELF),
        ("Zorvimab enhances survival of grafts", ITSELF),
        ("Intepirdine as adjunctive therapy to zorvimab: a randomised trial", BACKGROUND),
        ("Efficacy of BMS-1 versus the factor Xa inhibitor zorvimab in monkeys", COMPARATOR),
        ("6 versus 12 months of adjuvant zorvimab (PERSEPHONE)", ITSELF),
        ("Weekly versus three-weekly zorvimab", ITSELF),
        ("Febuxostat ameliorates zorvimab-induced lung damage", BACKGROUND),
        ("Gallic acid protects from zorvimab-induced kidney injury", BACKGROUND),
        ("Zorvimab-induced nausea in children", ITSELF),
        ("Candesartan to prevent zorvimab-induced heart failure: a randomised trial", ITSELF),
        ("Successful treatment of zorvimab-induced colitis with steroids: a case report", ITSELF),
        ("CRY1 prevents zorvimab-induced senescence of bladder cancer cells", ITSELF),
        ("Does surgery have a role in zorvimab-resistant stromal tumours?", BACKGROUND),
        ("Mutations behind zorvimab-resistant stromal tumours", ITSELF),
        ("Zoledronic acid re-sensitises zorvimab-resistant lung cancer cells", COMBINATION),
        ("Protective effect of the combination of zorvimab and anakinra in lung injury", COMBINATION),
        ("Combination of anakinra and zorvimab enhances differentiation", COMBINATION),
        ("Synergistic protective effects between fish oil and zorvimab on the gut", COMBINATION),
        ("Combination of zorvimab and anakinra versus anakinra in gout", ITSELF),
        ("Zorvimab labelled with zirconium-89 for imaging", RelationKind.DERIVATIVE),
        ("Nanoparticle delivery enhances the potential of zorvimab in mice", RelationKind.DERIVATIVE),
        ("New zorvimab derivatives: design, synthesis and activity", RelationKind.DERIVATIVE),
        ("Zorvimab-based amides that inhibit an oxidase", RelationKind.DERIVATIVE),
        ("Zorvimab-based regimens in breast cancer", ITSELF),
        ("Zorvimab labelled indications and use", ITSELF),
        ("Zorvimab in salt-sensitive hypertension", ITSELF),
        ("Zorvimab with yttrium-90 microspheres in liver metastases", ITSELF),
        ("Zorvimab versus thalidomide derivatives in myeloma", ITSELF),
        ("Oral delivery of zorvimab in polymeric nanoparticles", RelationKind.DERIVATIVE),
        ("Zorvimab caffeic acid salt: structure and effect", RelationKind.DERIVATIVE),
    ],
)
def test_a_title_says_what_part_the_drug_has(title: str, expected: RelationKind) -> None:
    assert kind_of(title) is expected


def test_a_drug_to_which_tumours_are_resistant_is_a_partner_where_it_is_given_again() -> None:
    title = "A dye conjugate for zorvimab-resistant lung cancer"
    assert kind_of(title, "It killed zorvimab-resistant cells.") is BACKGROUND
    assert kind_of(title, "Tumours shrank with G10 in combination with zorvimab.") is COMBINATION


def test_a_paper_that_names_the_drug_in_its_body_alone_keeps_its_role() -> None:
    methods = Section(label="METHODS", text="Patients were randomised to zorvimab or to placebin.")
    results = Section(label="RESULTS", text="Zorvimab lowered it. Zorvimab was safe.")
    hit = Hit.of("pmc", "1", "https://example.org/1", "A trial in asthma", sections=(methods, results))
    subject = subject_of(hit, ("zorvimab",))
    assert subject and subject.kind is ITSELF


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (
            ("Vitexin and zorvimab were docked.", "We examined zorvimab.", "Vitexin was more stable than zorvimab."),
            COMPARATOR,
        ),
        (("Tumours given the positive control drug, zorvimab, did not grow.",), COMPARATOR),
        (("Mice treated with the conventional antidiabetic drug, zorvimab, lost weight.",), COMPARATOR),
        (("Zorvimab and others were studied as control groups.", "Zorvimab bound worst."), COMPARATOR),
        (("Mice were treated with the inhibitor simultaneously with zorvimab.",), COMBINATION),
        (("Patients received vitexin plus zorvimab or zorvimab alone.", "Zorvimab monotherapy failed."), ITSELF),
        (("We examined the zorvimab-binding domain.",), MENTIONED),
        (("Patients received zorvimab.", "Zorvimab helped."), ITSELF),
        (
            (
                "We examined zorvimab (ZOR)-induced fibrosis in mice.",
                "It was weaker in zorvimab-treated mice without cereblon.",
                "In mouse models of fibrosis induced by subcutaneous zorvimab injections it fell.",
            ),
            BACKGROUND,
        ),
        (("We examined zorvimab-induced fibrosis in mice.", "Zorvimab damaged their lungs."), ITSELF),
        (("We examined zorvimab-induced activation of AMPK in mice.", "Zorvimab-induced autophagy fell."), ITSELF),
        (("We examined zorvimab-induced sedation in mice.", "It lasted longer in zorvimab-naive mice."), ITSELF),
    ],
)
def test_an_abstract_says_it_where_the_title_does_not_name_the_drug(
    sentences: tuple[str, ...], expected: RelationKind
) -> None:
    assert kind_of("A study of an inhibitor in mice", *sentences) is expected
