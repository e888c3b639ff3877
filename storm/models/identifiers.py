"""Canonical identifiers, and the rules by which two documents are the same.

A canonical identifier is `kind:value`: `pmid:11248153`, `pmcid:PMC2855860`, `doi:10.1056/nejmoa052306`,
`registry:NCT00045032`, `chembl:CHEMBL1201585`, `patent:US6407213`, `url:example.org/page`, or
`<database>:<external id>` for a database's own records. Numbers that a document merely mentions (a trial, an
application, a molecule) are links and do not identify it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from storm.models.database import REGISTERS

_TRACKING = re.compile(r"^(utm_.*|fbclid|gclid|mc_cid|mc_eid|ref_src|cmpid)$", re.I)
_DOI = re.compile(r"10\.[0-9]{4,9}/[^\s\0-\x1f\x7f-\x9f\ud800-\udfff]+", re.I)
_DOI_PREFIX = re.compile(r"^(?:doi:\s*|https?://(?:dx\.|www\.)?doi\.org/|(?:dx\.|www\.)?doi\.org/)", re.I)
_NCT = re.compile(r"NCT\d{8}", re.I)


def normalize_pmid(value: str) -> str | None:
    """The digits of a PubMed id in any usual form, or None."""
    match = re.fullmatch(
        r"(?:(?:pmid|pubmed)[:\s]*|https?://(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/)?0*([1-9]\d{0,8})/?",
        value.strip(),
        re.I,
    )
    return match[1] if match else None


def normalize_pmcid(value: str) -> str | None:
    """`PMC` and digits, from any usual form, or None; bare digits count as a PMCID."""
    match = re.fullmatch(
        r"(?:https?://(?:www\.)?(?:pmc\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pmc)/articles/)?(?:pmcid:\s*)?(?:PMC)?0*([1-9]\d{0,9})(?:\.\d+)?/?",
        value.strip(),
        re.I,
    )
    return f"PMC{match[1]}" if match else None


def normalize_doi(value: str) -> str | None:
    """A DOI in lower case without resolver or prefix (ISO 26324: DOIs compare case-insensitively), or None."""
    text = _DOI_PREFIX.sub("", unquote(value.strip()))
    return text.rstrip(".,;").lower() if _DOI.fullmatch(text) else None


def normalize_nct(value: str) -> str | None:
    """A ClinicalTrials.gov number in upper case, or None."""
    text = value.strip().upper()
    return text if _NCT.fullmatch(text) else None


def normalize_patent(value: str) -> str | None:
    """Country and number without spaces, commas or, for a US grant, the kind code; or None.

    `US 6,407,213 B1`, `US6407213B1` and `US6407213` are one patent; `US20030086924A1` is a separate application.
    """
    text = re.sub(r"[\s,./-]", "", value).upper()
    match = re.fullmatch(r"([A-Z]{2})((?:RE|D|PP)?\d{4,13})([A-Z]\d?)?", text)
    if not match:
        return None
    country, number, kind = match.groups()
    if kind is None or (country == "US" and kind[0] in "BE"):
        return country + number
    return country + number + kind


def normalize_url(value: str) -> str | None:
    """Host and path for comparison: scheme, `www.`, host case, final slash and tracking parameters are ignored."""
    try:
        parts = urlsplit(value.strip())
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https") or not host:
        return None
    query = urlencode([(k, v) for k, v in parse_qsl(parts.query) if not _TRACKING.match(k)], errors="replace")
    place = host if port in (None, 80, 443) else f"{host}:{port}"
    return place + parts.path.rstrip("/") + (f"?{query}" if query else "")


#: Numbers of registries of trials: ClinicalTrials.gov, ISRCTN, and those of Australia and New Zealand, Japan, China,
#: Iran, India, Africa, Germany, Korea and Thailand.
_TRIAL = re.compile(
    r"\b(?:NCT\d{8}|ISRCTN ?\d{8}|ACTRN ?\d{14}|UMIN[- ]?\d{9}|ChiCTR(?:-[A-Z]{2,4})?-?\d{8,10}|IRCT ?\d{6,14}N\d{1,2}|"
    r"CTRI/\d{4}/\d{2,3}/\d{6}|PACTR ?\d{15,16}|DRKS\d{8}|KCT\d{7}|jRCT\w{10,12}|TCTR\d{11})\b",
    re.I,
)


#: All but the letters with which the number of a registry begins.
_REGISTRY = re.compile(r"[^A-Za-z].*")


def find_trials(text: str) -> tuple[str, ...]:
    """The numbers of registered trials in a text, in upper case and order of appearance, each once."""
    numbers = (number.upper().replace(" ", "").replace("UMIN-", "UMIN") for number in _TRIAL.findall(text))
    return tuple(dict.fromkeys(numbers))


def number_of_trial(numbers: Sequence[str]) -> str:
    """The number of the one trial that all of these are of, that of ClinicalTrials.gov if it has one; "" for none and
    for several trials. One trial has one number in each registry."""
    registries = {_REGISTRY.sub("", number) for number in numbers}
    if not numbers or len(registries) < len(numbers):
        return ""
    return next((number for number in numbers if number.startswith("NCT")), numbers[0])


#: The id of a US label, which openFDA and DailyMed share.
_SET_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)


def canonical_id(database: str, external_id: str) -> str:
    """The canonical identifier of a database's record; the kind of an unknown database is its name."""
    if database == "pubmed" and (pmid := normalize_pmid(external_id)):
        return f"pmid:{pmid}"
    if database == "pmc" and (pmcid := normalize_pmcid(external_id)):
        return f"pmcid:{pmcid}"
    if database == "clinicaltrials" and (nct := normalize_nct(external_id)):
        return f"registry:{nct}"
    if database == "patents" and (patent := normalize_patent(external_id)):
        return f"patent:{patent}"
    if database in ("crossref", *REGISTERS) and (doi := normalize_doi(external_id)):
        return f"doi:{doi}"
    if database in ("openfda", "dailymed") and _SET_ID.fullmatch(external_id.strip()):
        return f"label:{external_id.strip().lower()}"
    return f"{database}:{external_id.strip()}"


def identifiers_of(
    database: str,
    external_id: str,
    *,
    url: str = "",
    pmid: str | None = None,
    pmcid: str | None = None,
    doi: str | None = None,
) -> tuple[str, ...]:
    """All canonical identifiers of a record, strongest first; the URL only for a web page without another."""
    found = [canonical_id(database, external_id)]
    if pmid and (number := normalize_pmid(pmid)):
        found.append(f"pmid:{number}")
    if pmcid and (number := normalize_pmcid(pmcid)):
        found.append(f"pmcid:{number}")
    if doi and (name := normalize_doi(doi)):
        found.append(f"doi:{name}")
    if database == "web" and len(found) == 1 and (place := normalize_url(url)):
        found.append(f"url:{place}")
    order = {"pmid": 0, "pmcid": 1, "doi": 2}
    return tuple(sorted(dict.fromkeys(found), key=lambda i: order.get(i.partition(":")[0], 3)))
