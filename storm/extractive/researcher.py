"""Filling a collection without a model: query templates, ranking, rules, and the tools that an agent would call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from storm.citations.markers import strip_marks
from storm.errors import StormError
from storm.models import Hit, JobRequest, Plan, Question, Relation, SearchQuery, Syllabus
from storm.ranking import fuse_rankings, rank_sentences, split_sentences
from storm.roles import Collection, Journal, Searcher, Toolbox
from storm.syllabus.assignment import assign
from storm.syllabus.relation import relation_of

#: Hits taken of one search.
SEARCH_LIMIT = 100
#: Of each question, so many times its minimum are saved in a round.
GENEROSITY = 3


class ExtractiveResearcher:
    """Implements `roles.Researcher`: search, rank, assign by rules, save round by round."""

    def __init__(
        self, searcher: Searcher, toolbox: Callable[[Plan], Toolbox], collection: Collection, journal: Journal
    ) -> None:
        self._searcher = searcher
        self._toolbox = toolbox
        self._collection = collection
        self._journal = journal

    async def gather(self, request: JobRequest, plan: Plan) -> str:
        """`complete`, or `no_progress` when every hit has been looked at and minimums are still not met."""
        rankings = {q.key: await self._ranked(q, request, plan) for q in plan.syllabus.questions}
        hits = await self._described(key for ranking in rankings.values() for key in ranking)
        found_for = {key: [q for q, ranking in rankings.items() if key in ranking] for key in hits}
        questions = {key: questions_for(hit, plan, found_for[key]) for key, hit in hits.items()}
        tools = self._toolbox(plan)
        for batch in _rounds(rankings, hits, questions, plan.syllabus):
            for question, keys in batch:
                for key in keys:
                    await self._save(tools, hits[key], question, questions[key], plan)
                await self._report_progress(plan.syllabus)
            if (await tools.check_completion())["ready"]:
                return "complete"
        return "no_progress"

    async def _ranked(self, question: Question, request: JobRequest, plan: Plan) -> list[str]:
        """Keys of the hits of all the question's searches, best first."""
        lists = [
            await self._searcher.search(database, question.key, query, SEARCH_LIMIT)
            for database in self._searcher.databases
            for query in queries_for(question, plan.names, request.databases)
        ]
        return fuse_rankings(lists)

    async def _described(self, keys: Iterator[str]) -> dict[str, Hit]:
        """The hits as all databases together describe them, by each key under which a search returned them."""
        found = {key: await self._collection.find_hit((key,)) for key in dict.fromkeys(keys)}
        return {key: hit for key, hit in found.items() if hit is not None}

    async def _save(self, tools: Toolbox, hit: Hit, question: Question, questions: Sequence[str], plan: Plan) -> None:
        answer = await tools.save_source(
            hit.database,
            hit.external_id,
            hit.url,
            hit.title,
            list(questions),
            key_excerpts=best_excerpt(hit, question, plan.names),
        )
        if "error" in answer:
            raise StormError(f"{hit.key} could not be saved: {answer['error']}")

    async def _report_progress(self, syllabus: Syllabus) -> None:
        counts = (await self._collection.progress()).counts
        standing = {q.key: f"{counts.get(q.key, 0)}/{q.min_sources}" for q in syllabus.questions}
        await self._journal.report("progress", "sources per question", **standing)


def queries_for(question: Question, names: Sequence[str], databases: Sequence[str]) -> Iterator[SearchQuery]:
    """One query a template: the `default` ones everywhere, the others in the records of the database they name.

    A question without templates is searched by the words of its label and description.
    """
    templates: Mapping[str, Sequence[str]] = question.queries or {
        "default": (f"{question.label} {question.description}",)
    }
    for place, phrases in templates.items():
        if place != "default" and databases and place not in databases:
            continue
        for phrase in phrases:
            only = tuple(databases) if place == "default" else (place,)
            yield SearchQuery(names=tuple(names), words=tuple(phrase.split()), databases=only)


def questions_for(hit: Hit, plan: Plan, found_for: Sequence[str]) -> tuple[str, ...]:
    """The questions that a record answers, by their rules; none if it does not name the drug.

    A question without rules takes what its own searches found (`found_for`). What is about a relative of the drug is
    no evidence of the drug's own effects: it counts where relatives belong.
    """
    relation = relation_of(hit, plan.names)
    if relation is None:
        return ()
    found = [assigned.question for assigned in assign(hit, plan.syllabus, relation)]
    found += [q.key for q in plan.syllabus.questions if not q.rules and q.key in found_for]
    if relation is Relation.ITSELF:
        return tuple(found)
    own = [key for key in found if plan.syllabus.question(key).itself_only]
    kept = [key for key in found if key not in own]
    if own and not any(plan.syllabus.question(key).takes_relatives for key in kept):
        kept += [q.key for q in plan.syllabus.questions if q.takes_relatives][:1]
    return tuple(kept)


def best_excerpt(hit: Hit, question: Question, names: Sequence[str]) -> str | None:
    """The sentence of the record that answers the question best, word for word; None if it has no text."""
    sentences = [span.text for span in split_sentences(hit.text)]
    ranked = rank_sentences(sentences, question.asked_for, names, question.cues)
    return next((scored.text for scored in ranked if strip_marks(scored.text)), None)


def _rounds(
    rankings: Mapping[str, Sequence[str]],
    hits: Mapping[str, Hit],
    questions: Mapping[str, Sequence[str]],
    syllabus: Syllabus,
) -> Iterator[list[tuple[Question, list[str]]]]:
    """What to save, round by round: of each question a multiple of its minimum of the best hits not yet taken."""
    taken: set[str] = set()
    waiting = {
        question.key: [key for key in rankings[question.key] if key in hits and question.key in questions[key]]
        for question in syllabus.questions
    }
    while any(waiting.values()):
        batch: list[tuple[Question, list[str]]] = []
        for question in syllabus.questions:
            queue = waiting[question.key]
            chosen = queue[: GENEROSITY * question.min_sources]
            waiting[question.key] = queue[len(chosen) :]
            batch.append((question, [key for key in chosen if hits[key].key not in taken]))
            taken |= {hits[key].key for key in chosen}
        yield batch
