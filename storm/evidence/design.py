"""Finds the design of the study in a record, by its publication types, title, abstract and methods."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from storm.evidence.headings import find_heading_design, studied_animals
from storm.evidence.publication_types import find_type_design, has_type, name_types
from storm.evidence.secondary_analyses import is_secondary_analysis, is_titled_secondary
from storm.evidence.species import HUMAN, IN_VITRO, is_cell_study, is_computed, is_of_animals, is_of_material
from storm.models import Hit, Holds, SectionKind, database_info
from storm.models.design import NO_REPORTS, OUTSIDE_BODIES, Design
from storm.patterns.alternatives import compile_alternatives

#: Characters read of an abstract and of the methods: both name the design early.
_MOST_READ = 6_000
_MOST_METHODS = 4_000


#: Parts of an abstract that name studies other than its own.
_OF_OTHERS = (SectionKind.INTRODUCTION, SectionKind.CONCLUSION)
#: Patterns for titles; the first match counts.
_TITLES: Mapping[Design, re.Pattern[str]] = {
    Design.RETRACTION: re.compile(r"^(?:retraction|retracted:|notice of retraction)\b"),
    Design.ERRATUM: re.compile(
        r"^(?:erratum|errata|corrigend\w+|correction(?: to| of)?:?|author correction|addendum)\b"
    ),
    Design.EDITORIAL: re.compile(
        r"^(?:comment on|reply|re:|response to|letter|in reply|authors?['’] (?:reply|response))"
    ),
    Design.PROTOCOL: re.compile(
        r"\bprotocol (?:for|of)\b|\b(?:study|trial) protocol\b|\brationale(?:,| and)(?: the)?(?: study)? design|"
        r"\bdesign(?:,| and)(?: the)? rationale|^design of (?:a|the)\b|\bstudy design (?:and|of)\b"
    ),
    Design.META_ANALYSIS: re.compile(
        r"\bmeta-?analys\w+|\bsystematic(?: literature)? review|\bnetwork analysis of\b|\bumbrella review"
    ),
}
#: Patterns for titles without "randomised".
_KINDS: Mapping[Design, re.Pattern[str]] = {
    Design.GUIDELINE: re.compile(r"\bguidelines?\b(?! adherence)|\bconsensus statement|\bposition statement"),
    Design.IN_VITRO: re.compile(r"\bin vitro\b(?! and in vivo| fertili[sz]ation| maturation)"),
    Design.CASE_CONTROL: re.compile(
        r"\bcase[- ]control(?:led)?\b|\bcase[- ]cross-?over\b|\bself-controlled (?:case series|risk interval|cohort)\b"
    ),
    Design.CASE_REPORT: re.compile(r"\bcase (?:reports?|series)\b|\ba case of\b"),
    Design.CROSS_SECTIONAL: re.compile(r"\bcross[- ]sectional\b|\bsurvey\b"),
}
#: Reports of suspected harms that anyone sends to an authority, counted against those of other drugs.
_SPONTANEOUS = re.compile(
    r"\bdisproportionality\b|\bspontaneous(?:ly)? (?:adverse [\w-]+ |safety )?report|\bfaers\b|\bvigibase\b|"
    r"\beudravigilance\b|\bjader\b|\badverse (?:drug )?(?:event|reaction)s? reporting (?:system|database)|"
    r"\bpharmacovigilance database"
)
#: Kinds that one word of a title does not make of a record of type "Randomized Controlled Trial".
_BY_A_WORD = (Design.GUIDELINE, Design.IN_VITRO, Design.CROSS_SECTIONAL)
#: Chance assigned the genes, and nobody the treatment.
_MENDELIAN = re.compile(r"\bmendelian[ -]randomi[sz]ation\b")
_BY_GENES = re.compile(
    r"\b(?:genetic|genes?|variants?|snps?|alleles?|polymorphisms?)\b[^.]{0,60}\binstrument|\bat conception\b|"
    r"\b(?:this|our|performed|used?|conducted|using|by|applied) (?:[\w-]+ ){0,3}mendelian[ -]randomi[sz]ation\b"
)
#: Assigned by something that is no chance: birthdays, days of the week, every other patient.
_QUASI_RANDOMISED = re.compile(r"\bquasi-? ?randomi[sz]ed\b")
#: What was assigned at random is no person, but a piece of material; or tests were done in an order that chance gave.
_PIECES = re.compile(
    r"\b(?:specimens|chips|discs|disks|(?:extracted|human|bovine) teeth) were (?:then )?"
    r"(?:randomi[sz]ed|(?:randomly )?(?:divided|assigned|allocated|distributed) (?:randomly\b)?)"
)
_RANDOM_ORDER = re.compile(
    r"\b(?:tests?|measure(?:ment)?s?|assessments?|trials|tasks?|exercises?)\b[^.;]{0,60}\bin (?:a )?"
    r"randomi[sz]ed order\b|\bexperiments? before and after\b[^.;]{0,80}\bin (?:a )?randomi[sz]ed order\b"
)
#: What a report says of itself that its type or title calls cases.
_IS_COHORT = re.compile(
    r"\b(?:performed|conducted|did|undertook|this(?: was)?|is) (?:an? )?(?:[\w-]+ ){0,3}cohort study\b"
)
#: The design in the words of an abstract, near its beginning.
_CASE_CONTROL = re.compile(
    r"\bcase[- ]control (?:stud(?:y|ies)|analys[ei]s|design)?,? ?(?:was |were )?nested\b|\bnested case[- ]control\b|"
    r"\b(?:this|our|present|conducted|performed|did|used|undertook) (?:[\w-]+ ){0,4}case[- ]control\b"
)
_MOST_BEGINNING = 800
_RANDOMISED = re.compile(
    r"(?<!non-)(?<!non)(?<!mendelian[ -])(?<!not )(?<!no )(?<!any )(?<!lack of )(?<!further )(?<!future )"
    r"\brandomi[sz](?:ed|ation|ing)\b(?! (?:[\w-]+ ){0,3}(?:stud(?:y|ies)|"
    r"trials?)\b[^.]{0,120}\b(?:needed|required|warranted|would|should|lacking|scarce|none)\b)|"
    r"\brandomly (?:assigned|allocated|divided|selected to receive|switched|received|treated|"
    r"distributed|categori[sz]ed|grouped|enrolled)|\b(?:divid|assign|allocat|distribut|includ|enroll)ed randomly\b|"
    r"\bat random\b"
)
#: Words of trials that are nearly always randomised. A full text that says so of none of its participants is not.
_BLINDED = re.compile(
    r"\b(?:double|single|triple)[- ]blind|\b(?:assigned|allocated) to [^.]{0,60}\bplacebo\b|"
    r"\bplacebo[- ]controlled\b|(?<!case[- ])\bcross-?over (?:study|trial|design)\b"
)
#: The arms were not assigned at random, even if the text uses "randomised" for something else.
_MATCHED = re.compile(
    r"\bpropensity[- ](?:scor|match|adjust|weight)|\bnon-?randomi[sz]ed (?:[\w-]+ ){0,2}"
    r"(?:stud(?:y|ies)|(?:control )?trials?|data ?sets?|cohorts?|comparison|groups)\b"
)
#: Trials of late phases are often randomised, which these types do not say.
_OF_LATE_PHASE = re.compile(r"\bclinical trial, phase (?:iii|iv)\b")
_NON_RANDOMISED = re.compile(
    r"\bnon-?randomi[sz]ed\b|\bopen[- ]label\b(?! extension)|\bsingle[- ]arm\b|\bphase (?:1|2|3|4|i{1,3}v?|iv)[ab]?\b|"
    r"\bpilot (?:study|trial)\b|\bclinical trial\b|\bbefore[- ]and[- ]after\b|\bquasi-experimental\b|"
    r"\bdose[- ]escalation\b|\bwere (?:treated|given|administered)\b|"
    r"\breceived\b[^.]{0,60}\b(?:mg|g/|dose|daily|weekly|weeks|months|infusion)\b|\bintervention\b"
)
_COHORT = re.compile(
    r"\bcohorts?\b(?! (?:[a-d]|\d|i{1,3})\b)|\bretrospective(?:ly)?\b|\bobservational\b|"
    r"\bregist(?:ry|er)[- ]based\b|\bmedical records\b|"
    r"\bconsecutive (?:\w+ ){0,2}(?:patients|cases|subjects|children|adults)\b|"
    r"\bpopulation[- ]based\b|\bclaims data\b|\bchart review\b|\breal[- ]world\b|\bpost-?marketing\b|\bsurveillance\b"
)
_CASE = re.compile(
    r"\bwe (?:report|describe|present) (?:a|the|an|two|three|\d+) (?:\w+ ){0,3}(?:cases?|patients?|\d+-year)\b|"
    r"\ba patient with [^.]{0,80} (?:is|was) (?:presented|reported|described)\b|"
    r"\bcase of an? \d{1,2}[- ](?:year|month)s?[- ]old\b|"
    r"\b(?:patient|this|he|she) (?:was|is) an? \d{1,2}[- ](?:year|month)s?[- ]old (?!drug)|"
    r"\ban? \d{1,2}[- ](?:year|month)s?[- ]old (?:[\w-]+ ){0,3}(?:man|woman|male|female|boy|girl|patient|"
    r"infant)\b[^.]{0,160}\b(?:presented|(?:was|were) (?:admitted|evaluated|referred|treated|diagnosed|"
    r"hospitali[sz]ed)|developed)\b"
)
#: A trial of an early phase, by its title: "cohorts" got its doses.
_EARLY_PHASE = re.compile(r"\bphase (?:1|2|i{1,2})[ab]?(?:/(?:2|ii)[ab]?)?\b|\bdose[- ]escalation\b|\bsingle[- ]arm\b")
_PHARMACOKINETIC = re.compile(
    r"\bpharmacokinetic\w*|\bbio-?equivalence\b|\bbio-?availability\b|\bdrug[- ]drug interaction"
)
#: What was pooled, in the words of an abstract.
_POOLS = re.compile(
    r"\b(?:we|was|were|this) (?:\w+ ){0,4}(?:an? )?(?:systematic review (?:and|with) |network |individual (?:patient|"
    r"participant) data )?meta-analys[ei]s\b"
)
#: What a drug does to patients: the purpose of such a study is not its passage through the body.
_OF_EFFECT = re.compile(r"\b(?:efficacy|effectiveness|(?:prophylactic|therapeutic|clinical) effects?|clinical signs)\b")
_REVIEW = compile_alternatives(
    r"\b(?:this|the present|our|in this) (?:\w+ )?review\b|"
    r"\bthe review(?:,| (?:reports|finds|covers|discusses|concludes))|\bwe (?:review|summari[sz]e)\b|"
    r"\bliterature (?:search|review)\b|\b(?:a|an|narrative|comprehensive|critical|literature) (?:\w+ )?review\b|"
    r"^review\b|\boverview\b"
)
#: Costs and benefits reckoned by a model, with the results of other studies.
_ECONOMIC = re.compile(r"\bcost[- ](?:effective|utility|benefit)|\beconomic (?:evaluation|analysis)")
_MODEL = re.compile(r"\bmarkov\b|\b(?:decision|simulation|economic|analytic)(?:[- ]\w+)? model|\bmicrosimulation\b")
#: Tests of results.
_TESTED = re.compile(r"(?i)\bp ?[<=>≤≥] ?0?[.·]\d|\b95 ?% ?(?:ci\b|confidence)")


def is_report(hit: Hit) -> bool:
    """Whether the record reports results of its own, unlike an erratum, a protocol, an editorial or a notice."""
    return design_of(hit) not in NO_REPORTS


def design_of(hit: Hit) -> Design:
    """The design of the study that the record reports, found heuristically."""
    info = database_info(hit.database)
    if info.holds is Holds.STUDIES:
        return _classify_registry_record(tuple(hit.publication_types))
    types = hit.publication_types
    if info.holds is Holds.PAGES:  # of a publisher, whose page names the type of the paper
        return find_type_design(name_types(types)) or Design.NO_STUDY
    if info.holds is not Holds.PAPERS:
        return Design.NO_STUDY
    if find_type_design(name_types(types)) is Design.PROTOCOL and _has_tested_results(hit):
        types = tuple(name for name in types if find_type_design(name_types([name])) is not Design.PROTOCOL)
    own, whole = (text[:_MOST_READ] for text in (_read_own_abstract(hit), abstract_of(hit)))
    design = _classify_paper(types, hit.headings, hit.title, own, read_methods(hit))
    if design is Design.OTHER and own != whole:
        return _classify_paper(types, hit.headings, hit.title, whole, read_methods(hit))
    return design


def _has_tested_results(hit: Hit) -> bool:
    """Whether a paper of whatever type reports results with tests: some journals call finished trials protocols."""
    return any(section.role is SectionKind.RESULTS and _TESTED.search(section.text) for section in hit.sections)


def abstract_of(hit: Hit) -> str:
    """The abstract of a paper, or the beginning of its text if it has none."""
    parts = [section.text for section in hit.sections if section.kind is SectionKind.ABSTRACT]
    return "\n".join(parts) or hit.text[: _MOST_READ // 2]


def _read_own_abstract(hit: Hit) -> str:
    """The abstract without its introduction and conclusion, which name other studies, if it has methods."""
    parts = [section for section in hit.sections if section.kind is SectionKind.ABSTRACT]
    if not any(part.role is SectionKind.METHODS for part in parts):
        return abstract_of(hit)
    return "\n".join(part.text for part in parts if part.role not in _OF_OTHERS)


def names_randomisation(title: str, abstract: str) -> bool:
    """Whether the words of a paper, in lower case, say that the arms were assigned at random."""
    is_matched = _MATCHED.search(title) or _MATCHED.search(abstract)
    return not is_matched and any(_says_randomised(text, "") for text in (title, abstract))


def _says_randomised(text: str, methods: str) -> bool:
    """Whether a title or abstract says that the arms were assigned at random, or without a full text, implies it."""
    return bool(_RANDOMISED.search(text) or (not methods and _BLINDED.search(text)))


def is_animal(hit: Hit) -> bool:
    """Whether the study was done on animals or cells, not on people."""
    title, abstract = hit.title.casefold(), abstract_of(hit)[:_MOST_READ].casefold()
    if design_of(hit) in (Design.ANIMAL, *OUTSIDE_BODIES):
        return True
    return is_of_animals(name_types(hit.publication_types), title, abstract, studied_animals(hit.headings))


def read_methods(hit: Hit) -> str:
    """The beginning of the methods in the text of a paper; empty if it has none."""
    parts = (section.text for section in hit.sections if section.kind is SectionKind.METHODS)
    return "\n".join(parts)[:_MOST_METHODS]


def _classify_registry_record(types: tuple[str, ...]) -> Design:
    """The design by the fields of a registry record; without its allocation only that it is interventional."""
    types_found = {name.casefold() for name in types}
    if "randomized" in types_found or "randomised" in types_found:
        return Design.RANDOMISED
    if "observational" in types_found:
        return Design.COHORT
    if {"non randomized", "non-randomized", "non-randomised"} & types_found:
        return Design.NON_RANDOMISED
    return Design.INTERVENTIONAL


@lru_cache(maxsize=4_096)
def _classify_paper(
    types: tuple[str, ...], headings: tuple[str, ...], title: str, abstract: str, methods: str
) -> Design:
    """The design by types, title and words, in this order; by headings where none of them states it."""
    names = name_types(types)
    title, abstract, methods = title.casefold(), abstract.casefold(), methods.casefold()
    by_type = find_type_design(names)
    if by_type in NO_REPORTS:
        return by_type
    by_title = next((design for design, words in _TITLES.items() if words.search(title)), None)
    if by_title:
        return by_title
    if by_type is not Design.CASE_REPORT and (_SPONTANEOUS.search(title) or _SPONTANEOUS.search(abstract)):
        return Design.SPONTANEOUS_REPORTS
    if _MENDELIAN.search(title) or (by_type is Design.CASE_REPORT and _IS_COHORT.search(abstract)):
        return Design.COHORT
    if by_type and not is_titled_secondary(title):
        return by_type
    if is_of_animals(names, title, abstract, studied_animals(headings)):
        return Design.ANIMAL
    by_words = next(_find_designs(names, title, abstract, methods), None)
    return by_words or find_heading_design(headings) or Design.OTHER


def _find_designs(types: Sequence[str], title: str, abstract: str, methods: str) -> Iterator[Design]:
    """Designs that fit the words of a paper, the most certain first."""
    if _QUASI_RANDOMISED.search(title) or _PIECES.search(abstract):
        yield Design.NON_RANDOMISED if _QUASI_RANDOMISED.search(title) else Design.IN_VITRO
    abstract, methods = (_RANDOM_ORDER.sub("", text) for text in (abstract, methods))
    is_typed = has_type(types, Design.RANDOMISED)
    is_trial = is_typed or _says_randomised(title, methods)
    if is_secondary_analysis(title, abstract):
        yield Design.SECONDARY
    if _PHARMACOKINETIC.search(title) and not is_trial and not _OF_EFFECT.search(title):
        yield Design.IN_VITRO if is_of_material(abstract) else Design.PHARMACOKINETIC
    if _IS_COHORT.search(abstract) and not is_trial:
        yield Design.COHORT
    if not _says_randomised(title, methods):
        kinds = (design for design, words in _KINDS.items() if words.search(title))
        yield from (design for design in kinds if not (is_typed and design in _BY_A_WORD))
    if _POOLS.search(abstract) and not is_trial:
        yield Design.META_ANALYSIS
    is_review = _REVIEW.search(title) or _REVIEW.search(abstract)
    by_chance = not any(words.search(text) for words in (_MATCHED, _BY_GENES) for text in (title, abstract))
    if _ECONOMIC.search(title) and _MODEL.search(abstract):
        yield Design.ECONOMIC
    if is_trial:
        yield Design.RANDOMISED
    if _CASE_CONTROL.search(abstract[:_MOST_BEGINNING]):
        yield Design.CASE_CONTROL
    if not is_review and by_chance and _says_randomised(abstract, methods):
        yield Design.RANDOMISED
    if _EARLY_PHASE.search(title) and _COHORT.search(abstract) and not is_review and not is_trial:
        yield Design.NON_RANDOMISED
    if _COHORT.search(title) or _BY_GENES.search(abstract):
        yield Design.COHORT
    if not is_review and by_chance and _RANDOMISED.search(methods):
        yield Design.RANDOMISED
    if not is_review and by_chance and any(map(_BLINDED.search, (title, abstract))):
        yield Design.INTERVENTIONAL
    if _CASE.search(abstract):
        yield Design.CASE_REPORT
    looks_back = _COHORT.search(abstract) and not re.search(r"\bprospective(?:ly)?\b", abstract)
    if looks_back or has_type(types, Design.COHORT):
        yield Design.COHORT
    if is_review and not methods:
        yield Design.REVIEW
    if is_computed(f"{title} {abstract}"):
        yield Design.IN_SILICO
    if is_cell_study(title, abstract):
        yield Design.IN_VITRO
    if any(map(_OF_LATE_PHASE.search, types)) and not _NON_RANDOMISED.search(abstract):
        yield Design.INTERVENTIONAL
    if has_type(types, Design.NON_RANDOMISED) or (_NON_RANDOMISED.search(abstract) and HUMAN.search(abstract)):
        yield Design.NON_RANDOMISED
    if _COHORT.search(abstract) or _COHORT.search(methods):
        yield Design.COHORT
    if IN_VITRO.search(abstract):
        yield Design.IN_VITRO
    if is_review:
        yield Design.REVIEW
    if _NON_RANDOMISED.search(methods) and HUMAN.search(methods):
        yield Design.NON_RANDOMISED
