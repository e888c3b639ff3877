"""The facets of a treatment that a question may ask for: what it does, whom it harms, what it costs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from storm.models.names import fold_text


class Facet(NamedTuple):
    """One facet: the question of the drug syllabus that covers it, if there is one, and otherwise its own words.

    `focus` are words of texts that answer it, `queries` what is searched beside the subject, `says` are patterns of
    which a sentence that answers it has one."""

    key: str
    label: str
    description: str
    pattern: re.Pattern[str]
    counterpart: str = ""
    focus: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    dated: bool = False
    says: tuple[str, ...] = ()

    @property
    def question_key(self) -> str:
        """The key of its question: that of the drug syllabus where it has one."""
        return self.counterpart or self.key


class AskedFacet(NamedTuple):
    """A facet that a text asks for, and where its words stand in the folded text."""

    facet: Facet
    spans: tuple[tuple[int, int], ...]


def _compile(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(alternatives)})(?![\w-])")


#: Nouns of people whom something has in common other than a disease.
_GROUPS = (
    r"(?:co-?)?workers|employees|labou?rers|farmers|miners|firefighters|welders|teachers|nurses|doctors|physicians|"
    r"surgeons|students|athletes|players|runners|cyclists|swimmers|bodybuilders|dancers|divers|climbers|pilots|drivers|"
    r"travell?ers|soldiers|veterans|sailors|astronauts|(?:non-?|ex-?)?smokers|vapers|(?:non-?)?drinkers|"
    r"vegetarians|vegans|prisoners|inmates|refugees|(?:im)?migrants|survivors|donors|recipients|carriers|caregivers|"
    r"volunteers|twins|homozygotes|heterozygotes|metaboli[sz]ers|(?:non-?)?responders|mothers|fathers|parents|residents|"
    r"centenarians|(?:african |asian |black |white |native )?americans|asians|africans|europeans|"
    r"caucasians|hispanics|latin[oa]s|japanese|chinese|koreans|indians"
)
#: What is said of people that is no disease.
_KINDS = (
    r"(?:un)?healthy|homeless|lean|thin|overweight|sedentary|(?:in)?active|(?:un)?trained|black|white|asian|"
    r"african|european|western|japanese|chinese|korean|indian|hispanic|rural|urban|institutionali[sz]ed|bedridden|"
    r"transgender|(?:pre|post)?menopausal|(?:un)?vaccinated|young|middle-aged"
)

FACETS = (
    Facet(
        "mechanism",
        "Mechanism and pharmacology",
        "The mechanism: receptors, pathways, molecules and cells that are involved",
        _compile(
            r"mechanis(?:m|ms|tic|tically)",
            r"mod(?:e|es) of action",
            r"pathways?",
            r"how(?: (?:do|does|did|can))?(?! (?:well|much|good|effective))(?=\b[^.?!]{0,60} (?:work|act)(?:s|ing)?\b"
            r"(?! (?:better|best|well|compared|for|against|in)\b))",
            r"how (?:do|does|did)(?=(?: [\w-]{1,40}){1,3} (?:affect|lower|reduce|raise|increase|cause|kill|inhibit|"
            r"block|destroy|attack|fight|"
            r"relieve|prevent|slow|damage|treat|improve)\b)",
            r"(?:do|does|did|can)(?=(?: [\w-]{1,40}){1,3} (?:activate|inhibit|block|bind|target|antagoni[sz]e|"
            r"stimulate|phosphorylate|upregulate|downregulate)\b)",
            r"why (?:do|does|is|are|did)|what causes?|causes? of|caused by",
            r"(?:molecular )?targets?",
            r"pharmaco(?:kinetics?|dynamics?)",
            r"half[- ]li(?:fe|ves)",
            r"(?<![\s\S])what (?:is|are)(?= (?!known|best|better|different|needed|missing|proven|true)"
            r"[\w-]{4,40} ?\??$)",
            r"resistance(?= to\b| mechanisms?\b)",
            r"pathophysiology",
            r"wirkmechanismus|mecanism[eo]s?|meccanismo",
        ),
        "mechanism.moa",
        ("mechanism", "pathway", "receptor", "signalling", "cells", "molecular", "pathophysiology"),
        ("mechanism pathophysiology", "pathway receptor molecular"),
    ),
    Facet(
        "benefit",
        "Effectiveness",
        "What helps, by how much, and how sure that is: outcomes of trials and reviews",
        _compile(
            r"(?:in)?effective(?:ly|ness)?|efficac(?:y|ious)|effectivity",
            r"benefi(?:t|ts|ted|cial)",
            r"help(?:s|ed|ful|ing)?",
            r"work(?:s|ed)?",
            r"treat(?:s|ed|ing)?|treatments?(?= (?:for|of|against|options?)\b)|remed(?:y|ies)",
            r"prevent(?:s|ed|ing|ion|ive)?|avert(?:s|ed)?|protect(?:s|ed|ive|ion)?",
            r"improv(?:e|es|ed|ing|ement|ements)",
            r"reduc(?:e|es|ed|ing|tion)|lower(?:s|ed|ing)?(?= )|alleviat(?:e|es|ing)",
            r"cur(?:e|es|ed)|relie(?:ve|ves|f)|slow(?:s|ed|ing)?|delay(?:s|ed)?|revers(?:e|es)",
            r"(?:overall |progression[- ]free )?survival|remission|response rates?|outcomes?",
            r"wirksam(?:keit)?|nutzen|hilft|efficacit[eé]|efficaces?|efica(?:z|cia)|eficaces|efficacia",
        ),
        "clinical.efficacy",
        ("efficacy", "effective", "improvement", "reduction", "randomized", "placebo", "response", "remission"),
        ("randomized trial efficacy", "systematic review effectiveness"),
    ),
    Facet(
        "harm",
        "Harms",
        "Adverse effects, risks and who is at risk, with their rates",
        _compile(
            r"(?:un)?saf(?:e|er|ely|est|ety)",
            r"harm(?:s|ed|ful)?",
            r"side[- ]effects?|adverse(?: (?:drug )?(?:events?|effects?|reactions?|outcomes?))?",
            r"risk(?:s|y)?(?! factors?\b)|danger(?:s|ous)?|hazards?(?! ratios?\b)",
            r"toxic(?:ity|ities)?|\w{1,20}toxic(?:ity)?",
            r"contraindicat(?:ed|ion|ions)|warnings?|black[- ]box|boxed warning",
            r"(?:who|whom|when|which (?:patients|people)) (?:should|must|can|may)(?: never| not|not|n't|"
            r"(?=(?: [\w-]{1,40}){1,2} (?:never|not)\b))",
            r"interact(?:s|ion|ions)?(?= |\?|$)",
            r"toler(?:ability|ated|able)",
            r"(?<!what )caus(?:e|es|ed|ing)(?= (?!of\b|by\b)|\?|$)|trigger(?:s|ed)?",
            r"how (?:often|commonly|frequently|common|likely)(?=\b[^.?!]{0,60} (?:occurs?|happens?|develops?|seen)\b)",
            r"(?:is|are|was) (?:that|this|it|these) (?:from|because of|due to|caused by)",
            r"complications?|overdos(?:e|es)|addict(?:ive|ion)|withdrawal|dependence",
            r"sicher(?:heit)?|nebenwirkung(?:en)?|risik(?:o|en)|effets? (?:secondaires?|indesirables?)|"
            r"efectos (?:secundarios|adversos)|segur(?:o|a|idad|anca)|sicur(?:o|a|ezza)|risques?|riesgos?",
        ),
        "clinical.safety",
        ("adverse", "safety", "harm", "toxicity", "side effects", "serious", "discontinued", "tolerability"),
        ("adverse events safety", "harms side effects"),
    ),
    Facet(
        "comparison",
        "Comparison",
        "How the alternatives compare with each other in effects, harms and use",
        _compile(
            r"compar(?:e|es|ed|ing|ison|isons|able|ative)",
            r"versus|vs\.?",
            r"(?:better|worse|safer|cheaper|superior|inferior|different|stronger|preferable|preferred|equivalent) "
            r"(?:than|to|or)|(?:superior|inferior|noninferior|equivalent|non-inferior|equivalence)|"
            r"as (?:good|effective|safe|well) as",
            r"(?:which|what(?:'s| is| are))"
            r"(?=\b[^.?!]{0,60} (?:better|safer|safest|cheaper|cheapest|worse|stronger)\b)",
            r"more (?:effective|efficacious)(?: than)?|(?:more|less) \w{1,20} than",
            r"differ(?:s|ent)? from",
            r"difference(?:s)? between|instead of|alternatives?(?: to)?|rather than|switch(?:ing)?",
            r"head[- ]to[- ]head|"
            r"(?:biosimilars?|generics?)(?!\b[^.?!]{0,60} (?:approved|authori[sz]ed|licen[sc]ed|available|on the "
            r"market|marketed|sold|launched)\b)|competitors?|substitut(?:e|es|ed)|interchangeab\w{1,10}",
            r"first[- ]line (?:choice|treatment|option)s?|standard of care",
            r"vergleich|besser als|comparaison|mejor que|meglio",
        ),
        "competitive.landscape",
        ("compared", "versus", "difference", "superior", "non-inferior", "equivalent", "head-to-head"),
        ("compared with versus", "head-to-head randomized comparison"),
    ),
    Facet(
        "dose",
        "Dosing",
        "Which amounts are given, how often, by which route and for how long, and how they are adjusted",
        _compile(
            r"dos(?:e|es|ed|age|ages|ing)",
            r"how (?:much(?!\b[^.?!]{0,60} (?:costs?|pay|(?<!to )(?:lower|reduce|increase|improve|raise|change)s?)\b)|"
            r"often(?!\b[^.?!]{0,60} (?:occurs?|happens?|develops?|seen|causes?)\b)|"
            r"many (?:mg|milligrams|tablets|pills|times|units|cups|hours))",
            r"\d{1,5}(?:\.\d{1,3})? ?(?:mg|mcg|µg|μg|g|iu|ml|units)(?:/\w{1,5})?",
            r"titrat(?:e|ed|ion)|loading dose|maximum daily|how long (?:should|to|do|can)|schedules?|once[- ]weekly|"
            r"taper(?:ing|ed)?",
            r"dosierung|dosis|posologi[ea]|doses?",
        ),
        "",
        ("mg", "milligrams", "titration", "maximum", "once", "twice", "tablet", "adjustment", "mg/kg", "units"),
        ("dose mg titration", "dosage maximum adjustment"),
        says=(
            r"\bdos(?:e[sd]?|ages?|ing)\b|\btitrat",
            r"\b(?:once|twice|three times) (?:a |per )?(?:daily|weekly|monthly|day|week|month)\b",
            r"\bmg/(?:kg|m2|m²|day|d)\b",
        ),
    ),
    Facet(
        "population",
        "Patient groups",
        "Effects and use in the people whom the question names",
        _compile(
            r"pregnan(?:t|cy|cies)|breast-?feed(?:ing)?|lactat(?:ing|ion)|nursing mothers?",
            r"child(?:ren|hood)?|kids?|p(?:a)?ediatrics?|infants?|newborns?|neonat(?:es?|al)|toddlers?|bab(?:y|ies)|"
            r"adolescents?|teen(?:ager)?s?",
            r"elderly|(?:older|old) (?:adults?|people|patients|persons?|women|men)|geriatric|seniors?|frail(?:ty)?|"
            r"(?:(?:people|patients|adults|women|men|those) )?(?:aged|over|above|under) \d{1,3}",
            r"(?:renal|kidney|hepatic|liver) (?:impairment|failure|insufficiency|disease)|dialysis|cirrhosis",
            r"who should(?! not| never|n't)|which (?:patients|people)|for whom|eligib(?:le|ility)|"
            r"(?<=in )(?:women|men)(?! with)|sub-?groups?",
            rf"(?:(?<= in )|(?<= among )|(?<= for ))(?:(?!patients|people|those|with)[\w-]+ ){{0,2}}(?:{_GROUPS})",
            rf"(?:(?<= in )|(?<= among )|(?<= for ))(?:{_KINDS}) (?:people|adults|men|women|individuals|persons|"
            r"subjects)",
            r"schwanger(?:schaft|en)?|stillzeit|kinder(?:n)?|grossesse|enceintes?|enfants?|embaraz(?:o|adas?)|nino?s|"
            r"gravidanza|gravidez|ancianos|idosos|personnes agees|personas mayores|altere(?:n)? menschen|anziani",
        ),
        "",
        ("subgroup", "elderly", "children", "pregnancy", "renal impairment", "age"),
        ("subgroup special population",),
    ),
    Facet(
        "cost",
        "Cost",
        "Prices, cost-effectiveness and who pays",
        _compile(
            r"cost(?:s|ly|-effective|-effectiveness)?|cost effective(?:ness)?",
            r"pric(?:e|es|ed|ing)|expensive|cheap(?:er|est)?|afford(?:able|ability)?|reimburs(?:ed|ement)|insurance",
            r"qalys?|econom(?:ic|ics|ically)|budget|value for money",
            r"kosten|preis|prix|couts?|precio|costo",
        ),
        "",
        ("cost", "price", "cost-effectiveness", "QALY", "incremental", "reimbursement", "expenditure"),
        ("cost-effectiveness QALY", "price cost reimbursement"),
        dated=True,
        says=(
            r"\b(?:costs?\b|cost-|pric(?:e|ing)|qaly|quality-adjusted|expens|expenditure|cheap|afford|reimburs|"
            r"insur(?:er|ance)|pa(?:id|y(?:s|ers?|ments?)?)\b|sav(?:ed|es|ings?)\b|budget|spen[dt]|econom|discount|"
            r"undercut|(?:dollars?|euros?|pounds?|francs?)\b)|[$€£¥]",
        ),
    ),
    Facet(
        "market",
        "Approval and market",
        "Where it is approved or available, for what and since when",
        _compile(
            r"approv(?:ed|al|als|e)|licen[sc](?:ed|e|ing|ure)|authori[sz](?:ed|ation)|regulat(?:ory|ors?|ion)",
            r"fda|ema|nice|mhra|pmda|(?:on the |black )?market(?:ed|s)?|sales|launch(?:ed)?|withdrawn|recall(?:ed)?|"
            r"who (?:makes?|made|manufactur(?:es?|ed)|produc(?:es?|ed)|sells?|sold|owns?(?! the\b))|manufacturers?|"
            r"(?:which|what) compan(?:y|ies) (?:makes?|made|manufactur\w+|produc\w+|sells?|sold|markets?|owns?)",
            r"available in|availability|over[- ]the[- ]counter|indications?|off[- ]label|legal",
            r"(?:first|how many)(?= (?:[\w-]{1,40} ){0,3}(?:biosimilar|generic)s?\b)",
            r"zugelassen|zulassung|autorisation|aprobad[oa]",
        ),
        "market.status",
        ("approved", "approval", "licensed", "regulatory", "market", "available", "agency"),
        ("approval regulatory", "market availability"),
        dated=True,
    ),
    Facet(
        "patents",
        "Patents",
        "Which patents cover it, who holds them and when they expire",
        _compile(
            r"patent(?:s|ed|ability)?(?! (?:ductus|foramen|airway|arter\w{1,4}))|exclusivity|infring\w{1,8}|"
            r"intellectual property",
            r"generic (?:entry|competition)|off[- ]patent|loss of exclusivity",
        ),
        "ip.patents",
        ("patent", "expiry", "exclusivity", "claims", "assignee", "litigation"),
        ("patent expiry", "patent litigation"),
        dated=True,
    ),
)
#: What is reduced or prevented is not a harm of the treatment.
_AVERTED = re.compile(
    r"\b(?:reduc(?:e|es|ed|ing|tion)|lower(?:s|ed|ing)?|prevent(?:s|ed|ing|ion)?|decreas(?:e|es|ed|ing)|"
    r"avoid(?:s|ing)?)\b"
    r"(?P<what>[^.?!;,]{0,80}?\b(?:risks?|harms?|toxicit(?:y|ies)|complications?|side[- ]effects?|adverse \w{1,12}))"
    r"(?!\b[^.?!]{0,60} (?:with|of|from|by|on|during) [\w-]{1,40}(?: therapy| treatment)? (?:by|through|using) )"
)
#: How it works is not whether it does, and what a patent protects is no patient.
_HOW = re.compile(
    r"(?:\bhow\b(?:(?! (?:well|much|good|effective))[^.?!]{0,60} (?=work(?:s|ing)?\b)"
    r"| (?:do|does|did)(?: [\w-]{1,40}){1,3} (?=(?:lower|reduce|relieve|prevent|slow|treat|improve)\b))"
    r"|\bpatents?\b[^.?!]{0,40} (?=protect))"
    r"(?P<what>\w{1,12})"
)
#: Which copies there are, and who makes them, is not how they compare.
_LISTED = re.compile(
    r"(?:\b(?:how many|first|compan(?:y|ies)|approv\w{0,4}|launch\w{0,3}|cheaper)\b[^.?!]{0,60} |"
    r"\b(?:are|is) there (?:any |an? )?(?:[\w-]{1,30} )?)"
    r"(?=(?:biosimilar|generic)s?\b)(?P<what>\w{1,12})"
)
_MEANT_OTHERWISE = {"harm": _AVERTED, "benefit": _HOW, "comparison": _LISTED}


def find_facets(text: str) -> Sequence[AskedFacet]:
    """The facets that a text asks for, in the order of its words."""
    folded = fold_spaced(text)
    asked = []
    for facet in FACETS:
        if spans := tuple(match.span() for match in facet.pattern.finditer(_blank_others(facet, folded))):
            asked.append(AskedFacet(facet, spans))
    return sorted(asked, key=lambda one: one.spans[0])


def _blank_others(facet: Facet, folded: str) -> str:
    """The text, of the same length, without words that mean something else where they stand."""
    pattern = _MEANT_OTHERWISE.get(facet.key)
    return pattern.sub(_blank_words, folded) if pattern else folded


def _blank_words(match: re.Match[str]) -> str:
    before, after = match.start("what") - match.start(), match.end("what") - match.start()
    return f"{match[0][:before]}{'_' * (after - before)}{match[0][after:]}"


def fold_spaced(text: str) -> str:
    """The text with case and accents folded character by character, so that places in it are places in the text."""
    return text.lower() if text.isascii() else "".join(map(_fold_character, text))


@lru_cache(maxsize=4_096)
def _fold_character(character: str) -> str:
    folded = fold_text(character)
    return folded if len(folded) == 1 else character
