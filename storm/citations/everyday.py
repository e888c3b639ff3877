"""Everyday words by meaning: a claim may use one where its quote has another of the same line.

A word may be in several lines. No line has opposites, nor two drugs, peoples, outcomes, or degrees of certainty:
which way something goes, who was treated, and how sure it is are read by other rules.
"""

from __future__ import annotations

from functools import cache

from storm.citations.terms import stem_word

#: One meaning a line.
_CLASSES = """
begin start commence initiate onset outset introduce open launch
end finish conclude cease stop terminate complete close conclusion final
continue proceed persist remain carry keep last endure ongoing maintain sustain still
return regain revert restore recover recovery resume normalise
act work function operate active action effect
block blocker blockade inhibit inhibitor antagonist antagonise anti suppress prevent hinder
block impede hamper obstruct interfere
bind attach target dock affinity bound
activate stimulate trigger switch agonist agonism
enter entry entrance influx inflow uptake import ingress penetrate
leave exit efflux outflow release secrete discharge egress
cross pass traverse penetrate transit
produce generate make form synthesise synthesis formation production output create creation
break degrade metabolise breakdown convert hydrolyse cleave catabolise metabolite
excrete recovered body eliminate clear clearance remove expel wash washout
eliminate abolish eradicate remove
absorb absorption uptake take
spread distribute disseminate diffuse
mix mixture blend combined
join attach connect link tie bond
heal cure resolve resolution recover recovery closure
grow growth proliferate expand expansion multiply
kill destroy death die lethal
damage injury injure harm hurt lesion wound trauma
tear rupture break burst
spasm spasmolytic antispasmodic spasmodic cramp
relax loosen
contract contractile constrict squeeze
widen dilate vasodilation
induce drive driven evoke trigger elicit provoke stimulate mediate dependent
mediate via through arise stem originate derive result due come
cause reason due because result
explain account attribute owe ascribe responsible
depend proportional proportionate
control manage regulate check
protect shield guard safeguard
help aid assist support
support back consistent agree accord agreement keeping line corroborate
contradict conflict disagree inconsistent contrary
avoid prevent spare avert escape forgo
allow permit enable let
need require necessary necessity essential mandatory must should
able can could capable possible feasible
unable cannot unsuitable option intolerant contraindicated incapable impossible tolerate
suitable appropriate fit proper adequate sufficient
inadequate insufficient poor
choose select pick opt choice chosen
divide split separate stratify subdivide partition stratification
replace substitute swap switch exchange supplant
switch change crossover transfer convert
alter modify modification adjust adapt amend change
unaltered unchanged unmodified constant stable steady
stable stabilise steady steadily hold
vary variable variation fluctuate
measure gauge quantify quantification assess evaluate score determine
test examine try trial study investigate explore assess
ask question survey interview poll questionnaire self-reported selfreport enquire
watch monitor observe supervise surveillance check screen track follow supervision
careful cautious caution close attentive watchful
detect find
show demonstrate prove reveal confirm establish document
known know established recognised understood
call term name dub label
mark indicate signal signify denote mean
foresee predict forecast prognostic prognosis
decide decision determine judge
agree consent
promise encouraging hopeful
report describe record note mention
believe think consider regard view deem opinion
rest based basis ground founded relied hinge underlie underlying built draw drawn
grant award win won gain obtain secure receive clear approve clearance licensed permission authorisation
law legal regulation regulatory statutory
fund sponsor finance
own self oneself selfreported selfrated
give administer supply deliver provide infuse dispense
take receive swallow ingest consume use
tablet pill
formulation preparation form version
standard usual conventional routine normal customary typical regular ordinary established traditional
standard benchmark reference
common frequent often usual widespread prevalent
rare uncommon seldom infrequent unusual rarity
main primary principal chief major key leading foremost central predominant
additional extra further more added supplementary other another incremental
incremental marginal
important relevant meaningful noteworthy crucial vital
minimally minimum least smallest lowest
maximally maximum most largest highest top greatest peak
lowest low smallest least minimum
highest high largest greatest maximum order increasing
order increasing ascending rising lowest highest
considerable marked substantial much far great strong large big sizeable appreciable pronounced profound dramatic
considerable markedly substantially
slight small modest little marginal minor somewhat trivial minimal negligible few
nearly almost close approaching virtually
exactly precisely just
about around roughly approximately some estimated
estimate calculated computed projected modelled
broad wide extensive wideranging
narrow limited restricted confined
whole entire full complete total overall all every each everyone throughout
overall general pooled total whole
many numerous several multiple various number
several many multiple various few handful
both two pair either couple
single one sole lone only alone
half halve
majority most
remainder rest remaining others balance
dozen twelve
twice double twofold
same identical equal alike
different distinct separate various other unlike dissimilar
unlike contrast contrary opposed
exclude except bar apart aside besides
include comprise contain involve incorporate encompass
available existing access
new novel original fresh latest recent
old older aged
prior previous earlier before past former preceding
later subsequent thereafter after following next then
during throughout over course while within
initial first early beginning baseline start
baseline enrolment entry inclusion randomisation start outset beginning
negative uninfected
free uninfected unaffected without
off pause paused rest stop interruption interrupt break suspend
unacceptable intolerable
bioavailability bioavailable circulation bloodstream systemic absorbed
impair decrease reduce worsen deteriorate
enzyme aminotransferase transaminase
contraindicated rule preclude prohibit forbid ban exclude
acceptable tolerable
final last end late latest
long prolonged extended lengthy chronic sustained longterm longstanding lasting
short brief transient temporary passing shortlived shortterm acute
prolong lengthen extend extension
immediate prompt rapid instant quick fast swift soon sudden abrupt
gradual slow slowly stepwise steady steadily
annual yearly
daily day everyday
overnight night nocturnal
morning am
evening night pm
simultaneous concurrent concomitant parallel together coadministered
adjunct addon added addition supplement supplementary plus
add addition addon combine plus supplement with alongside
strong potent powerful strength potency
weak weaken mild feeble asthenia
severe serious grave
mild slight light minor
moderate medium intermediate
rise climb
bad poor adverse unfavourable untoward undesirable unwanted
good favourable positive
dangerous harmful hazardous risky
expensive costly pricey dear
cheap inexpensive affordable
easy simple easily readily straightforward
hard difficult challenging difficulty
rich wealthy
clear evident obvious apparent
visible seen perceptible noticeable
measurable detectable demonstrable
correct accurate right precise accuracy
wrong incorrect mistaken error
incomplete partial partly
attack episode event bout spell
exacerbation flare worsening attack
attempt try effort
death die mortality deceased fatal
disease illness disorder sickness ailment condition
tumour cancer malignancy neoplasm carcinoma
metastatic spread disseminated
inflame inflammation inflammatory
allergy allergic hypersensitivity
sensitivity responsiveness
parkinson parkinsonian
epilepsy epileptic seizure
schizophrenia schizophrenic
psychosis psychotic
anaemia anaemic
leukaemia leukaemic
ischaemia ischaemic
hypoxia hypoxic
paralysis paralysed palsy
bruise contusion ecchymosis
hive urticaria
faint syncope
tremor shaking
numbness paraesthesia tingling
sweat perspiration hyperhidrosis
indigestion dyspepsia
flu influenza
shingles zoster
chickenpox varicella
tuberculosis tb
hunger hungry appetite
insomnia sleeplessness
weakness asthenia
discomfort pain soreness ache
stomach gastric intragastric gastro
gut bowel intestinal enteric gastrointestinal gi digestive
heart cardiac myocardial cardio myocardium cardiomyocyte
cell cellular cyte cardiomyocyte hepatocyte myocyte leukocyte lymphocyte
vein venous intravenous
vessel vascular vasculature
kidney renal nephro
liver hepatic hepato
lung pulmonary
airway bronchial respiratory
throat pharyngeal
nose nasal intranasal
ear otic aural
eye ocular ophthalmic
tooth teeth dental
pulp pulpal
spine spinal vertebral
joint articular
womb uterus uterine
cervix cervical
ovary ovarian
testis testicular testicle
bladder vesical
urine urinary
stool faecal faeces
face facial
limb extremity
chest thoracic
abdomen abdominal belly
spleen splenic
rectum rectal
skin dermal cutaneous epidermal transdermal
tissue histological
gene genetic
virus viral
bacterium bacterial bacteria
fungus fungal
platelet thrombocyte
white leukocyte leucocyte
red erythrocyte
calcium calcaemia
salt sodium
fat lipid fatty adipose
immune immunological
family relative kin household
mother maternal
parent caregiver carer
pupil student
worker staff employee personnel provider attendant
expert specialist
guideline guidance recommendation
home domestic household homebirth
community village local
centre site clinic facility institution
hospital clinic ward inpatient
country nation
region area zone district
worldwide global international multinational
rural countryside
urban city town
operation surgery surgical procedure
intervention procedure
anaesthesia anaesthetic
transplant graft
biopsy histology
scan imaging
dialysis haemodialysis
birth delivery childbirth labour deliver
treat treatment therapy
train taught
eat food meal feed diet
drink beverage
smoke smoker
sit seated
stand upright erect
lie supine recumbent
wake awake
walk gait ambulatory
sex gender
height tall
speed velocity pace
size big dimension
target goal aim
threshold cutoff cut boundary limit
limit restrict ceiling cap
criterion criteria requirement
scale index instrument inventory questionnaire score
plan schedule intend
unclear uncertain unknown
lack absence missing deficiency without absent
miss fail failure unmet unsuccessful
succeed success
lose loss lost decline
gain increase improve
worry concern anxious
anger angry
happen occur arise
forecast expected
gap difference interval distance
difference disparity discrepancy
similarity alike resemble
level concentration amount
amount quantity volume
exposure exposed
extent degree scope
mechanism mode pathway manner
role part function
property characteristic feature attribute
finding observation evidence
biochemical biochemistry
derivative analogue
voltage voltagegated gated operated dependent
coagulate clotting
rescue salvage
wash washout
pause interruption
withdraw discontinue stop quit
dropout withdraw
enrol recruit enlist enter join include
register registration
blind masked
"""


@cache
def words_alike(stem: str) -> frozenset[str]:
    """The stems of all words that share a line with the word, and its own."""
    return frozenset({stem}).union(*(line for line in _lines() if stem in line))


@cache
def _lines() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(stem_word, line.split())) for line in _CLASSES.strip().splitlines())
