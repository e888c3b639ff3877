"""What a result is about: an outcome of which patients want more, one of which they want less, or one that says
nothing of the treatment of the disease."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import dropwhile
from typing import NamedTuple

from storm.citations.cues import JUDGEMENTS, Direction, is_direction, read_cues
from storm.citations.terms import Term, content_keys, is_content, is_neutral, read_terms

#: Not efficacy outcomes: harms, tolerability, adherence, fate of the drug in the body, and costs.
_NON_EFFICACY = (
    r"(?:serious |severe )?adverse (?:\w+ )?(?:events?|effects?|reactions?|outcomes?)|side effects?|toxicit\w+|"
    r"tolerab\w+|tolerat\w+|safety|safe|discontinu\w+|withdr[ae]w\w*|dropouts?|adheren\w+|persistence on|complian\w+|"
    r"persistence was|completion rate|nausea|vomiting|emesis|headaches?|dizziness|hypoglyc\w+|diarrhoea|diarrhea|"
    r"constipation|rash|myalgia|"
    r"myopathy|hepatotoxicity|nephrotoxicity|qtc?|somnolence|sedation|sedative|perforation|clearance of the drug|"
    r"volume of distribution|half life|bioavailability|plasma concentrations?|pharmacokinetic\w*|auc of|costs?|"
    r"preferences?|satisfaction|dos(?:e|es|age) of|baseline|risk factors?|accuracy|"
    r"(?:(?:left )?ventricular )?ejection fraction|lvef|stomatitis|mucositis|neutropenia|lactic acidosis"
)
#: Outcomes that are good although a word in them is bad, and the other way round, stand first.
_BAD_FIRST = (
    r"(?:failure|lack|loss|absence|impairment|decline|deterioration|worsening) of (?:\w+ ){0,2}(?:efficacy|function|"
    r"response|memory|cognition|remission|vision|neurons?)|(?:cognitive|functional|memory|motor|renal|clinical) "
    r"(?:decline|impairments?|deterioration|deficits?|dysfunction|loss|worsening)|"
    r"(?:time to|duration until) (?:\w+ ){0,2}(?:recovery|response|remission|healing|resolution|improvement|cure|"
    r"union)|"
    r"(?:\w+ ){0,2}(?:recovery|healing|response) time|"
    r"(?:treatment|parasitological|virological|heart|renal|kidney|liver|respiratory|"
    r"clinical) failures?|(?:duration|length) of (?:\w+ ){0,2}(?:stay|ventilation|hospitali[sz]ation|illness|"
    r"symptoms|fever)|(?:hospital|icu) stay"
)
_GOOD = (
    r"(?:attain|achiev|reach)\w* (?:[\w<≤%.]+ ){0,6}(?:targets?|goals?)|(?:\w+ ){0,2}(?:target|goal) attainment|"
    r"(?:\w+ ){0,2}free survival|(?:\w+ )?free (?:interval|period|days)|free from (?:\w+ )?\w+|symptom free|pain free|"
    r"time to (?:\w+ )?(?:relapse|progression|recurrence|death|event|failure|deterioration|transformation|rescue|"
    r"worsening|exacerbation|exacerbations)|time to first (?:rescue|request|relapse|event|exacerbation|analges\w+)|"
    r"(?:pain|symptom|symptomatic) relief|relief(?: of (?:\w+ ){0,3}(?:pain|symptoms?))?|"
    r"(?:control|resolution|reversal|prevention|treatment|management) of (?:\w+ )?(?:pain|symptoms?|seizures?|"
    r"infection|"
    r"inflammation|disease|tumou?rs?|relapses?)|(?:pain|seizure|disease|symptom|glyc[ae]emic|tumou?r) control|"
    r"(?:tumou?r|pain|symptom|disease|treatment|objective|complete|partial|overall|clinical|virological) responses?|"
    r"(?:pasi|acr|easi|asas|hiscr|sri) ?\d+(?: responses?)?|(?:clear or )?almost clear(?: skin)?|"
    r"survival|remissions?|response rates?|responders?|recovery|cured?|healing|(?:bone )?union|"
    r"neuroprotection|quality of life|visual acuity|cardiac output|fev1|fev 1|"
    r"forced expiratory volume|peak expiratory flow|lung function|walk(?:ing)? distance|exercise capacity|"
    r"bone (?:mineral )?density|(?:clinical |treatment |therapeutic )?success|pregnancy|pregnancies|live births?|"
    r"(?:tumou?r|lesion|plaque) (?:regression|shrinkage|eradication|clearance|suppression)|"
    r"analgesia|(?:analgesic|antinociceptive|antidepressant|anticancer|antitumou?r|neuroprotective|antiviral) "
    r"(?:effects?|activity|action|efficacy)|antinociception|"
    r"(?:cognitive|motor|physical|renal|kidney|cardiac|liver|hepatic|neurological|endothelial|immune|daily|social|"
    r"sexual|visual|memory|executive|neurologic|functional) (?:function|functioning|functions|performance|capacity|"
    r"outcomes?|recovery|status|improvement)|function|functioning|memory|cognition|learning|mood|mmse|moca|"
    r"abstinence|parasite clearance|viral clearance|viability of neurons|neurogenesis|remyelination|myelination"
)
_BAD = (
    r"mortality|deaths?|dying|died|fatalit\w+|relaps(?:e|es|ed|ing)|recurren(?:ces?|t)|progression|pain|pains|symptoms?|"
    r"symptomatology|severity|disability|exacerbations?|attacks?|lesions?|plaques?|"
    r"tumou?rs? (?:growth|volume|size|weight|burden|progression)|tumou?rs?|metasta\w+|hospitali[sz]ations?|"
    r"infarct(?:ion|ions)?|infarct size|strokes?|(?:cardiovascular|thrombotic|ischa?emic|major|cardiac) events?|"
    r"cvd events?|risk of (?:\w+ ){0,4}(?:end ?points?|events?)|"
    r"infections?|colonisation|colonization|fractures?|(?:blood loss|bleeding|ha?emorrhages?)|"
    r"impairments?|dysfunction|deficits?|neurodegenerat\w+|neuroinflammation|degeneration|neurotoxicity|"
    r"(?:neuronal|cell|tissue|brain|liver|kidney|organ|myocardial|axonal) (?:death|loss|damage|injury)|"
    r"viral (?:load|replication)|parasit(?:a)?emia|complications?|"
    r"morbidity|morbidities|illness(?:es)?|fever|febrile|congestion|cough|coughing|disease activity|disease burden|"
    r"anxiety|depressive|suicid\w+|distress|fatigue|oedema|edema|swelling|fibrosis|proteinuria|albuminuria|"
    r"madrs(?: score)?s?|hamilton depression score|ham d|hdrs|phq ?9?|panss(?: score)?|edss(?: score)?|das ?28|haq|"
    r"womac|vas|nrs|pasi|updrs|adas ?cog|mayo (?:uc )?score|pain score|disease progression"
)
_KNOWN = re.compile(rf"\b(?:(?P<aside>{_NON_EFFICACY})|(?P<first>{_BAD_FIRST})|(?P<good>{_GOOD})|(?P<bad>{_BAD}))\b")
#: Outcomes of some diseases alone: the words of the outcome, the diseases, and whether patients want more of it.
_OF_DISEASES: tuple[tuple[re.Pattern[str], re.Pattern[str], int], ...] = (
    (
        re.compile(r"\b(?:hba1c|a1c|(?:\w+ )?glucose|hyperglyca?emia|glyca?emia|fpg|homa ir|insulin resistance)\b"),
        re.compile(r"diabet|glyc[ae]|metabolic syndrome"), -1,
    ),
    (
        re.compile(r"\b(?:(?:systolic |diastolic )?(?:blood pressure|bp)|sbp|dbp)\b"),
        re.compile(r"hypertensi|blood pressure"), -1,
    ),
    (
        re.compile(r"\bhdl(?: cholesterol| c)?\b"),
        re.compile(r"lipid|cholesterol|triglycerid"), 1,
    ),
    (
        re.compile(r"\b(?:(?:ldl|total|non hdl)(?: cholesterol| c)?|cholesterol|triglycerides?)\b"),
        re.compile(r"lipid|cholesterol|triglycerid"), -1,
    ),
    (
        re.compile(r"\b(?:body weight|weight|body mass index|bmi|fat mass)\b"),
        re.compile(r"obes|overweight"), -1,
    ),
    (
        re.compile(r"\b(?:proliferation|migration|invasion|cell growth|cell viability|colony formation)\b"),
        re.compile(r"cancer|carcinoma|tumou?r|leuk|lymphoma|glioma|glioblastoma|melanoma|sarcoma|myeloma|neoplas"), -1,
    ),
    (
        re.compile(r"\b(?:(?:(?:left )?ventricular )?ejection fraction|lvef)\b"),
        re.compile(r"heart|cardi|infarct|coronary|ventricular"), 1,
    ),
    (
        re.compile(r"\b(?:apoptosis)\b"),
        re.compile(r"cancer|carcinoma|tumou?r|leuk|lymphoma|glioma|glioblastoma|melanoma|sarcoma|myeloma|neoplas"), 1,
    ),
    (
        re.compile(r"\b(?:amyloid|beta amyloid|tau|tau phosphorylation|amyloid beta)\b"),
        re.compile(r"alzheimer|dementia"), -1,
    ),
    (
        re.compile(r"\bseizures?(?: (?:frequency|rate|severity|duration))?\b"),
        re.compile(r"epilep|seizure|convuls"), -1,
    ),
    (
        re.compile(r"\b(?:lipid profile)\b"),
        re.compile(r"lipid|cholesterol|triglycerid"), 0,
    ),
)  # fmt: skip
#: Outcomes that are the time until an event.
_TIME = re.compile(r"\b(?:survival|free (?:interval|period|days)|time|duration until)\b")
#: Measurements in blood or tissue that stand for the disease only where a hypothesis or the disease names them.
_MEASURED = re.compile(
    r"\b(?:hba1c|a1c|glucose|glyca?emia|cholesterol|ldl|hdl|triglycerides?|lipids?|lipid profile|blood pressure|sbp|"
    r"dbp|"
    r"body weight|weight|bmi|crp|hscrp|c reactive protein|il \d+|tnf|cytokines?|levels?|concentrations?|expression|"
    r"activity|titers?|titres?|markers?|biomarkers?|heart rate|calcium|creatinine|oxida\w+)\b"
)
#: Before the name of a disease these say who was studied; after the others it is an outcome.
_OF_PEOPLE = frozenset(("with", "in", "for", "from", "against", "having", "of"))
_OF_OUTCOME = frozenset(
    (
        "incidence",
        "risk",
        "severity",
        "symptoms",
        "rate",
        "rates",
        "onset",
        "development",
        "prevention",
        "occurrence",
        "frequency",
        "odds",
        "diagnosis",
        "diagnoses",
        "likelihood",
    )
)


class Outcome(NamedTuple):
    """An outcome at a place among the terms: `wanted` is 1 if more of it is good, -1 if less is good, 0 if that is not
    known. `is_aside` marks what is not an efficacy outcome, such as a harm or a cost; `is_time` a time that ends with
    an event, which a hazard ratio counts: more of the event is less of the time."""

    at: int
    wanted: int
    is_aside: bool = False
    is_time: bool = False


class Outcomes(NamedTuple):
    """Finds the outcomes of a disease, those of one hypothesis (`effect`) among them."""

    disease: tuple[str, ...]
    effect: str = ""

    def find(self, terms: Sequence[Term]) -> list[Outcome]:
        """The outcomes among the terms, in order. Those that the effect or the disease names go before all others."""
        return list(_find_outcomes(tuple(terms), self.disease, self.effect))

    def names_effect(self, terms: Sequence[Term]) -> bool:
        """Whether the terms name the effect of the hypothesis."""
        return _find_phrase(terms, _effect_keys(self.effect)) is not None

    def is_only_measured(self, terms: Sequence[Term]) -> bool:
        """Whether the terms name a measurement that stands for the disease only where the hypothesis says so."""
        return _MEASURED.search(_join_words(terms)[0]) is not None


@lru_cache(maxsize=1_024)
def _find_outcomes(terms: tuple[Term, ...], disease: tuple[str, ...], effect: str) -> tuple[Outcome, ...]:
    text, places = _join_words(terms)
    found: dict[int, Outcome] = {}
    for match in _KNOWN.finditer(text):
        at = places[match.start()]
        wanted = 1 if match["good"] else -1 if match["bad"] or match["first"] else 0
        found[at] = Outcome(at, wanted, bool(match["aside"]), _TIME.search(match[0]) is not None)
    for words, diseases, wanted in _OF_DISEASES:
        if any(diseases.search(name.casefold()) for name in disease):
            at_places = (places[match.start()] for match in words.finditer(text))
            found |= {at: Outcome(at, wanted) for at in at_places if at + 1 not in found and not _is_good(found, at)}
    for name in disease:
        named = _find_phrase(terms, content_keys(read_terms(name)))
        if named is not None and _is_outcome(terms, named) and not any(_is_good(found, named + n) for n in range(3)):
            found[named] = Outcome(named, -1)
    if (stated := _find_phrase(terms, _effect_keys(effect))) is not None:
        known = found.get(stated)
        wanted = _read_wanted(effect)
        opposed = known is not None and known.wanted * wanted < 0
        wanted = 0 if opposed else wanted or (known.wanted if known else 0)
        is_time = _TIME.search(effect.casefold()) is not None
        if known is None or is_time or not known.is_time:  # the time until an effect is not the effect
            found[stated] = Outcome(stated, wanted, is_time=is_time)
    return tuple(found[at] for at in sorted(found))


def _is_good(found: Mapping[int, Outcome], at: int) -> bool:
    """Whether a good outcome stands there: "depression remission" is one."""
    return at in found and found[at].wanted > 0


def _join_words(terms: Sequence[Term]) -> tuple[str, Mapping[int, int]]:
    """The words as one text, and the term at each place of it."""
    text, places = "", dict[int, int]()
    for n, term in enumerate(terms):
        word = term.word.casefold().replace("-", " ")
        places |= {len(text) + place: n for place in range(len(word) + 1)}
        text += f"{word} "
    return text, places


def _find_phrase(terms: Sequence[Term], keys: frozenset[str]) -> int | None:
    """Where all words of a phrase stand, in any order; None if one is missing, or if there is none."""
    first = {key: next((n for n, term in enumerate(terms) if term.key == key), None) for key in keys}
    places = [at for at in first.values() if at is not None]
    return min(places) if places and len(places) == len(first) else None


def _is_outcome(terms: Sequence[Term], at: int) -> bool:
    """Whether the name of the disease there is what changes, and not whom it changes in."""
    before = [term.word for term in terms[max(0, at - 3) : at]]
    return not _OF_PEOPLE.intersection(before) or bool(_OF_OUTCOME.intersection(before))


@lru_cache(maxsize=256)
def _effect_keys(effect: str) -> frozenset[str]:
    """The words of an effect without the direction that it begins with and without words of grammar."""
    terms = [term for term in read_terms(effect) if is_content(term) or term.kind == "number"]
    after = list(dropwhile(is_direction, terms)) or terms
    return frozenset(term.key for term in after if not is_neutral(term)) or frozenset(term.key for term in after)


@lru_cache(maxsize=256)
def _read_wanted(effect: str) -> int:
    """Whether the effect is more or less of its outcome: "slower cognitive decline" is less of it; 0 if unsaid."""
    terms = read_terms(effect)
    known = next((one.wanted for one in _find_known(terms)), 0)
    for cue in read_cues(terms):
        if cue.direction in (Direction.UP, Direction.DOWN) and cue.at == 0:
            return 1 if cue.direction is Direction.UP else -1
        if cue.direction in JUDGEMENTS:
            return known
    return known


def _find_known(terms: Sequence[Term]) -> Iterable[Outcome]:
    return (one for one in _find_outcomes(tuple(terms), (), "") if not one.is_aside)
