"""Everyday words by meaning: a claim may use one where its quote has another of the same line.

A word may be in several lines. No line has opposites, nor two drugs, peoples, outcomes, or degrees of certainty:
which way something goes, who was treated, and how sure it is are read by other rules.
"""

from __future__ import annotations

from functools import cache

from storm.citations.terms import stem_word

#: One meaning a line.
_CLASSES = """
begin start commence initiate onset outset
introduce launch
finish complete conclude conclusion end
end cease stop terminate
continue persist remain keep last endure ongoing maintain sustain still
return regain restore recover recovery normalise
act work function operate action
block blocker blockade inhibit inhibitor antagonist antagonise anti suppress hinder
block impede hamper obstruct interfere
bind attach dock affinity bound
activate stimulate trigger agonist agonism
enter entry entrance influx inflow uptake import ingress penetrate
exit efflux outflow egress leave
release secrete discharge
cross pass traverse penetrate transit
produce generate make form synthesise synthesis formation production output create creation
break degrade metabolise breakdown hydrolyse cleave catabolise metabolite
excrete eliminate clear clearance expel
eliminate abolish eradicate remove
absorb absorption uptake
spread distribute disseminate diffuse
mix mixture blend combined
join attach connect link tie bond
heal closure
resolve resolution recover recovery
grow growth proliferate expand expansion multiply
kill destroy
damage injury injure harm hurt
wound trauma
tear rupture break burst
spasm spasmolytic antispasmodic spasmodic cramp
relax loosen
contract contractile constrict squeeze
widen dilate vasodilation
induce drive driven evoke trigger elicit provoke stimulate
mediate via through
arise stem originate derive result due come
explain account attribute owe ascribe responsible
control manage
control regulate
protect shield guard safeguard
help aid assist support
support back corroborate
consistent agree accord agreement keeping line
contradict conflict disagree inconsistent contrary
prevent avert
avoid forgo
allow permit enable let
need require necessary necessity essential
must mandatory require necessary
possible feasible
unable cannot incapable
suitable appropriate fit proper
adequate sufficient
inadequate insufficient
choose select pick opt choice chosen
option choice
divide split stratify subdivide partition stratification
replace substitute swap switch exchange supplant
switch crossover transfer convert
alter modify modification adjust adapt amend change
unaltered unchanged unmodified constant stable steady
stable stabilise steady steadily
vary variable variation fluctuate
measure gauge quantify quantification assess evaluate score determine
test examine try trial study investigate explore assess
ask question survey interview poll questionnaire self-reported selfreport enquire
watch monitor observe supervise surveillance check track follow supervision
careful cautious caution close attentive watchful
confirm establish
known know established recognised understood
call term name dub label
mark indicate signal signify denote mean
foresee predict forecast prognostic prognosis
decide decision determine judge
agree consent
promise encouraging hopeful
believe think consider regard view deem opinion
rest based basis ground founded relied hinge underlie underlying built draw drawn
grant award win won gain obtain secure receive
approve licensed permission authorisation
law legal regulation regulatory statutory
fund sponsor finance
own self oneself selfreported selfrated
give administer supply deliver provide infuse dispense
take receive swallow ingest consume use
tablet pill
formulation preparation form version
standard usual conventional routine customary traditional
standard benchmark reference
common frequent often widespread prevalent
rare seldom rarity
uncommon infrequent unusual
main primary principal chief
main leading foremost predominant
additional extra further added supplementary
important relevant meaningful noteworthy
crucial vital
minimally minimum least smallest lowest
maximally maximum largest highest top greatest peak
ascending increasing rising
considerable marked markedly substantial substantially large great pronounced
large big sizeable
dramatic profound
slight small modest little marginal minor somewhat
trivial minimal negligible
nearly almost close approaching virtually
exactly precisely just
estimate calculated computed projected modelled
broad wide extensive wideranging
narrow limited restricted confined
whole entire full complete throughout
all every each everyone
many numerous
several multiple various
both two pair couple
single one sole lone
sole only alone
half halve
majority most
remainder rest remaining balance
dozen twelve
twice double twofold
different distinct unlike dissimilar
separate distinct
unlike contrast contrary opposed
exclude except bar apart aside besides
include comprise contain involve incorporate encompass
available existing
new novel original fresh
latest recent
prior previous earlier before past former preceding
later subsequent thereafter after following next then
initial first beginning start
baseline outset start
enrolment entry inclusion
negative uninfected
free without
uninfected unaffected
pause paused interruption interrupt break suspend off
unacceptable intolerable
impair worsen deteriorate
prohibit forbid ban
acceptable tolerable
long prolonged extended lengthy longterm
chronic longstanding
short brief
transient temporary passing shortlived
immediate instant prompt
prompt rapid quick fast swift
sudden abrupt
gradual slow slowly stepwise
daily day everyday
overnight night nocturnal
morning am
evening night pm
simultaneous concurrent concomitant parallel together coadministered
adjunct addon added addition supplement supplementary plus
add addition addon combine plus supplement with alongside
strong potent powerful strength potency
weak weaken feeble
mild slight light minor
moderate medium intermediate
bad poor
adverse unfavourable untoward undesirable unwanted
good favourable
dangerous harmful hazardous risky
expensive costly pricey dear
cheap inexpensive affordable
easy simple easily readily straightforward
hard difficult challenging difficulty
rich wealthy
clear evident obvious apparent
visible seen perceptible noticeable
correct accurate right precise accuracy
wrong incorrect mistaken error
incomplete partial partly
attack episode bout spell
exacerbation flare worsening
attempt try effort
disease illness disorder sickness ailment condition
tumour cancer malignancy neoplasm
metastatic spread disseminated
inflame inflammation inflammatory
allergy allergic hypersensitivity
sensitivity responsiveness
epilepsy epileptic
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
paraesthesia tingling
sweat perspiration hyperhidrosis
indigestion dyspepsia
flu influenza
shingles zoster
chickenpox varicella
tuberculosis tb
hunger hungry appetite
insomnia sleeplessness
weakness asthenia
pain soreness ache
stomach gastric intragastric gastro
gut bowel intestinal enteric
gastrointestinal gi digestive
heart cardiac myocardial cardio myocardium
cell cellular cyte
vein venous intravenous
vessel vascular vasculature
airway bronchial respiratory
throat pharyngeal
nose nasal intranasal
ear otic aural
pulp pulpal
spine spinal vertebral
joint articular
womb uterus uterine
cervix cervical
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
family familial kin household
mother maternal
parent caregiver carer
pupil student
worker staff employee personnel provider attendant
expert specialist
guideline guidance recommendation
home domestic household homebirth
community village local
centre site facility institution
hospital ward
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
birth delivery childbirth deliver
train taught
eat food meal feed diet
drink beverage
sit seated
stand upright erect
lie supine recumbent
wake awake
walk gait ambulatory
sex gender
speed velocity pace
size dimension
target goal aim
threshold cutoff cut boundary limit
limit restrict ceiling cap
scale index instrument inventory questionnaire score
plan schedule intend
unclear uncertain unknown
lack absence without absent
miss fail failure unmet unsuccessful
worry concern anxious
anger angry
forecast expected
gap difference
difference disparity discrepancy
similarity alike resemble
level concentration amount
amount quantity volume
extent degree scope
mechanism mode pathway manner
property characteristic feature attribute
finding observation evidence
biochemical biochemistry
coagulate clotting
rescue salvage
wash washout
withdraw discontinue stop quit
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
