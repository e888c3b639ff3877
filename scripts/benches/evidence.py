"""How well a question finds its article in the corpus, and its evidence in the article.

Needs questions with known answers: --prompts is JSON lines with `pmcid`, `intervention`, `outcome`, `comparator` and
`gold` (the sentences that answer it), --articles the folder with these articles as JATS (more folders are noise). The
articles are split by a hash of their number: weights are tuned on the development half only.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from _report import Row, parser, report

from storm.databases.corpus import query as corpus_query
from storm.databases.corpus.database import add_paths
from storm.databases.corpus.index import CorpusIndex
from storm.databases.search_words import sentence_terms
from storm.models import Hit, SearchQuery
from storm.ranking import rank_sentences, split_sentences
from storm.ranking.sentences import terms
from storm.syllabus.loader import bundled_syllabus

CONFIG = Path(__file__).resolve().parents[2] / "config"
SPLITS = ("development", "held out")
#: The boost of a word in the title that is compared with the one in use.
BOOST_BEFORE = 2.0
#: What is asked: the whole question, and the outcome alone, which is harder.
QUESTIONS: dict[str, Callable[[Prompt], str]] = {
    "intervention, outcome, comparator": lambda prompt: f"{prompt.intervention} {prompt.outcome} {prompt.comparator}",
    "outcome": lambda prompt: prompt.outcome,
}
#: A sentence is the evidence if it has so much of the words of one that was marked.
_SHARE = 0.5


class Prompt(NamedTuple):
    """A question about one article, and the sentences that answer it."""

    pmcid: str
    intervention: str
    outcome: str
    comparator: str
    gold: tuple[str, ...]

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
        Prompt(line["pmcid"], line["intervention"], line["outcome"], line["comparator"], tuple(line["gold"]))
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


def sentence_rows(index: CorpusIndex, prompts: Sequence[Prompt]) -> Iterable[Row]:
    """Shares of the questions whose evidence is the first, and among the first three, sentences of their article."""
    for variant, cues in {
        "words alone": (),
        "storm": bundled_syllabus(CONFIG).question("clinical.efficacy").cues,
    }.items():
        for split in SPLITS:
            own = [prompt for prompt in prompts if prompt.split == split]
            places = [sentence_place(found.hit, p, cues) for p in own if (found := index.record(f"pmc:{p.pmcid}"))]
            yield {
                "variant": variant, "asked": "sentence in its article", "split": split, "n": len(places),
                "first": share(places, 1), "in_three": share(places, 3),
            }  # fmt: skip


def sentence_place(hit: Hit, prompt: Prompt, cues: Sequence[str]) -> int:
    """The place of the best evidence among the ranked sentences, from 1 on; 0 if none is evidence."""
    sentences = [span.text for section in hit.sections for span in split_sentences(section.text)]
    ranked = rank_sentences(sentences, (prompt.outcome,), (prompt.intervention, prompt.comparator), cues)
    marked = [set(terms(gold)) for gold in prompt.gold]
    return next((place for place, one in enumerate(ranked, 1) if is_evidence(one.text, marked)), 0)


def is_evidence(sentence: str, marked: Iterable[set[str]]) -> bool:
    """Whether a sentence holds half of the words of one that was marked."""
    words = set(terms(sentence))
    return any(gold and len(words & gold) >= _SHARE * len(gold) for gold in marked)


def share(places: Sequence[int], most: int) -> float:
    """How many of the places are from 1 to `most`."""
    return round(sum(0 < place <= most for place in places) / len(places), 3) if places else 0.0


if __name__ == "__main__":
    raise SystemExit(main())
