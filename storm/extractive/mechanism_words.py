"""The words of a chain from a drug to its effect: names of molecules, of pathways and processes, and of outcomes.

Each is read by the form of the words alone, so that a name nobody listed is read too:
- A molecule is a symbol ("AMPK", "IL-6", "p53") or ends with a word for a molecule ("dihydrofolate reductase", "NMDA
  receptor", "mitochondrial complex I"). Symbols of diseases, tests, cells and small molecules are none, nor are the
  proteins that only carry or break down drugs.
- A pathway is named so ("AMPK/mTOR signalling", "the mevalonate pathway"), or is one of the processes listed here.
- An outcome is one of those listed here, with the words that narrow it ("progression-free survival").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from storm.citations.vocabulary import words_of
from storm.models.names import split_words


class Words(NamedTuple):
    """Words of a sentence, and where they stand."""

    text: str
    start: int
    end: int


_TOKEN = re.compile(r"[\w+*](?:[/'’·-]?[\w+*])*")
#: What stands between two words of a name.
_GAP = re.compile(r" ?|, ?[345]-? ?")
_GREEK = r"α-ωΑ-Ω"
_SYMBOL = re.compile(
    rf"(?=[\w-]{{2,14}}$)(?:[a-z]{{0,3}}[A-Z]{{2}}[\w-]*|[A-Z][a-z]{{1,6}}-?\d{{1,2}}[A-Za-z]?|[A-Z]\w{{0,4}}-?\d[\w-]*|"
    rf"p\d{{2,3}}|[A-Z][\w-]*[A-Z{_GREEK}][\w-]*|[A-Za-z]{{1,4}}-[{_GREEK}]\w?|\d-HT\w*|(?:Akt|Erk|Src|Ras|Raf|Rac|Rho)[A-Z]?|"
    r"[a-z]?[A-Z]{2,}\w*)$"
)
#: Symbols of what is not a molecule that a drug acts on: diseases, measures, groups, cells, nucleic acids, lipids.
_NO_MOLECULES = words_of(
    """
    eae ms rrms spms ppms ad pd als hiv hcv hbv covid dm t2dm t1dm copd ra sle ibd mdd trd ptsd ocd adhd bc tnbc
    crc nsclc hcc aml cll ci hr or rr sd se bmi bp sbp dbp ldl hdl vldl ldl-c hdl-c hba1c crp hs-crp dna rna
    mrna mirna sirna atp adp amp nad nadh ros rns no bbb cns csf mri fmri pet eeg ecg icu who fda ema usa uk us
    eu rct rcts pfs os dfs orr iv sc im po vs qol madrs hamd ham-d hdrs edss cd4 cd8 th1 th2 th17 treg tregs nk
    dc dcs pbmc pbmcs bdi cgi pasi das28 egfr-negative pcr elisa facs wt ko hfd ip tid bid ffa ffas vas nrs bis
    map auc cmax ec50 ic50 g1 g2 g0 s1 g2/m covid-19 sars-cov-2 vo2 po2 pco2 spo2 er-negative mcf-7 mcf7
    mda-mb-231 tg tc ft2d pain-free met-free c57bl/6 ii iii iv vi vii
    """
)
#: What carries a drug or breaks it down, as acting on it is an interaction; and the numbers of records.
_NO_TARGET = re.compile(
    r"\b(?:cytochrome|cyp\w*|p-?glyco\w+|ugt\w*|oatp?\w*|oct\d\w*|mate\d\w*|bcrp|mdr\d|(?:chembl|nct|db)\d+)\b", re.I
)
_ENZYME = re.compile(
    r"(?!(?:in|de|re|un)?(?:crease|lease|base|phase|chase)$|disease|database|interphase|purchase|phrase|grease|erase|"
    r"case$|"
    r"ease$|tease|please|showcase|biphase|vase$|staircase|metaphase)[a-zαβγ-]*[a-z]{3}ase$"
)
#: Words for a molecule; the first ones are names only with a word before them.
_KINDS = words_of(
    """
    receptor channel transporter cotransporter co-transporter symporter factor protein antigen ligand kinase
    enzyme protease phosphatase pump reuptake integrin hormone exchanger adrenoceptor autoreceptor
    phosphodiesterase subunit
    """
)
_NAMES = words_of(
    """
    telomerase renin thrombin neprilysin calcineurin sclerostin myosin interleukin interferon adrenoceptor
    aromatase cholinesterase phosphodiesterase proteasome tubulin integrin
    """
)
#: What a receptor answers to, before its symbol: "dopamine D2".
_LIGANDS = words_of(
    """
    dopamine serotonin histamine adenosine angiotensin opioid glutamate cannabinoid muscarinic nicotinic
    endothelin
    """
)
#: Words that make no name with a word for a molecule: "risk factor", "these receptors", "C-reactive protein".
_GENERAL = words_of(
    """
    risk prognostic predictive causal confounding key important main major other these those this that such many
    several various different multiple some all both two three its their transcription growth neurotrophic
    angiogenic total plasma serum surface specific novel new same cellular membrane signaling signalling
    downstream upstream c-reactive reactive food dietary whole target targeted related inflammatory
    proinflammatory anti-inflammatory single nuclear
    """
)
#: Words that end a name on its left or right side.
_STOPS = words_of(
    """
    the a an of in on at by with for from to and or but as is are was were be been which that who whose via
    through into than both its their his her our this these those such not no it they we also has have had can
    may leading resulting thereby while whereas including like e.g i.e all most other between during after
    before when where causing increasing decreasing reducing inhibits inhibit activates activate blocks block
    induces acts because using inhibited activated blocked reduced increased decreased followed induced mediated
    found shown include includes reason why how what then there needs under within across among against upon
    """
)
_LEADS = words_of("the a an both of to")
#: Verbs before the name of a pathway.
_VERB = re.compile(
    r"(?:driv|regulat|control|promot|suppress|stimulat|target|modulat|impair|attenuat|mediat|affect|influenc|enhanc|"
    r"trigger|inhibit|activat|block|disrupt|alter|engag|restor|improv|prevent|requir|caus|show|involv|interrupt|"
    r"(?:up|down)-?regulat)(?:e|s|es|ed|ing)$"
)
#: Words before a name that are not part of it.
_ADJECTIVES = words_of(
    """
    potent selective competitive non-competitive noncompetitive uncompetitive reversible irreversible specific
    oral novel dual known classical classic highly small-molecule small molecule partial direct indirect
    allosteric well-known new first first-in-class approved strong weak effective non-selective nonselective
    nonspecific non-specific
    multi-target inverse mixed full human humanized humanised synthetic dissociative low-affinity high-affinity
    open-channel voltage-dependent long-acting negative positive functional prototypical so-called widely used
    orally available anti-diabetic antidiabetic main its intracellular endogenous hepatic neuronal rapid-acting
    well established putative moderate-affinity competitively
    """
)
_NUMBER = re.compile(
    rf"(?:\d{{1,2}}[A-Za-z]?(?:/\d)?|[IV]{{1,3}}|[{_GREEK}]\d?|[Aa]lpha|[Bb]eta|[Gg]amma|[Kk]appa|A|B|C)$"
)
#: A shorter symbol is none without a word beside it: "D2", "H1".
_SHORTEST_SYMBOL = 3
_MOST_TOKENS = 7
#: Characters in which a name is looked for on one side of another word.
REACH = 110


def read_molecule_after(text: str, start: int) -> Words | None:
    """The molecule that the words from here name, after articles and adjectives."""
    tokens = list(_read_tokens(text, start))
    while tokens and (tokens[0].text.casefold() in _ADJECTIVES or tokens[0].text in _LEADS):
        tokens.pop(0)
    best = max((n for n in range(1, len(tokens) + 1) if _is_molecule(tokens[:n])), default=0)
    if not best or _is_of_cells(text, tokens[best - 1].end):
        return None
    return Words(text[tokens[0].start : tokens[best - 1].end], tokens[0].start, tokens[best - 1].end)


def read_molecule_before(text: str, end: int) -> Words | None:
    """The molecule that the words up to here name."""
    tokens: list[Words] = []
    for token in reversed(_split_tokens(text, max(0, end - REACH), end)):
        following = tokens[0].start if tokens else end
        is_apart = not _GAP.fullmatch(text, token.end, following)
        if is_apart or len(tokens) == _MOST_TOKENS or _ends_name(token):
            break
        tokens.insert(0, token)
    while tokens and (tokens[0].text.casefold() in _ADJECTIVES or tokens[0].text == "A"):
        tokens.pop(0)
    if not tokens or not _is_molecule(tokens):
        return None
    return Words(text[tokens[0].start : tokens[-1].end], tokens[0].start, tokens[-1].end)


def is_molecule(name: str) -> bool:
    """Whether a name is that of a molecule, by its form."""
    tokens = _split_tokens(name, 0, len(name))
    return 0 < len(tokens) <= _MOST_TOKENS + 1 and _is_molecule(tokens)


def carries_drugs(name: str) -> bool:
    """Whether a name is that of a protein that only carries drugs or breaks them down."""
    return _NO_TARGET.search(name) is not None


def is_symbol(name: str) -> bool:
    """Whether a name is a symbol of letters and digits, not a word."""
    return _SYMBOL.match(name) is not None and name.casefold() not in _NO_MOLECULES


def fold_words(name: str) -> tuple[str, ...]:
    """The words of a name in one spelling and number."""
    words = [
        word.replace("signalling", "signaling").replace("tumour", "tumor").replace("ae", "e")
        for word in split_words(name)
    ]
    if words and len(words[-1]) > 4 and words[-1].endswith("s") and not words[-1].endswith(("ss", "sis", "us")):
        words[-1] = words[-1][:-1]
    return tuple(words)


def _read_tokens(text: str, start: int) -> Iterator[Words]:
    """The words from here to the first that is not part of a name."""
    end = start
    for n, token in enumerate(_split_tokens(text, start, start + REACH)):
        gap = text[end : token.start]
        if n == _MOST_TOKENS + 3 or (n and not _GAP.fullmatch(gap)) or (not n and gap.strip()):
            return
        is_of = text.startswith("of rapamycin", token.start) or (not n and token.text in _LEADS)
        if _ends_name(token) and not is_of:
            return
        yield token
        end = token.end


def _ends_name(token: Words) -> bool:
    if token.text == "A":  # coenzyme A
        return False
    return token.text.casefold() in _STOPS or _VERB.match(token.text.casefold()) is not None


def _split_tokens(text: str, start: int, end: int) -> list[Words]:
    """The words of a part of a text, without those that it cuts."""
    return [Words(match[0], *match.span()) for match in _TOKEN.finditer(text, start, min(end, len(text)))]


def _is_molecule(tokens: Sequence[Words]) -> bool:
    words = [token.text.casefold() for token in tokens]
    if _NO_TARGET.search(" ".join(words)) or "/" in tokens[-1].text:
        return False
    if words[-3:] == ["target", "of", "rapamycin"]:
        return True
    while len(words) > 1 and _NUMBER.match(tokens[len(words) - 1].text):
        words.pop()
    last = words[-1].removesuffix("s") if not is_symbol(tokens[len(words) - 1].text.removesuffix("s")) else ""
    if not last:
        if len(words) == 1 and len(tokens[0].text) < _SHORTEST_SYMBOL:
            return False
        return all(word not in _GENERAL for word in words[:-1]) and (len(words) == 1 or _is_part_of_name(tokens, words))
    base = re.sub(r"-[\dα-ω]\w?$", "", last)
    if base == "complex":
        return len(words) < len(tokens) and _NUMBER.match(tokens[-1].text) is not None
    if base in _NAMES and (len(words) < len(tokens) or base != last or base not in ("interleukin", "interferon")):
        return True
    if base == "factor" and len(words) > 2 and words[-2] in ("growth", "transcription", "neurotrophic"):
        return True
    if base in _KINDS and words[-1] != "enzymes":
        return len(words) > 1 and words[-2] not in _GENERAL
    return len(words) > 1 and words[-2] not in _GENERAL and _ENZYME.match(base) is not None


def _is_part_of_name(tokens: Sequence[Words], words: Sequence[str]) -> bool:
    """Whether what stands before a symbol is a symbol too, or a word for a molecule: "subunit GluN2B"."""
    return all(is_symbol(token.text) or word in _KINDS | _LIGANDS for token, word in zip(tokens, words, strict=False))


#: What makes a symbol one of cells or animals, or a level that is measured.
_NO_MOLECULE_AFTER = re.compile(
    r"[ +]*(?:[\w+-]+ )?(?:cells?|lymphocytes|macrophages|mice|rats|patients|positive|negative)\b|"
    r" (?:levels?|concentrations?|reductions?|increases?|decreases?|lowering|ratios?|goals?|scores?)\b",
    re.I,
)


def _is_of_cells(text: str, end: int) -> bool:
    return _NO_MOLECULE_AFTER.match(text, end) is not None


_PATHWAY_END = re.compile(r"\b(?:signal(?:l)?ing(?: pathway| cascade| axis)?|pathway|axis|cascade)s?\b")
_PROCESS = re.compile(
    r"\b(?:(?:cholesterol|lipid|protein|fatty acid|prostaglandin|estrogen|oestrogen|nucleotide|isoprenoid|glutamate|"
    r"dopamine|serotonin|bile acid|steroid|amyloid[- ](?:β|beta)|DNA) (?:bio)?synthesis|neuro-?inflammation|"
    r"(?:systemic |chronic |vascular )?inflammation|(?:mitochondrial )?oxidative (?:stress|phosphorylation)|auto?phagy|"
    r"mitophagy|apoptosis|ferroptosis|angiogenesis|lipogenesis|gluconeogenesis|glycolysis|lipolysis|adipogenesis|"
    r"neurogenesis|synaptogenesis|fibrogenesis|steroidogenesis|synaptic (?:plasticity|transmission)|"
    r"(?:glutamat|dopamin|cholin|GABA)ergic (?:neuro)?transmission|"
    r"mitochondrial (?:respiration|biogenesis|dysfunction)|"
    r"(?:protein )?(?:iso)?prenylation|T[- ]cell (?:activation|proliferation|migration)|microglial activation|"
    r"(?:antigen presentation|demyelination|remyelination|insulin resistance|insulin secretion|glucose uptake|"
    r"tau phosphorylation|excitotoxicity|cell cycle (?:progression|arrest)|epithelial[- ]mesenchymal transition|"
    r"immune (?:activation|suppression)|protein translation|bone resorption|platelet aggregation|vasodilation))\b"
)
_NO_PATHWAY = words_of(
    """
    pathway signaling signalling cascade axis molecular cellular biological common key important specific major
    different several other many multiple various intracellular downstream cell related clinical treatment care
    final same new metabolic dependent independent independently upstream canonical putative y x
    """
)
#: Words of pathways of nerves, which are not mechanisms.
_OF_ANATOMY = words_of(
    "sensory motor neural nerve pain visual auditory horn spinal cortical descending ascending airway"
)


def find_pathways(text: str) -> Iterator[Words]:
    """The pathways and processes that a sentence names, in its words."""
    for found in _PATHWAY_END.finditer(text):
        tokens: list[Words] = []
        for token in reversed(_split_tokens(text, max(0, found.start() - 60), found.start())):
            following = tokens[0].start if tokens else found.start()
            if not _GAP.fullmatch(text, token.end, following) or len(tokens) == 3 or _ends_name(token):
                break
            tokens.insert(0, token)
        first = next((n for n, token in enumerate(tokens) if "/" in token.text or is_symbol(token.text)), 0)
        tokens = tokens[first:]
        while tokens and (tokens[0].text.casefold() in _NO_PATHWAY | _ADJECTIVES or tokens[0].text.endswith("ly")):
            tokens.pop(0)
        words = {token.text.casefold() for token in tokens}
        if not words <= _NO_PATHWAY and not words & _OF_ANATOMY:
            yield Words(text[tokens[0].start : found.end()], tokens[0].start, found.end())
    yield from (Words(found[0], *found.span()) for found in _PROCESS.finditer(text))


_OUTCOME = re.compile(
    r"\b(?:"
    r"(?:(?:invasive )?[a-z]+-free|overall|breast cancer[- ]specific|cancer[- ]specific) survival|"
    r"survival(?! (?:curve|analys))|"
    r"(?:tumou?r|cancer|xenograft) (?:growth|progression|volume|size|burden|weight|recurrence|incidence|invasion)|"
    r"(?:cancer |tumou?r )?cell (?:proliferation|viability|growth|migration|invasion)|cancer (?:risk|mortality)|"
    r"tumou?rigenesis|metasta(?:sis|ses)|"
    r"(?:annuali[sz]ed )?relapse rates?|relapses?|recurrences?|remission(?: rates?)?|"
    r"(?:pathologic(?:al)? complete|clinical|objective|overall|complete|tumou?r|antidepressant|treatment|virologic\w*) "
    r"(?:response|remission)(?: rates?)?|response rates?|antidepressant effects?|"
    r"cognitive (?:decline|impairments?|functions?|performance|deficits?)|memory (?:loss|impairments?|deficits?|"
    r"performance|function)|dementia|spatial memory|"
    r"disability(?: progression)?|EDSS(?: scores?)?|(?:whole[- ]|progressive )?brain (?:atrophy|volume)|"
    r"(?:(?:new|active|enhancing|T2|T1|contrast[- ]enhancing|gadolinium[- ]enhancing|CE|Gd\+?) ){1,3}lesions?|"
    r"lesion (?:load|volume|number|count|activity)s?|"
    r"depressive symptoms?|depress(?:ion|ive) (?:scores?|severity|symptoms?|ratings?|behaviou?rs?)|"
    r"(?:MADRS|HAM-?D|HDRS|BDI)(?:-?\d\d)? scores?|suicidal (?:ideation|thoughts)|suicidality|anhedonia|"
    r"immobility(?: time)?|(?:state )?anxiety(?: scores?)?|"
    r"pain (?:scores?|intensity|relief|threshold)|quality of life|"
    r"(?:(?:[Aa]ll|[a-z]+)-cause |(?:overall|cardiovascular|cardiac|vascular|(?:in-)?hospital|perioperative|maternal|"
    r"infant|neonatal|short-term|long-term|\d+-day) )?mortality|"
    r"hospitali[sz]ations?|exacerbations?|seizure (?:frequency|rates?)|"
    r"(?:systolic |diastolic )?blood pressure|HbA1c|fasting (?:plasma |blood )?glucose|body weight|weight loss|"
    r"insulin sensitivity|bone mineral density|fractures?|ejection fraction|cardiovascular events?|"
    r"disease (?:progression|activity|severity|recurrence|onset)|clinical (?:scores?|signs|severity|disability)|"
    r"motor (?:functions?|symptoms?|deficits?)|neurodegeneration|neuronal (?:death|loss)|"
    r"amyloid(?:[- ](?:β|beta))? (?:plaques?|burden|deposition|load)|Ki-?67|"
    r"(?:symptom|ulcer|wound) (?:severity|healing|relief)"
    r")(?![\w-])"
)


def find_outcomes(text: str) -> Iterator[Words]:
    """The outcomes that a sentence names, in its words."""
    yield from (Words(found[0], *found.span()) for found in _OUTCOME.finditer(text))
