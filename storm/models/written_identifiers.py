"""Identifiers as people and models write them: with a label, in brackets, or as a URL."""

import html
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from storm.models.identifiers import (
    canonical_id,
    normalize_doi,
    normalize_nct,
    normalize_pmcid,
    normalize_pmid,
    normalize_url,
)

#: Longer texts are neither identifiers nor URLs.
_LONGEST = 4_000
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});", re.I)
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"))
_BESIDE = " \t\r\n.,;:\"'`*“”‘’„«»"
#: How often brackets and marks are stripped in turn.
_LAYERS = 4

_LABEL = re.compile(
    r"(?:(?P<pmcid>(?:pubmed central )?pmcid|pubmed central|pmc)|(?P<pmid>(?:pubmed )?pmids?|pubmed)"
    r"|(?P<doi>(?:info:|urn:)?doi)|(?P<trial>clinicaltrials\.gov|eudract|eu ctr|isrctn|nct|trial registration))"
    r"(?:[ -](?:identifier|id|registration|no\.?)(?![a-z]))?(?: number)?(?: ?[-:#=,/])? ?",
    re.I,
)
_ISRCTN = re.compile(r"ISRCTN ?([0-9]{8})", re.I)
_EUDRACT = re.compile(r"(20[0-9]{2})-([0-9]{6})-([0-9]{2})(?:-00)?")
_NCT_APART = re.compile(r"NCT(?: ?[:#-] ?| )([0-9]{8})", re.I)
#: Records of Europe PMC that have no PubMed id: preprints, theses, patents, books and others.
_OTHER_SOURCE = re.compile(r"(?:agr|cba|ctx|eth|hir|nbk|pat|ppr):[a-z0-9]{1,24}")
_TERM = re.compile(r"([0-9]{1,10})(?:\[(?:uid|pmid)\])?", re.I)

#: Where another identifier begins in a text with several: at its label, or where none is needed.
_NEXT = re.compile(
    r"(?:[;,|/] ?| and |(?<=[0-9.)\]]) )"
    r"(?=(?:pmid|pmcid|doi|eudract|isrctn|clinicaltrials\.gov|https?://)\b|(?:pmc|nct) ?[0-9]|10\.[0-9]{4})",
    re.I,
)
#: What PubMed writes after an identifier, and the year that others write.
_REMARK = re.compile(r" \[(?:indexed for medline|pubmed(?: - [a-z ]{1,40})?)\]| free (?:pmc )?article\b", re.I)
_YEAR = re.compile(r" \((?:19|20)[0-9]{2}\)")
_LINK = re.compile(r"\[([^\[\]]{0,1000})\]\(([^\s()<>]{1,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,200})?)\)")

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]{0,30}://", re.I)
_UNSAFE = re.compile(r"[\s\\\x00-\x1f\x7f]")
_RESOLVERS = ("doi.org", "dx.doi.org")
#: Publishers whose pages have the DOI in their path.
_PUBLISHERS = frozenset((
    "nejm.org", "wiley.com", "tandfonline.com", "sagepub.com", "acs.org", "ascopubs.org", "ahajournals.org",
    "science.org", "pnas.org", "acpjournals.org", "cochranelibrary.com", "annualreviews.org", "liebertpub.com",
    "asm.org", "physiology.org", "atsjournals.org", "psychiatryonline.org", "rsna.org", "karger.com",
    "degruyter.com", "degruyterbrill.com", "oup.com", "springer.com", "frontiersin.org",
    "thelancet.com", "cell.com", "ashpublications.org", "royalsocietypublishing.org", "bioone.org",
    "worldscientific.com", "emerald.com", "healthaffairs.org", "ersjournals.com",
))  # fmt: skip
_OWN_DOI = re.compile(
    r"/(?:[a-z][a-z0-9-]{0,30}/){0,3}?(?:doi|article|articles|chapter)/"
    r"(?:(?:full|full-xml|abs|pdf|pdfplus|pdfdirect|epdf|epub|reader|figure|references|suppl)/)?"
    r"(10\.[0-9]{4,9}/.{1,500})",
    re.I,
)
_VIEW = re.compile(r"/(?:full|full-text|abstract|pdf|epub|html|references)\Z", re.I)
_REGISTRIES = ("clinicaltrials.gov", "classic.clinicaltrials.gov", "beta.clinicaltrials.gov")
#: Paths of the registry's records, now and in the past.
_RECORDS = frozenset((
    "", "study", "show", "ct/show", "ct2/show", "ct2/show/study", "ct2/show/results", "ct2/show/record",
    "api/v2/studies",
))  # fmt: skip


class Address(NamedTuple):
    """A URL without tricks: host in lower case without `www.`, raw path, query."""

    host: str
    path: str
    query: Mapping[str, str]

    @property
    def segments(self) -> Sequence[str]:
        """The parts of the path in lower case."""
        return self.path.lower().strip("/").split("/")


def strip_wrapping(text: str) -> str:
    """The text without HTML entities and without the brackets, quotation marks and stops around it."""
    text = _ENTITY.sub(lambda match: html.unescape(match[0]), text[: 2 * _LONGEST]).replace("**", "")
    for _ in range(_LAYERS):
        before = text
        text = text.strip(_BESIDE)
        for opening, closing in _BRACKETS:
            surplus = text.count(opening) - text.count(closing)
            if text.startswith(opening) and (surplus > 0 or text.endswith(closing)):
                text = text[1:] if surplus > 0 else text[1:-1]
            elif text.endswith(closing) and surplus < 0:
                text = text[:-1]
        if text == before:
            break
    return text.strip(_BESIDE) if len(text) <= _LONGEST else ""


def stated_identifiers(text: str) -> tuple[str, ...]:
    """The canonical identifiers that a text states: an identifier, a URL, or several (see `stated_parts`).

    A bare number states none.
    """
    return tuple(dict.fromkeys(identifier for part in stated_parts(text) for identifier in _find_identifiers(part)))


def stated_parts(text: str) -> tuple[str, ...]:
    """The identifiers and URLs that a text consists of; the text itself if it consists of something else."""
    plain = _strip_remarks(text)
    if link := link_parts(plain):
        named = [part for part in stated_parts(link[0]) if _find_identifiers(part)]
        return (*named, link[1])
    parts = tuple(filter(None, map(strip_wrapping, _NEXT.split(plain))))
    return parts if len(parts) > 1 and all(map(_find_identifiers, parts)) else (plain,)


def link_parts(text: str) -> tuple[str, str] | None:
    """The words and the URL of a Markdown link, if the text is one."""
    link = _LINK.fullmatch(text[: 2 * _LONGEST].strip(" \t\r\n.,;*"))
    return (link[1], link[2]) if link else None


def stated_year(text: str) -> int | None:
    """The year in brackets after an identifier; None if there is none."""
    year = list(_YEAR.finditer(text[: 2 * _LONGEST]))
    return int(year[-1][0][2:-1]) if year else None


def _strip_remarks(text: str) -> str:
    """The text on one line, unwrapped, without remarks after an identifier; a Markdown link unchanged."""
    one_line = " ".join(text[: 2 * _LONGEST].split())
    if link_parts(one_line):
        return one_line.strip(" .,;*")
    return strip_wrapping(_YEAR.sub("", _REMARK.sub("", strip_wrapping(one_line))))


def _find_identifiers(part: str) -> tuple[str, ...]:
    """The canonical identifiers of one identifier or URL."""
    same = unicodedata.normalize("NFKC", part)
    return tuple(dict.fromkeys((*_read_unlabelled(same), *_read_labelled(same), *address_identifiers(part))))


def address_identifiers(url: str) -> tuple[str, ...]:
    """The canonical identifiers of the work at a URL of PubMed, PMC, Europe PMC, a DOI resolver, a publisher or a trial
    registry."""
    address = read_address(url)
    return tuple(dict.fromkeys(filter(None, _read_address_path(address)))) if address else ()


def read_address(url: str) -> Address | None:
    """The parts of a URL, with or without scheme; None for another text, and for a URL that may lead elsewhere than it
    seems to: with a user, an unusual port, a backslash, or dot segments in its path."""
    text = with_scheme(url)
    if len(text) > _LONGEST or _UNSAFE.search(text):
        return None
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return None
    decoded = unquote(parts.path)
    if parts.scheme.lower() not in ("http", "https") or "@" in parts.netloc or port not in (None, 80, 443):
        return None
    if not host or "\\" in decoded or not {".", ".."}.isdisjoint(decoded.split("/")):
        return None
    return Address(host, parts.path, dict(parse_qsl(parts.query)))


def with_scheme(url: str) -> str:
    """The URL, with a scheme added if it has none."""
    text = url.strip()
    return text if _SCHEME.match(text) else f"https://{text}"


@lru_cache(maxsize=2_048)
def lookup_keys(source_type: str, external_id: str, url: str = "") -> tuple[str, ...]:
    """Every canonical identifier that the arguments may mean, most likely first."""
    text = external_id.strip()
    plain = unicodedata.normalize("NFKC", strip_wrapping(text))
    keys = [canonical_id(source_type, text), *stated_identifiers(text)]
    if plain and plain != text:
        keys.append(canonical_id(source_type, plain))
    if source_type in ("pubmed", "pmc", "europepmc") and (pmid := normalize_pmid(plain)):
        keys.append(f"pmid:{pmid}")
    if source_type == "web":
        keys += [f"url:{place}" for place in map(normalize_url, (text, plain, url)) if place]
    return tuple(dict.fromkeys(keys))


def _read_unlabelled(text: str) -> Iterator[str]:
    """Identifiers that need no label."""
    if text[:3].lower() == "pmc" and (pmcid := normalize_pmcid(text)):
        yield f"pmcid:{pmcid}"
    if doi := normalize_doi(text):
        yield f"doi:{doi}"
    if trial := _trial_key(text):
        yield trial


def _read_labelled(text: str) -> Iterator[str]:
    label = _LABEL.match(text)
    value = strip_wrapping(text[label.end() :]) if label else ""
    if not label or not value:
        return
    if label["pmid"] and value.isdigit() and (pmid := normalize_pmid(value)):
        yield f"pmid:{pmid}"
    elif label["pmcid"] and (pmcid := normalize_pmcid(value)):
        yield f"pmcid:{pmcid}"
    elif label["doi"] and (doi := normalize_doi(value)):
        yield f"doi:{doi}"
    elif label["trial"] and (trial := _trial_key(value) or _trial_key(f"{label['trial'][:3]} {value}")):
        yield trial
    elif label["trial"]:  # "trial registration: ClinicalTrials.gov …"
        yield from _read_labelled(value)


def _trial_key(text: str) -> str:
    """The key of a trial in any of the registries; empty if the text names none."""
    if nct := normalize_nct(text):
        return f"registry:{nct}"
    if apart := _NCT_APART.fullmatch(text):
        return f"registry:NCT{apart[1]}"
    if isrctn := _ISRCTN.fullmatch(text):
        return f"registry:ISRCTN{isrctn[1]}"
    eudract = _EUDRACT.fullmatch(text)
    return f"registry:{'-'.join(eudract.groups())}" if eudract else ""


def _read_address_path(address: Address) -> Iterator[str]:
    host, path, query = address
    if host in _RESOLVERS:
        doi = normalize_doi(path.strip("/"))
        yield f"doi:{doi}" if doi else ""
        return
    if ".".join(host.rsplit(".", 2)[-2:]) in _PUBLISHERS:
        own = _OWN_DOI.fullmatch(unquote(path).rstrip("/"))
        doi = normalize_doi(_VIEW.sub("", own[1])) if own else None
        yield f"doi:{doi}" if doi else ""
        return
    if "%2f" in path.lower():  # these sites use it neither in folders nor in numbers
        return
    segments = address.segments
    match host, *segments:
        case ("pubmed.ncbi.nlm.nih.gov", "") | ("ncbi.nlm.nih.gov", "pubmed"):
            term = _TERM.fullmatch(query.get("term", "").strip())
            yield _pmid_key(term[1] if term else "")
        case ("pubmed.ncbi.nlm.nih.gov", number) | ("ncbi.nlm.nih.gov", "pubmed", number):
            yield _pmid_key(number)
        case ("ncbi.nlm.nih.gov", "pmc", "articles", *article) | ("pmc.ncbi.nlm.nih.gov", "articles", *article):
            yield _pmc_key(article)
        case ("europepmc.org", "articles", *article):
            yield _pmc_key(article)
        case ("europepmc.org", "article" | "abstract", "med", number):
            yield _pmid_key(number)
        case ("europepmc.org", "article" | "abstract", "pmc", number):
            yield _pmc_key([number])
        case ("europepmc.org", "article" | "abstract", source, number) if _OTHER_SOURCE.fullmatch(f"{source}:{number}"):
            yield f"europepmc:{source.upper()}:{number.upper()}"
        case ("isrctn.com", number):
            yield _trial_key(number)
        case ("clinicaltrialsregister.eu", "ctr-search", "trial", number, *_):
            yield _trial_key(number)
        case _ if host in _REGISTRIES and "/".join(segments[:-1]) in _RECORDS:
            nct = normalize_nct(segments[-1])
            yield f"registry:{nct}" if nct else ""


def _pmid_key(number: str) -> str:
    pmid = normalize_pmid(number) if number.isdigit() else None
    return f"pmid:{pmid}" if pmid else ""


def _pmc_key(parts: Sequence[str]) -> str:
    """The key of a PMC article by its path after `articles/`: its number, perhaps with `pdf`, or `pmid/NUMBER`."""
    if parts[:1] == ["pmid"] and len(parts) == 2:
        return _pmid_key(parts[1])
    pmcid = normalize_pmcid(parts[0]) if parts and (len(parts) == 1 or parts[1] == "pdf") else None
    return f"pmcid:{pmcid}" if pmcid else ""
