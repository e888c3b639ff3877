"""Words by which a text is on a thing without its name: creatinine on the kidneys, rhabdomyolysis on muscles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from storm.citations.synonyms import SYNONYMS
from storm.citations.terms import stem_word
from storm.citations.vocabulary import words_of
from storm.models.names import split_words

#: What a term may be called, in one line or several, a colon, and the words of texts on it.
_NARROWER = """
pregnancy, pregnant, expecting: gestation, fetal, fetus, embryo, teratogen, trimester, congenital malformation
pregnancy, pregnant, expecting: birth defect, gdm
breastfeeding, breast-feeding, lactation, nursing mother: breast milk, human milk, lactating, breastfed
heart, cardiac, cardiotoxicity: cardiomyopathy, ejection fraction, lvef, ventricular, myocardial, cardiotoxic
heart, cardiac, cardiotoxicity: cardiovascular
heart failure: cardiac failure, cardiac dysfunction, cardiomyopathy, ejection fraction, lvef, ventricular dysfunction
cardiovascular, cardiovascular disease: cardiac, heart, myocardial, coronary, stroke, carotid, atherosclerosis, vascular
cardiovascular, cardiovascular disease: mace
stroke: cerebrovascular, ischemic attack
egfr, kidney function, renal function: egfr, glomerular, filtration rate, creatinine clearance, renal impairment
low ejection, reduced ejection, low lvef: ejection fraction, lvef
ild, interstitial lung disease: ild, interstitial lung disease, pneumonitis
contraception: contraception, contraceptive
unmet need, unmet needs: unmet, resistance, relapse, recurrence, progress
united states, usa, us, america: united states, us, fda
kidney, renal: nephropathy, nephrotoxic, egfr, glomerular, filtration rate, creatinine, dialysis
liver, hepatic: hepatic, hepatotoxic, hepatitis, aminotransferase, transaminase, alt, ast, bilirubin, cirrhosis
ct scan, ct: computed tomography, contrast imaging, iodinated contrast, imaging with contrast
contrast media, contrast medium, contrast dye: iodinated contrast, contrast agent, contrast imaging
contrast media, contrast medium, contrast dye: imaging with contrast
reversible, reversibility: recover, recovered, recovery, resolved, resumed, regained, returned to normal
interactions, interaction: interact, interacts, interacting, coadministration, co-administration, concomitant
muscle, muscles, muscle pain: myalgia, myopathy, myositis, rhabdomyolysis, creatine kinase, muscular
pancreatitis: pancreatic enzyme, lipase, amylase
stomach, gastrointestinal, gut: nausea, diarrhea, vomiting, dyspepsia, abdominal, gastric, constipation
upset stomach, stomach upset: gastrointestinal, nausea, diarrhea, dyspepsia, abdominal
diarrhea, diarrhoea: gastrointestinal
lung, lungs, pulmonary: pneumonitis, interstitial, respiratory, dyspnea
eye, eyes, vision: ocular, visual, retina, retinal
skin: rash, cutaneous, dermatitis
bone, bones: fracture, mineral density, osteoporosis
brain, memory, cognition, cognitive: dementia, alzheimer, cognitive
brain metastases, brain metastasis: cns metastases, central nervous system, brain progression, intracranial
cancer: tumor, carcinoma, malignancy, neoplasm, lymphoma, leukemia
gastric cancer, stomach cancer: gastric adenocarcinoma, gastro-esophageal, gastroesophageal, gastric
diabetes, type 2 diabetes: diabetes, diabetic, hyperglycemia, t2dm, glucose, hba1c
blood glucose, blood sugar, glucose, glucose level: glycemic, hyperglycemia, hba1c, gluconeogenesis, glucose
blood glucose, blood sugar, glucose, glucose level: insulin sensitivity
hypoglycemia, hypoglycaemia, low blood sugar: hypoglycemic
cholesterol, ldl, ldl cholesterol: ldl, ldl-c, lipoprotein, cholesterol
weight, weight gain, weight loss, lose weight, gain weight, body weight, obesity: weight, bmi, body mass, waist
weight, weight gain, weight loss, lose weight, gain weight, body weight, obesity: kilogram
blood pressure, hypertension: hypertensive, systolic, diastolic, hemodynamic
vitamin b12, vitamin b12 deficiency, b12 deficiency: b12, cobalamin, vitamin b 12
lactic acidosis: lactate
infusion reaction, infusion reactions: infusion-related, infusion, anaphylaxis, hypersensitivity
allergy, allergic, allergic reaction: hypersensitivity, anaphylaxis
bleeding: hemorrhage
infection, infections: sepsis, pneumonia, infected
depression, antidepressant, antidepressants: depressive, depressed, mood, madrs, antidepressant
suicide, suicidal, suicidal thoughts, suicidal ideation: suicide, suicidality
anxiety: anxiolytic
pain: analgesia, analgesic, nociception, antinociceptive, vas score, opioid consumption
sedation: sedative, sedated, sedoanalgesia
addiction, addictive, abuse: abuse, misuse, drug dependence, physical dependence, craving, recreational
sleep, insomnia: sleep, insomnia
fertility, infertility: ovulation, conception, pregnancy rate, live birth
polycystic ovary syndrome, pcos: pcos, polycystic ovaries, polycystic
ageing, aging, ageing process, longevity, life, lifespan, life expectancy: lifespan, longevity, aging, ageing, mortality
ageing, aging, ageing process, longevity, life, lifespan, life expectancy: life expectancy
survival, prolong life: survival, mortality, death, died
mortality, death, deaths: overall survival, survival rate, year survival, died
prediabetes, pre-diabetes: impaired glucose tolerance, impaired fasting glucose, without diabetes, nondiabetic
prediabetes, pre-diabetes: diabetes prevention, incidence of diabetes
resistance: resistant, resistance
surgery, operation: operative, postoperative, surgical
teenager, teenagers, teens, adolescent, adolescents, youth: adolescent, adolescents, young people, youth, pediatric
child, children, kids, pediatric, childhood: pediatric, paediatric, adolescent, infant, boys, girls, neonate
night workers, shift workers, night shift workers, nightshift workers: shift work, night work, night shift
night workers, shift workers, night shift workers, nightshift workers: nightshift, rotating shift
elderly, older people, older adults, older patients, seniors: elderly, older, geriatric, aged 65, age of 65, 65 years
older women, older men, old people: elderly, older, geriatric, aged 65, age of 65, 65 years
monotherapy, alone: monotherapy, single agent, single-agent, alone, by itself
brand, brand name, originator, original: originator, innovator, reference product, brand-name
biosimilar, biosimilars: biosimilar, reference product
generic, generics: generic, bioequivalent, bioequivalence
sulfonylurea, sulfonylureas, sulphonylurea: glimepiride, gliclazide, glipizide, glibenclamide, glyburide, sulfonylurea
sulfonylurea, sulfonylureas, sulphonylurea: sulphonylurea
statin, statins: simvastatin, pravastatin, rosuvastatin, lovastatin, fluvastatin, atorvastatin
europe, european union, eu: european, ema, european commission
loading: initial dose, first dose
starting, initial: initial, starting
maximum: maximal, exceed
subcutaneous: sc, hyaluronidase
intravenous: iv, infusion
"""
#: Words beside a thing that name no other: "kidney failure", "the liver's function".
_BESIDE = frozenset(
    map(
        stem_word,
        words_of(
            """
            failure disease impairment insufficiency problem event risk damage injury function toxicity trouble health
            effect complication outcome patient level severe moderate mild
            """
        ),
    )
)
#: Words in a term that name nothing which texts on it must name: "the incidence of cardiotoxicity", "an eGFR cutoff".
_FILLERS = frozenset(
    map(
        stem_word,
        words_of(
            """
            incidence prevalence frequency rate percentage proportion share number cutoff cut-off threshold limit
            everything anything something continued continue monitored monitor monitoring measured measure checked check
            predict predicts predictive activate activates affect affects discount positive negative significant
            company companies marketing authorisation authorization holder
            """
        ),
    )
)
#: Words to which a number after them belongs: "type 2".
_NUMBERED = words_of("type stage grade phase class group")
#: At most so many phrases for one term.
_MOST = 40


def expand_term(term: str) -> tuple[str, ...]:
    """The term, its synonyms, and words of what belongs to it."""
    term = strip_fillers(term) or term
    stems = _stem_words(term)
    bare = tuple(stem for stem in stems if stem not in _BESIDE) or stems
    tables = (*_read_synonyms(), *_read_narrower())
    found = [phrases for names, phrases in tables if stems in names or bare in names]
    every = (term, *_exchange_words(term), *(phrase for phrases in found for phrase in phrases))
    return tuple(dict.fromkeys(every))[:_MOST]


def strip_fillers(term: str) -> str:
    """The term without words that name nothing, and without a number at its end; empty if nothing is left of it."""
    words = [word for word in term.split() if stem_word(word.casefold()) not in _FILLERS]
    if len(words) > 1 and words[-1].isdigit() and words[-2].casefold() not in _NUMBERED:
        words.pop()
    return " ".join(words)


def _exchange_words(term: str) -> Iterator[str]:
    """The term with one of its words exchanged for a synonym: "renal failure" for "kidney failure"."""
    words = split_words(term)
    for index, word in enumerate(words) if len(words) > 1 else ():
        stems = _stem_words(word)
        for names, phrases in _read_synonyms():
            if stems in names:
                yield from (" ".join((*words[:index], other, *words[index + 1 :])) for other in phrases)


def find_synonyms(term: str) -> tuple[str, ...]:
    """Other names of the very thing that a term names: "stroke" is a "cerebrovascular accident"."""
    stems = _stem_words(term)
    return tuple(dict.fromkeys(phrase for names, phrases in _read_synonyms() if stems in names for phrase in phrases))


@cache
def _read_synonyms() -> Sequence[tuple[frozenset[tuple[str, ...]], tuple[str, ...]]]:
    lines = (tuple(line.split(", ")) for line in SYNONYMS.strip().splitlines())
    return [(frozenset(map(_stem_words, line)), line) for line in lines]


@cache
def _read_narrower() -> Sequence[tuple[frozenset[tuple[str, ...]], tuple[str, ...]]]:
    lines = (line.partition(": ") for line in _NARROWER.strip().splitlines())
    return [(frozenset(map(_stem_words, names.split(", "))), tuple(phrases.split(", "))) for names, _, phrases in lines]


def _stem_words(text: str) -> tuple[str, ...]:
    return tuple(map(stem_word, split_words(text)))
