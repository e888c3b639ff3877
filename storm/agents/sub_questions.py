"""Repairs the sub-questions that a model planned, and makes the questions of a plan of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from pydantic import BaseModel, Field, model_validator

from storm import planning_wording
from storm.agents.fencing import unfenced_line
from storm.agents.heading_words import KnownWords, is_neutral, stem_words
from storm.agents.reply_values import Text, Texts, Weight, read_mapping
from storm.citations.vocabulary import GRAMMAR, NEUTRAL, words_of
from storm.models import Complexity, Plan, Question
from storm.models.names import split_words
from storm.models.search import LOOK_UPS, WEB

#: Characters of a label, a description and a search word; search words of a question; characters of its key's words.
_LABEL, _DESCRIPTION, _WORD, _WORDS, _KEY = 120, 400, 60, 12, 36
#: Sources that a question of the model needs, and the most questions of a simple request.
_SOURCES = {Complexity.SIMPLE: 8, Complexity.COMPLEX: 4}
_SIMPLE = 4
#: So many sub-questions of a reply are read.
_READ = 100
#: So many words more may the label of a question have that a sub-question is.
_MORE = 1
#: Two sub-questions that share so many of their words are one.
_ALIKE = 0.8
#: A text with this share of English grammar is English.
_ENGLISH = 0.2
#: Words that any question may have, and that do not tell two apart; not those that name what is asked of a drug.
_FACETS = words_of("dose dosage dosing regimen administration combination comparison population frequency duration")
_GENERAL = (GRAMMAR | NEUTRAL | words_of("clinical medical question answer role overview summary current")) - _FACETS


class SubQuestion(BaseModel):
    """One sub-question as the model wrote it."""

    label: Text = Field(default="", description="its heading, in a few words")
    description: Text = Field(default="", description="what it asks, in one sentence that can be understood alone")
    search_words: Texts = Field(default=[], description="3 to 8 words of the records that answer it, in English")
    importance: Weight = Field(default=0.5, description="0 to 1: how much the answer as a whole depends on it")

    _accept_mapping = model_validator(mode="before")(read_mapping)


def find_stems(text: str, without: Iterable[str] = ()) -> frozenset[str]:
    """The stems of the words that tell one question from another: no grammar, no general words, none of the names."""
    names = {word for name in without for word in split_words(name)}
    words = {word for word in split_words(text) if len(word) > 1 and word not in _GENERAL and word not in names}
    return stem_words(words)


def count_wanted(most: int, complexity: Complexity) -> int:
    """How many sub-questions a request of this complexity may have: a simple one gets few, with more sources each."""
    return min(most, _SIMPLE) if complexity is Complexity.SIMPLE else most


def repair_questions(written: Sequence[SubQuestion], names: Sequence[str], most: int) -> list[SubQuestion]:
    """The most important ones in their order, at most `most`; those that ask the same are merged."""
    merged: list[SubQuestion] = []
    for one in written:
        same = next((n for n, other in enumerate(merged) if _ask_the_same(one, other, names)), None)
        if same is None:
            merged.append(one)
        else:
            merged[same] = _merge_questions(merged[same], one)
    ranked = sorted(range(len(merged)), key=lambda n: -merged[n].importance)
    return [merged[n] for n in sorted(ranked[:most])]


def read_questions(written: Sequence[SubQuestion], request: str, plan: Plan) -> list[SubQuestion]:
    """The sub-questions that have to do with the request, on one line each. One whose label says what neither the
    request, the subject's names nor a question of the rules says is left out; such a description is replaced."""
    planned = (f"{q.label} {q.description} {' '.join(q.focus)}" for q in plan.syllabus.questions)
    texts = (request, *plan.names, *planned)
    known = KnownWords(*texts)
    clean = filter(None, map(_clean_question, written[:_READ]))
    named = [one for one in clean if is_neutral(one.label, known, request)]
    return [
        one
        if is_neutral(one.description, known, request)
        else one.model_copy(update={"description": planning_wording.ASKED_OF.format(label=one.label)})
        for one in _drop_misfits(named, request, find_stems(" ".join(texts)), is_judged=bool(plan.identity))
    ]


def _drop_misfits(
    questions: Sequence[SubQuestion], request: str, stems: frozenset[str], *, is_judged: bool
) -> list[SubQuestion]:
    """The sub-questions that share a word with what is known, or with another sub-question that does.

    All of them, if that cannot be judged: a request in another language shares only the names of a drug.
    """
    words = split_words(request)
    is_english = sum(word in GRAMMAR for word in words) >= _ENGLISH * len(words)
    if not stems or not (is_english or is_judged):
        return list(questions)
    left = [find_stems(_all_words(one)) for one in questions]
    fitting: set[int] = set()
    while more := {position for position, own in enumerate(left) if position not in fitting and stems & own}:
        fitting |= more
        stems = stems.union(*(left[position] for position in more))
    return [questions[position] for position in sorted(fitting)]


def make_questions(
    written: Sequence[SubQuestion], plan: Plan, *, complexity: Complexity, on_web: bool
) -> list[Question]:
    """The questions of a plan: those that rules planned too take over these rules and their key; others are recognised
    by their search words. `on_web` searches them on the web alone."""
    heaviest = max((one.importance for one in written), default=0.0)
    rules = _match_rules(written, plan)
    taken = {*LOOK_UPS, *(question.key for question in rules.values())}
    made: list[Question] = []
    for position, one in enumerate(written):
        asked = {
            "label": one.label,
            "description": one.description,
            "importance": round(one.importance / max(1.0, heaviest), 3),
            "parent": "",
        }
        if own := rules.get(position):
            focus = tuple(dict.fromkeys((*own.focus, *one.search_words)))
            made.append(own.model_copy(update={**asked, "focus": focus}))
            continue
        key = _make_key(one.label, taken)
        taken.add(key)
        made.append(
            Question(
                key=key,
                min_sources=_SOURCES[complexity],
                focus=tuple(one.search_words),
                queries={WEB: (" ".join((one.label, *one.search_words)),)} if on_web else {},
                **asked,
            )
        )
    return made


def _clean_question(one: SubQuestion) -> SubQuestion | None:
    label, description = cut_line(one.label, _LABEL), cut_line(one.description, _DESCRIPTION)
    if not split_words(label or description):
        return None
    words = dict.fromkeys(cut_line(word, _WORD) for word in one.search_words)
    return SubQuestion(
        label=label or cut_line(description, _LABEL),
        description=description or label,
        search_words=[word for word in words if split_words(word)][:_WORDS],
        importance=one.importance,
    )


def cut_line(text: str, limit: int) -> str:
    """The text on one line of so many characters, cut at a word."""
    line = unfenced_line(text)
    return line if len(line) <= limit else line[:limit].rpartition(" ")[0] or line[:limit]


def _ask_the_same(one: SubQuestion, other: SubQuestion, names: Sequence[str]) -> bool:
    """Whether their labels have the same words besides the names, or nearly all of their words are the same."""
    labels = [find_stems(sub.label, names) for sub in (one, other)]
    if labels[0] == labels[1] and (labels[0] or split_words(one.label) == split_words(other.label)):
        return True
    first, second = (find_stems(f"{sub.label} {sub.description}", names) for sub in (one, other))
    return bool(first | second) and len(first & second) >= _ALIKE * len(first | second)


def _merge_questions(one: SubQuestion, other: SubQuestion) -> SubQuestion:
    """The more important of the two, with the words of both."""
    kept = other if other.importance > one.importance else one
    words = list(dict.fromkeys((*kept.search_words, *one.search_words, *other.search_words)))
    return kept.model_copy(update={"search_words": words[:_WORDS]})


def _all_words(one: SubQuestion) -> str:
    return " ".join((one.label, one.description, *one.search_words))


def _match_rules(written: Sequence[SubQuestion], plan: Plan) -> dict[int, Question]:
    """The question of the rules' plan that each sub-question clearly is, by its place; no question is taken twice."""
    free = list(plan.syllabus.questions)
    matched: dict[int, Question] = {}
    for position, one in enumerate(written):
        label = find_stems(one.label, plan.names)
        if own := next((question for question in free if _is_same_facet(label, question, plan.names)), None):
            matched[position] = own
            free.remove(own)
    return matched


def _is_same_facet(label: frozenset[str], question: Question, names: Sequence[str]) -> bool:
    """Whether a label names nothing but this question: each of its words is in the question's label or focus, one is in
    the label, and the label has at most one word more. "Efficacy" is "Clinical efficacy"; "Efficacy in children" is
    not, and neither is a whole sentence in which it stands."""
    own = find_stems(question.label, names)
    is_part = label <= own | find_stems(" ".join(question.focus), names)
    return bool(label & own) and is_part and len(own) <= len(label) + _MORE


def _make_key(label: str, taken: Collection[str]) -> str:
    """A key of the label's words that is not taken."""
    words = "_".join(word for word in split_words(label) if word.isascii())[:_KEY].strip("_")
    start = words if words[:1].isalpha() else f"q_{words}"[:_KEY].rstrip("_")
    return next(key for key in _numbered(start) if key not in taken)


def _numbered(start: str) -> Iterator[str]:
    yield start
    yield from (f"{start}_{number}" for number in range(2, 1_000))
