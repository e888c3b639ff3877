"""What a record says of the study that it reports."""

from __future__ import annotations

import pytest

from storm.evidence.study import Study, read_study
from storm.models import Hit, RecordFacts, Section, SectionKind
from storm.models.design import Design


def paper(title: str, abstract: str = "", **parts: str) -> Hit:
    sections = [Section(text=abstract, kind=SectionKind.ABSTRACT)] if abstract else []
    sections += [Section(label=name, text=text, kind=SectionKind.BACK_MATTER) for name, text in parts.items()]
    return Hit.of("pmc", "PMC1", "https://example.org/1", title, sections=tuple(sections))


def read(title: str, abstract: str = "", **parts: str) -> Study:
    return read_study(paper(title, abstract, **parts), ("zorvimab", "Zorvi"))


def test_a_trial_is_read_whole() -> None:
    found = read(
        "Zorvimab in adults with severe asthma: a 24-week randomised trial",
        "In total, 142 adults were randomised to oral zorvimab 40 mg/day once daily or placebo.",
        Funding="This study was funded by a grant from Zorvi Pharma Inc. The funder had no role.",
    )
    assert found == Study(
        Design.RANDOMISED, 142, "adults with severe asthma", False, "placebo", (), "", "24 weeks",
        "40 mg/day once daily oral", "Zorvi Pharma Inc",
    )  # fmt: skip


def test_a_trial_says_who_knew_the_treatment_and_whether_it_was_a_crossover() -> None:
    abstract = "In a randomised, double-blind, two-way crossover study 20 adults had zorvimab and placebo."
    found = read("Zorvimab in asthma", abstract)
    assert (found.crossover, found.blinding) == (True, "double-blind")
    animals = read("Zorvimab in dogs with asthma", abstract.replace("adults", "dogs"))
    assert (animals.crossover, animals.blinding) == (False, "")


def test_a_comparison_with_patients_of_an_earlier_study_is_said() -> None:
    found = read(
        "Zorvimab in diabetes: a randomised trial", "As a historical control, an earlier trial of insulin was used."
    )
    assert found.historical_control
    assert not read("Zorvimab in diabetes", "Historically, controls had insulin.").historical_control


def test_what_a_record_does_not_say_is_empty() -> None:
    assert read("Zorvimab") == Study(Design.OTHER)
    label = Hit.of("openfda", "1", "https://example.org/1", "Zorvimab label, 40 mg, in patients with asthma")
    assert read_study(label, ("zorvimab",)) == Study(Design.NO_STUDY)


@pytest.mark.parametrize(
    ("title", "abstract", "population"),
    [
        ("Zorvimab, a review", "Zorvimab was given to patients at 4 mg/kg followed by 2 mg/kg each week.", ""),
        ("Zorvimab, a review", "Women with locally advanced, inflammatory or early cancer were treated.", ""),
        ("Zorvimab in patients with asthma inadequately controlled on steroids: a trial", "",
         "patients with asthma inadequately controlled on steroids"),
        ("Zorvimab versus placebo in hyperlipidaemic adults", "", "hyperlipidaemic adults"),
        ("Zorvimab", "Twelve healthy volunteers were given 5 mg.", "healthy volunteers"),
        ("Zorvimab", "Forty women undergoing surgery were randomly assigned.", "women undergoing surgery"),
        ("Zorvimab", "It is known in patients with asthma. Twenty smokers (current or not) with gout were randomised.",
         "smokers with gout"),
        ("Zorvimab", "Patients with a chronic condition requiring anti-inflammatory therapy who achieved "
         "relief of pain in the abdomen were enrolled.",
         "patients with a chronic condition requiring anti-inflammatory therapy"),
        ("Zorvimab", "The proportion of patients with new lesions fell.", ""),
        ("Efficacy of zorvimab in type 2 diabetes", "", "type 2 diabetes"),
        # people of whom only the age and the place are said come after the disease of the title
        ("Zorvimab for severe ulcerative colitis: a trial", "Patients aged 18 years or older at 52 hospitals came.",
         "severe ulcerative colitis"),
        ("Zorvimab", "Patients with uncomplicated P. falciparum malaria were randomised.",
         "patients with uncomplicated P. falciparum malaria"),
        ("Zorvimab in the RELIEF trial", "", ""),
        ("Zorvimab in rheumatoid arthritis [ISRCTN25142273]", "", "rheumatoid arthritis"),
        ("Zorvimab: an analysis of patients with fibrosis as benefiting from it", "", "patients with fibrosis"),
        ("Sputum of patients with asthma after 2.5 years of zorvimab", "", "patients with asthma"),
        ("Zorvimab", "It has improved animal models and patients with gout. We gave it to women with asthma.",
         "women with asthma"),
        ("Zorvimab", "It was evaluated before in animal models and patients with gout. In all, 9 were randomised.", ""),
        ("Zorvimab", "In patients with gout, relief is rare. Of 60 adults without known asthma, 9 were treated.",
         "adults without known asthma"),
        ("Zorvimab", "We treated 58 people with asthma who took steroids but 24 without any.",
         "people with asthma who took steroids"),
        ("Zorvimab", "In all, 60 people without gout whose serum was normal were randomised.", "people without gout"),
        ("Zorvimab vs Placebo on Relief in Patients With Severe Asthma: The RELIEF Trial", "",
         "patients with severe asthma"),
        ("Zorvimab for Long-term Relief in African American Patients With HER2-Positive Gout", "",
         "African American patients with HER2-positive gout"),
        ("Effect of Zorvimab in Patients Presenting with ST-Elevation Infarction", "",
         "patients presenting with ST-elevation infarction"),
        ("Zorvimab in vivo", "", ""),
        ("Zorvimab", "A total of 240 women giving birth at home. They were randomised to zorvimab or placebo.",
         "women giving birth at home"),
        ("Zorvimab", "Adults were randomised. Women who slept less overall had significantly fewer attacks.", ""),
        ("Zorvimab", "Women who bled less overall had a smaller drop in iron. They were randomised.", ""),
        ("Zorvimab", "Patients with faintness due to gout, asthma, eczema of the upper arms, pure anxiety of old age, "
         "or nondiabetic itching of both the hands were enrolled.", "patients with faintness"),
        ("Zorvimab", "Forty-two adult patients with diagnosis of symptomatic irreversible pulpitis of a mandibular "
         "posterior tooth were selected.", "adult patients with diagnosis of symptomatic irreversible pulpitis"),
        ("Zorvimab", "Patients with gout, asthma, or eczema were enrolled.", "patients with gout, asthma, or eczema"),
        ("Zorvimab", "Adults with persistent, severe asthma were enrolled.", "adults with persistent, severe asthma"),
        ("Zorvimab", "In all, 250 healthy, pregnant women were recruited.", "healthy, pregnant women"),
        ("Zorvimab in elderly and younger patients with gout", "", "elderly and younger patients with gout"),
        ("Zorvimab in healthy volunteers and patients with gout", "", "healthy volunteers and patients with gout"),
        ("Zorvimab for Young and Older Adults", "", "young and older adults"),
        ("Zorvimab in general practice", "", ""),
        ("Zorvimab for treatment of lateral epicondylitis", "", "lateral epicondylitis"),
        ("Zorvimab", "Recent reports call for randomized trials in patients with gout. We gave it to men with asthma.",
         "men with asthma"),
        ("Effect of zorvimab on sedation in horses during surgery", "Horses of patients with asthma were randomised.",
         "horses during surgery"),
    ],
)  # fmt: skip
def test_the_population_is_reported_in_the_words_of_the_record(title: str, abstract: str, population: str) -> None:
    assert read(title, abstract).population == population


@pytest.mark.parametrize(
    ("title", "abstract", "comparator"),
    [
        ("Zorvimab versus prednisolone in asthma", "A placebo was given, too.", "prednisolone"),
        ("Prednisolone versus zorvimab in asthma", "Patients had placebo.", "prednisolone"),
        # a row of drugs, another route or strength, a combination against the drug alone
        ("A comparison of fentanyl and zorvimab for pain", "", "fentanyl"),
        ("Comparison of taste and efficacy of intranasal ciclesonide and zorvimab in rhinitis", "", "ciclesonide"),
        ("Effects of lidocaine, ketamine, and zorvimab on withdrawal after rocuronium", "", "lidocaine and ketamine"),
        ("Effects of ketamine and zorvimab on sleep", "", ""),
        (
            "Efficacy of alfacalcidol and zorvimab",
            "Of alfacalcidol (AC) and zorvimab (ZO). They were assigned to receive "
            "AC (1 µg/day) or ZO (35 mg/week) and were followed up for one year.",
            "alfacalcidol",
        ),
        (
            "Kinds of anaesthesia",
            "Forty adults were administered either total anaesthesia (zorvimab) or inhalation "
            "anaesthesia (sevoflurane).",
            "sevoflurane",
        ),
        (
            "Comparison of sublingual and vaginal zorvimab",
            "A placebo was given by the other route.",
            "vaginal zorvimab",
        ),
        ("Zorvimab for pain", "Three arms were formed (control group: saline infusion).", "saline"),
        ("Zorvimab 300 U/ml versus zorvimab 100 U/ml in adults", "", "zorvimab 100 U/ml"),
        ("Two combinations of zorvimab and aspirin versus zorvimab monotherapy", "", "zorvimab monotherapy"),
        ("Sequential weekly versus three-weekly zorvimab", "", ""),
        ("Carfilzomib, lenalidomide and zorvimab in multiple myeloma: a phase 3 trial", "", ""),
        ("Pharmacokinetic interaction of digoxin, warfarin and zorvimab", "", ""),
        ("Sequential intravenous and oral zorvimab in pneumonia", "", ""),
        ("Switching from adalimumab versus zorvimab", "", ""),
        ("Effects of aspirin with ketamine versus zorvimab with ketamine", "", "aspirin with ketamine"),
        (
            "Zorvimab in gout",
            "Patients were randomised (n = 416) to receive either zorvimab 5 mg (n = 211) or placebo (n = 205).",
            "placebo",
        ),
        ("Zorvimab in asthma", "Patients were randomised to zorvimab or usual care.", "usual care"),
        ("Zorvimab in asthma", "Scores fell compared with baseline.", ""),
        ("Zorvimab in asthma", "Zorvimab compared with budesonidum in men fared better.", ""),
        ("Zorvimab in asthma", "Pain was rarer compared with simvastatin.", "simvastatin"),
        (
            "Effect of simvastatin and zorvimab in asthma",
            "Patients received simvastatin 5 mg or zorvimab.",
            "simvastatin",
        ),
        ("Simvastatin and zorvimab in asthma", "Scores fell with simvastatin and zorvimab.", ""),
        ("Zorvimab and metformin in asthma", "A study of metformin, zorvimab and placebo.", "placebo and metformin"),
        ("Effect of Zorvimab vs Placebo on Relief of Asthma", "", "placebo"),
        ("Zorvimab versus simvastatin and metformin in asthma", "", ""),
        ("Zorvimab versus betamethasone valerate 0.1% cream in vitiligo", "", "betamethasone valerate"),
        ("Zorvimab versus simvastatin, metformin, or placebo in asthma", "", ""),
        ("Zorvimab versus simvastatin, a trial in asthma", "", "simvastatin"),
        (
            "Simvastatin, zorvimab, or metformin in asthma",
            "Adults were randomised to zorvimab, simvastatin or metformin. Metformin fared worse than zorvimab.",
            "simvastatin and metformin",
        ),
        ("Simvastatin, zorvimab, or metformin in asthma", "Patients had more relief with zorvimab than metformin.", ""),
        ("Low dose and conventional dose zorvimab in asthma", "Sixty adults were studied.", "conventional dose"),
        ("Zorvimab in asthma", "We ran a trial of zorvimab versus control.", "control"),
        ("A matched comparison of zorvimab to tetanus vaccine in asthma", "", "tetanus vaccine"),
        ("Direct comparison of two zorvimab formulations in patients with ulcerative colitis", "", ""),
        ("Zorvimab 1% versus placebin nitrate clinical efficacy in adults with mycosis", "", "placebin nitrate"),
        ("Zorvimab combination therapy versus monotherapy in pneumonia", "", ""),
        ("Zorvimab in pneumonia", "Patients received zorvimab alone or zorvimab plus amikacin or levofloxacin.", ""),
        (
            "Zorvimab in asthma",
            "One group (n=62) was administered zorvimab CR once daily and the other (n=63), zorvimab immediate release "
            "(IR) twice a day for 4 weeks.",
            "zorvimab immediate release",
        ),
        (
            "Zorvimab in gout",
            "Twenty patients received zorvimab 50 mg every other week (group 1) and 21 received zorvimab 50 mg weekly.",
            "zorvimab 50 mg weekly",
        ),
        (
            "Epidural zorvimab plus sedation in surgery",
            "Forty patients were randomized for sedation (control group n=22) or 4 mg of epidural zorvimab followed by "
            "sedation (zorvimab group n=20).",
            "sedation",
        ),
        (
            "Zorvimab in asthma",
            "It was set against budesonide (BUD). Adults were randomised to zorvimab (n=42), BUD (n=41), tiotropium "
            "(n=40), or placebo (n=19).",
            "budesonide, tiotropium and placebo",
        ),
        (
            "Zorvimab in asthma",
            "Patients were assigned to zorvimab + oral vitamin D (zorvimab group, n = 33) or oral vitamin D alone "
            "(control group, n = 33).",
            "oral vitamin D alone",
        ),
        ("Zorvimab in asthma", "Adults were randomised to the intervention group (n=5) or group 2 (n=5).", ""),
        (
            "Zorvimab",
            "Zorvimab, a new cannabinoid, and Prochlorperazine were compared in 34 patients.",
            "Prochlorperazine",
        ),
        (
            "Otilon bromide (OB) in colitis",
            "It is zorvimab bromide (ZB). They received either ZB 40 mg or mebeverine 100 mg 3 doses daily.",
            "mebeverine",
        ),
        (
            "Zorvimab",
            "They were randomized to either a zorvimab 0.09% solution (n=69) or nepafenac 0.1% (n=70).",
            "nepafenac",
        ),
        (
            "Zorvimab",
            "Patients received either placebo, zorvimab 90 mg once daily, or naproxen 500 mg twice daily.",
            "placebo and naproxen",
        ),
        ("Zorvimab", "Patients were given either zorvimab plus heat or heat.", ""),
        ("Zorvimab", "In a 2 x 2 factorial trial they had zorvimab or standard care, and fish oil or placebo.", ""),
        ("Zorvimab: an integrated analysis", "532 received either placebo or active comparator medication.", ""),
        ("Zorvimab", "Men were divided into a placebo (n = 13) and a zorvimab group (n = 12).", "placebo"),
        ("Zorvimab", "Clusters were to follow usual care.", ""),
        ("Zorvimab", "They received zorvimab or the same volume of saline.", "saline"),
        ("Zorvimab", "Simvastatin was better compared with atorvastatin.", ""),
        (
            "Zorvimab in mesothelioma: a single-arm study",
            "Adults had progressed on or had intolerance to standard therapy.",
            "",
        ),
        ("Zorvimab in mesothelioma", "Adults with intolerance to standard therapy got it.", ""),
        ("Zorvimab in mesothelioma: a network meta-analysis", "It was compared with placebo and with placebin.", ""),
    ],
)
def test_what_it_was_compared_with_is_reported_where_it_is_certain(title: str, abstract: str, comparator: str) -> None:
    assert read(title, abstract).comparator == comparator


@pytest.mark.parametrize(
    ("abstract", "time"),
    [
        ("The median follow-up was 3.5 years.", "3.5 years"),
        ("This 4-year, placebo-controlled study began in 2001.", "4 years"),
        ("They were treated for 12 weeks.", "12 weeks"),
        ("They were treated for 1 month.", "1 month"),
        ("They were 60 years old, and 16-60 years of age.", ""),
        ("Sixty subjects aged 18–72 years were randomised.", ""),
        ("Children were treated, starting at 6 months and continuing to 24 months of age.", ""),
        ("Adults over 60 years were randomised.", ""),
        ("In all, 1752 adults were included in ten trials over 11 years.", ""),
        ("They had 6–12 weeks of treatment.", "6–12 weeks"),
        ("The mean follow-up was 25 ± 11 months.", "25 ± 11 months"),
        ("After a mean follow-up of 25 ± 11 months, 43 (55.1%) patients in remission were randomized.", ""),
        ("After a 4-week run-in period they were treated for 12 weeks.", "12 weeks"),
        ("They had a solid tumour in the past 5 years.", ""),
        ("Pain was scored at 2 weeks of treatment. They trained for 4 weeks.", "4 weeks"),
        ("Events were recorded for 4 days.", ""),
        ("The rates of survival were 89% and 90% at 4 years.", ""),
        ("They were followed up 12-65 months.", "12-65 months"),
        ("They had zorvimab for 2 weeks; at 2 years more were well.", "2 years"),
        ("Serum was stored for 420 days. They were treated for 12 weeks.", "12 weeks"),
        ("More women were delivered after 37 weeks of pregnancy.", ""),
        ("More women gave birth at 37 weeks with zorvimab.", ""),
        ("They had it for between 12 weeks and 2 years of treatment.", "12 weeks to 2 years"),
        ("In trials of up to 2 years of treatment it was safe.", "up to 2 years"),
        ("This 4-year study randomised 48. Tests were repeated for a median of 331 days.", "331 days"),
        ("Disease had continued for a mean of 8 years. They were treated for 12 weeks.", "12 weeks"),
        ("Response lasted for a median of 5 months. The follow-up was 24 months.", "24 months"),
        ("The mean time was 210 days on placebo but 390 days with active treatment.", ""),
        ("It was given over a thirty-six week treatment period.", "36 weeks"),
        ("They were followed up for six months.", "6 months"),
        ("They had it for 12 months. After a median of 5.4 years of follow-up fewer relapsed.", "5.4 years"),
        ("They had it for 12 months, with a median of 8.4 years on study.", "8.4 years"),
        ("They were randomised to zorvimab and treated for a median of 4.0 years.", "4.0 years"),
        ("At one year, 22% of them had died.", ""),
        ("Two studies had it for 26 weeks and one of the three studies had it for 52 weeks.", "26 to 52 weeks"),
        ("One part had it for 26 weeks and one for 52 weeks.", "52 weeks"),
        ("This corresponded to a number needed to treat to prevent one death of 35 over 3 years.", ""),
        ("Two studies have shown it. Adults had placebo for 2 weeks, then it for 24 weeks.", "24 weeks"),
        ("Harms were monitored and diaries kept for 7 days after the test.", ""),
    ],
)
def test_how_long_they_were_followed_is_no_age(abstract: str, time: str) -> None:
    assert read("Zorvimab", abstract).follow_up == time


def test_the_typical_follow_up_of_the_results_comes_before_the_length_of_the_study() -> None:
    results = "Few were lost. The overall median follow-up after randomisation was 331 days, and 4 years at most."
    title, abstract = "Zorvimab in asthma: a 4-year trial", "Adults were randomised."
    hit = paper(title, abstract)
    part = Section(label="Results", text=results, kind=SectionKind.RESULTS)
    assert read_study(hit.model_copy(update={"sections": (*hit.sections, part)}), ("zorvimab",)).follow_up == "331 days"


@pytest.mark.parametrize(
    ("title", "abstract", "time"),
    [
        ("Zorvimab in asthma: 4-year disease-free survival results of a trial", "The median follow-up was 5.4 years.",
         "5.4 years"),
        ("Zorvimab in asthma: 4-year disease-free survival results of a trial", "It was better.", ""),
        ("Zorvimab in asthma: a 52-week trial", "They were followed up for 4 weeks after it.", "52 weeks"),
        ("Zorvimab in asthma: a 4-year trial", "At a median follow-up of 331 days fewer relapsed.", "331 days"),
    ],
)  # fmt: skip
def test_a_time_of_follow_up_is_not_that_of_a_rate_in_the_title(title: str, abstract: str, time: str) -> None:
    assert read(title, abstract).follow_up == time


def test_a_procedure_is_what_people_undergo() -> None:
    assert read("Zorvimab and bleeding in cardiac surgery").population == "people undergoing cardiac surgery"
    assert read("Zorvimab in adults after cardiac surgery").population == "adults after cardiac surgery"
    assert read("Zorvimab for nausea after cardiac surgery: a trial").population == "nausea after cardiac surgery"
    assert read("Zorvimab in smokers undergoing surgery").population == "smokers undergoing surgery"


def test_the_dose_of_another_drug_behind_it_is_not_that_of_the_drug() -> None:
    assert read("Zorvimab", "Weight loss was comparable on zorvimab and dulaglutide 1.5 mg.").dose == ""


def test_a_concentration_is_no_dose() -> None:
    assert read("Zorvimab", "They got 0.4 mL of zorvimab 50 mg/mL.").dose == ""
    assert read("Zorvimab", "They got zorvimab 100 units/ml.").dose == ""


def test_the_dose_is_that_of_the_drug() -> None:
    assert (
        read("Zorvimab", "Simvastatin 40 mg was added to intravenous Zorvi 0.5 mg/kg.").dose == "0.5 mg/kg intravenous"
    )
    assert read("Zorvimab", "After 100 mg zorvimab they slept.").dose == "100 mg"
    assert read("Zorvimab", "Simvastatin 40 mg was added.").dose == ""
    assert read("Zorvimab", "They had zorvimab (5 mgs/kg).").dose == "5 mgs/kg"
    assert read("Zorvimab", "The group received 30.2 ± 18.0 mg/day of zorvimab.").dose == "30.2 ± 18.0 mg/day"
    raised = "Fifty men received zorvimab 0.2 mg/d; escalators increased to 0.4 mg for 8 weeks."
    assert read("Zorvimab", raised).dose == "0.2 mg/d, raised to 0.4 mg"
    doses = "They had zorvimab IV doses 30 mg and 60 mg."
    assert read("Zorvimab", f"{doses} With zorvimab 30 mg they slept.").dose == "30 mg and 60 mg"


def test_a_dose_by_body_surface_keeps_its_unit_and_the_days_of_a_cycle_are_no_follow_up() -> None:
    study = read("Zorvimab", "Patients received zorvimab 1250 mg m^−2 twice daily for 14 days.")
    assert study.dose == "1250 mg m^−2 twice daily"
    assert study.follow_up == ""


@pytest.mark.parametrize(
    ("title", "text", "dose"),
    [
        ("Once-weekly zorvimab in obesity", "They had zorvimab 10 mg.", "10 mg once weekly"),
        ("Once-weekly and once-daily zorvimab, or twice-daily zorvimab", "They had zorvimab 10 mg.", "10 mg"),
        ("Once-daily zorvimab in obesity", "They had zorvimab 10 mg weekly.", "10 mg weekly"),
        ("Once-daily zorvimab in obesity", "They had zorvimab 10 mg/day.", "10 mg/day"),
    ],
)
def test_how_often_the_title_says_that_it_was_given_belongs_to_the_dose(title: str, text: str, dose: str) -> None:
    assert read(title, text).dose == dose


def test_an_amount_that_is_diluted_or_costed_is_no_dose_that_was_given() -> None:
    told = "The rule was to dilute zorvimab 50 mg in the fluid given. It was costed as 50 mg zorvimab administered."
    hit = paper("A trial of sedation with zorvimab", "Adults were randomised.")
    parts = (*hit.sections, Section(label="Methods", text=told, kind=SectionKind.METHODS))
    assert read_study(hit.model_copy(update={"sections": parts}), ("zorvimab",)).dose == ""


def test_both_sexes_are_the_population_and_a_class_of_risk_leaves_no_gap_in_it() -> None:
    sexes = "We gave it to 10 healthy men (20.8 ± 0.7 years) and 10 healthy women (22.2 ± 1.1 years)."
    assert read("Zorvimab", sexes).population == "healthy men and women"
    classed = (
        "Patients with the American Society of Anesthesiologists (ASA) physical status I undergoing surgery had it."
    )
    assert read("Zorvimab", f"We randomised them. {classed}").population == "patients undergoing surgery"


def test_a_drug_that_only_causes_what_another_is_tried_for_is_compared_with_nothing() -> None:
    title = "Losartan against zorvimab-induced hyperalgesia"
    assert read(title, "They were randomised to losartan or placebo.").comparator == ""
    assert read("Hyperalgesia under zorvimab-induced sleep", "They had zorvimab or saline.").comparator == "saline"
    assert read("Zorvimab-associated weight gain versus losartan", "They had either.").comparator == "losartan"


def test_the_disease_of_a_title_is_the_population_without_what_did_not_control_it() -> None:
    title = "Zorvimab add-on to metformin in type 2 diabetes inadequately controlled with metformin: a trial"
    assert read(title, "We randomised them.").population == "type 2 diabetes"


def test_the_treatments_of_a_title_are_no_part_of_its_population() -> None:
    title = "Vascular Study in Hypertensive Subjects with Diabetes Using Losartan or Zorvimab"
    assert read(title, "We randomised them.").population == "hypertensive subjects with diabetes"


@pytest.mark.parametrize(
    ("text", "dose"),
    [
        ("They were randomised to zorvimab 10 mg, zorvimab 20 mg or placebo.", "10 mg or 20 mg"),
        ("Three arms had zorvimab 2.5 mg twice daily, zorvimab 5 mg once daily and zorvimab 5 mg.",
         "2.5 mg twice daily or 5 mg once daily"),
        ("They were randomised to zorvimab 10 mg, then zorvimab 20 mg.", ""),
        ("The groups had zorvimab 10 mg, zorvimab 20 µg or placebo.", ""),
        ("The groups had zorvimab 10 mg and were switched to zorvimab 20 mg.", ""),
        ("One arm had zorvimab 50 mg for 2 weeks, 100 mg for 6 weeks.", "50 mg, raised to 100 mg"),
        ("One arm had zorvimab 100 mg for 2 weeks and 50 mg for the next 6 weeks.", ""),
        ("Zorvimab 100 and 300 mg were compared with placebo, and zorvimab 300 mg with losartan.", "100 and 300 mg"),
        ("Zorvimab (25–600 ng/mL) was measured.", ""),
        ("They had oral zorvimab (60 mg/d/14 days).", "60 mg/d oral"),
        ("They had zorvimab 5 mg/14 days.", ""),
        ("Once-weekly zorvimab was not available. They had zorvimab 10 mg.", "10 mg"),
        ("They had zorvimab 500 ng/min.", "500 ng/min"),
        # numbers of days, groups or years before it are no doses
        ("On days 1 and 8, 100 mg zorvimab was given.", "100 mg"),
        ("At weeks 0, 2 and 6, 5 mg/kg zorvimab was given.", "5 mg/kg"),
        # doses of arms, of another drug, or in more than two steps
        ("They had zorvimab 50 mg for 12 weeks, 100 mg for 12 weeks, or placebo.", ""),
        ("They had zorvimab 25 mg for 2 weeks, 50 mg for 3 weeks, and 100 mg for 8 weeks.", ""),
        ("They had zorvimab 0.5 g for 2 weeks, 250 mg for 6 weeks.", ""),
        ("Zorvimab (25–600 ng per sample) was measured, and zorvimab 5 ng/kg was given.", "5 ng/kg"),
        ("The groups had zorvimab 5 mg, zorvimab 10 mg, zorvimab 20 mg or zorvimab 40 mg.", ""),
        ("A survey found zorvimab 10 mg and zorvimab 20 mg.", ""),
        # by its short name; with a partner
        ("Zorvimab (ZVB) is new. The patients received ZVB 300 mg weekly.", "300 mg weekly"),
        ("Of zorvimab/placebin (ZOR/PLA). They were given ZOR/PLA 62.5/25 µg once daily.", "62.5/25 µg once daily"),
        ("They had zorvimab (25 mg of zorvimab base per kilogram of body weight).", ""),
        # what is only said of the drug, or given on another day or more often, is no arm
        ("Zorvimab 20 mg is the approved dose. We randomised adults to zorvimab 40 mg or placebo.", "40 mg"),
        ("They were randomised to zorvimab 10 mg or placebo. One took an overdose of zorvimab 300 mg.", "10 mg"),
        ("They were randomised to placebo or zorvimab 10 mg on day 1 and zorvimab 20 mg on day 2.", ""),
        ("They were randomised to zorvimab 5 mg once daily or zorvimab 5 mg twice daily.", ""),
        ("Patients received zorvimab 100 mg per square metre.", ""),
        # the route of what is given, if it is one
        ("They received intravenous zorvimab. The dose was zorvimab 5 mg.", "5 mg intravenous"),
        ("Oral zorvimab is used widely. They received zorvimab 5 mg.", "5 mg"),
        ("They received oral zorvimab or intravenous zorvimab. The dose was zorvimab 5 mg.", "5 mg"),
        ("The arms had zorvimab 5 mg, zorvimab 9 mg or IV zorvimab.", "5 mg or 9 mg"),
    ],
)  # fmt: skip
def test_the_doses_of_arms_and_a_route_elsewhere_belong_to_the_drug(text: str, dose: str) -> None:
    assert read("Zorvimab", text).dose == dose


def test_the_route_of_a_title_is_that_of_the_drug() -> None:
    assert read("Intravitreal zorvimab for oedema", "They received zorvimab 5 mg.").dose == "5 mg intravitreal"
    assert read("Zorvimab IV for pain", "They slept.").dose == "IV"


@pytest.mark.parametrize(
    ("text", "dose"),
    [
        (
            "Zorvimab 30 mg/kg i.v. bolus was followed by infusion of zorvimab at 10 mg/kg/hr.",
            "30 mg/kg, then 10 mg/kg/hr",
        ),
        (
            "All got zorvimab 1 mg/kg over 10 min, followed by a continuous infusion at 2.5 mg/h.",
            "1 mg/kg, then 2.5 mg/h",
        ),
        ("Zorvimab 1 mg/kg was followed by an infusion of propofol at 2 mg/kg/h.", "1 mg/kg"),
        ("Adults got zorvimab 1 mg/kg, followed by a propofol infusion at 6 mg/kg/h.", "1 mg/kg"),
        ("After zorvimab, patients got 2 mg midazolam followed by an infusion at 1 mg/h.", ""),
        ("Zorvimab was compared to saline bolus 10 mg followed by infusion at 2 mg/h.", ""),
        ("Group A got zorvimab 0.5 mg/kg and group B zorvimab 1 mg/kg followed by an infusion at 2 mg/h.", ""),
        ("Adults got zorvimab 1 mg/kg, followed by an infusion at 0.4 mg/h or 0.8 mg/h.", "1 mg/kg"),
        ("Adults on zorvimab (HbA1c) 8 g were included.", ""),
        ("Oral zorvimab 400 mg orally twice daily was given.", "400 mg orally twice daily"),
        ("Zorvimab was compared with ketamine 1 mg/kg followed by an infusion at 2 mg/h.", ""),
        (
            "Adults got zorvimab 1 mg/kg or 2 mg/kg (group B), followed by an infusion at 2.5 mg/h.",
            "1 mg/kg or 2 mg/kg",
        ),
        (
            "Group A got zorvimab 1 mg/kg followed by an infusion at 2 mg/h, group B zorvimab 2 mg/kg followed by an "
            "infusion at 4 mg/h.",
            "",
        ),
    ],
)
def test_how_often_a_dose_was_given_and_the_infusion_that_followed_belong_to_it(text: str, dose: str) -> None:
    assert read("A trial of zorvimab", text).dose == dose


def test_the_dose_is_left_out_where_it_is_one_of_several() -> None:
    assert read("Zorvimab", "They had 0.5 mg/kg zorvimab or low-dose zorvimab (0.25 mg/kg).").dose == ""
    assert read("Zorvimab", "They had zorvimab 50 mg for a week, then 100 mg.").dose == ""
    assert read("Zorvimab", "They had zorvimab 15 mg, increased by 15 mg/day to a maximum of 45 mg.").dose == ""
    assert read("Zorvimab", "They had zorvimab 2.5 to 5, or 10 mg. Later 5 mg zorvimab was chosen.").dose == ""


def test_who_paid_is_said_of_the_study_and_of_no_author() -> None:
    assert read("Z", Acknowledgements="Medical writing was funded by Zorvi Pharma.").funding == ""
    assert read("Z", **{"Competing interests": "A. B. was supported by Zorvi Pharma."}).funding == ""
    assert read("Z", Funding="Source of Support: Nil").funding == ""


@pytest.mark.parametrize(
    "text",
    ["This study was not supported financially by any pharmaceutical company.",
     "No support from Zorvi was funded by us.",
     "This work was funded by no company."],
)  # fmt: skip
def test_nobody_is_no_funder(text: str) -> None:
    assert read("Z", Funding=text).funding == ""


def test_a_review_tells_no_comparator_and_no_follow_up() -> None:
    found = read(
        "Zorvimab versus placebo: a review", "This review tells of zorvimab 5 mg for 12 weeks against placebo."
    )
    assert (found.design, found.comparator, found.follow_up, found.dose) == (Design.REVIEW, "", "", "")


def test_a_registered_study_tells_its_conditions_and_a_sponsor_is_no_funder() -> None:
    hit = Hit.of(
        "clinicaltrials", "NCT00000001", "https://example.org/1", "Zorvimab",
        sections=(Section(label="CONDITIONS", text="Conditions: Asthma; Hay fever.", kind=SectionKind.FIELD),),
        facts=RecordFacts(sponsor="Zorvi Pharma"),
    )  # fmt: skip
    found = read_study(hit, ("zorvimab",))
    assert (found.population, found.funding) == ("Asthma; Hay fever", "")


def test_other_doses_of_the_drug_are_no_comparator_beside_a_placebo() -> None:
    abstract = (
        "Adults with back pain received zorvimab 7.5 mg (n = 40), 15 mg (n = 41), 30 mg (n = 39) or placebo (n = 38). "
        "Pain fell more with zorvimab than with placebo."
    )
    sections = (Section(label="Abstract", text=abstract, kind=SectionKind.ABSTRACT),)
    hit = Hit.of("pubmed", "1", "https://example.org/1", "Zorvimab injection in adults with pain", sections=sections)
    assert read_study(hit, ("zorvimab",)).comparator == "placebo"


def test_a_model_of_costs_has_neither_participants_nor_a_follow_up_of_its_own() -> None:
    found = read(
        "Cost effectiveness of zorvimab compared with placebo in adults with asthma",
        "A 1-year Markov model was developed. In a trial, 461 participants were randomised to zorvimab or placebo.",
    )
    assert found == Study(Design.ECONOMIC, population="adults with asthma")


def test_the_people_in_a_title_end_before_the_drug_that_they_got() -> None:
    study = read("Improved attention of patients with stroke via zorvimab", "Zorvimab was given.")
    assert study.population == "patients with stroke"


def test_outcomes_read_after_discharge_are_the_follow_up() -> None:
    abstract = "After the 7-day treatment patients had less pain. They walked better 3 months after discharge."
    assert read("Zorvimab in stroke: a randomised trial", abstract).follow_up == "3 months"


@pytest.mark.parametrize(
    ("abstract", "follow_up"),
    [
        ("Zorvimab 100 mg/m2 was given for 5 days.", ""),
        ("Zorvimab was given in 28-day cycles, each time for 5 days.", ""),
        ("In each cycle zorvimab was given for 5 days.", ""),
        ("Zorvimab 100 mg/m2 was given, and patients were observed for 28 days.", "28 days"),
        ("Zorvimab 100 mg/m2 was given, and asthma was treated for 20 days.", "20 days"),
        ("Zorvimab 100 mg/m2 was given for 90 days.", "90 days"),
        ("After two IVF cycles, women received zorvimab for 14 days.", "14 days"),
        ("Patients with irregular cycles received zorvimab for 20 days.", "20 days"),
    ],
)
def test_only_the_days_of_a_cycle_of_chemotherapy_are_no_follow_up(abstract: str, follow_up: str) -> None:
    assert read("Zorvimab", abstract).follow_up == follow_up


@pytest.mark.parametrize(
    ("title", "population"),
    [
        ("Zorvimab in heart failure patients with reduced ejection fraction",
         "heart failure patients with reduced ejection fraction"),
        ("Zorvimab for patients with decreased kidney function", "patients with decreased kidney function"),
        ("Zorvimab in women with a reduced bone density", "women with a reduced bone density"),
        ("Zorvimab in adults with mildly reduced ejection fraction", "adults with mildly reduced ejection fraction"),
        ("Zorvimab in adults at increased risk of stroke", "adults at increased risk of stroke"),
        ("Zorvimab in adults with asthma reduced attacks", "adults with asthma"),
        ("Zorvimab in adults with asthma and reduced the attacks", "adults with asthma"),
        ("Zorvimab for adults with asthma reduces attacks", "adults with asthma"),
    ],
)  # fmt: skip
def test_only_a_verb_ends_the_description_of_people(title: str, population: str) -> None:
    assert read(title).population == population
