"""How many sentences of a dossier on real full text would a careful analyst sign?

--labelled is a folder of folders, one a drug: `labels.jsonl` beside the articles (JATS, gzip or not), a line an
article: `pmcid`, what it is (`relation` to the drug, `design`, `n`), `sentences` as [section, text], `good` as [number
of the sentence, question, 2 or 1], `traps` as [number, why]. --other has articles on none of these drugs. All of them
are one corpus, each drug gets a dossier (`storm run DRUG --offline`), and each sentence of it is looked up in its
article.

A sentence is good if it was labelled so for the question under which it stands (`would_print` the better half),
`moved` if for another question, `trap` if it would mislead, `poor` if it was read and not labelled; `unseen` ones, in
parts that nobody labelled, count for nothing. With fewer than 20 judged sentences of a drug those that are missing
count as poor. Beside it stands what takes no program: the first sentences that name the drug, article by article, each
under the question of whose reporting cues it holds most.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from _labels import Article, Grade, read_articles, same_words
from _program import discard, start
from _report import Row, parser, report

from storm.databases.corpus.database import add_paths
from storm.databases.corpus.index import CorpusIndex
from storm.evidence.passages import read_passages
from storm.ranking import count_cues
from storm.syllabus.loader import bundled_syllabus

CONFIG = Path(__file__).resolve().parents[2] / "config"
#: Judged sentences that a dossier should have at least, and sentences that the comparison prints under a question.
FEWEST, AS_MANY = 20, 8
SAFETY = "clinical.safety"
_PMCID = re.compile(r"PMC\d+")
#: The labels' words for what a reference says of its relation where it has no `relation_kind`.
_RELATIONS = {
    "combination product": "combination", "conjugate or derivative": "derivative",
    "biosimilar or generic": "derivative",
}  # fmt: skip


class Printed(NamedTuple):
    """A sentence under a question, and the article that it is from (empty if it is from none)."""

    question: str
    text: str
    quote: str
    pmcid: str


class Judged(NamedTuple):
    """The printed sentences of a drug with their grades, and the references' facts that are right or wrong."""

    drug: str
    grades: Sequence[tuple[Printed, Grade]]
    facts: Counter[tuple[str, bool]]

    @classmethod
    def of(
        cls, drug: str, printed: Iterable[Printed], references: Iterable[Mapping[str, Any]], labels: Labels
    ) -> Judged:
        """What the labels say of them."""
        articles = labels[drug]
        once = {(one.question, same_words(one.text)): one for one in reversed(list(printed))}
        grades = [(one, grade_of(one, drug, labels)) for one in once.values()]
        good = (Grade.WOULD_PRINT, Grade.ACCEPTABLE)
        safe = {one.pmcid for one, grade in grades if one.question == SAFETY and grade in good}
        facts = Counter(chain.from_iterable(facts_of(one, articles) for one in references))
        harmful = [one.pmcid for one in articles.values() if one.relation == "itself" and one.reports_harm]
        facts.update(("safety", pmcid in safe) for pmcid in harmful)
        return cls(drug, grades, facts)


Labels = Mapping[str, Mapping[str, Article]]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("statements", "Sentences of dossiers on real full text, held against labelled articles.")
    options.add_argument("--labelled", type=Path, help="folder of folders, one a drug")
    options.add_argument("--other", type=Path, help="folder with articles on other things")
    options.add_argument("--drugs", nargs="+", help="only these: rules are tuned on some drugs and tried on others")
    options.add_argument("--show", action="store_true", help="print each sentence that is not good")
    given = options.parse_args(argv)
    if given.labelled is None:
        options.error("it needs the labelled articles: --labelled DIR (a folder a drug, with labels.jsonl)")
    folders = sorted(path.parent for path in given.labelled.glob("*/labels.jsonl"))
    labels = {folder.name: read_articles(folder) for folder in folders}
    drugs = given.drugs or list(labels)
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as work:
        first = [first_sentences(drug, given.labelled / drug, labels) for drug in drugs]
        found = list(dossiers(drugs, [*folders, *filter(None, (given.other,))], labels, Path(work) / "data"))
    report([*rows("first sentences that name the drug", first), *rows("storm", found)], as_json=given.json)
    for one, grade in chain.from_iterable(judged.grades for judged in found if given.show):
        if grade not in (Grade.WOULD_PRINT, Grade.ACCEPTABLE):
            print(grade.value, one.question, one.pmcid, one.text, sep="\t")
    return 0


def dossiers(drugs: Sequence[str], folders: Sequence[Path], labels: Labels, data_dir: Path) -> Iterator[Judged]:
    """A dossier of each drug from one corpus of all articles, judged."""
    data_dir.mkdir()
    storm(data_dir, "corpus", "add", *(str(path) for folder in folders for path in sorted(folder.glob("PMC*.xml*"))))
    for drug in drugs:
        storm(data_dir, "run", drug, "--offline", "--quiet", "--format", "json", "--out", drug)
        path = data_dir / drug / "dossier.json"
        dossier = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"answers": [], "references": []}
        yield Judged.of(drug, printed_in(dossier), dossier["references"], labels)
    discard(data_dir)


def storm(data_dir: Path, *args: str) -> None:
    """`storm ARGS`; how complete a dossier is says its exit code, what became of it the file."""
    process = start(data_dir, *args)
    said, _ = process.communicate(timeout=600)
    if process.returncode in (1, 2):
        raise SystemExit(f"storm {' '.join(args[:2])} ended with {process.returncode}:\n{said}")


def printed_in(dossier: Mapping[str, Any]) -> Iterator[Printed]:
    """Its statements, those in conflicts last."""
    references = {one["source_id"]: one for one in dossier["references"]}
    for answer in dossier["answers"]:
        in_conflict = (one for conflict in answer.get("conflicts", ()) for one in conflict["statements"])
        for one in chain(answer["statements"], in_conflict):
            pmcid = pmcid_of(references.get(one["source_ids"][0], {}))
            yield Printed(answer["question"], one["text"], one.get("quote") or one["text"], pmcid)


def first_sentences(drug: str, folder: Path, labels: Labels) -> Judged:
    """The comparison: article by article the first sentence that names the drug, then the second …, while its question
    has room."""
    questions = bundled_syllabus(CONFIG).questions
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as work:
        index = CorpusIndex(Path(work) / "corpus")
        add_paths(index, [folder])
        hits = {pmcid: record.hit for pmcid in labels[drug] if (record := index.find_record(f"pmc:{pmcid}"))}
    naming = [[(p.text, pmcid) for p in read_passages(hit) if drug in p.text.lower()] for pmcid, hit in hits.items()]
    room = Counter({question.key: AS_MANY for question in questions})
    printed = []
    for text, pmcid in filter(None, chain.from_iterable(zip_longest(*naming))):
        cues = {question.key: count_cues(text, question.cues) for question in questions}
        question = max(cues, key=lambda key: cues[key])
        if room[question] > 0:
            room[question] -= 1
            printed.append(Printed(question, text, text, pmcid))
    return Judged.of(drug, printed, (), labels)


def grade_of(one: Printed, drug: str, labels: Labels) -> Grade:
    """A sentence from an article on none of the drugs is poor; one from another drug's was not read for this one."""
    if article := labels[drug].get(one.pmcid):
        return article.grade(one.question, one.text, one.quote)
    return Grade.UNSEEN if any(one.pmcid in articles for articles in labels.values()) else Grade.POOR


def facts_of(reference: Mapping[str, Any], articles: Mapping[str, Article]) -> Iterator[tuple[str, bool]]:
    """Whether its relation to the drug, its design and its participants are those of the labels."""
    article = articles.get(pmcid_of(reference))
    if article is None:
        return
    relation = reference.get("relation_kind") or _RELATIONS.get(reference["relation"], reference["relation"])
    yield "relation", relation == article.relation
    if "design" in reference:
        yield "design", reference["design"] == article.design
    if "participants" in reference and article.participants is not None:
        yield "participants", reference["participants"] == article.participants


def pmcid_of(reference: Mapping[str, Any]) -> str:
    """The PMC number that stands anywhere in it, or nothing."""
    found = _PMCID.search(json.dumps(reference))
    return found[0] if found else ""


def rows(variant: str, judged: Sequence[Judged]) -> Iterator[Row]:
    """A row for each drug, and one for all."""
    for one in judged:
        yield row(variant, one.drug, [one])
    yield row(variant, "all", judged)


def row(variant: str, drug: str, judged: Sequence[Judged]) -> Row:
    """Shares of the judged sentences, and of the facts where there are any."""
    grades = Counter(grade for one in judged for _, grade in one.grades)
    facts = sum((one.facts for one in judged), Counter[tuple[str, bool]]())
    missing = sum(max(0, FEWEST - sum(grade is not Grade.UNSEEN for _, grade in one.grades)) for one in judged)
    total, unseen = grades.total(), grades[Grade.UNSEEN]
    return {
        "variant": variant, "drug": drug, "n": total, "missing": missing,
        **{
            name: share(sum(grades[grade] for grade in of), total - unseen + missing)
            for name, of in {
                "good": (Grade.WOULD_PRINT, Grade.ACCEPTABLE), "would_print": (Grade.WOULD_PRINT,),
                "moved": (Grade.MOVED,), "trap": (Grade.TRAP,),
            }.items()
        },
        "unseen": share(unseen, total),
        **{
            fact: share(facts[fact, True], facts[fact, True] + facts[fact, False])
            for fact in dict.fromkeys(fact for fact, _ in sorted(facts))
        },
    }  # fmt: skip


def share(part: int, whole: int) -> float:
    """A share; 0 of nothing."""
    return round(part / whole, 3) if whole else 0.0


if __name__ == "__main__":
    raise SystemExit(main())
