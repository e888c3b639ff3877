"""The name of a drug in the corpus that is written much like one that no record names: a typing error, perhaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from tantivy import Occur, Query

from storm.databases.corpus.index import SCHEMA, CorpusIndex, map_corpus_errors
from storm.models import Hit, SearchQuery
from storm.models.names import split_words

#: How alike two names are, and in how many letters they differ at most.
_CLOSE, _LETTERS = 0.85, 2
#: Records with such a name that are read.
_MOST_READ = 50


def find_near_name(index: CorpusIndex, names: Sequence[str], *, in_titles: bool = True) -> str:
    """The name in the corpus, as a drug's or in a title, that is most like the first of these; empty if there is none,
    or if a record has one of these names. CorpusError as of the index."""
    words = " ".join(split_words(names[0]))
    if not words or index.search(SearchQuery(names=tuple(names)), 1).total:
        return ""
    near = {
        " ".join(split_words(name)): name
        for hit in _find_near(index, words)
        for name in (*(hit.title.split() if in_titles else ()), *hit.drugs)
    }
    close = get_close_matches(words, near, n=1, cutoff=_CLOSE) if words not in near else []
    return near[close[0]].strip(".,:;()[]\"'“”‘’") if close else ""


def _find_near(index: CorpusIndex, words: str) -> Iterator[Hit]:
    """The records with a drug, or a word of the title, that differs in few letters."""
    searcher = index.open_searcher()
    if searcher is None:
        return
    with map_corpus_errors(index.folder):
        parts = [(Occur.Should, Query.fuzzy_term_query(SCHEMA, field, words, _LETTERS)) for field in ("drug", "title")]
        for _, place in searcher.search(Query.boolean_query(parts), _MOST_READ).hits:
            yield Hit.model_validate_json(searcher.doc(place).get_first("record") or b"")
