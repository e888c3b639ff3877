"""The best matches of a query in a tantivy index, in an order that does not depend on how the index was built."""

from __future__ import annotations

from collections import Counter

import tantivy


def find_best(
    searcher: tantivy.Searcher, query: tantivy.Query, limit: int
) -> tuple[int, list[tuple[float, str, tantivy.DocAddress]]]:
    """The number of matches, and the first `limit` as (score, key, address), best first, equal scores by key, which
    is "" where no other record has that score.

    tantivy orders equal scores by index position, so hits past the limit are fetched until the score changes.
    """
    if limit < 1:
        return _match_count(searcher.search(query, 1)), []
    fetch = limit + 1
    while True:
        found = searcher.search(query, fetch)
        hits = found.hits
        if len(hits) < fetch or hits[-1][0] != hits[limit - 1][0]:
            break
        fetch *= 4
    if not hits:
        return 0, []
    last = hits[min(limit, len(hits)) - 1][0]
    scores = Counter(score for score, _ in hits)
    wanted = [
        # To read a full text for its key takes as long as to find it.
        (score, searcher.doc(place).get_first("key") or "" if scores[score] > 1 else "", place)
        for score, place in hits
        if score >= last
    ]
    wanted.sort(key=lambda hit: (-hit[0], hit[1]))
    return _match_count(found), wanted[:limit]


def _match_count(found: tantivy.SearchResult) -> int:
    return int(found.count)  # type: ignore[attr-defined] # tantivy's stub leaves it out
