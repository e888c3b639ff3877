"""Matching written references to collected sources: storm, the validation of its reports, and the usual way, by which
titles match that contain each other.

Each reference is a source's own with one change: a wrong one, after which it means no source, or a harmless one, after
which it means the same. Mistaken are wrong references that are accepted, and harmless ones that are refused or matched
to another source. The sources are those of the bundled sample, and made-up ones that resemble them and each other.
"""

from __future__ import annotations

import logging
import random
import re
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import cycle, islice
from typing import NamedTuple

from _report import Row, parser, report
from _report_references import validate_in_reports

from storm.citations import SourceIndex, WrittenReference
from storm.databases.corpus.database import SAMPLE_FOLDER
from storm.databases.formats.recognition import read_file
from storm.models import Hit, Source, merge_hits

SEED = 20_261_121
MADE_UP = 1_500
#: The largest share of each kind that storm may mistake.
ALLOWED = {"wrong": 0.0, "harmless": 0.001}
#: The variants that are storm's own.
OWN = ("storm", "report")

#: One way to change a source's own reference, given all titles; None where that one has nothing to change.
Change = Callable[[random.Random, WrittenReference, tuple[str, ...]], WrittenReference | None]
#: The source that each reference is taken for, by its number; None if it is refused.
Decide = Callable[[Sequence[WrittenReference]], Sequence[int | None]]


class Case(NamedTuple):
    """A changed reference, and the number of the source that it was made from."""

    kind: str
    change: str
    reference: WrittenReference
    number: int


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; 1 if storm is mistaken more often than is allowed."""
    options = parser("citations", "Wrong references that are accepted, and right ones that are refused.")
    options.add_argument("--references", type=int, default=10_000, help="of each kind, wrong and harmless")
    given = options.parse_args(argv)
    logging.disable()  # each removal is logged
    rows = measure(given.references)
    report(rows, as_json=given.json)
    return 0 if is_within_limits(rows) else 1


def measure(references: int) -> list[Row]:
    """A row for each variant and change, and one for each variant and kind in total."""
    sources = [*sample_sources(), *made_up_sources(MADE_UP)]
    cases = [*make_cases("wrong", WRONG, sources, references), *make_cases("harmless", HARMLESS, sources, references)]
    return [row for variant, decide in variants(sources).items() for row in measure_variant(variant, decide, cases)]


def is_within_limits(rows: Sequence[Row]) -> bool:
    """Whether storm made no more mistakes than allowed."""
    together = [row for row in rows if row["variant"] in OWN and row["change"] == "all"]
    return all(float(str(row["mistaken_share"])) <= ALLOWED[str(row["kind"])] for row in together)


# What is compared


def variants(sources: Sequence[Source]) -> Mapping[str, Decide]:
    """storm's rule, the same rule as a report's references go through it, and the usual one."""
    index = SourceIndex(sources)
    titles = [(source.hit.title.lower(), source.hit.url, source.number) for source in sources]

    def storm(references: Sequence[WrittenReference]) -> list[int | None]:
        found = map(index.find_match, references)
        return [source.number if source else None for source in found]

    def title_contains(reference: WrittenReference) -> int | None:
        """A known address, or a title that is part of a collected one, or the other way round."""
        wanted = reference.title.lower()
        for title, url, number in titles:
            if (reference.url and reference.url == url) or (wanted and (wanted in title or title in wanted)):
                return number
        return None

    return {
        "storm": storm,
        "report": partial(validate_in_reports, sources),
        "title contains": lambda references: [*map(title_contains, references)],
    }


def measure_variant(variant: str, decide: Decide, cases: Sequence[Case]) -> Iterator[Row]:
    """The rows of one variant."""
    start = time.perf_counter()
    taken = decide([case.reference for case in cases])
    microseconds = (time.perf_counter() - start) / len(cases) * 1e6
    mistaken = [
        number is not None if case.kind == "wrong" else number != case.number
        for case, number in zip(cases, taken, strict=True)
    ]
    for kind, changes in (("wrong", WRONG), ("harmless", HARMLESS)):
        for change in ("all", *changes):
            of_these = [
                m for c, m in zip(cases, mistaken, strict=True) if c.kind == kind and change in (c.change, "all")
            ]
            yield {
                "variant": variant, "kind": kind, "change": change, "n": len(of_these), "mistaken": sum(of_these),
                "mistaken_share": round(sum(of_these) / max(1, len(of_these)), 5), "us_each": round(microseconds, 1),
            }  # fmt: skip


def make_cases(kind: str, changes: Mapping[str, Change], sources: Sequence[Source], references: int) -> Iterator[Case]:
    """So many references with one change each, taking the changes and then the sources in turn."""
    dice = random.Random(SEED)
    titles = tuple(source.hit.title for source in sources)
    made = (
        Case(kind, name, reference, source.number)
        for source in cycle(sources)
        for name, change in changes.items()
        if (reference := change(dice, vary_shape(dice, own_reference(source)), titles)) is not None
    )
    return islice(made, references)


# The sources


def sample_sources() -> list[Source]:
    """The works that come with storm; one of which it has two records is one source, as in a job."""
    works: dict[str, list[Hit]] = {}
    for path in sorted(SAMPLE_FOLDER.iterdir()):
        for hit in read_file(path):
            if isinstance(hit, Hit):
                works.setdefault(hit.key, []).append(hit)
    return [source_of(number, merge_hits(records)) for number, records in enumerate(works.values(), start=1)]


def made_up_sources(number: int) -> Iterator[Source]:
    """Papers, trials, patents and pages with neighbouring identifiers and titles, many of which contain another's."""
    dice = random.Random(SEED)
    seen: set[str] = set()
    n = 10_000
    while len(seen) < number:
        title = made_up_title(dice)
        if title.lower() not in seen:
            seen.add(title.lower())
            n += 1
            yield source_of(n, made_up_hit(dice, n, title))


def made_up_title(dice: random.Random) -> str:
    """A title as papers have them; some are only a name."""
    drug = dice.choice(("Zorvimab", "Velotinib", "Quastatin", "Ortuzumab-β", "Interferon λ-1a", "[177Lu]Lu-Torvat"))
    use = dice.choice(("", " in breast cancer", " for type 2 diabetes", " after stroke", " in HER2-positive disease"))
    design = dice.choice(
        ("", ": a randomised trial", ": 5-year follow-up", " — the “COMPASS” study", ": a meta-analysis of 12 trials")
    )
    part = dice.choice(("", "Safety of ", "Efficacy and safety of ", "Pharmacokinetics of ", "Résumé: "))
    year = dice.choice(("", f" ({dice.randrange(1990, 2026)})", f", part {dice.randrange(1, 40)}"))
    return f"{part}{drug}{use}{design}{year}"


def made_up_hit(dice: random.Random, n: int, title: str) -> Hit:
    """A record of one of five databases."""
    year = dice.randrange(1990, 2026)
    kind = n % 5
    if kind == 0:
        return Hit.of(
            "clinicaltrials", f"NCT0{n:07d}", f"https://clinicaltrials.gov/study/NCT0{n:07d}", title, year=year
        )
    if kind == 1:
        return Hit.of("web", f"page-{n}", f"https://www.example.org/Drugs/{n}/?lang=en", title)
    if kind == 2:
        return Hit.of("crossref", f"10.1056/NEJM.{n}", f"https://doi.org/10.1056/NEJM.{n}", title, year=year)
    pmid = str(20_000_000 + n)
    return Hit.of(
        "pubmed", pmid, f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/", title,
        pmcid=f"PMC{3_000_000 + n}", doi=f"10.1016/j.made.{n}", year=year,
    )  # fmt: skip


def source_of(number: int, hit: Hit) -> Source:
    """A collected source."""
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=("clinical.efficacy",))


def own_reference(source: Source) -> WrittenReference:
    """A reference with everything that it can state."""
    hit = source.hit
    return WrittenReference(hit.title, hit.url, hit.identifiers, hit.database, hit.year)


def vary_shape(dice: random.Random, reference: WrittenReference) -> WrittenReference:
    """The whole reference, or as many lists have it: with one identifier, or without an address or a year."""
    shape = dice.randrange(4)
    if shape == 1:
        return reference._replace(identifiers=reference.identifiers[:1], url="")
    if shape == 2:
        return reference._replace(identifiers=())
    if shape == 3:
        return reference._replace(identifiers=(dice.choice(reference.identifiers),), year=None)
    return reference


# Wrong changes: the reference is nobody's afterwards


def wrong_digit(dice: random.Random, reference: WrittenReference, titles: tuple[str, ...]) -> WrittenReference | None:
    """One digit of one identifier is another one."""
    written = list(reference.identifiers)
    with_digits = [place for place, identifier in enumerate(written) if re.search(r"\d", identifier)]
    if not with_digits:
        return None
    place = dice.choice(with_digits)
    written[place] = other_digit(dice, written[place])
    url = reference.url if dice.random() < 0.5 else ""
    return reference._replace(identifiers=tuple(written), url=url)


def other_digit(dice: random.Random, text: str) -> str:
    """The text with one of its digits changed."""
    at = dice.choice([match.start() for match in re.finditer(r"\d", text)])
    return text[:at] + dice.choice([d for d in "123456789" if d != text[at]]) + text[at + 1 :]


def swapped_title(dice: random.Random, reference: WrittenReference, titles: tuple[str, ...]) -> WrittenReference | None:
    """The title of another source."""
    title = dice.choice(titles)
    return reference._replace(title=title) if plain(title) != plain(reference.title) else None


def contained_title(
    dice: random.Random, reference: WrittenReference, titles: tuple[str, ...]
) -> WrittenReference | None:
    """A title that is part of the source's, or the other way round, with or without anything beside it."""
    words = reference.title.split()
    longer = [*words, "in", "elderly", "patients"]
    part = dice.choice(
        (words[: dice.randrange(1, len(words))] if len(words) > 1 else longer, words[1:] or longer, longer)
    )
    title = " ".join(part)
    if plain(title) in plain_titles(titles):
        return None
    return reference._replace(title=title) if dice.random() < 0.5 else WrittenReference(title)


def lookalike_url(dice: random.Random, reference: WrittenReference, titles: tuple[str, ...]) -> WrittenReference | None:
    """An address of somebody else that reads like the source's."""
    match = re.match(r"(https?://)([^/]+)(/.*)$", reference.url)
    if match is None:
        return None
    scheme, host, path = match.groups()
    url = dice.choice((
        f"{scheme}{host}.example.com{path}",
        f"{scheme}{host.replace('.', '-', 1)}{path}",
        f"{scheme}{host.replace('o', 'о', 1).replace('e', 'е', 1).replace('i', 'і', 1)}{path}",
        f"{scheme}{host.replace('m', 'rn', 1).replace('l', '1', 1).replace('w', 'vv', 1)}{path}",
        f"{scheme}{host}@example.com{path}",
        f"{scheme}example.com\\@{host}{path}",
        f"{scheme}example.com/{host}{path}",
        f"{scheme}example.com/?to={reference.url}",
        f"{scheme}{host}{path.rstrip('/')}9",
        f"{scheme}{host}:8080{path}",
        f"ftp://{host}{path}",
        f"file://{host}{path}",
        f"{scheme}{host}/x%2F..%2F{path[1:]}",
        f"{scheme}{host}/x/%2e%2e{path}",
        f"{scheme}{host}{path[:1]}elsewhere/{path[1:]}",
        f"{scheme}user:word@{host}{path}",
    ))  # fmt: skip
    if url == reference.url:
        return None
    return reference._replace(url=url) if dice.random() < 0.5 else WrittenReference(url=url)


def invented_year(dice: random.Random, reference: WrittenReference, titles: tuple[str, ...]) -> WrittenReference:
    """Another year, or one where the reference had none: then one that no source has."""
    if reference.year is None:
        return reference._replace(year=dice.randrange(1900, 1950))
    away = dice.choice((1, 2, dice.randrange(3, 30)))
    return reference._replace(year=reference.year + dice.choice((-away, away)))


# Harmless changes: the reference is still the source's


def other_scheme(dice: random.Random, reference: WrittenReference, titles: tuple[str, ...]) -> WrittenReference | None:
    """http for https, or neither."""
    if not reference.url:
        return None
    rest = reference.url.partition("://")[2]
    return reference._replace(url=dice.choice(("http://", "HTTPS://", "Http://", "")) + rest)


def with_or_without_www(
    dice: random.Random, reference: WrittenReference, titles: tuple[str, ...]
) -> WrittenReference | None:
    """`www.` added or taken away."""
    scheme, separator, rest = reference.url.partition("://")
    if not separator:
        return None
    return reference._replace(url=scheme + separator + (rest[4:] if rest.startswith("www.") else f"www.{rest}"))


def trailing_slash(
    dice: random.Random, reference: WrittenReference, titles: tuple[str, ...]
) -> WrittenReference | None:
    """A slash at the end added or taken away, or a parameter that only counts visitors."""
    place, mark, query = reference.url.partition("?")
    if not place:
        return None
    place = place[:-1] if place.endswith("/") else f"{place}/"
    tracked = dice.choice(("", "utm_source=mail", "gclid=x1"))
    return reference._replace(
        url=place + (mark or "?" if tracked or query else "") + "&".join(filter(None, (query, tracked)))
    )


def doi_form(dice: random.Random, reference: WrittenReference, titles: tuple[str, ...]) -> WrittenReference | None:
    """The DOI as one of its addresses, with a prefix, escaped, or in other letters."""
    dois = [i.partition(":")[2] for i in reference.identifiers if i.startswith("doi:")]
    if not dois:
        return None
    form = dice.choice((
        "https://doi.org/{}", "http://dx.doi.org/{}", "https://www.doi.org/{}", "doi.org/{}", "doi:{}", "DOI: {}", "{}",
        "https://doi.org/{}/",
    ))  # fmt: skip
    doi = dice.choice((dois[0], dois[0].upper(), dois[0].replace("/", "%2F") if "doi.org" in form else dois[0]))
    if dice.random() < 0.5 and "doi.org" in form:
        return reference._replace(identifiers=(), url=form.format(doi))
    return reference._replace(identifiers=(form.format(doi),))


def other_case(dice: random.Random, reference: WrittenReference, titles: tuple[str, ...]) -> WrittenReference:
    """The title, the host and the identifiers in other letters."""
    turn = dice.choice((str.upper, str.lower, str.title))
    host = re.sub(r"(?<=://)[^/]+", lambda match: match[0].upper(), reference.url)
    identifiers = tuple(i.partition(":")[0] + ":" + turn(i.partition(":")[2]) for i in reference.identifiers)
    plain_ids = tuple(unprefixed(i) for i in identifiers)
    return reference._replace(title=turn(reference.title), url=host, identifiers=plain_ids)


def other_unicode(dice: random.Random, reference: WrittenReference, titles: tuple[str, ...]) -> WrittenReference:
    """The title with other forms of the same characters."""
    turn = dice.choice(UNICODE_FORMS)
    return reference._replace(title=turn(reference.title))


def pmid_prefix(dice: random.Random, reference: WrittenReference, titles: tuple[str, ...]) -> WrittenReference | None:
    """The PubMed id with another prefix, or as an address."""
    pmids = [i.partition(":")[2] for i in reference.identifiers if i.startswith("pmid:")]
    if not pmids:
        return None
    form = dice.choice((
        "PMID: {}", "PMID {}", "pmid:{}", "PMID{}", "PubMed: {}", "pubmed {}", " {} ", "0{}", "Pmid：{}",
        "https://pubmed.ncbi.nlm.nih.gov/{}/", "http://www.ncbi.nlm.nih.gov/pubmed/{}",
    ))  # fmt: skip
    return reference._replace(identifiers=(form.format(pmids[0]),))


def labelled(dice: random.Random, reference: WrittenReference, titles: tuple[str, ...]) -> WrittenReference | None:
    """An identifier with a label as papers print it, in brackets, or with a stop behind it."""
    kind, _, value = dice.choice(reference.identifiers or ("",)).partition(":")
    forms = {
        "pmid": ("PMID:{}.", "(PMID: {})", "PubMed ID: {}", "PubMed PMID: {}.", "[PMID {}];"),
        "pmcid": ("PMCID: {}.", "PMC ID: {}", "(PMCID: {})", "PubMed Central PMCID: {}"),
        "doi": ("doi {}", "doi:https://doi.org/{}", "DOI: https://dx.doi.org/{}.", "(doi:{})", "info:doi/{}"),
        "registry": ("ClinicalTrials.gov Identifier: {}", "ClinicalTrials.gov number, {}.", "(ClinicalTrials.gov: {})"),
    }
    if kind not in forms:
        return None
    return reference._replace(identifiers=(dice.choice(forms[kind]).format(value),))


def wrapped_url(dice: random.Random, reference: WrittenReference, titles: tuple[str, ...]) -> WrittenReference | None:
    """The address as it stands in a text: in brackets, before a comma, with entities in it."""
    if not reference.url:
        return None
    form = dice.choice(("<{}>", "{},", "({}).", "&lt;{}&gt;", "“{}”"))
    return reference._replace(url=form.format(reference.url.replace("&", "&amp;")))


def other_site(dice: random.Random, reference: WrittenReference, titles: tuple[str, ...]) -> WrittenReference | None:
    """The address of the same work at another site, or at the same one as it was once."""
    kind, _, value = dice.choice(reference.identifiers or ("",)).partition(":")
    places = {
        "pmid": (
            "https://europepmc.org/article/MED/{}", "europepmc.org/abstract/med/{}",
            "https://www.ncbi.nlm.nih.gov/pubmed/?term={}", "https://pubmed.ncbi.nlm.nih.gov/?term={}%5Buid%5D",
            "https://www.ncbi.nlm.nih.gov/pmc/articles/pmid/{}/",
        ),
        "pmcid": (
            "https://europepmc.org/articles/{}", "https://europepmc.org/article/PMC/{}",
            "https://pmc.ncbi.nlm.nih.gov/articles/{}/pdf/main.pdf", "http://www.ncbi.nlm.nih.gov/pmc/articles/{}",
        ),
        "registry": ("https://clinicaltrials.gov/ct2/show/{}", "https://www.clinicaltrials.gov/study/{}?tab=results"),
    }  # fmt: skip
    if kind not in places:
        return None
    return reference._replace(url=dice.choice(places[kind]).format(value), identifiers=())


def quoted_title(dice: random.Random, reference: WrittenReference, titles: tuple[str, ...]) -> WrittenReference:
    """The title in quotation marks, or as a page's source writes it."""
    form = dice.choice(("“{}.”", '"{}"', "«{}»", "&quot;{}&quot;", "&lt;i&gt;{}&lt;/i&gt;", "{},"))
    return reference._replace(title=form.format(reference.title.replace("&", "&amp;")))


def unprefixed(identifier: str) -> str:
    """A canonical identifier as it is usually written; DOIs, trials and PMCIDs need no prefix."""
    kind, _, value = identifier.partition(":")
    return value if kind in ("doi", "registry", "pmcid", "chembl", "patent") else identifier


@lru_cache(maxsize=1)
def plain_titles(titles: tuple[str, ...]) -> frozenset[str]:
    """All titles, plain."""
    return frozenset(map(plain, titles))


def plain(title: str) -> str:
    """A title without what two copies of it may differ in."""
    return re.sub(r"\W+", " ", unicodedata.normalize("NFKC", title).lower()).strip()


def wide(char: str) -> str:
    """The full-width form of an ASCII letter or digit."""
    return chr(ord(char) + 0xFEE0) if char.isascii() and char.isalnum() else char


def ascii_only(text: str) -> str:
    """The text without accents, where that leaves every letter."""
    apart = unicodedata.normalize("NFD", text)
    bare = "".join(char for char in apart if not unicodedata.combining(char))
    return bare if bare.isascii() else text


#: The same title, in other characters.
UNICODE_FORMS: tuple[Callable[[str], str], ...] = (
    partial(unicodedata.normalize, "NFD"), partial(unicodedata.normalize, "NFKC"), ascii_only,
    lambda title: "".join(map(wide, title)),
    lambda title: title.replace(" ", "\u00a0"),
    lambda title: title.replace("-", "\u2011").replace("—", "–"),
    lambda title: title.replace("“", '"').replace("”", '"'),
    lambda title: f"{title[:3]}\u200b{title[3:]}\u00ad",
    lambda title: title.replace("fi", "ﬁ").replace("fl", "ﬂ"),
    lambda title: f"  {title}\n. ",
)  # fmt: skip
WRONG: Mapping[str, Change] = {
    "identifier digit": wrong_digit, "swapped title": swapped_title, "contained title": contained_title,
    "look-alike URL": lookalike_url, "invented year": invented_year,
}  # fmt: skip
HARMLESS: Mapping[str, Change] = {
    "scheme": other_scheme, "www.": with_or_without_www, "trailing slash": trailing_slash, "doi.org forms": doi_form,
    "case": other_case, "Unicode": other_unicode, "PMID prefix": pmid_prefix,
    "label": labelled, "wrapped URL": wrapped_url, "other site": other_site, "quoted title": quoted_title,
}  # fmt: skip

if __name__ == "__main__":
    raise SystemExit(main())
