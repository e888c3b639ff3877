"""Words by meaning that the thesaurus has otherwise or must not decide: a claim may use one where its quote has another
of the same line.

Words of degree, order, doubt and the like are here because the thesaurus is not asked about them (`support.py`). A word
may be in several lines. No line has opposites, nor two drugs, peoples, outcomes, or degrees of certainty: which way
something goes, who was treated, and how sure it is are read by other rules.
"""

from __future__ import annotations

from functools import cache

from storm.citations.terms import stem_word

#: One meaning a line.
_CLASSES = """
cause provoke
rest based basis ground founded hinge underlie built drawn
online web internet
introduce launch
finish complete conclude conclusion end
end cease stop terminate
return regain restore recover recovery normalise
block blocker blockade inhibit inhibitor antagonist antagonise anti suppress hinder
block impede hamper obstruct interfere
bind attach dock affinity bound
activate stimulate trigger agonist agonism
enter entry entrance influx inflow uptake import ingress penetrate
exit efflux outflow egress leave
release secrete discharge
cross pass traverse penetrate transit
break degrade metabolise breakdown hydrolyse cleave catabolise metabolite
excrete eliminate clear clearance expel
eliminate abolish eradicate remove
absorb absorption uptake
join attach connect link tie bond
heal closure
resolve resolution recover recovery
resolve disappear vanish gone lost relieve relieved free
exclude rule
grow growth proliferate expand expansion multiply
kill destroy
damage injury injure harm hurt
wound trauma
tear rupture break burst
spasm spasmolytic antispasmodic spasmodic cramp
contract contractile constrict squeeze
widen dilate vasodilation
induce drive driven evoke trigger elicit provoke stimulate
control regulate
protect shield guard safeguard
help aid assist support
support back corroborate
contradict conflict disagree inconsistent contrary
prevent avert
avoid forgo
allow permit enable let
need require necessary necessity essential
must mandatory require necessary
possible feasible
unable cannot incapable
divide split stratify subdivide partition stratification
replace substitute swap switch exchange supplant
switch crossover transfer convert
unaltered unchanged unmodified constant stable steady
stable stabilise steady steadily
ask question survey interview poll questionnaire self-reported selfreport enquire
careful cautious caution close attentive watchful
confirm establish
known know established recognised understood
mark indicate signal signify denote mean
foresee predict forecast prognostic prognosis
agree consent
promise encouraging hopeful
believe think consider regard view deem opinion
grant award win won gain obtain secure receive
approve licensed permission authorisation
law legal regulation regulatory statutory
fund sponsor finance
formulation preparation form version
standard usual conventional routine customary traditional
standard benchmark reference
common frequent often widespread prevalent
rare seldom rarity
uncommon infrequent unusual
main primary principal chief
main leading foremost predominant
important relevant meaningful noteworthy
online web internet
crucial vital key essential
cheap cheaper cost
minimally minimum least smallest lowest
maximally maximum largest highest top greatest peak
ascending increasing rising
considerable marked markedly substantial substantially large great pronounced
dramatic profound
slight small modest little marginal minor somewhat
trivial minimal negligible
broad wide extensive wideranging
narrow limited restricted confined
whole entire full complete throughout
all every each everyone
several multiple various
single one sole lone
sole only alone
majority most
remainder rest remaining balance
twice double twofold
different distinct unlike dissimilar
exclude except bar apart aside besides
available existing
initial first beginning start
enrolment entry inclusion
negative uninfected
free without
uninfected unaffected
pause paused interruption interrupt break suspend off
impair worsen deteriorate
prohibit forbid ban
acceptable tolerable
long prolonged extended lengthy longterm
chronic longstanding
short brief
transient temporary passing shortlived
immediate instant prompt
gradual slow slowly stepwise
daily day everyday
overnight night nocturnal
morning am
evening night pm
strong potent powerful strength potency
weak weaken feeble
mild slight light minor
moderate medium intermediate
bad poor
adverse unfavourable untoward undesirable unwanted
good favourable
dangerous harmful hazardous risky
easy simple easily readily straightforward
hard difficult challenging difficulty
correct accurate right precise accuracy
incomplete partial partly
attack episode bout spell
exacerbation flare worsening
disease illness disorder sickness ailment condition
tumour cancer malignancy neoplasm
metastatic spread disseminated
sensitivity responsiveness
leukaemia leukaemic
hypoxia hypoxic
bruise contusion ecchymosis
hive urticaria
tremor shaking
paraesthesia tingling
tuberculosis tb
hunger hungry appetite
insomnia sleeplessness
pain soreness ache
stomach gastric intragastric gastro
gut bowel intestinal enteric
gastrointestinal gi digestive
heart cardiac myocardial cardio myocardium
cell cellular cyte
vein venous intravenous
vessel vascular vasculature
airway bronchial respiratory
nose nasal intranasal
ear otic aural
pulp pulpal
spine spinal vertebral
womb uterus uterine
stool faecal faeces
limb extremity
skin dermal cutaneous epidermal transdermal
tissue histological
white leukocyte leucocyte
red erythrocyte
calcium calcaemia
salt sodium
fat lipid fatty adipose
immune immunological
family familial kin household
parent caregiver carer
worker staff employee personnel provider attendant
expert specialist
guideline guidance recommendation
home domestic household homebirth
community village local
centre site facility institution
hospital ward
region area zone district
worldwide global international multinational
rural countryside
urban city town
operation surgery surgical procedure
intervention procedure
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
walk gait ambulatory
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
forecast expected
gap difference
difference disparity discrepancy
similarity alike resemble
amount quantity volume
mechanism mode pathway manner
rescue salvage
withdraw discontinue stop quit
blind masked
"""


@cache
def words_alike(stem: str) -> frozenset[str]:
    """The stems of all words that share a line with the word, and its own."""
    return frozenset({stem}).union(*(line for line in _lines() if stem in line))


@cache
def _lines() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(stem_word, line.split())) for line in _CLASSES.strip().splitlines())
