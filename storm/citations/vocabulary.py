"""Word lists: grammar, reporting, directions, doubt, people, animals, study designs and drugs.

The tables are plain text; `terms` reads them by stems, so that one form stands for all.
"""

from __future__ import annotations


def words_of(text: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(text.split())


#: Words and marks that end a clause.
CLAUSE_ENDS = words_of(", ; : ( ) but whereas while although though")
#: Words of grammar; other rules read those that change the meaning, such as "not" and "after".
GRAMMAR = words_of(
    """
    a an the this that these those it its itself they them their there he she his her him we our us you your i me my
    who whom whose which what when where how of in on at by for from to into onto with within as is are was were be
    been
    being am do does did done has have had having will would shall should and or nor but yet so such than then thus
    hence if while whereas though although versus vs v against among amongst between across through throughout during
    per each every any some other others another also too further furthermore moreover however both either one ones
    two three
    same own about around approximately out up off via upon toward towards under over above below beyond after before
    since until once here very well much many most least several few can could onto et al ie eg etc respectively
    namely no not
    specifically stayed stays remained themselves himself herself itself oneself ourselves yourself myself
    without despite plus minus because due own first second last latter former down
    """
)

#: Words of reporting, which a claim may add: none names a drug, people, an outcome, a measure, a unit or a degree.
NEUTRAL = words_of(
    """
    study studies trial trials analysis analyses investigation research paper article author authors report data
    dataset
    result finding outcome evidence experiment work
    patient patients participant subject people person individual recipient case group arm cohort population
    treatment treat treated therapy therapeutic intervention regimen course schedule medication medicine drug agent
    compound substance product dose dosage dosing
    show shown find found observe see saw seen note noted reported record recorded document demonstrate reveal
    identify
    detect describe display exhibit present state conclude
    occur happen arise develop experience have undergo suffer affect involve
    achieve attain reach obtain yield give gave given get got gotten produce lead led result bring brought make made
    provide offer deliver cause put
    receive take took taken administer administration use usage utilise apply add adding addition additional combine
    combination together alongside assign allocate randomise
    compare comparison comparative comparator relative contrast respective corresponding associate association link
    relate relation
    measure measurement assess assessment evaluate evaluation examine test determine estimate calculate define
    number count rate proportion percentage percent share frequency level value figure amount extent degree magnitude
    size score score total time period duration span point interval
    be become became remain come came go went seen gone grown began begun be underwent account represent constitute
    correspond equal amounting stood stand set run
    because since due thereby therefore
    having whereas meanwhile accordingly effect impact influence action
    criterion criteria condition requirement
    while during upon following
    age aged old type kind form sort way manner basis term terms
    able capable
    said say says accord according
    amongst among comprise consist contain
    rather instead approach method model setting context
    difference differ different differential
    along alongside overall initially subsequently later finally eventually ultimately namely notably additionally
    generally again still already now
    look turn emerge encounter manifest manage carry conduct perform undertake enter base rely serve function belong
    name
    call known refer class classify category list mention cite feature characterise attribute owing translate convert
    equate follow precede accompany coincide concern regard pertain cover span vary shift move change last
    recipient user taker member sufferer side part portion fraction place view light fact sense question issue matter
    topic aspect role step instance example detail occasion episode occurrence presence
    correspondingly altogether each combined concurrent concomitant
    reason act action way prefer own
    exposure expose initially eventually
    need require want
    event
    meet met consider considered judge judged deem deemed factor severity coadminister coadministered
    coadministration concomitantly simultaneously pooled investigator researcher team
    publication visit followup enrolment enrollment leave left alter alteration long length
    nearly almost roughly imply
    whatever whichever whoever wherever whenever regardless irrespective afterwards afterward thereafter beforehand
    nonetheless nevertheless otherwise likewise indeed merely simply just even ever
    keep kept hold held spend spent bear bore borne wait send sent distribute distributed evenly
    judging judge drawn draw pick put feel felt hit struck strike trouble troubled become happen seem fare fared
    hand whereby wherein herein thereof
    start outset end count amount sum come comes
    judgement assessor observer reader rater author authors colleagues writer
    largely broadly essentially basically practically virtually effectively approximately some odd circa
    actually truly clearly evidently apparently obviously interestingly importantly surprisingly unsurprisingly
    reportedly subsequently respectively thereupon simultaneously meantime throughout apiece
    make making take taking taker give giver getter have having
    whole half-way midway mid halfway
    seen observed noticed noticeable detectable apparent evident visible
    recipients users takers attendees enrollees
    rather quite fairly
    include included including acquire contract go goes going opposed body experienced experiencing
    documented logged registered told turned dealt enrolment enrollment remain remains
    rated ranked scored exist existed lie lay
    """
)


#: More or less of something, and better or worse.
UP = """
increase increased increasing higher more greater rise rose risen rising raise raised longer lengthen lengthened
prolong prolonged prolongation extend extended extending extension elevate elevated elevation larger enhance enhanced
accelerate faster exceed exceeded exceeding triple tripled stimulate stimulated stimulation promote promoted climb
climbed upregulate upregulated escalate escalated escalation titrate titrated titration uptitrate uptitrated bigger
likelier heavier surpass surpassed grew grow heighten augment potentiate amplify amplified boost boosted intensify
intensified magnify magnified strengthen strengthened widen widened surge surged
"""
DOWN = """
decrease decreased decreasing lower lowered lowering less fewer reduce reduced reducing reduction reductions fall fell
fallen falling decline declined drop dropped diminish diminished shorter shorten shortened shortening inhibit
inhibited
inhibition suppress suppressed suppression block blocked attenuate attenuated prevent prevented prevention preventing
slow slowed slower smaller downregulate downregulated lessen lessened cut halve halved taper tapered blunt blunted
lighter
rarer lesser mitigate dampen dampened weaken weakened abate abated dwindle wane waned subside subsided minimise
curb curbed retard quicker sooner sink sank dip dipped shrink shrank shrunk thinner briefer
"""
BETTER = """
improve improved improving improvement improvements better benefit benefits benefited beneficial superior superiority
effective effectively effectiveness efficacious efficacy efficient favour favor favoured favored favourable
favorable advantage
advantageous gain gains beat beats outperform outperformed outperforms ameliorate ameliorated amelioration alleviate
alleviated relieve relieved ease eased easing preferable help helped helps
"""
WORSE = """
worsen worsened worsening worse inferior inferiority deteriorate deteriorated deterioration harm harmed harmful
detriment
detrimental aggravate aggravated poorer unfavourable unfavorable disadvantage
ineffective
"""
#: No difference; the grammar of "as good as" and "did not differ" is read in `cues`.
EQUAL = """
similar similarly comparable comparably equivalent equivalence equal equally evenly unchanged unaffected noninferior
noninferiority alike indistinguishable identical
"""

#: Words of doubt: if the quote has one, the claim must have one too.
HEDGES = """
may might suggest suggests suggested suggestive appear appears appeared seem seems seemed possible possibly potential
potentially likely probable probably perhaps trend trends hypothesis hypothesise hypothesize hypothesised hypothesized
expected anticipated presumed presumably preliminary plausible plausibly unclear uncertain speculate speculated
believed thought tended tend tends tendency assumed postulated conceivable conceivably planned intended
"""
#: Words for questions, aims and plans, which are not findings.
AIMS = """
whether aim aims aimed objective objectives purpose goal hypothesis planned will investigate
"""
#: Those of them that have other meanings as well: a goal may be reached.
GOALS = "aim aims aimed objective objectives purpose goal goals"
#: Further words for aims; they count only if the quote has a word of `AIMS`.
ASKING = "ask asked asks sought seek seeks question designed aimed aims"
#: Animals and cell cultures: findings in them must not be reported as findings in people.
NONHUMAN = """
mouse mice murine rat rats dog dogs canine monkey monkeys rabbit rabbits pig pigs porcine animal animals xenograft
xenografts rodent rodents hamster zebrafish vitro sheep goat goats guinea feline cat cats chicken
cynomolgus macaque macaques primate primates cultured nonclinical preclinical
"""
#: Sex, age and state of people.
DEMOGRAPHICS = """
child children adult adults woman women man men infant infants adolescent adolescents elderly pregnant volunteer
volunteers healthy postmenopausal premenopausal female male newborn neonates younger older young
"""
#: People and their diseases, which a title may supply where the quote names none.
PEOPLE = f"""
{DEMOGRAPHICS}
cancer disease diabetes syndrome disorder tumour tumor carcinoma leukaemia leukemia lymphoma melanoma sarcoma myeloma
hypertension asthma arthritis psoriasis epilepsy schizophrenia depression migraine obesity infection hiv hepatitis
failure fibrillation stroke infarction positive negative metastatic advanced early breast lung colorectal ovarian
gastric
prostate renal hepatic pancreatic cervical bladder kidney liver refractory resistant
"""
#: Study designs, which a title may supply.
DESIGN = """
phase randomised randomized double blind blinded masked controlled open label multicentre multicenter cohort
retrospective prospective meta systematic review observational pilot crossover single international
"""
#: Endings of drug names; below, drugs and comparators with other endings.
DRUG_ENDINGS = words_of(
    """
    mab nib statin gliptin gliflozin glitazone formin glutide natide taxel platin rubicin pril sartan olol azole
    azide cillin mycin micin floxacin cycline vir ciclib parib limus tinib zomib prazole tidine setron dronate oxetine
    pramine triptan azepam zolam barbital caine curonium parin grel xaban gatran dipine thiazide semide fibrate
    sone solone olone trexate bine citabine poside tecan vastatin cept kinra leukin feron stim poetin terol
    tropium lukast mide oside steride dustat degib rafenib ximab zumab umab tuzumab deruxtecan emtansine vedotin
    tansine zepine apine idone peridol azine ketamine codone morphone fentanil profen fenac coxib relbine
    kiren onium calcet entan zosin afil ciguat triptyline tapine piprazole racetam gabalin bactam penem vudine buvir
    asvir teplase grelor giline caserin butynin fenacin begron tomidine fiban vaptan gepant ditan orexant calcitol
    calciferol
    prost prostol spirone stigmine mantine fungin mectin bendazole nidazole dralazine pressin tirelin reotide pipam
    oxidil oxybate cilostazol formoterol terone oestrol estradiol progesterone thyroxine sulfapyridine salazine
    blastine cristine phosphamide mustine azoline sulfan glinide ride glutamide lutamide relix relin trozole
    """
)
DRUGS = words_of(
    """
    placebo insulin aspirin warfarin heparin lithium morphine paracetamol acetaminophen chemotherapy radiotherapy
    anthracycline tamoxifen digoxin sham vehicle
    """
)

#: Beginnings of names of regimens: FOLFOX4.
REGIMENS = ("folf", "mfolf", "xelox", "capox", "xeliri")

#: Words that a claim must not confuse; a fault names both.
CONTRASTS = (
    ("mean", "median"),
    ("hazard ratio", "odds ratio", "relative risk", "rate ratio"),
    ("incidence", "prevalence"),
    ("standard deviation", "standard error", "range", "interquartile range", "confidence interval"),
    (
        "overall survival", "progression free survival", "disease free survival", "event free survival",
        "relapse free survival", "metastasis free survival", "invasive disease free survival", "survival",
        "mortality",
        "response", "remission", "relapse", "progression",
    ),
    ("week", "day", "month", "year", "hour", "minute"),
    ("child", "adult", "woman", "man", "infant", "adolescent", "elderly"),
    ("positive", "negative"),
)  # fmt: skip


#: Words that stress a degree; one may stand for another.
INTENSIFIERS = words_of(
    "very highly strongly strong greatly great much far well markedly substantially considerably strikingly "
    "dramatically hugely clearly particularly extremely notably profoundly pronounced marked substantial considerable"
)
#: Where the quote has one of these, "may" is a permission, no doubt.
PERMISSIONS = ("indicated", "approve", "recommend", "allow")
#: Words for what a drug is meant for, which is not a finding.
USES = "approve indicated recommend"

#: How bad something is.
GRADES = "severe serious mild moderate slight"
#: Words that make a statement false where its quote has another of the kind: certainty, frequency, decisions,
#: harm, cure, degree, extent, exclusiveness, order, cause.
FIXED = """
prove proven proof establish confirm definite certain certainly definitive conclusive undoubted guarantee
always never constantly all none every
approve license authorise grant reject refuse recommend indicate contraindicate ban prohibit withdraw market available
sell launch revoke suspend
safe safety unsafe harmless dangerous toxic tolerate tolerable
cure heal eradicate abolish eliminate avert avoid halt stop discontinue reverse reversal irreversible permanent
marked substantial considerable dramatic profound minimal maximal minimum maximum
complete partial full entire total half double
preserve retain protect treat relapse recover resolve activate deactivate fail succeed
injection infusion tablet capsule pill patch cream spray oral intravenous subcutaneous topical inhaled
adhere comply quit conceive admit discharge remember forget learn lose
best worst highest lowest only sole first primary secondary
early late short long acute chronic
cause causal induce trigger
necessary essential must require
die death dead kill fatal live alive
"""
