"""Records of drugs, and what finds them by their names."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace

from storm.models import DrugName, Hit, NameKind, RecordFacts, SearchQuery, SearchRecord, SearchStatus


def molecule(
    number: int,
    inn: str,
    *,
    targets: Sequence[str] = (),
    drug_class: Sequence[str] = (),
    text: str = "",
    **names: NameKind,
) -> Hit:
    """ChEMBL's record of a molecule; `names` are its other names, with blanks as underscores."""
    named = tuple(DrugName(kind=kind, text=text.replace("_", " ")) for text, kind in names.items())
    facts = RecordFacts(
        names=(DrugName(kind=NameKind.INN, text=inn), *named),
        substances=(inn,),
        targets=tuple(targets),
        drug_class=tuple(drug_class),
    )
    drugs = tuple(name.text for name in facts.names)
    key = f"CHEMBL{number}"
    return Hit.of("chembl", key, f"https://example.org/{key}", inn, drugs=drugs, text=text, facts=facts)


class Records:
    """Plays searcher and collection: the records that list one of the names that are searched."""

    def __init__(self, *hits: Hit, web: bool = True, fails: bool = False) -> None:
        self._hits = {hit.key: hit for hit in hits}
        self._fails = fails
        self.asked: list[SearchQuery] = []
        self.databases = [SimpleNamespace(name="web" if web else "pubmed")]

    async def search(self, wanted: Mapping[str, Sequence[SearchQuery]]) -> Mapping[str, Sequence[Sequence[str]]]:
        ((scope, queries),) = wanted.items()
        self.asked += queries
        return {scope: [[] if self._fails else self._find(query) for query in queries]}

    def _find(self, query: SearchQuery) -> list[str]:
        names = {name.casefold() for name in query.names}
        return [key for key, hit in self._hits.items() if names & {drug.casefold() for drug in hit.drugs}]

    def latest_searches(self) -> Sequence[SearchRecord]:
        status = SearchStatus.FAILED if self._fails else SearchStatus.NONE
        made = {"scope": "", "question": "", "query": "", "at": datetime(2026, 1, 1, tzinfo=UTC)}
        return [SearchRecord(database="chembl", status=status, reason="down", **made) for _ in self.asked]  # type: ignore[arg-type]

    async def wait_for_answer(self, seconds: float) -> None:
        if self._fails:
            await asyncio.sleep(seconds)

    async def find_hits(self, keys: Sequence[str]) -> Sequence[Hit | None]:
        return [self._hits.get(key) for key in keys]
