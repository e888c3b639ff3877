"""How well a question finds its article in the corpus, and its evidence in the article.

Needs questions with known answers: --prompts is JSON lines with `pmcid`, `intervention`, `outcome`, `comparator`,
`label` (what became of the outcome) and `gold` (the sentences that answer it), --articles the folder with these
articles as JATS (more folders are noise). The articles are split by a hash of their number: weights are tuned on the
development half only.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from _report import Row, parser, report

from storm.databases.corpus import query as corpus_query
from storm.databases.corpus.database import add_paths
from storm.databases.corpus.index import CorpusIndex
from storm.databases.search_words import sentence_terms
from storm.evidence.passages import Passage, read_passages
from storm.evidence.sentence_kinds import kind_of
from storm.evidence.standalone import stands_alone
from storm.models import Question, SearchQuery, SectionKind
from storm.ranking import cues, rank_for_question, sentences, split_terms
from storm.syllabus.loader import bundled_syllabus

CONFIG = Path(__file__).resolve().parents[2] / "config"
SPLITS = ("development", "held out")
EFFECTS = ("increase", "decrease", "none")
#: The boost of a word in the title that is compared with the one in use.
BOOST_BEFORE = 2.0
#: What is asked: the whole question, and the outcome alone, which is harder.
QUESTIONS: dict[str, Callable[[Prompt], str]] = {
    "intervention, outcome, comparator": lambda prompt: f"{prompt.intervention} {prompt.outcome} {prompt.comparator}",
    "outcome": lambda prompt: prompt.outcome,
}
#: A sentence is the evidence if it has so much of the words of one that was marked.
_SHARE = 0.5
#: Where what has the words of the evidence says what will be measured, not what was found, or is no sentence.
_NO_REPORT = frozenset({
    SectionKind.METHODS, SectionKind.INTRODUCTION, SectionKind.CAPTION, SectionKind.BACK_MATTER, SectionKind.TABLE,
})  # fmt: skip
#: What sentences were ranked by, and which were left out, before (c1468e6).
_CUES_BEFORE = (
    r"\bP\s?[<=>≤]\s?0?[.·]\d", r"\b9[059]%\s?(CI|confidence interval)|confidence interval", r"\d\s?%|\bper ?cent\b",
    r"\bsignificant", r"\bversus\b|\bvs\b|compared (with|to)|\bagainst\b|\bthan\b",
    r"\bdifference|\bdiffer(ed|s)?\b|no effect|non-?inferior|superior",
    r"\b(higher|lower|longer|shorter|greater|fewer)\b",
    r"\bincreas|\bdecreas|\breduc|\bimprov|\bprolong|\bfell\b|\brose\b",
    r"hazard ratio|odds ratio|relative risk|\b(HR|OR|RR)\b", r"\bmean\b|\bmedian\b",
)  # fmt: skip
_CUE_WEIGHT_BEFORE, _MAX_CUES_BEFORE = 0.8, 4
_LENGTHS_BEFORE = range(30, 600)
_LEANING_BEFORE = re.compile(
    r"((by|in) contrast|before that|in this|of these|it|its|they|their|these|this|those|that|he|she|both|such|however|"
    r"moreover|furthermore|thus|therefore|here|also|then|there|in addition|similarly|conversely|"
    r"the (latter|former|other|same|combination))\b"
    r"|.*\b((was|were) then|also|these (results|findings|reductions|effects|patients|rates|trials)|the findings)\b",
    re.I,
)


class Prompt(NamedTuple):
    """A question about one article, and the sentences that answer it."""

    pmcid: str
    intervention: str
    outcome: str
    comparator: str
    gold: tuple[str, ...]
    label: str

    @property
    def effect(self) -> str:
        """What became of the outcome: an increase, a decrease or none."""
        return next((effect for effect in EFFECTS if effect in self.label), "none")

    @property
    def split(self) -> str:
        """Questions about one article fall into one half."""
        return SPLITS[hashlib.sha256(self.pmcid.encode()).digest()[0] % 2]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("evidence", "Articles and sentences found by questions with known answers.")
    options.add_argument("--prompts", type=Path, help="JSON lines of questions")
    options.add_argument("--articles", type=Path, nargs="+", help="folders with the articles, and with noise")
    given = options.parse_args(argv)
    if given.prompts is None or not given.articles:
        options.error("it needs the files: --prompts FILE --articles DIR (JSON lines of questions, JATS articles)")
    prompts = read_prompts(given.prompts)
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        index = CorpusIndex(Path(folder) / "corpus")
        add_paths(index, given.articles)
        rows = [*article_rows(index, prompts), *sentence_rows(index, prompts)]
    report(rows, as_json=given.json)
    return 0


def read_prompts(path: Path) -> list[Prompt]:
    """The questions of a file."""
    lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [
        Prompt(
            line["pmcid"],
            line["intervention"],
            line["outcome"],
            line["comparator"],
            tuple(line["gold"]),
            line.get("label", ""),
        )
        for line in lines
    ]


def article_rows(index: CorpusIndex, prompts: Sequence[Prompt]) -> Iterable[Row]:
    """Shares of the questions whose article comes first, and among the first ten, with either boost of the title."""
    ((field, boost), *others) = corpus_query.TERM_FIELDS
    for variant, weight in (("before", BOOST_BEFORE), ("storm", boost)):
        with patch.object(corpus_query, "TERM_FIELDS", ((field, weight), *others)):
            for asked, text in QUESTIONS.items():
                for split in SPLITS:
                    own = [prompt for prompt in prompts if prompt.split == split]
                    places = [place_of(index, text(prompt), prompt.pmcid) for prompt in own]
                    yield {
                        "variant": f"{variant} (title {weight:g})", "asked": asked, "split": split, "n": len(own),
                        "first": share(places, 1), "in_ten": share(places, 10),
                    }  # fmt: skip


def place_of(index: CorpusIndex, text: str, pmcid: str) -> int:
    """The article's place among the first ten that a question finds, from 1 on; 0 if it is not among them."""
    hits = index.search(SearchQuery(words=sentence_terms(text)), 10).hits
    return next((place for place, hit in enumerate(hits, 1) if hit.external_id == pmcid), 0)


class Ranking(NamedTuple):
    """One way to choose the sentences of an article that answer a question, and to put them in order."""

    name: str
    signs: Sequence[str]
    by_section: bool = False
    may_be_printed: Callable[[Passage], bool] = lambda _: True
    cue_weight: float = sentences.CUE_WEIGHT
    most_cues: int = cues.MAX_CUES

    def rank(self, prompt: Prompt, passages: Sequence[Passage]) -> list[Passage]:
        """Those that may be printed, best first."""
        found = [passage for passage in passages if self.may_be_printed(passage)]
        question = Question(
            key="a", label="a", description="a", min_sources=1, focus=(prompt.outcome,), cues=tuple(self.signs)
        )
        roles = [passage.section.role for passage in found] if self.by_section else ()
        texts = [passage.text for passage in found]
        with patch.object(sentences, "CUE_WEIGHT", self.cue_weight), patch.object(cues, "MAX_CUES", self.most_cues):
            ranked = rank_for_question(question, (prompt.intervention, prompt.comparator), texts, roles)
        return [found[scored.index] for scored in ranked]


def rankings() -> Iterator[Ranking]:
    """Those that are compared: the last is what the synthesizer prints."""
    signs = bundled_syllabus(CONFIG).question("clinical.efficacy").cues
    before = Ranking("before", _CUES_BEFORE, cue_weight=_CUE_WEIGHT_BEFORE, most_cues=_MAX_CUES_BEFORE)
    yield before._replace(name="words alone", signs=())
    yield before
    yield before._replace(name="before, as printed", may_be_printed=was_printable)
    yield before._replace(name="by section", by_section=True)
    yield Ranking("by section, with cues of null results", signs, by_section=True)
    yield Ranking("storm, as printed", signs, by_section=True, may_be_printed=is_printable)


def was_printable(passage: Passage) -> bool:
    """Whether the synthesizer could print it before."""
    shown = passage.shown
    is_sentence = len(shown) in _LENGTHS_BEFORE and passage.text[-1] in ".!?" and not shown.isupper()
    return is_sentence and not _LEANING_BEFORE.match(shown)


def is_printable(passage: Passage) -> bool:
    """Whether the synthesizer may print it."""
    return stands_alone(passage.shown) and kind_of(passage, passage.section.role).is_printable


def sentence_rows(index: CorpusIndex, prompts: Sequence[Prompt]) -> Iterator[Row]:
    """Shares of the questions whose evidence is the first, and among the first three, sentences of their article; and
    by what became of the outcome, how much of the evidence may be printed."""
    records = {prompt.pmcid: index.find_record(f"pmc:{prompt.pmcid}") for prompt in prompts}
    articles = {pmcid: list(read_passages(record.hit)) for pmcid, record in records.items() if record}
    by_effect = []
    for ranking in rankings():
        found = [Found.of(prompt, articles[prompt.pmcid], ranking) for prompt in prompts if prompt.pmcid in articles]
        for split in (*SPLITS, "both"):
            places = [one.place for one in found if split in (one.prompt.split, "both")]
            yield {
                "variant": ranking.name, "asked": "sentence in its article", "split": split, "n": len(places),
                "first": share(places, 1), "in_three": share(places, 3),
            }  # fmt: skip
        if "printed" in ranking.name:
            by_effect += list(effect_rows(ranking.name, found))
    yield from by_effect


def effect_rows(variant: str, found: Sequence[Found]) -> Iterator[Row]:
    """For each effect: the share of the evidence sentences that may be printed (of those that stand where a study
    reports), the questions that lose all of theirs, and how many of those that are left come first."""
    for split in (*SPLITS, "both"):
        for effect in EFFECTS:
            own = [one for one in found if one.prompt.effect == effect and split in (one.prompt.split, "both")]
            places = [one.place for one in own]
            evidence = sum(one.evidence for one in own)
            yield {
                "variant": variant, "effect": effect, "split": split, "n": len(own), "evidence": evidence,
                "share_kept": round(sum(one.printable for one in own) / max(1, evidence), 3),
                "none_left": sum(one.printable == 0 < one.evidence for one in own),
                "first": share(places, 1), "in_three": share(places, 3),
            }  # fmt: skip


class Found(NamedTuple):
    """The place of the best evidence among the sentences that may be printed (0 if none is evidence), and how many
    sentences are evidence where the article reports, before and after those are left out that may not be printed."""

    prompt: Prompt
    place: int
    evidence: int
    printable: int

    @classmethod
    def of(cls, prompt: Prompt, passages: Sequence[Passage], ranking: Ranking) -> Found:
        """For one question about the article."""
        marked = [set(split_terms(gold)) for gold in prompt.gold]
        ranked = ranking.rank(prompt, passages)
        place = next((place for place, one in enumerate(ranked, 1) if is_evidence(one.text, marked)), 0)
        evidence, printable = (
            sum(one.section.role not in _NO_REPORT and is_evidence(one.text, marked) for one in found)
            for found in (passages, ranked)
        )
        return cls(prompt, place, evidence, printable)


def is_evidence(sentence: str, marked: Iterable[set[str]]) -> bool:
    """Whether a sentence holds half of the words of one that was marked."""
    words = set(split_terms(sentence))
    return any(gold and len(words & gold) >= _SHARE * len(gold) for gold in marked)


def share(places: Sequence[int], most: int) -> float:
    """How many of the places are from 1 to `most`."""
    return round(sum(0 < place <= most for place in places) / len(places), 3) if places else 0.0


if __name__ == "__main__":
    raise SystemExit(main())
