"""The dossier, put together from what the job has: nothing in it that is not in a source or in the search log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from storm.citations.verification import cited_sources, references_for
from storm.models import (
    Answer,
    AtAGlance,
    Coverage,
    DatabaseUse,
    Dossier,
    Hit,
    Job,
    JobRequest,
    Plan,
    QuestionText,
    SearchLine,
    SearchRecord,
    SearchStatus,
    Source,
    Spending,
    StatementCounts,
    database_label,
)
from storm.models.names import tokens
from storm.models.plan import NAMES
from storm.syllabus.coverage import coverage
from storm.workflow.glance import at_a_glance

COMPLETE, PARTIAL, NOTHING = 0, 3, 4
#: The mode in which a language model decides what is saved.
BROAD = "broad"
#: Why a researcher with a model may end before it is done; after the last a resume goes on.
MODEL_ERROR = "model_error"
_CUT_SHORT = frozenset(("budget", "max_iters", MODEL_ERROR))
_CUT = "The gathering was cut short, perhaps before this question was searched. What is missing here may be there."


def compile_dossier(
    job: Job,
    plan: Plan,
    *,
    engine: str,
    stopped: str,
    sources: Sequence[Source],
    answers: Sequence[Answer],
    searches: Sequence[SearchRecord],
    notes: Sequence[str] = (),
    spending: Sequence[Spending] = (),
) -> Dossier:
    """The dossier of a job: partial where a search failed or a question that has sources is not wholly answered, and
    empty only where every search was answered and nothing was found."""
    searches = _in_order(searches)
    glance = at_a_glance(plan, sources)
    state = _coverage(plan, sources)
    cited = [*_named_at_a_glance(glance), *cited_sources(answers)]
    unfinished = [answer.question for answer in answers if _is_unfinished(answer, sources)]
    unjudged = sum(answer.counts.unjudged for answer in answers)
    failed = stopped in _CUT_SHORT or bool(unfinished or unjudged) or any(search.failed for search in searches)
    unread = job.request.mode == BROAD and (_unsearched(searches) or any(search.hits for search in searches))
    whole = COMPLETE if state.ready and sources else PARTIAL if sources or unread else NOTHING
    return Dossier(
        job_id=job.job_id,
        drug=job.request.drug,
        names=plan.searched,
        also_known=plan.names[len(plan.searched) :],
        identity=plan.identity,
        named=_named(plan.names, [source.hit for source in sources]),
        engine=engine,
        mode=job.request.mode,
        created=job.created,
        retrieved=f"{min((search.answered or search.at for search in searches), default=job.created):%Y-%m-%d}",
        stopped="nothing_searched" if _all_failed(searches) else stopped,
        questions=tuple(
            QuestionText(key=q.key, label=q.label, description=q.description, dated=q.dated)
            for q in plan.syllabus.questions
        ),
        exit_code=PARTIAL if failed else whole,
        databases=tuple(_databases(searches, sources)),
        coverage=state,
        at_a_glance=glance,
        answers=tuple(_with_failures(answers, state, searches, cut=stopped in _CUT_SHORT)),
        statements=StatementCounts.summed(answer.counts for answer in answers),
        spending=tuple(sorted(spending, key=partial(_place, [question.key for question in plan.syllabus.questions]))),
        references=references_for(cited, sources),
        search_log=tuple(_lines(searches, sources)),
        notes=(
            *notes,
            *([_told(unfinished, plan)] if unfinished else []),
            *([f"Not judged: {unjudged} of the statements; where one is shown, it says so."] if unjudged else []),
            *([] if sources else [_why_empty(job.request, searches, stopped)]),
        ),
    )


def _is_unfinished(answer: Answer, sources: Sequence[Source]) -> bool:
    has_sources = any(answer.question in source.questions for source in sources)
    return answer.cut_short or (has_sources and not answer.says_something)


def _told(unfinished: Sequence[str], plan: Plan) -> str:
    labels = "; ".join(plan.syllabus.question(key).label for key in unfinished)
    return f"Not answered, or not wholly, though there are sources: {labels}. The gaps under each question say why."


def _place(questions: Sequence[str], spending: Spending) -> tuple[int, str]:
    """By the order of the questions: which of several at once was paid first is chance."""
    asked = spending.question
    return questions.index(asked) if asked in questions else -1, spending.role


def _all_failed(searches: Sequence[SearchRecord]) -> bool:
    return bool(searches) and all(search.status is SearchStatus.FAILED for search in searches)


def _unsearched(searches: Sequence[SearchRecord]) -> bool:
    """Whether nothing was looked for but what the drug's name means."""
    return all(search.question == NAMES for search in searches)


def _with_failures(
    answers: Sequence[Answer], state: Coverage, searches: Sequence[SearchRecord], *, cut: bool
) -> Iterator[Answer]:
    """The answers; one that lacks sources says whom it could not ask, and whether the search for them was cut short:
    what is missing may be there."""
    failed = dict.fromkeys(database_label(search.database) for search in searches if search.failed)
    lacking = {question.question for question in state.questions if not question.sufficient}
    told = f"Not, or not wholly, searched: {', '.join(failed)}. What is missing here may be there."
    for answer in answers:
        more = [*([_CUT] if cut else []), *([told] if failed else [])] if answer.question in lacking else []
        yield answer.model_copy(update={"gaps": (*answer.gaps, *more)})


def _in_order(searches: Sequence[SearchRecord]) -> Sequence[SearchRecord]:
    """The search log by question and database: which of several at once was answered first is chance."""
    questions = list(dict.fromkeys(search.question for search in searches))
    return sorted(searches, key=lambda search: (questions.index(search.question), search.database))


def _named(names: Sequence[str], hits: Sequence[Hit]) -> dict[str, int]:
    """How many of the records have each name in their title, text or list of names; one that none has is left out."""
    texts = [f" {_words(' '.join((hit.title, *hit.drugs, hit.text)))} " for hit in hits]
    counts = {name: sum(f" {_words(name)} " in text for text in texts) for name in names}
    return {name: count for name, count in counts.items() if count}


def _words(text: str) -> str:
    return " ".join(tokens(text))


def _why_empty(request: JobRequest, searches: Sequence[SearchRecord], stopped: str) -> str:
    drug = request.drug
    if _all_failed(searches):
        return f"Nothing could be searched, so this dossier says nothing about {drug}."
    if stopped in _CUT_SHORT:
        return f"The work was cut short before a source was saved, so this dossier says nothing about {drug}."
    named = {key for search in searches for key in search.hits}
    if request.mode == BROAD and _unsearched(searches):
        return f"The language model ended its work before it searched, so this dossier says nothing about {drug}."
    if named and request.mode == BROAD:
        found = "record was" if len(named) == 1 else "records were"
        nothing = f"so this dossier says nothing about {drug}"
        return f"{len(named)} {found} found, but the language model saved none as a source, {nothing}."
    if named:
        name = "names" if len(named) == 1 else "name"
        return f"{len(named)} of the records {name} {drug}, but by the rules of the syllabus none answers a question."
    return f"No record in what was searched names {drug}. That is no statement about the literature."


def _coverage(plan: Plan, sources: Sequence[Source]) -> Coverage:
    counts = Counter(question for source in sources for question in source.questions)
    databases = sorted({source.hit.database for source in sources})
    return coverage(plan.syllabus, counts, databases, len(sources))


def _named_at_a_glance(glance: AtAGlance) -> Iterator[str]:
    for facts in (glance.names, glance.drug_class, glance.targets, glance.sponsors):
        yield from (fact.source_id for fact in facts)
    yield from (approval.source_id for approval in glance.approvals)
    yield from (fact.source_id for fact in glance.boxed_warnings)


def _databases(searches: Sequence[SearchRecord], sources: Sequence[Source]) -> Iterator[DatabaseUse]:
    """Each database once, with its worst outcome: one failed search must not hide behind those that answered."""
    worst = (SearchStatus.FAILED, SearchStatus.FOUND, SearchStatus.NONE, SearchStatus.NOT_APPLICABLE)
    for name in dict.fromkeys(search.database for search in searches):
        own = [search for search in searches if search.database == name]
        returned = {key for search in own for key in search.hits}
        records = Counter(s.hit.database for s in sources if returned.intersection(s.hit.identifiers))
        status = min((search.status for search in own), key=worst.index)
        incomplete = any(search.incomplete for search in own)
        in_part = incomplete and status is not SearchStatus.FAILED
        told = [search for search in own if (search.incomplete if in_part else search.status is status)]
        reasons = dict.fromkeys(search.reason for search in told if search.reason)
        yield DatabaseUse(
            name=name,
            scope=own[0].scope,
            searched=len(own),
            status=status,
            reason="; ".join(reasons),
            incomplete=incomplete,
            records=dict(sorted(records.items())),
        )


def _lines(searches: Sequence[SearchRecord], sources: Sequence[Source]) -> Iterator[SearchLine]:
    saved = {identifier: source.source_id for source in sources for identifier in source.hit.identifiers}
    for search in searches:
        yield SearchLine(
            **search.model_dump(exclude={"hits"}),
            hits=len(search.hits),
            kept=len({saved[key] for key in search.hits if key in saved}),
        )
