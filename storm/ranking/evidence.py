"""The pieces of evidence that are most relevant to a query and differ from each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from storm.errors import StormError
from storm.models import EvidencePiece
from storm.ranking.bm25 import count_terms, weigh_terms
from storm.ranking.diversity import select_diverse
from storm.ranking.sentences import Scored, split_sentences, split_terms

#: The vectors of texts, in their order: a `dspy.Embedder` is one.
Embed = Callable[[list[str]], Iterable[Iterable[float]]]
#: How alike two texts are, 0..1.
_Similarity = Callable[[str, str], float]

_Place = TypeVar("_Place", str, int)

#: Most pieces, and most characters of each.
LIMIT, MOST_CHARACTERS = 20, 1_000
#: So near to the limit a text is cut at the end of a sentence, else at a word.
_NEAR = 200
#: How many characters before that, and after the limit, tell whether a sentence ends there.
_BEHIND, _AHEAD = 1_000, 50


def choose_diverse(
    pieces: Iterable[EvidencePiece],
    query: str,
    n: int = LIMIT,
    *,
    embed: Embed | None = None,
    most_characters: int = MOST_CHARACTERS,
) -> tuple[EvidencePiece, ...]:
    """At most `n` pieces, best first: relevant to the query, and unlike those before (maximal marginal relevance).

    They are compared by the BM25 weights of their words, or by the vectors that `embed` gives. A longer content is cut
    (`cut_content`). The order of the pieces does not matter, and each comes once.
    """
    cut = (one.model_copy(update={"content": cut_content(one.content, most_characters)}) for one in pieces)
    ordered = sorted(dict.fromkeys(cut), key=lambda one: (one.content, one.citation.model_dump_json()))
    if n <= 0 or not ordered:
        return ()
    texts = [one.content for one in ordered]
    scores, similarity = _embed_texts(texts, query, embed) if embed else _weigh_texts(texts, query)
    scored = [Scored(place, text, score) for place, (text, score) in enumerate(zip(texts, scores, strict=True))]
    return tuple(ordered[one.index] for one in select_diverse(scored, n, similarity))


def cut_content(text: str, limit: int) -> str:
    """At most `limit` characters of a text: up to the last end of a sentence in the last 200 of them; if none ends
    there, up to a word, with "…"."""
    text = text.strip()
    if len(text) <= limit:
        return text
    least = max(0, limit - _NEAR)
    begin = max(0, least - _BEHIND)
    ends = [begin + span.end for span in split_sentences(text[begin : limit + _AHEAD])[:-1]]
    if near := [end for end in ends if least < end <= limit]:
        return text[: near[-1]]
    start = text[: max(0, limit - 1)]
    word = len(start) if text[len(start)].isspace() else max(map(start.rfind, " \n\t"))
    return f"{start[:word].rstrip() if word > least else start}…"[: max(0, limit)]


def _weigh_texts(texts: Sequence[str], query: str) -> tuple[list[float], _Similarity]:
    """The BM25 score of each text, and how alike the weights of their words are."""
    words = [split_terms(text) for text in texts]
    equal = dict.fromkeys((term for each in words for term in each), 1.0)
    weights = weigh_terms([count_terms(each, equal) for each in words], equal)
    units = {text: _to_unit(vector) for text, vector in zip(texts, weights, strict=True)}
    asked = [*dict.fromkeys(split_terms(query))]

    def similarity(one: str, other: str) -> float:
        few, many = sorted((units[one], units[other]), key=len)
        return math.fsum(value * many[term] for term, value in few.items() if term in many)

    return [sum(vector.get(term, 0.0) for term in asked) for vector in weights], similarity


def _embed_texts(texts: Sequence[str], query: str, embed: Embed) -> tuple[list[float], _Similarity]:
    """The similarity of each text to the query, and how alike their vectors are; opposite ones are not alike."""
    found = [[float(number) for number in vector] for vector in embed([query, *texts])]
    sizes = {len(vector) for vector in found}
    if len(found) != len(texts) + 1 or len(sizes) != 1 or not all(math.isfinite(one) for each in found for one in each):
        raise StormError(
            f"the embedder gave no finite vector of one length for each of {len(texts) + 1} texts",
            hint="an embedder takes a list of texts and returns a list of as many vectors",
        )
    asked, *vectors = [[*_to_unit(dict(enumerate(vector))).values()] for vector in found]
    units = dict(zip(texts, vectors, strict=True))

    def similarity(one: Sequence[float], other: Sequence[float]) -> float:
        return max(0.0, sum(a * b for a, b in zip(one, other, strict=True)))

    return [similarity(asked, vector) for vector in vectors], lambda one, other: similarity(units[one], units[other])


def _to_unit(vector: Mapping[_Place, float]) -> dict[_Place, float]:
    length = math.hypot(*vector.values()) or 1.0
    return {place: value / length for place, value in vector.items()}
