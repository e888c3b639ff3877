"""What a record is about, seen from the drug of the job (1-product E10).

The longest name decides: "trastuzumab" inside "trastuzumab emtansine" or "trastuzumab-dkst" is no mention of
trastuzumab. The word lists below may be extended by whoever knows more names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from storm.models import Hit, Relation

#: Second words of antibody-drug conjugates and radioconjugates (INN); "irinotecan" and its kin are drugs of their own.
_PAYLOAD = re.compile(
    r"[\s-]+(?:\w*tansine|(?!irino|topo|exa|belo|ruvi|luri|gimate)\w+tecan|\w*dotin|\w*irine|ozogamicin|duocarmazine|tiuxetan|"
    r"\w*xetan|\w*mustine|pasudotox|conjugates?|adcs?|immunotoxin|immunoliposomes?)\b",
    re.I,
)
#: Words before the name that make another product of it, and isotopes with their chelators ("[177Lu]Lu-DOTA-").
_PREFIX = re.compile(
    r"(?:\b(?:ado|fam|peg|pegylated|liposomal|lipo|nanoliposomal|radiolabel+ed|biotinylated)[- ]|"
    r"(?:\[?\(?\d{2,3}m?[A-Z][a-z]?\]?\)?|[A-Z][a-z]?-?\d{2,3}m?|dota|dtpa|nota|dfo)[A-Za-z()\[\]-]{0,12}-)$",
    re.I,
)
#: An FDA suffix has four letters and no meaning, so a word of four letters after the hyphen is none.
_NO_SUFFIX = re.compile(
    r"a(?:lfa|lso|rea|rms|way)|b(?:ack|ase|eta|oth)|c(?:ell|ode|ost)|d(?:ays|ose|rug)|e(?:ven|ver)|f(?:ail|ast|old|ood|"
    r"ree|ull)|g(?:ene|ood)|h(?:alf|igh|ost|our)|into|l(?:ate|ead|eft|ess|ike|ine|ink|oad|ong|oss)|m(?:ade|ass|ono|ore|"
    r"ost|uch)|n(?:eed|ext|ull)|o(?:nce|nly|pen|ral)|p(?:air|art|ast|eak|lan|lus|oor|ost)|r(?:ate|ich|isk|ole)|s(?:afe|"
    r"ame|ans|ide|ite|ize|low|oon|top|uch)|t(?:erm|est|han|hat|hen|his|ime|rio|rue|win|ype)|u(?:nit|pon|ser)|very|"
    r"w(?:eek|ell|hen|ide|ith)|year|zero",
    re.I,
)
_COMBINED_WITH = r"(?:\w+ )?hyaluronidase(?:-\w{4})?"
_FIXED_DOSE = re.compile(r"\b(?:fixed[- ]dose|fixed[- ]ratio|single[- ](?:pill|tablet)|co-?formulat\w+)\b", re.I)
_BIOSIMILAR = re.compile(r"\bbiosimilars?\b|\bbiobetters?\b|\bfollow-on biologics?\b|\bbiogenerics?\b", re.I)
_GENERIC = re.compile(r"\bgenerics?\b(?! (?:name|term|population))|\babbreviated new drug\b", re.I)
_COPY_AFTER = re.compile(r"\s+(?:biosimilar|generic)s?\b", re.I)
_COPY_BEFORE = re.compile(
    r"\b(?:biosimilar|generic)s?(?: (?:version|form|copy|copies|equivalent)s?)?(?: (?:of|to))?\s+$", re.I
)
#: Databases whose records are about one product, where "A and B" is a product and not a regimen.
_PRODUCT_DATABASES = frozenset(("openfda", "dailymed", "orangebook", "purplebook", "chembl"))
_LITERATURE = frozenset(("pubmed", "pmc", "europepmc", "crossref", "clinicaltrials", "ris"))
_AGAINST = re.compile(
    r"\b(?:versus|vs\.?|v\.|compar(?:ed|ison|able|ing) (?:with|to|against)|in comparison (?:with|to)|against|over|than|"
    r"superior(?:ity)? to|non-?inferior(?:ity)? to|switch\w* from|instead of)\b",
    re.I,
)
#: The drug as what patients had before or take beside; directly before its name, at most a few words between.
_BACKGROUND = re.compile(
    r"(?:(?:inadequate|insufficient|poor|not (?:have )?adequate|suboptimal)(?:ly)? ?(?:glyc\w+ |blood glucose )?"
    r"(?:control\w*|respon\w+)?(?: (?:with|on|by|to|despite))?|uncontrolled (?:with|on|by)|"
    r"(?:add(?:ed)?[- ]?on|added|addition|adding) to|(?:on a )?background(?: of)?|"
    r"(?:previously|already|prior|earlier|pre-?)[- ]?(?:treated|treatment|therapy|receiv\w+|taking)(?: with| on)?|"
    r"progress\w+ (?:on|after|during|following)|refractory to|resistan\w+ to|fail\w* (?:of|on|with|to)|"
    r"after|following|despite|stable|combined with background)"
    r"(?:[\s,]+(?!and\b|or\b|plus\b|versus\b|vs\b)[\w-]+){0,3}?[\s(]*$",
    re.I,
)
_BACKGROUND_AFTER = re.compile(r"[- ](?:refractory|resistant|pre-?treated|treated|experienced|exposed)\b", re.I)
#: Endings of the international names of other drugs, and classes that are written as one.
_DRUG_NAME = re.compile(
    r"\b(?:[a-z]{3,}(?:mab|nib|ciclib|parib|lisib|gliptin|gliflozin|glutide|natide|glitazone|glinide|pride|platin|taxel|"
    r"rubicin|citabine|trexed|statin|sartan|dipine|olol|azole|afil|vir|mycin|cillin|floxacin|xaban|gatran|grel|parin|"
    r"cept|limus|triptan|setron|prazole|lukast|tecan|fenib|degib|rafenib|zomib|imide|oxetine|azepam|formin|"
    r"bose|glimod|tansine|stat|tide|cycline|profen|coxib|semide|thiazide|relin|relix)|gli[a-z]+ide|gly[a-z]+ide|"
    r"insulin|sulph?onylureas?)\b",
    re.I,
)


class _Mention(NamedTuple):
    """Where a text names the drug, or something that bears its name."""

    start: int
    relation: Relation


def relation_of(hit: Hit, names: Sequence[str]) -> Relation | None:
    """What the record is about, seen from the drug with these names; None if it does not name the drug at all.

    The title weighs most, then the names that the record lists for its own drug, then the text.
    """
    return _of_title(hit, names) or _of_own_names(hit, names) or _of_text(hit, names)


def _of_title(hit: Hit, names: Sequence[str]) -> Relation | None:
    mentions = list(_mentions(hit.title, names, _kind(hit)))
    if not mentions:
        return None
    found = [mention.relation for mention in mentions]
    if _BIOSIMILAR.search(hit.title) or (_GENERIC.search(hit.title) and hit.database not in _LITERATURE):
        return Relation.BIOSIMILAR
    for relation in (Relation.BIOSIMILAR, Relation.COMBINATION):
        if relation in found:
            return relation
    return next((relation for relation in found if relation is not Relation.COMPARATOR), Relation.COMPARATOR)


def _of_own_names(hit: Hit, names: Sequence[str]) -> Relation | None:
    own = [mention.relation for name in hit.drugs for mention in _mentions(name, names, _kind(hit))]
    if not own:
        return None
    if hit.external_id.upper().startswith("ANDA"):
        return Relation.BIOSIMILAR
    if Relation.ITSELF in own and not set(own) & {Relation.COMBINATION, Relation.BIOSIMILAR}:
        return Relation.ITSELF
    return next(relation for relation in own if relation is not Relation.ITSELF)


def _of_text(hit: Hit, names: Sequence[str]) -> Relation | None:
    """By what the text names most; a plain mention under a title about another drug is a comparison."""
    counts = Counter(mention.relation for mention in _mentions(hit.text, names))
    if not counts:
        return None
    plain = counts[Relation.ITSELF] + counts[Relation.COMPARATOR]
    other, number = max(
        ((r, counts[r]) for r in (Relation.DERIVATIVE, Relation.BIOSIMILAR, Relation.COMBINATION)), key=lambda c: c[1]
    )
    if number >= plain:
        return other
    if _DRUG_NAME.search(hit.title) or counts[Relation.COMPARATOR] > counts[Relation.ITSELF]:
        return Relation.COMPARATOR
    return Relation.ITSELF


def _kind(hit: Hit) -> str:
    """Which way "A and B" is read in a record's title: as the name of a product, or as a regimen."""
    if hit.database in _PRODUCT_DATABASES:
        return "product"
    return "literature" if hit.database in _LITERATURE else "page"


def _mentions(text: str, names: Sequence[str], kind: str = "literature") -> Iterator[_Mention]:
    named = False
    for match in _names(tuple(names)).finditer(text):
        relation = _longer_name(text, match, kind)
        if relation is None:
            relation = Relation.COMPARATOR if not named and _compared(text, match) else Relation.ITSELF
        named = named or relation is not Relation.COMPARATOR
        yield _Mention(match.start(), relation)


def _longer_name(text: str, match: re.Match[str], kind: str) -> Relation | None:
    """What the name is a part of, if it is part of a longer one."""
    before, after = text[: match.start()], text[match.end() :]
    if (suffix := re.match(r"-([a-z]{4})\b", after, re.I)) and not _NO_SUFFIX.fullmatch(suffix[1]):
        return Relation.BIOSIMILAR
    if _COPY_AFTER.match(after) or _COPY_BEFORE.search(before[-60:]):
        return Relation.BIOSIMILAR
    if _PAYLOAD.match(after) or _PREFIX.search(before[-40:]):
        return Relation.DERIVATIVE
    if re.match(rf"(?:-\w{{4}})?\s*(?:and|plus|\+|/|&)\s*{_COMBINED_WITH}", after, re.I):
        return Relation.COMBINATION
    if _in_product(text, match, kind):
        return Relation.COMBINATION
    return None


def _in_product(text: str, match: re.Match[str], kind: str) -> bool:
    """Whether the name stands in the name of a product of several substances."""
    before, after = text[: match.start()], text[match.end() :]
    salt = r"(?:\s(?:hydrochloride|hcl|sodium|sulfate|phosphate))?"
    if re.match(rf"{salt}\s?/\s?[a-z]{{4}}", after, re.I) or re.search(r"[a-z]{4}\s?/\s?$", before, re.I):
        return not re.match(r"\s?/\s?(?:placebo|control|day|week|month|year)", after, re.I)
    if kind == "literature":
        return bool(_FIXED_DOSE.search(text)) and bool(re.search(r"\b(?:and|with|plus|of)\s$|/$", before))
    if kind == "product" or re.search(r"\w\s?\([^()]*$", before):
        joined = r"\s*(?:\band|\bplus|\+|&|;)\s*"
        followed = re.match(rf"{salt}{joined}[a-z]{{5}}", after, re.I)
        return bool(followed or re.search(rf"[a-z]{{5}}{joined}$", before, re.I))
    return False


def _compared(text: str, match: re.Match[str]) -> bool:
    """Whether the name, not named before, is what something else is compared with or added to."""
    sentence = re.split(r"[.!?]\s", text[: match.start()])[-1]
    if not _DRUG_NAME.search(text[: match.start()]) and not _DRUG_NAME.search(text[match.end() :]):
        return bool(re.search(r"\b(?:versus|vs\.?|compared (?:with|to))\s*$", sentence, re.I))
    if _AGAINST.search(sentence) and _DRUG_NAME.search(sentence):
        return True
    return bool(_BACKGROUND.search(sentence)) or bool(_BACKGROUND_AFTER.match(text[match.end() :]))


@lru_cache(maxsize=256)
def _names(names: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted({name.strip() for name in names if name.strip()}, key=lambda name: (-len(name), name))
    written = "|".join(re.escape(name).replace(r"\ ", r"[\s-]") for name in longest_first)
    return re.compile(rf"(?<![^\W_])(?:{written})(?![^\W_])" if written else r"(?!)", re.IGNORECASE)
