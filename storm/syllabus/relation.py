"""Finds the relation of a record to the drug of the job (1-product E10).

The longest name decides: "trastuzumab" inside "trastuzumab emtansine" or "trastuzumab-dkst" is not a mention of
trastuzumab. Names are found by the rules of the index of the corpus (storm.models.names). All patterns here read
folded text: lower case, no accents, every dash a hyphen. The word lists can be extended.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from storm.models import Hit, Holds, Related, Relation, database_info
from storm.models.names import NO_ENZYME, fold_text, is_odd, phrases_of, split_words
from storm.syllabus.drug_names import DRUG_NAME
from storm.syllabus.regimens import AGAINST, BACKGROUND, BACKGROUND_AFTER, VERSUS

#: Mentions read of a text, and characters read around each in a text and in a title.
_MOST_MENTIONS = 200
_TEXT_REACH = 80
_TITLE_REACH = 400

#: Relations by the names that a record lists for one drug, the most specific first.
_OWN_ORDER = (
    Relation.COMBINATION, Relation.BIOSIMILAR, Relation.ITSELF, Relation.DERIVATIVE, Relation.COMPARATOR,
)  # fmt: skip
#: Abbreviated applications: "ANDA076467", in the Orange Book "A076467".
_GENERIC_APPLICATION = re.compile(r"anda[ -]?\d+\b|a\d{6}\b")

#: Second words of antibody-drug conjugates and radioconjugates (INN); "irinotecan" and the like are separate drugs.
PAYLOAD = re.compile(
    r"[\s-]+(?:\w*tansine|(?!irino|topo|exa|belo|ruvi|luri|gimate)\w+tecan|\w*dotin|\w*irine|ozogamicin|duocarmazine|"
    r"tiuxetan|\w*xetan|\w*mustine|pasudotox|conjugates?|adcs?|immunotoxin|immunoliposomes?)\b"
)
#: What is bound to an antibody by a hyphen, possibly over a linker: toxins, chelators, dyes ("-DM1", "-MCC-DM1").
_BOUND = re.compile(
    r"(?:-\w{1,6}){0,2}[- ](?:dm[14]|mma[ef]|dxd|sn-?38|pbd|pe(?:38|40)|dota|dtpa|nota|nodaga|dfo|irdye\w*|ir700|"
    r"fitc|cy[57](?:\.5)?)\b"
)
#: "Ramucirumab labelled with zirconium-89" is a tracer.
_LABELLED = re.compile(r"[\s-](?:radiolabel+ed\b|label+ed with\b)")
#: Words before the name that make it another product, and isotopes with their chelators ("[177Lu]Lu-DOTA-").
_PREFIX = re.compile(
    r"(?:\b(?:ado|fam|peg|pegylated|liposomal|lipo|nanoliposomal|radiolabel+ed|biotinylated)[- ]|"
    r"(?:\[?\(?\d{2,3}m?[a-z][a-z]?\]?\)?|[a-z][a-z]?-?\d{2,3}m?|dota|dtpa|nota|dfo)[a-z()\[\]-]{0,12}-)$"
)
#: Names of biologics: the FDA gives a suffix only to these.
_BIOLOGIC = re.compile(
    r"(?:mab|cept|kin|stim|ase|ermin|poetin|tropin|fusp|toxin[ab]?|tigimod|cog|insulin|glargine|aspart|lispro|glulisine|"
    r"degludec|detemir)(?:\W+(?:alfa|beta|gamma|delta|pegol|human))*$"
)
_SUFFIX = re.compile(r"-([a-z]{4})\b")
#: An FDA suffix has four letters and no meaning, so an English word of four letters is not a suffix.
_NO_SUFFIX = re.compile(
    r"a(?:lfa|lso|rea|rms|way)|b(?:ack|ase|eta|oth)|c(?:ell|ode|ost)|d(?:ays|iet|ose|rug)|e(?:ven|ver)|f(?:ail|ast|old|"
    r"ood|ree|ull)|g(?:ene|ood)|h(?:alf|igh|ost|our)|into|l(?:ate|ead|ean|eft|ess|ike|ine|ink|oad|ong|oss)|m(?:ade|ass|"
    r"ice|ono|ore|ost|uch)|n(?:eed|ext|ull)|o(?:nce|nly|pen|ral)|p(?:air|art|ast|eak|lan|lus|oor|ost)|r(?:ate|ats|ich|"
    r"isk|ole)|s(?:afe|ame|ans|ide|ite|ize|low|oon|top|uch)|t(?:erm|est|han|hat|hen|his|ime|rio|rue|win|ype)|"
    r"u(?:nit|pon|ser)|very|w(?:eek|ell|hen|ide|ith)|year|zero"
)
_BIOSIMILAR = re.compile(r"\bbiosimilars?\b|\bbiobetters?\b|\bfollow-on biologics?\b|\bbiogenerics?\b")
_GENERIC = re.compile(r"\bgenerics?\b(?! (?:name|term|population))|\babbreviated new drug\b")
_COPY_AFTER = re.compile(r"\s+(?:biosimilar|generic)s?\b")
_COPY_BEFORE = re.compile(
    r"\b(?:biosimilar|generic)s?(?: (?:version|form|copy|copies|equivalent)s?)?(?: (?:of|to))?\s+$"
)

#: "Non-insulin-dependent diabetes" names a disease, "quercetin-3-rutinoside" another compound.
_NO_MENTION_AFTER = re.compile(
    r"-(?:in)?depend[ea]n(?:t|ce)\b|-\d(?:'|[,-]\d)*-(?:o-)?[a-z-]*(?:osid|osyl|glucuron|sulf|sulph|phosph|glucos)"
)

_SALT = r"(?:\s(?:hydrochloride|hcl|sodium|sulfate|phosphate))?"
_WITH_HYALURONIDASE = re.compile(r"(?:-\w{4})?,?\s*(?:and|plus|\+|/|&)\s*(?:\w+ )?hyaluronidase(?:-\w{4})?")
_FIXED_DOSE = re.compile(r"\b(?:fixed[- ]dose|fixed[- ]ratio|single[- ](?:pill|tablet)|co-?formulat\w+)\b")
_SLASH_AFTER = re.compile(rf"{_SALT}\s?/\s?(?!placebo|control|day|week|month|year)[a-z]{{4}}")
_SLASH_BEFORE = re.compile(r"[a-z]{4}\s?/\s?$")
_JOINED_BEFORE = re.compile(r"\b(?:and|with|plus|of)\s$|/$")
_JOINED_AFTER = re.compile(rf"{_SALT}\s*(?:\band|\bplus|\bwith|\+|/)\s*")
_LISTED_BEFORE = re.compile(r"[a-z]{5}\s*(?:\band|\bplus|\+|&|;)\s*$")
_LISTED_AFTER = re.compile(rf"{_SALT},?\s*(?:\band|\bplus|\+|&|;)\s*[a-z]{{5}}")
_IN_BRACKETS = re.compile(r"\w\s?\([^()]*$")
_BRACKETS = re.compile(r"\(([^()]*)\)")


class _Names(NamedTuple):
    """The names of the drug: those found anywhere, and the odd ones, which must equal the name of a listed drug.

    The pattern also finds names of related products; `others` has the relation of each.
    """

    pattern: re.Pattern[str]
    odd: frozenset[tuple[str, ...]]
    others: Mapping[tuple[str, ...], Relation]


class _Mention(NamedTuple):
    """A name of the drug, with the text before and after it."""

    before: str
    name: str
    after: str


def relation_of(hit: Hit, names: Sequence[str], related: Sequence[Related] = ()) -> Relation | None:
    """The relation of the record to the drug with these names; None if it does not name the drug at all.

    A record names the drug if the index of the corpus finds one of the names, or the name of a related product. The
    fields of a licence count first, then the title, the names that the record lists for its own drug, the text, and the
    numbers of the record.
    """
    known = _compile_names(tuple(names), tuple((other.text, other.relation) for other in related))
    return (
        _read_licence_relation(hit, known)
        or _read_patent_relation(hit, known)
        or _read_title_relation(hit, known)
        or _choose_first(_OWN_ORDER, _find_own_relations(hit, known))
        or _read_text_relation(hit, known)
        or _choose_first(_OWN_ORDER, _find_relations(_read_numbers(hit), known, "literature"))
    )


def names_drug(text: str, names: Sequence[str]) -> bool:
    """Whether the text names the drug at all."""
    return _compile_names(tuple(names)).pattern.search(fold_text(text)) is not None


def names_first(text: str, names: Sequence[str]) -> bool:
    """Whether the text names the drug before any other, unlike trastuzumab in "pertuzumab plus trastuzumab"."""
    known = _compile_names(tuple(names))
    plain = fold_text(text)
    own = known.pattern.search(plain)
    other = next((m for m in DRUG_NAME.finditer(plain) if not known.pattern.match(plain, m.start())), None)
    return own is not None and (other is None or own.start() < other.start())


def relations_in(text: str, names: Sequence[str], related: Sequence[Related] = ()) -> frozenset[Relation]:
    """What a text names: the drug itself, or products whose name contains the drug's ("trastuzumab emtansine")."""
    known = _compile_names(tuple(names), tuple((other.text, other.relation) for other in related))
    return frozenset(
        Relation.ITSELF if relation is Relation.COMPARATOR else relation
        for relation in _find_relations([text], known, "literature")
    )


def name_pattern(names: Sequence[str], related: Sequence[Related] = ()) -> re.Pattern[str]:
    """The pattern for names of the drug and of related products in folded text."""
    return _compile_names(tuple(names), tuple((other.text, other.relation) for other in related)).pattern


def _choose_first(order: Iterable[Relation], found: Iterable[Relation]) -> Relation | None:
    there = set(found)
    return next((relation for relation in order if relation in there), None)


def _read_licence_relation(hit: Hit, names: _Names) -> Relation | None:
    """The relation by the fields of a licensed product's record; None if they do not show it."""
    if database_info(hit.database).holds is not Holds.LICENCES:
        return None
    own = set(_find_own_relations(hit, names))
    named = own | set(_find_relations([hit.title], names, "product"))
    if Relation.COMBINATION in named or _has_other_ingredient(hit, names):
        return Relation.COMBINATION
    if named and _is_copy(hit):
        return Relation.BIOSIMILAR
    return _choose_first(_OWN_ORDER, own)


def _read_patent_relation(hit: Hit, names: _Names) -> Relation | None:
    """COMBINATION for a patent whose record lists another drug first, and this drug after it; otherwise None.

    None too if the title names the drug, because the title decides then.
    """
    if (
        database_info(hit.database).holds is not Holds.PATENTS
        or not hit.drugs
        or names.pattern.search(fold_text(hit.title))
    ):
        return None
    first, *others = map(fold_text, hit.drugs)
    is_other = DRUG_NAME.fullmatch(first) and not names.pattern.search(first)
    return Relation.COMBINATION if is_other and any(map(names.pattern.search, others)) else None


def _is_copy(hit: Hit) -> bool:
    """Whether the product was licensed as a biosimilar, or by an abbreviated application (ANDA)."""
    approvals = (approval.number or "" for approval in hit.facts.approvals)
    numbers = (number.strip().lower() for number in (*_read_numbers(hit), *approvals))
    return "Biosimilar" in hit.publication_types or any(map(_GENERIC_APPLICATION.match, numbers))


def _has_other_ingredient(hit: Hit, names: _Names) -> bool:
    """Whether the drug is in a list, "(A; B)" or "A, B", with another drug that the record lists."""
    own = {tuple(split_words(drug)) for drug in hit.drugs}
    for enumeration in (*_BRACKETS.findall(hit.title), *hit.drugs):
        parts = {tuple(split_words(part)) for part in re.split("[;,]", enumeration)} & own
        ours = [part for part in parts if names.pattern.search(" ".join(part))]
        if ours and len(parts) > len(ours):
            return True
    return False


def _read_title_relation(hit: Hit, names: _Names) -> Relation | None:
    found = list(_find_relations([hit.title], names, _classify_title(hit), _TITLE_REACH))
    if not found:
        return None
    title = fold_text(hit.title)
    if _BIOSIMILAR.search(title) or (_GENERIC.search(title) and not database_info(hit.database).is_literature):
        return Relation.BIOSIMILAR
    others = (relation for relation in found if relation is not Relation.COMPARATOR)
    return _choose_first((Relation.BIOSIMILAR, Relation.COMBINATION), found) or next(others, Relation.COMPARATOR)


def _find_own_relations(hit: Hit, names: _Names) -> Iterator[Relation]:
    yield from _find_relations(hit.drugs, names, _classify_title(hit))
    if names.odd and any(tuple(split_words(drug)) in names.odd for drug in hit.drugs):
        yield Relation.ITSELF


def _read_text_relation(hit: Hit, names: _Names) -> Relation | None:
    """The relation that the text mentions most; a plain mention below a title on another drug is a comparison."""
    counts = Counter(_find_relations((section.text for section in hit.sections), names, "literature"))
    if not counts:
        return None
    plain = counts[Relation.ITSELF] + counts[Relation.COMPARATOR]
    other, number = max(
        ((r, counts[r]) for r in (Relation.DERIVATIVE, Relation.BIOSIMILAR, Relation.COMBINATION)), key=lambda c: c[1]
    )
    if number >= plain:
        return other
    title = fold_text(hit.title[:_TITLE_REACH])
    if DRUG_NAME.search(title) or counts[Relation.COMPARATOR] > counts[Relation.ITSELF]:
        return Relation.COMPARATOR
    return Relation.ITSELF


def _read_numbers(hit: Hit) -> tuple[str, ...]:
    """The numbers of a record, and of the trials that it links to, as the index stores them."""
    return (hit.external_id, *(identifier.partition(":")[2] for identifier in hit.identifiers), *hit.trials)


def _classify_title(hit: Hit) -> str:
    """How to read "A and B" in the title of a record: "product", "literature" (a regimen) or "page"."""
    if database_info(hit.database).is_product:
        return "product"
    return "literature" if database_info(hit.database).is_literature else "page"


def _find_relations(texts: Iterable[str], names: _Names, kind: str, reach: int = _TEXT_REACH) -> Iterator[Relation]:
    """The relation by each of the first mentions. The drug can be a comparator only until another is found."""
    named = False
    mentions = (mention for text in texts for mention in _find_mentions(text, names, reach))
    for mention in islice(mentions, _MOST_MENTIONS):
        relation = names.others.get(tuple(split_words(mention.name))) or _read_longer_name(mention, kind)
        if relation is None:
            relation = Relation.COMPARATOR if not named and _is_compared(mention) else Relation.ITSELF
        named = named or relation is not Relation.COMPARATOR
        yield relation


def _find_mentions(text: str, names: _Names, reach: int) -> Iterator[_Mention]:
    plain = fold_text(text)
    for match in names.pattern.finditer(plain):
        start, end = match.span()
        if _NO_MENTION_AFTER.match(plain, end):
            continue
        yield _Mention(plain[max(0, start - reach) : start], match[0], plain[end : end + reach])


def _read_longer_name(mention: _Mention, kind: str) -> Relation | None:
    """The relation of the product whose longer name contains this name; None if no longer name does."""
    before, name, after = mention
    if _COPY_AFTER.match(after) or _COPY_BEFORE.search(before):
        return Relation.BIOSIMILAR
    if PAYLOAD.match(after) or _BOUND.match(after) or _LABELLED.match(after) or _PREFIX.search(before):
        return Relation.DERIVATIVE
    if _WITH_HYALURONIDASE.match(after) or _is_in_product(mention, kind):
        return Relation.COMBINATION
    suffix = _SUFFIX.match(after)
    if suffix and not _NO_SUFFIX.fullmatch(suffix[1]) and _BIOLOGIC.search(name):
        return Relation.BIOSIMILAR
    return None


def _is_in_product(mention: _Mention, kind: str) -> bool:
    """Whether the name is part of the name of a product with several substances."""
    before, _, after = mention
    if _SLASH_AFTER.match(after) or _SLASH_BEFORE.search(before):
        return True
    if kind == "literature":
        return _is_in_fixed_dose(before, after)
    if kind == "product" or _IN_BRACKETS.search(before):
        return bool(_LISTED_AFTER.match(after) or _LISTED_BEFORE.search(before))
    return False


def _is_in_fixed_dose(before: str, after: str) -> bool:
    if not _FIXED_DOSE.search(before) and not _FIXED_DOSE.search(after):
        return False
    joined = _JOINED_AFTER.match(after)
    return bool(_JOINED_BEFORE.search(before) or (joined and DRUG_NAME.match(after, joined.end())))


def _is_compared(mention: _Mention) -> bool:
    """Whether the text compares something else with the name, or adds something to it."""
    before, _, after = mention
    sentence = re.split(r"[.!?]\s", before)[-1]
    if not DRUG_NAME.search(before) and not DRUG_NAME.search(after):
        return bool(VERSUS.search(sentence))
    if AGAINST.search(sentence) and DRUG_NAME.search(sentence):
        return True
    return bool(BACKGROUND.search(sentence) or BACKGROUND_AFTER.match(after))


@lru_cache(maxsize=256)
def _compile_names(names: tuple[str, ...], related: tuple[tuple[str, Relation], ...] = ()) -> _Names:
    phrases = phrases_of(names)
    pairs = ((phrase, relation) for text, relation in related for phrase in phrases_of([text]))
    others = {phrase: relation for phrase, relation in pairs if phrase not in phrases and not is_odd(phrase)}
    plain = (*(phrase for phrase in phrases if not is_odd(phrase)), *others)
    found = sorted(plain, key=lambda phrase: (-len(phrase), phrase))
    odd = frozenset(phrase for phrase in phrases if is_odd(phrase))
    return _Names(re.compile("|".join(map(_build_phrase_pattern, found)) or r"(?!)"), odd, others)


def _build_phrase_pattern(phrase: Sequence[str]) -> str:
    """A pattern for the words in a row. It puts the first letter before the lookbehind, which makes the search fast."""
    first = phrase[0][0]
    rest = r"[\W_]+".join(map(re.escape, (phrase[0][1:], *phrase[1:])))
    return rf"{re.escape(first)}(?<![^\W_]{re.escape(first)}){rest}(?![^\W_]){NO_ENZYME}"
