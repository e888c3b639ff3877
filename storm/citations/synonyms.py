"""Synonyms, one meaning a line."""

from __future__ import annotations

#: The first word of a line is the name of its meaning.
SYNONYMS = """
overall survival, os
progression free survival, pfs
disease free survival, dfs
event free survival, efs
relapse free survival, recurrence free survival, rfs
metastasis free survival, mfs
invasive disease free survival, idfs
pathological complete response, pathologic complete response, pcr
objective response, overall response, orr, objective response rate, overall response rate
complete response, complete remission
partial response, partial remission
stable disease
time to progression, ttp
quality of life, qol, hrqol, health related quality of life
hazard ratio, hazards ratio
odds ratio
relative risk, risk ratio
rate ratio
confidence interval, confidence limits, confidence intervals
credible interval
standard deviation, sd, s.d.
standard error, sem
interquartile range, iqr, inter quartile range
range, ranged, ranging
half life, half lives, t1/2
area under the curve, auc
maximum concentration, peak concentration, cmax, maximal concentration
survival, survive, survivor, live, lived, alive, living
mortality, death, die, died, dying, dead, deceased, fatal, fatality, lethal, lethality, killed
response, respond, responder, responded
remission, remit
relapse, recurrence, recur, recurrent, come back, came back, comes back, coming back
progression, progress, progressive
adverse event, adverse effect, adverse reaction, side effect, ae, aes, undesirable effect, adverse drug reaction
adverse event, untoward effect, adverse experience
toxicity, toxic, toxicities
tolerability, tolerate, tolerated, tolerable
discontinue, stop, stopped, cease, withdraw, withdrew, withdrawn, withdrawal, dropout, drop out, discontinuation
discontinue, abandon, halt
interrupt, pause, interruption
continue, continuation, maintain, maintenance, maintained
start, begin, began, begun, initiate, initiation, commence, onset
hospital, hospitalise, hospitalize, hospitalisation, hospitalization, admission, admitted, inpatient
bleeding, blood loss, haemorrhage, hemorrhage, bleed, haemorrhagic, hemorrhagic
myocardial infarction, heart attack, mi
stroke, cerebrovascular accident
heart failure, cardiac failure, chf, congestive heart failure
ejection fraction, lvef, left ventricular ejection fraction
blood pressure, bp
systolic blood pressure, sbp, systolic bp, systolic pressure
diastolic blood pressure, dbp, diastolic bp, diastolic pressure
hypertension, high blood pressure, hypertensive
hypotension, low blood pressure
hypoglycaemia, hypoglycemia, low blood sugar, low blood glucose, hypoglycemic, hypoglycaemic
hyperglycaemia, hyperglycemia, high blood sugar, high blood glucose
glucose, blood sugar, sugar, blood glucose
fasting glucose, fasting plasma glucose, fpg, fasting blood glucose, fasting blood sugar
hba1c, glycated haemoglobin, glycated hemoglobin, glycosylated haemoglobin, glycosylated hemoglobin, haemoglobin a1c
hba1c, hemoglobin a1c, a1c
ldl, ldl cholesterol, low density lipoprotein, low density lipoprotein cholesterol, ldl c
hdl, hdl cholesterol, high density lipoprotein, high density lipoprotein cholesterol, hdl c
body mass index, bmi
body weight, weight, bodyweight
diabetes, diabetic
type 2 diabetes, t2dm, t2d, type 2 diabetes mellitus
kidney, renal, nephric, nephro
kidney disease, nephropathy, renal disease
liver, hepatic, hepato
aminotransferase, transaminase, aminotransferases
heart, cardiac, cardio
lung, pulmonary
skin, cutaneous, dermal
brain, cerebral
stomach, gastric
bowel, intestinal, intestine
breast, mammary
bone marrow, marrow
cancer, carcinoma, malignancy, malignant
tumour, tumor, neoplasm
metastatic, metastasis, metastases, metastasise, metastasize
advanced, late stage
early, early stage, soon
nsclc, non small cell lung cancer, non small cell lung carcinoma
fever, pyrexia, febrile, feverish
vomiting, emesis, vomit, emetic
nausea, nauseous
diarrhoea, diarrhea, loose stools
rash, exanthema
corticosteroid, steroid, glucocorticoid
readmission, readmit, rehospitalisation, rehospitalise, hospital readmission, readmitted to hospital
any cause, all cause, all causes
hand foot syndrome, palmar plantar erythrodysesthesia, palmar plantar erythrodysaesthesia, hand foot skin reaction
alopecia, hair loss
fatigue, tiredness, tired
pain, painful, ache
headache, headaches
itching, pruritus, itch
sleepiness, somnolence, drowsiness, drowsy, sedation, sedated
dizziness, dizzy, vertigo
depression, depressive, depressed
anxiety, anxious
dyspnoea, dyspnea, breathlessness, shortness of breath
thrombosis, thrombotic, blood clot, clot, thrombus
fracture, broken bone
injection, inject
infusion, infuse
intravenous, iv, intravenously
intensive care, icu, intensive care unit
high dose, higher dose, larger dose, high doses, higher doses
low dose, lower dose, smaller dose, low doses, lower doses
heart rate, pulse, pulse rate
mean arterial pressure, map, mean arterial blood pressure
glomerular filtration rate, gfr
estimated glomerular filtration rate, egfr
chronic kidney disease, ckd
cardiovascular disease, cvd
coronary heart disease, chd
coronary artery disease, cad
copd, chronic obstructive pulmonary disease
atrial fibrillation, af
magnetic resonance imaging, mri
computed tomography, ct
electrocardiogram, ecg, ekg
c reactive protein, crp, hscrp, hs crp, high sensitivity c reactive protein, high sensitivity crp
parathyroid hormone, pth, ipth, intact pth, intact parathyroid hormone, parathormone
gastrointestinal, gi
central nervous system, cns
visual analogue scale, vas, visual analog scale
rheumatoid arthritis, ra
randomised controlled trial, rct
serious adverse event, sae, serious side effect, serious adverse effect, serious adverse reaction
total cholesterol, tc
triglyceride, tg, triacylglycerol
inferior vena cava, ivc
percutaneous coronary intervention, pci
glucagon like peptide 1, glp1
general practitioner, gp, family doctor
school, schools
meal, prandial, eating
vaccine, vaccinate, vaccination, vaccinated, immunise, immunisation
evening, nightly, night
sunshine, sunlight, sun
oral, orally, by mouth, po
subcutaneous, subcutaneously, sc
injection site
child, children, paediatric, pediatric, kid, childhood
infant, baby, babies, newborn, neonate, neonatal
adolescent, teenager, adolescence, teen
adult, adults, grown up
elderly, older people, older adult, older patient, senior, older adults, older patients
woman, women, female
man, men, male
pregnant, pregnancy, gestation, gestational
mouse, mice, murine
rat, rats
dog, dogs, canine
monkey, monkeys, macaque, cynomolgus
rabbit, rabbits
healthy, in good health
healthy volunteer, healthy subject, healthy participant, healthy volunteers, healthy subjects
volunteer, volunteers
xenograft, xenografts
placebo, dummy, inert
monoclonal antibody, mab, antibody
chemotherapy, cytotoxic therapy, chemotherapeutic
radiotherapy, radiation, irradiation, radiation therapy
surgery, operation, surgical, resection, operate, operative
intraoperative, during operation, during surgery, during the operation, perioperative
operating time, operation time, intraoperative time, operative time, surgical time, surgery time, surgery duration
operating time, operation duration, duration of surgery, duration of the operation, length of surgery
approve, approval, authorise, authorize, authorisation, authorization, license, licence, licensed
approve, marketing authorisation
market, marketed, marketing, launch, launched, on sale, sell, sold
recommend, recommendation, advise, advice, advised
indicated, indication
contraindicate, contraindication
allow, permit, permitted
warn, warning, caution
expire, expiry, expiration, lapse
patent, patents, patented
bind, binding, bound, attach
express, expression, overexpress, overexpression
receptor, receptors
mechanism, mechanisms, mode of action, mechanism of action
clearance, cleared
absorption, absorb
excretion, excrete
concentration, concentrations
plasma, serum, blood
steady state
frequent, common, commonest, often, frequency, commonly, frequently
rare, rarely, uncommon, infrequent, seldom, infrequently
incidence, incident
prevalence, prevalent
severe, serious, severely
mild, mildly
moderate, moderately
complete, completely, full, fully, completed, finish
primary endpoint, primary end point, primary outcome
secondary endpoint, secondary end point, secondary outcome
endpoint, end point
baseline, at entry, at study entry, at the start, at the outset
baseline, at the beginning, at inclusion, at the start of the study, at the beginning of the study
follow up, followup
week, weekly, wk, wks, weeks
day, daily, days, qd, diurnal
month, monthly, mo, mos, months
year, yearly, yr, yrs, annual, annually, years
hour, hourly, hr, hrs, h, hours
minute, min, mins, minutes
second, sec, secs
twice, bid, two times, 2 times
thrice, tid, three times
double, twofold, two fold, 2 fold, doubled, doubling
dose limiting, dlt
median, medians
mean, average, averaged, means
maximum, maximal, peak, highest
minimum, minimal, lowest
total, altogether, in all
random, randomised, randomized, randomly, randomisation, randomization
double blind, double blinded, double masked
open label
multicentre, multicenter
united states, us, usa, u.s
united kingdom, uk
european union, eu
fda, food and drug administration
ema, european medicines agency
intention to treat, itt
first line, firstline, frontline
second line
third line
twelve months, one year
titrate, titration, titrated, uptitrate, uptitrated
white, caucasian
black, african american
smoker, smoke, smoking, tobacco
alcohol, ethanol, drinking
obese, obesity
overweight
cause, causal, causality
symptom, symptomatic
disease, disorder, illness
naive, untreated, treatment naive, previously untreated
previous, prior, previously, earlier, formerly
pretreated, previously treated, refractory
resistance, resistant
failure, fail
positive, seropositive
negative, seronegative
intermediate
disability, disabled
independent, independently
disintegrate, dissolve
expected, anticipated
alone, monotherapy, single agent, on its own, by itself, in isolation
life expectancy
cost, costs, price, expense
main, mainly, chiefly, primarily, largely, principally, mostly, predominantly
only, solely, exclusively, confined to, restricted to, limited to
fasting, fasted
rapid, rapidly, fast, quick, quickly, swift, swiftly
marked, markedly, substantial, substantially, considerable, considerably
new, novel
sustained, lasting, durable, persistent, persist
long term, longterm
vitreous, intravitreal
younger, youth
refuse, reject, refusal, rejection, turn down
delay, postpone, defer
risk, chance, likelihood, probability
impair, impairment, dysfunction, insufficiency, impaired
exacerbate, exacerbation, flare
consumption, consume, intake
prescription, prescribe
perception, perceive
retention, retain
resolution, resolve
growth, grow
birth, born, childbirth
breath, breathe, breathing, respiration, respiratory
belief, believe
choice, choose, chose, chosen
speech, speak, spoken
strength, strong
length, long
depth, deep
width, wide
height, tall
satisfaction, satisfied, satisfy
sensitivity, sensitive
walk, walking, gait
weigh, weighed
teach, taught, teaching
train, training
vision, visual, sight, eyesight
slight, slightly, small, modest, modestly, little, somewhat, marginal, marginally, minimally, bit
hear, hearing, auditory
diet, dietary
drink, drank, drunk
tooth, teeth, dental
foot, feet
mouth, oral cavity
eye, eyes, ocular, ophthalmic
blood vessel, vascular, vessel
nerve, neural, nervous, neuro
muscle, muscular
bone, osseous, skeletal
protect, protection, protective
generic, generics
biosimilar, biosimilars
manufacture, manufacturer, maker, company
ingredient, constituent
ulcer, ulcers, ulceration
seizure, seizures, fit, convulsion
heartburn, reflux
swelling, edema, oedema
jaundice, icterus
kidney failure, renal failure
kidney function, renal function
liver function, hepatic function
memory, recall
sleep, sleeping
cough, coughing
low platelets, thrombocytopenia, low platelet count
low neutrophils, neutropenia, low neutrophil count
ongoing, underway, current, currently
treatment, therapy
previous treatment, prior treatment, prior therapy, previous therapy
loss, lose, lost
quit, quitter, quitters, quitting
wear, wearer, worn, wore
doctor, physician, clinician, practitioner
entire, whole
extra, additional
success, succeed, successful
abolish, eradicate
confirm, verify, proven
outside, outdoors
thin, thinner, thinning
thick, thicker, thickness
compliance, adherence, comply, complied, compliant, adhere, adhered, adherent
"""
