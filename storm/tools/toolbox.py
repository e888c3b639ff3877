"""The tools of one job, as an agent calls them. Their docstrings are part of the prompt."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from functools import wraps
from typing import Annotated, Any, ParamSpec

from pydantic import BeforeValidator, ConfigDict, ValidationError, validate_call
from rapidfuzz import fuzz, process

from storm.citations import find_foreign_mentions, is_address_of, is_same_title, locate_quote, states_other_work
from storm.errors import ServiceError, ToolError
from storm.models import (
    Coverage,
    DraftCitation,
    Hit,
    Plan,
    Relation,
    RelationKind,
    Saved,
    Subject,
    database_label,
    lookup_keys,
)
from storm.models.names import split_words
from storm.ports import Collection, Pages
from storm.ranking import split_sentences
from storm.syllabus.aboutness import subject_of
from storm.syllabus.coverage import coverage, neediest_first
from storm.tools.answerable import select_answerable
from storm.tools.answers import clip_text, fit_answer, fold_complete
from storm.tools.rendezvous import Rendezvous

Answer = dict[str, Any]
P = ParamSpec("P")
#: Accept None for an empty text, and a single string for a list of one.
Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]
Names = Annotated[list[str], BeforeValidator(lambda value: [value] if isinstance(value, str) else value or [])]


def _answer_errors(tool: Callable[P, Coroutine[Any, Any, Answer]]) -> Callable[P, Coroutine[Any, Any, Answer]]:
    """Make a tool return its errors as short answers: `{"error": …}`.

    Arguments are converted to the types of the tool's signature where that is unambiguous ("3" for 3).
    """
    checked = validate_call(config=ConfigDict(coerce_numbers_to_str=True))(tool)

    @wraps(tool)
    async def call_tool(*args: P.args, **kwargs: P.kwargs) -> Answer:
        try:
            return await checked(*args, **kwargs)
        except ToolError as refusal:
            return fit_answer({"error": clip_text(refusal.message, 440)})
        except ValidationError as exc:
            wrong = "; ".join(f"{error['loc'][-1]}: {error['msg']}" for error in exc.errors())
            return fit_answer({"error": clip_text(f"wrong arguments: {wrong}", 440)})

    return call_tool


class JobTools:
    """Implements `ports.Toolbox` over a job's collection; the plan's names decide what a record is about.

    Reading a page returns when all requests inside the `rendezvous` have their answers.
    """

    def __init__(
        self,
        collection: Collection,
        plan: Plan,
        pages: Pages | None = None,
        rendezvous: AbstractAsyncContextManager[None] | None = None,
    ) -> None:
        self._collection = collection
        self._pages = pages
        self._rendezvous = rendezvous or Rendezvous()
        self._syllabus = plan.syllabus
        self._plan = plan

    @_answer_errors
    async def save_source(
        self,
        source_type: str,
        external_id: str,
        url: Text,
        title: Text,
        relevant_questions: Names,
        key_excerpts: str | None = None,
        citation_id: str | None = None,
    ) -> Answer:
        """Save a source that a search of this job returned, under the questions that it answers.

        source_type is the database ("pubmed", "clinicaltrials", …) and external_id its id there, as the search gave
        them. key_excerpts: the words of the source that matter most, copied word for word. Saving a source again
        adds the new questions. Answers what each question still needs.
        """
        known = [key for key in dict.fromkeys(relevant_questions) if key in self._syllabus.keys]
        unknown = [key for key in dict.fromkeys(relevant_questions) if key not in self._syllabus.keys]
        if not known:
            raise ToolError(self._describe_unknown(unknown))
        hit = await self._find_seen(source_type, external_id, url)
        subject = subject_of(hit, self._plan.names, self._plan.related_names) or Subject(
            Relation.CONTEXT, RelationKind.NONE
        )
        known, remarks = select_answerable(hit, known, subject, self._syllabus)
        for written in (url, external_id):
            if states_other_work(written, hit):
                other = f"{clip_text(written, 80)!r} is another work than {hit.key}"
                raise ToolError(f"{other}; nothing was saved: save one of the two")
        excerpt = (key_excerpts or "").strip()
        place = locate_quote(excerpt or hit.title, hit)
        verbatim = place is not None if excerpt else None
        citation: DraftCitation | str = citation_id or DraftCitation(
            claim=hit.title,
            quote=excerpt or hit.title,
            quote_verified=True if verbatim or not excerpt else None,
            context=hit.url,
            section=place.section if place else "",
        )
        saved = await self._collection.save(
            hit,
            known,
            citation,
            subject=subject,
            note=excerpt if verbatim is False else "",
        )
        if unknown:
            valid = ", ".join(self._syllabus.keys)
            remarks.append(f"unknown questions left out: {clip_text(', '.join(unknown), 60)}; valid: {valid}")
        if verbatim is False:
            unchecked = "" if citation_id else ", its quote is unchecked"
            remarks.append(f"excerpt is not verbatim: kept as a note{unchecked}")
        remarks += _describe_corrections(hit, url, title)
        return self._describe_saved(hit, saved, remarks)

    @_answer_errors
    async def scrape_url(self, url: str) -> Answer:
        """Read a web page or PDF that a search of this job returned, so that it can be saved and quoted.

        Answers its title, how long its text is, and the text from where it first names the drug.
        """
        if self._pages is None:
            raise ToolError("web pages cannot be read in this job; save what the searches returned")
        try:
            async with self._rendezvous:
                hit = await self._pages.fetch(url.strip())
        except ServiceError as refusal:
            raise ToolError(f"not read: {refusal}" + (f"; {refusal.hint}" if refusal.hint else "")) from refusal
        await self._collection.record_hits([hit])
        place = "this url" if hit.external_id == url.strip() else hit.external_id
        return fit_answer({
            "source_type": hit.database,
            "title": clip_text(hit.title, 100),
            "characters": len(hit.text),
            "excerpt": clip_text(self._about_the_drug(hit), 400),
            "message": f"read; save it with external_id: {place}",
        })  # fmt: skip

    def _about_the_drug(self, hit: Hit) -> str:
        sentences = [span.text for section in hit.sections for span in split_sentences(section.text)]
        return next((" ".join(sentences[n:]) for n, text in enumerate(sentences) if self._names_drug(text)), hit.text)

    def _names_drug(self, text: str) -> bool:
        words = f" {' '.join(split_words(text))} "
        return any(f" {' '.join(split_words(name))} " in words for name in self._plan.names)

    @_answer_errors
    async def register_citation(
        self,
        claim: str,
        source_type: str,
        source_id: str,
        direct_quote: str,
        context: Text = "",
        metadata: dict[str, str] | None = None,
    ) -> Answer:
        """Register a claim with the exact words of a source that support it, before or after saving the source.

        source_id is the external id that a search returned, or src_…. Answers whether the quote was found in the
        source's text; pass the citation_id to save_source.
        """
        if not claim.strip() or not direct_quote.strip():
            raise ToolError("claim and direct_quote are both needed; copy the quote word for word from the source")
        hit = await self._find_seen(source_type, source_id, "", saved_too=True)
        if foreign := find_foreign_mentions(claim, [hit]):
            raise ToolError(
                f"the claim refers to {clip_text(', '.join(foreign), 80)}, which is not {hit.key}: leave it out"
            )
        place = locate_quote(direct_quote, hit)
        draft = DraftCitation(
            claim.strip(),
            direct_quote.strip(),
            place is not None,
            context,
            metadata or {},
            section=place.section if place else "",
        )
        citation, existed = await self._collection.register(hit, draft)
        return {
            "citation_id": citation.citation_id,
            "status": "existing" if existed else "registered",
            "quote": citation.quote_check.value,
        }

    @_answer_errors
    async def get_citation(self, citation_id: str) -> Answer:
        """Look up a registered citation by its id."""
        citation = await self._collection.citation(citation_id)
        if citation is None:
            raise ToolError(f"no citation {clip_text(citation_id, 60)!r} in this job; register_citation makes one")
        return fit_answer(
            {
                "citation_id": citation.citation_id,
                "source_id": citation.source_id,
                "claim": citation.claim,
                "direct_quote": citation.quote,
                "quote": citation.quote_check.value,
                "context": citation.context,
            }
        )

    @_answer_errors
    async def get_progress(self) -> Answer:
        """How many sources each question has and needs, and where to look next."""
        state = await self._read_coverage()
        ordered = neediest_first(state)
        missing = sum(max(0, q.min_sources - q.sources) for q in state.questions)
        complete = [q.question for q in state.questions if q.sufficient]
        questions = {
            q.question: f"✓ {q.sources} sources"
            if q.sufficient
            else f"⚠ {q.sources} sources (need {q.min_sources - q.sources} more)"
            for q in ordered
        }
        answer = {
            "total": state.total,
            "questions": questions,
            "summary": f"{len(complete)}/{len(state.questions)} questions complete, {missing} more sources needed",
            "next_focus": [q.question for q in ordered if not q.sufficient][:3],
        }
        return fold_complete(answer, "questions", complete)

    @_answer_errors
    async def check_completion(self) -> Answer:
        """Whether every question has its sources; if not, what is missing and what to do about it."""
        state = await self._read_coverage()
        done = sum(q.sufficient for q in state.questions)
        missing = {
            q.question: f"Need {q.min_sources - q.sources} more sources (currently {q.sources}/{q.min_sources})"
            for q in neediest_first(state)
            if not q.sufficient
        }
        if len(state.databases) < state.min_databases:
            lacking = state.min_databases - len(state.databases)
            missing = {
                "databases": f"Need {lacking} more (currently {len(state.databases)}/{state.min_databases})",
                **missing,
            }
        answer = {
            "ready": state.ready,
            "progress": f"{done}/{len(state.questions)} questions complete ({100 * done // len(state.questions)}%)",
            "missing": missing,
            "suggestion": _suggest_next(state),
        }
        return fold_complete(answer, "missing", ())

    async def _read_coverage(self) -> Coverage:
        progress = await self._collection.progress()
        return coverage(self._syllabus, progress.counts, progress.databases, progress.total)

    async def _find_seen(self, source_type: str, external_id: str, url: str, *, saved_too: bool = False) -> Hit:
        """The seen hit that the arguments name; with `saved_too`, also a saved one by its source id (src_012)."""
        if saved_too and external_id.startswith("src_"):
            if saved := await self._collection.find_source(external_id):
                return saved.hit
            raise ToolError(f"no source {clip_text(external_id, 60)!r} is saved in this job")
        hit = await self._collection.find_hit(lookup_keys(source_type.strip().lower(), external_id, url))
        if hit is not None:
            return hit
        near = nearest_identifiers(f"{source_type}:{external_id}", await self._collection.seen_identifiers())
        advice = f"nearest seen: {', '.join(near)}" if near else "search for it first"
        raise ToolError(
            f"{clip_text(f'{source_type}:{external_id}', 80)!r} was not returned by any search of this job, "
            f"so it cannot be saved; {advice}"
        )

    def _describe_unknown(self, unknown: Sequence[str]) -> str:
        valid = ", ".join(self._syllabus.keys)
        if not unknown:
            return f"relevant_questions is empty; name at least one of: {valid}"
        return f"no such question: {clip_text(', '.join(unknown), 80)}; nothing was saved; valid: {valid}"

    def _describe_saved(self, hit: Hit, saved: Saved, remarks: Sequence[str]) -> Answer:
        verb = "Saved source" if saved.created else "Already there: source"
        count = len(saved.assigned_to)
        message = f"✓ {verb} #{saved.number} ({database_label(hit.database)}) → {count} question{'s' * (count != 1)}"
        status = {
            key: _describe_need(self._syllabus.question(key).min_sources, saved.counts[key])
            for key in saved.assigned_to
        }
        answer: Answer = {
            "source_id": saved.source_id,
            "citation_id": saved.citation_id,
            "citation_status": "existing" if saved.citation_existed else "auto_registered",
            "assigned_to": list(saved.assigned_to),
            "status": status,
            "message": "; ".join([message, *remarks]),
        }
        return fold_complete(answer, "status", [key for key, text in status.items() if text == "sufficient"])


def nearest_identifiers(wanted: str, seen: Sequence[str], limit: int = 3) -> list[str]:
    """The seen identifiers most similar to the wanted one, best first."""
    ranked = process.extract(wanted, sorted(seen), scorer=fuzz.ratio, limit=limit, score_cutoff=60)
    return [clip_text(identifier, 60) for identifier, _, _ in ranked]


def _describe_need(minimum: int, count: int) -> str:
    return "sufficient" if count >= minimum else f"need {minimum - count} more"


def _describe_corrections(hit: Hit, url: str, title: str) -> list[str]:
    """Remarks on what was filled in or corrected from the record: only the record may describe a source."""
    given = {"url": (url, is_address_of(url, hit)), "title": (title, is_same_title(title, hit.title))}
    filled = [name for name, (wrote, _) in given.items() if not wrote.strip()]
    corrected = [name for name, (wrote, same) in given.items() if wrote.strip() and not same]
    remarks = []
    if filled:
        remarks.append(f"{' and '.join(filled)} filled in from the record")
    if corrected:
        remarks.append(f"{' and '.join(corrected)} corrected from the record")
        if "title" in corrected:
            remarks.append(f"it is “{clip_text(hit.title, 90)}”")
    return remarks


def _suggest_next(state: Coverage) -> str:
    if state.ready:
        return "Every question has its sources: finish."
    needy = [q for q in neediest_first(state) if not q.sufficient]
    if needy:
        return f"Search for {needy[0].question}, it needs the most."
    return "Search a database that has no source yet."
