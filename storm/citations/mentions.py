"""References in the words of a sentence, such as "(PMID 16236737)": they must belong to its sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from storm.citations.quotes import normalize_text
from storm.models import Hit
from storm.models.normal_forms import normal_form
from storm.models.written_identifiers import stated_identifiers, strip_wrapping

#: Further numbers after a PubMed id; shorter ones may count anything.
_MORE = r"(?:(?:\s?[,;/&]\s?|\s)(?:(?:and|or)\s)?[0-9]{6,9}\b(?![.,]?[0-9%])){0,50}"
_NUMBER = re.compile(r"[0-9]{1,9}")
#: A reference to a work; registration numbers of trials are checked as names.
_MENTION = re.compile(
    rf"\b(?:pubmed\s?)?pmids?(?:\s?(?:numbers?|nos?\.?))?\s?[:#=]?\s?[0-9]{{1,9}}\b{_MORE}"
    r"|\bpubmed(?:\s?(?:id|identifier|number|no\.?))?\s?[:#=]?\s?[0-9]{6,9}\b"
    r"|\bpmc(?:id)?\s?[:#=]?\s?(?:pmc)?[0-9]{5,10}\b"
    r"|(?:https?://)[^\s<>]{4,500}"
    r"|(?<![\w.@/:-])(?:[a-z0-9-]{1,40}\.){1,5}[a-z]{2,10}/[^\s<>]{1,500}"
    r"|(?<![\w./])10\.[0-9]{4,9}/[^\s<>]{1,300}",
    re.IGNORECASE,
)
#: How many characters of a text are read: no sentence and no claim is longer.
_MOST = 20_000
_WORKS = ("pmid:", "pmcid:", "doi:")
_BRACKETED = re.compile(r"\s?[(\[]([^()\[\]]{4,300})[)\]]")
_BETWEEN = re.compile(r"[;,]| and ")


def find_mentioned_works(text: str) -> tuple[str, ...]:
    """The works that a sentence names by PubMed id, PMC id or DOI, as it writes them."""
    plain = normal_form("NFKC", text[:_MOST]).replace("*", "")
    found = (strip_wrapping(mention) for match in _MENTION.finditer(plain) for mention in _split_mention(match[0]))
    return tuple(mention for mention in found if any(_identify_works(mention)))


def _split_mention(mention: str) -> Iterator[str]:
    """A mention of several numbers as one mention per number, each with the label."""
    numbers = list(_NUMBER.finditer(mention)) if mention[:1] in "pP" and "://" not in mention else []
    if len(numbers) < 2 or "/" in mention[: numbers[0].start()]:
        yield mention
        return
    yield mention[: numbers[0].end()]
    yield from (f"PMID {number[0]}" for number in numbers[1:])


def find_foreign_mentions(text: str, hits: Iterable[Hit]) -> tuple[str, ...]:
    """The mentioned works that are none of these records."""
    own = _record_identifiers(hits)
    return tuple(mention for mention in find_mentioned_works(text) if own.isdisjoint(_identify_works(mention)))


def drop_own_mentions(text: str, hits: Iterable[Hit]) -> str:
    """The sentence without brackets that name only these records: its citation names them already."""
    own = _record_identifiers(hits)

    def drop_bracket(match: re.Match[str]) -> str:
        works = [set(_identify_works(part)) for part in _BETWEEN.split(match[1]) if part.strip()]
        return "" if works and not any(own.isdisjoint(each) for each in works) else match[0]

    return _BRACKETED.sub(drop_bracket, text) if len(text) <= _MOST else text


def _identify_works(mention: str) -> Iterator[str]:
    return (normalize_text(one) for one in stated_identifiers(mention) if one.startswith(_WORKS))


def _record_identifiers(hits: Iterable[Hit]) -> frozenset[str]:
    return frozenset(normalize_text(identifier) for hit in hits for identifier in hit.identifiers)
