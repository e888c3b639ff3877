"""The targets of a drug by the records on it, in the forms in which texts name them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from string import ascii_lowercase, ascii_uppercase

from storm.extractive.drug_names import NamedDrug, drop_repeats
from storm.models import Hit, Relation
from storm.syllabus import relation_of

#: What a drug does to a target: "Dipeptidyl peptidase IV inhibitor", "HER2/Neu/cerbB2 Antagonists".
_ACTION = re.compile(
    r"\s(?:(?:positive|negative|inverse|partial|full|allosteric|irreversible|selective) ){0,3}"
    r"(?:inhibit|agon|antagon|block|activat|modulat|open|bind|degrad|releas|stimulat|substrate|stabili[sz]|disrupt|"
    r"potentiat|sequest|hydroly)(?:or|er|ist|ing agent|e)?s?$",
    re.I,
)
#: What handles a drug is not a target.
_HANDLING = re.compile(r"cytochrome|p-glycoprotein|transporting polypeptide", re.I)
_BRACKETS = re.compile(r"\s?[(\[]([^()\[\]]{1,100})[)\]]")
#: "MT-ND1..6" are six.
_RANGE = re.compile(r"([\w-]{2,20}?)(\d)\.\.(\d)")
#: A short name at the end of a long one: "Receptor protein-tyrosine kinase erbB-2".
_SYMBOL = re.compile(r"(?<=\s)(?=\S{0,12}[a-z]?[A-Z])(?=\S{0,12}\d)[A-Za-z][\w-]{2,11}$")
#: "HER2/neu receptor" has two short names.
_JOINED = re.compile(r"([A-Za-z0-9-]{3,12}(?:/[A-Za-z0-9-]{3,12})+)(?: receptors?)?", re.I)
#: "The ERBB2 gene"; "AMP-activated protein kinase (AMPK)".
_GENE = re.compile(r"\b[A-Z][A-Z0-9]{2,9}(?= genes?\b)")
_SHORT_NAME = re.compile(r"\s?\((?=[^()]*[A-Z])([A-Za-z0-9-]{2,12})\)")
#: Small letters, with every character in its place.
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
#: At most so many targets of a record, and names of all.
_MOST = 24
#: Characters of the record in which short names and genes are looked for.
_MOST_READ = 100_000


def list_target_names(drug: NamedDrug) -> tuple[str, ...]:
    """The names of the drug's targets that records on itself alone give, short names first."""
    found = [name for hit in drug.hits if _is_on(hit, drug) for name in _read_targets(hit)]
    return drop_repeats(sorted(found, key=lambda name: len(name.split())))[:_MOST]


def _is_on(hit: Hit, drug: NamedDrug) -> bool:
    is_alone = len(hit.facts.substances) <= 1
    return is_alone and relation_of(hit, drug.names, drug.identity.related) is Relation.ITSELF


def _read_targets(hit: Hit) -> Iterator[str]:
    """The targets that a record states, in its own words, and their short names in its text."""
    stated = dict.fromkeys((*hit.facts.targets, *filter(_ACTION.search, hit.facts.drug_class)))
    bare = (_ACTION.sub("", text).strip() for text in islice(stated, _MOST))
    wholes = [whole for whole in bare if whole and not _HANDLING.search(whole)]
    for whole in wholes:
        for name in dict.fromkeys((_BRACKETS.sub("", whole).strip(), *_BRACKETS.findall(whole))):
            yield from _write_forms(name)
            yield from _find_short_names(name, hit.list_first_texts(_MOST_READ))
    if wholes and hit.database == "chembl":
        for text in hit.list_first_texts(_MOST_READ):
            yield from _GENE.findall(text)


def _write_forms(name: str) -> Iterator[str]:
    if several := _RANGE.fullmatch(name):
        yield from (f"{several[1]}{number}" for number in range(int(several[2]), int(several[3]) + 1))
        return
    if joined := _JOINED.fullmatch(name):
        yield from joined[1].split("/")
        return
    if bare := name.rstrip("*").strip():
        yield bare
    if symbol := _SYMBOL.search(name):
        yield symbol[0]


def _find_short_names(name: str, texts: Iterable[str]) -> Iterator[str]:
    """What the first of the texts that has the name puts in brackets after it."""
    for text in texts:
        if (at := text.translate(_SMALL).find(name.translate(_SMALL))) >= 0:
            found = _SHORT_NAME.match(text, at + len(name))
            yield from found.groups() if found else ()
            return
