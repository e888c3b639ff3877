"""Words by which a question is known as biomedical, and those of grammar and of asking."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from storm.citations.everyday import words_alike
from storm.citations.terms import stem_word
from storm.citations.vocabulary import (
    BETTER,
    DEMOGRAPHICS,
    DOWN,
    GRAMMAR,
    HEDGES,
    NEUTRAL,
    NONHUMAN,
    PEOPLE,
    UP,
    WORSE,
    words_of,
)  # fmt: skip

#: Diseases, symptoms and states of the body.
_CONDITIONS = words_of(
    """
    pain ache aches headache headaches migraines insomnia fatigue nausea vomiting fever cough itch itching dizziness
    tinnitus acne eczema rash allergy allergies allergic anaphylaxis covid influenza flu cold measles malaria
    tuberculosis sepsis pneumonia copd ibd crohn crohn's colitis coeliac celiac ibs reflux gerd heartburn ulcer ulcers
    constipation diarrhea diarrhoea obese overweight diabetic prediabetes cholesterol hypercholesterolaemia
    hypertensive anxiety adhd autism autistic ptsd ocd bipolar psychosis dementia alzheimer alzheimer's parkinson
    parkinson's als epileptic seizure seizures concussion palsy sclerosis lupus gout osteoporosis fracture fractures
    menopause endometriosis infertility miscarriage preeclampsia pcos incontinence cancers tumours tumors metastases
    metastasis leukemias lymphomas anaemia anemia thrombosis embolism arrhythmia angina atherosclerosis cardiovascular
    alzheimers parkinsons crohns atrophy exacerbation exacerbations flare flares flare-up flare-ups tremor tremors
    spasm spasms cramp cramps bruising redness sores falls
    strokes diabetes cardiac cirrhosis jaundice fibrosis cystic psoriatic rheumatoid alopecia baldness burnout
    addiction alcoholism delirium frailty sarcopenia malnutrition deficiency infections infected viral bacterial fungal
    aids hepatitis chlamydia syphilis herpes shingles hpv ebola dengue rabies mpox lyme mortality hangover jetlag
    wound wounds burn burns bruise sprain backache sciatica scoliosis whiplash cavities caries periodontitis
    cataract glaucoma myopia blindness deafness snoring apnea apnoea
    kopfschmerzen schmerzen krebs bluthochdruck schlaganfall douleur cancer cancro dolor fiebre hipertension
    """
)
#: Treatments, parts of the body, and the vocabulary of medicine and biology.
_MEDICAL = words_of(
    """
    drug drugs medicine medicines medication medications medical clinical clinically therapeutic pharmacology
    pharmaceutical vaccine vaccines vaccination vaccinated immunisation immunization antibiotic antibiotics antiviral
    antivirals antidepressant antidepressants antipsychotic antipsychotics anticoagulant anticoagulants analgesic
    analgesics painkiller painkillers opioid opioids chemotherapy radiotherapy immunotherapy radiation surgery surgical
    transplant transplantation hormone hormones hormonal contraceptive contraception antibody antibodies biosimilar
    biosimilars monoclonal supplement supplements vitamin vitamins probiotic probiotics placebo dose dosage dosing
    prescription inhaler inhalers insulin statin statins steroid steroids inhibitor inhibitors agonist agonists
    antagonist antagonists blocker blockers diuretic diuretics psychotherapy cbt physiotherapy acupuncture dialysis
    patient patients hospital hospitalised hospitalized icu physician nurse symptom symptoms disease diseases disorder
    disorders syndrome diagnosis diagnostic prognosis screening biopsy mri ct prevalence comorbidity epidemiology
    mammography colonoscopy blood heart cardiac lung lungs liver kidney kidneys brain cerebral cortex neuron neurons
    neuronal nerve nerves skin bone bones muscle muscles joint joints knee knees hip spine spinal gut intestinal bowel
    stomach gastric esophagus colon rectum pancreas thyroid adrenal prostate breast ovary uterus cervix bladder eye
    eyes retina ear teeth tooth gum dental artery arteries vein platelet platelets plasma serum glucose sugar insulin
    immune immunity inflammation inflammatory microbiome microbiota bacteria bacterium virus viruses pathogen
    gene genes genetic genome genomic crispr mutation mutations protein proteins enzyme enzymes receptor receptors
    rna mrna dna cell cells cellular stem tissue molecular biomarker biomarkers metabolism metabolic mitochondria
    mitochondrial hormone cortisol dopamine serotonin estrogen oestrogen testosterone melatonin caffeine
    pregnancy pregnant breastfeeding lactation foetal fetal birth neonatal pediatric paediatric geriatric
    diet dietary calories bmi weight fasting nutrition nutritional keto exercise aerobic physiotherapy
    sleep smoking smokers tobacco vaping nicotine cannabis cannabinoid cannabinoids alcohol psychedelic psychedelics
    hospitalisation hospitalisations hospitalization hospitalizations appetite gait
    pressure rate attack attacks beats trial trials her2 egfr brca1 brca2 vegf braf kras pd-1 pd-l1
    longevity lifespan ageing aging pharmacogenomic oncology cardiology psychiatry psychiatric neurology
    failure infarction arrest
    toxicity toxicology cytokine cytokines peptide lipid lipids ldl hdl triglycerides hba1c autoimmune
    """
)
_ENDINGS = re.compile(
    r".{2,40}(?:itis|osis|oses|emia|aemia|oma|omas|algia|pathy|pathies|penia|plegia|rrh(?:o)?ea|uria|megaly|ectomy|"
    r"otomy|plasty|oscopy|sclerosis|trophy|kinesia|tonia|carcinoma|toxic|toxicity|ogenic|immune|virus|coccus|bacter)"
)
_NOT_MEDICAL = words_of("diploma aroma osmosis diagnosis hypothesis empathy sympathy apathy telepathy")
#: Words of people and of degree, which tell no condition: those of the list of diseases that other questions use.
_GENERAL = words_of(f"{DEMOGRAPHICS} disease syndrome disorder positive negative advanced early failure resistant")
#: Words that have other meanings as well: it takes two of them.
_WEAK = words_of(
    """
    falls flare flares pressure rate attack attacks beats trial trials
    cold cell cells heart stem eye eyes birth burn burns blood weight diet ct als aids gum hip skin vein brain shock
    culture ear medical medicine failure nurse sugar screening blocker blockers radiation tissue
    infarction arrest
    longevity alcohol smoking tobacco cannabis addiction burnout prescription vein patient
    patients placebo virus viral bladder calories fasting aging ageing hospital
    """
)
_SICK = words_of(PEOPLE) - _GENERAL

#: Words of asking and of judging, beside those of grammar and of reporting.
_ASKING = words_of(
    """
    please tell explain summarise summarize overview review reviews survey know knows known think thinks opinion
    recommend recommended recommends advice advise best worst better good bad great top ideal optimal right wrong true
    false worth important popular common commonly rare really currently current latest recent recently new newest old
    modern today now future available possible different various main major key general general overall brief report
    write give list discuss cover focus include includes including using use used uses become can could should may
    might must shall there's who's what's how's it's i'm i've don't doesn't isn't aren't can't won't didn't wasn't
    take takes taking taken start stop starting stopping get gets getting make makes making go going work works
    happen happens someone somebody anyone everyone people person everybody thing things stuff way ways lot lots
    day days week weeks month months year years time times hour hours daily weekly long short term beyond
    like practices practice approach approaches sense scientifically scientific validated proven evidence-based
    state art role impact influence link links linked relationship relation association associated between
    often frequently ratio ratios price prices cost costs ongoing recruiting registered
    underutilized underused profoundly transforming ignore previous instructions instruction system prompt
    write answer answers question questions topic say says said anything something nothing help helps need needs
    all twice cheap cheaper cheapest expensive expire expires expired drink drinking eat eating hurt hurts hurting
    print prompts risk risks pay pays raise raises getting told tested test keep
    want wants try trying tried consider considering likely suggest suggests show shows find finds
    am is are was were be been being do does did has have had will would yes ok okay thanks thank hello dear hi
    """
)
#: Words of grammar of other languages that are no English ones.
FOREIGN = words_of(
    """
    der die das den dem des ein eine einer eines einem einen und oder aber ist sind wird werden wie wer wann warum
    welche welcher welches mit ohne bei von vom zum zur im fur gegen nach uber auf aus nicht kann konnen soll man ich
    hat haben gibt es sich auch noch durch wahrend
    le la les un une des du de et ou est sont avec sans pour par dans sur quels quelles quel quelle comment pourquoi
    que qui chez ce cette ces il elle au aux plus ne pas peut
    el los las una unos unas y o es son con sin para por en cuales cual como que quien del al se puede pueden durante
    lo su sus mas muy hay personnes personas son
    gli uno e sono con senza per nel nella nei nelle che chi quali quale come perche della dello dei degli delle il di
    os um uma e sao com sem em no na nos nas qual quais do da dos das pelo pela
    """
) - {"die", "man", "sind", "e", "o", "y", "do", "no", "en", "con", "all", "per", "os", "come", "is"}

_ALL_GRAMMAR = GRAMMAR | _ASKING | FOREIGN


@cache
def _reporting_stems() -> frozenset[str]:
    return frozenset(map(stem_word, NEUTRAL))


@cache
def _common_stems() -> frozenset[str]:
    tables = (UP, DOWN, BETTER, WORSE, HEDGES, NONHUMAN, DEMOGRAPHICS)
    words = NEUTRAL.union(_ASKING, *map(words_of, tables))
    return frozenset(map(stem_word, words))


def is_grammar(word: str) -> bool:
    """Whether a folded word is one of grammar, or one of asking, in English or another language."""
    bare = word.removesuffix("'s").removesuffix("’s")
    return not {word, bare}.isdisjoint(_ALL_GRAMMAR)


def is_reporting(word: str) -> bool:
    """Whether a folded word is one of grammar, or of any study: "patients"."""
    return is_grammar(word) or stem_word(word) in _reporting_stems()


def is_common(word: str) -> bool:
    """Whether a folded word is one of reporting or everyday use, which names no subject."""
    return is_grammar(word) or stem_word(word) in _common_stems()


#: Ordinary words of questions that name nothing which a text on them must name.
_ORDINARY = words_of(
    """
    average worldwide globally prescribing prescribe prescribed longest shortest earliest oldest original nowadays
    historical typical typically sometimes always never soon earlier far next prior third fourth fifth originally
    chiefly primarily especially particularly exactly extremely neither none enough sufficient insufficient adequate
    appropriate suitable proper impossible certain sure unsure unproven disputed debated controversial significant
    serious big tiny huge fast quick quickly complex complicated affordable unavailable accessible forbidden illegal
    official formal informal private national doctor doctors physicians clinician clinicians nurses pharmacist clinic
    real world range purpose drawback drawbacks problem problems threat option options choice choices choose chosen
    policy policies continue continues continued meant discover discovered knew suppose supposed depend depends
    depended correlate correlated correlation stay succeed success successful position why whether company companies
    obtained run buy bought supply supplied paid payer payers money dollars euros date dates overseas abroad invented
    located location concern concerns kind
    """
)


def is_everyday(word: str) -> bool:
    """Whether a folded word is common or ordinary, or stands in the table of everyday words by meaning."""
    return is_common(word) or word in _ORDINARY or len(words_alike(stem_word(word))) > 1


def is_condition(word: str) -> bool:
    """Whether a folded word names a disease or symptom."""
    if word in _CONDITIONS or word in _SICK:
        return True
    return bool(_ENDINGS.fullmatch(word)) and word not in _NOT_MEDICAL


def are_biomedical(words: Iterable[str]) -> bool:
    """Whether folded words show that a text is on medicine or biology: one that has no other meaning, or two."""
    found = set(filter(is_biomedical, words))
    return bool(found - _WEAK) or len(found) > 1


def is_biomedical(word: str) -> bool:
    """Whether a folded word belongs to medicine or biology."""
    return word in _MEDICAL or is_condition(word)
