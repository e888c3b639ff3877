"""PubMed's search fields, by the names that stand in square brackets after a term, and how dates are written there."""

from __future__ import annotations

import re

#: Fields of words on the subject: their terms say what a search is about.
SUBJECT_FIELDS = frozenset((
    "all", "all fields", "ab", "abstract", "ti", "title", "tiab", "title/abstract", "tw", "text word", "text words",
    "text", "mh", "mesh", "mesh terms", "mesh:noexp", "mh:noexp", "mesh terms:noexp", "majr", "mesh major topic",
    "majr:noexp", "mesh major topic:noexp", "nm", "supplementary concept", "substance name", "nm:noexp", "ot",
    "other term", "pa", "pharmacological action", "rn", "ec/rn number", "sh", "mesh subheading", "mesh subheadings",
    "tt", "transliterated title",
))  # fmt: skip

#: Fields whose terms are dates or ranges of dates.
DATE_FIELDS = frozenset((
    "dp", "pdat", "date - publication", "publication date", "pubdate", "ppdat", "epdat", "edat",
    "date - entry", "entry date", "entrez date", "crdt", "date - create", "create date", "dcom", "date - completion",
    "completion date", "mhda", "date - mesh", "mesh date", "lr", "date - modification", "modification date",
))  # fmt: skip

_OTHER_FIELDS = frozenset((
    "ad", "affiliation", "aid", "article identifier", "au", "author", "auid", "author - identifier",
    "author identifier", "1au", "author - first", "first author", "first author name", "lastau", "author - last",
    "last author", "last author name", "cn", "author - corporate", "corporate author", "fau", "author - full",
    "full author name", "ir", "investigator", "fir", "investigator - full", "full investigator name", "ed", "editor",
    "book", "isbn", "cois", "conflict of interest statement", "conflict of interest statements", "filter", "sb",
    "subset", "gr", "grant number", "grants and funding", "ip", "issue", "ta", "jour", "journal", "jid",
    "nlm unique id", "la", "lang", "language", "lid", "location id", "owner", "pg", "pagination", "ps",
    "personal name as subject", "pl", "place of publication", "pmid", "uid", "pmcid", "pt", "ptyp",
    "publication type", "pubn", "publisher", "si", "secondary source id", "vi", "volume", "is", "issn",
))  # fmt: skip

_FIELDS = SUBJECT_FIELDS | DATE_FIELDS | _OTHER_FIELDS
#: Fields that take a distance between the words of a phrase: `"sleep apnea"[tiab:~3]`.
_NEAR_FIELDS = frozenset(("ti", "title", "tiab", "title/abstract", "ad", "affiliation"))
_DAY = r"\d{4}(?:/\d{1,2}(?:/\d{1,2})?)?"
_DATE = re.compile(rf"(?P<first>{_DAY})(?: ?: ?(?P<last>{_DAY}))?", re.A)
_LAST_DAYS = re.compile(r"last \d{1,4} (?:day|month|year)s?", re.I | re.A)
_NEAR = re.compile(r"([a-z/]{2,14}):~\d{1,3}", re.A)


def field_name(tag: str) -> str:
    """The field of a tag as it is looked up: `tiab` of `[ TIAB ]`."""
    return " ".join(tag.strip("[]").casefold().split())


def is_field(name: str) -> bool:
    """Whether PubMed has the field, with or without a distance between words."""
    near = _NEAR.fullmatch(name)
    return name in _FIELDS or bool(near and near[1] in _NEAR_FIELDS)


def is_date(term: str) -> bool:
    """Whether a term is a date, or a range whose end is not before its beginning: `2015`, `2015/03:2020`."""
    bare = term.strip('"').strip()
    if _LAST_DAYS.fullmatch(bare):
        return True
    match = _DATE.fullmatch(bare)
    return bool(match and (match["last"] is None or match["first"][:4] <= match["last"][:4]))
