"""The searches of one item of a checklist without a model."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from storm.extractive.checklist_items import ANSWER, LIMITS, STRENGTH, is_direct
from storm.extractive.researcher import queries_for
from storm.models import Holds, Plan, Question, SearchQuery, database_info
from storm.models.search import PUBMED, WEB

CORPUS = "corpus"
#: Searches of one item in each of these databases.
_MOST = 2
#: Words for one thing that a record must name.
_MOST_WORDS = 10
#: The items on trials, labels and patents, for which databases of those records are searched, too.
_RECORDS = {
    ANSWER: (Holds.STUDIES,), STRENGTH: (Holds.STUDIES,), "clinical.efficacy": (Holds.STUDIES,),
    LIMITS: (Holds.LICENCES,), "clinical.safety": (Holds.LICENCES,), "dose": (Holds.LICENCES,),
    "market.status": (Holds.STUDIES, Holds.LICENCES), "ip.patents": (Holds.PATENTS, Holds.LICENCES),
}  # fmt: skip


class ChecklistQueryWriter:
    """Implements `roles.QueryWriter`: for each item one or two searches of PubMed, and as many of the web. `available`
    are the databases that the job can search, `databases` those to which the user limited it, if any."""

    def __init__(self, available: Collection[str], databases: Sequence[str] = ()) -> None:
        self._available = [name for name in available if not databases or name in databases]
        self._databases = tuple(databases)

    async def write_queries(self, question: Question, plan: Plan) -> Sequence[SearchQuery]:
        """The searches, those of PubMed first; of trials, labels or patents if the item is on those."""
        places = choose_places(self._available, self._databases)
        templates = list(_list_templates(question, plan))
        searches = [limit_query(query, place) for place in places for query in templates[:_MOST]]
        held = _RECORDS.get(question.key, ())
        records = tuple(name for name in self._available if database_info(name).holds in held)
        if records and not self._databases and PUBMED in self._available:
            searches.append(limit_query(templates[0], records))
        return tuple(dict.fromkeys(searches))


def limit_query(query: SearchQuery, databases: tuple[str, ...]) -> SearchQuery:
    """The search in these databases alone; in all if none is named."""
    return query.model_copy(update={"databases": databases})


def choose_places(available: Collection[str], databases: Sequence[str]) -> Sequence[tuple[str, ...]]:
    """Where an item is searched for: in PubMed, on the web and in the user's corpus; in the `databases` to which the
    user limited the job; where there is neither PubMed nor the web, in all that there are."""
    if databases or not {PUBMED, WEB}.intersection(available):
        return [tuple(databases)]
    return [(name,) for name in (PUBMED, WEB, CORPUS) if name in available]


def _list_templates(question: Question, plan: Plan) -> Iterator[SearchQuery]:
    """The searches of a question for all databases. An item on the question itself needs no name of a drug: records
    that have any of its words are found, those with most of them first. One on a drug is searched for by what it names
    beside the drug first, in all words for it: a study of deaths is one of mortality; or else by one of its words."""
    if is_direct(question) and question.names:
        for phrases in question.queries.values():
            yield from (SearchQuery(words=tuple(phrase.split())) for phrase in phrases)
        return
    if is_direct(question):
        words = tuple(next((phrases[0] for phrases in question.queries.values() if phrases), "").split())
        about = tuple((one.searched or one.phrases)[:_MOST_WORDS] for one in question.about)
        required = about or tuple(filter(None, (words[:_MOST_WORDS],)))
        yield SearchQuery(names=plan.searched_names, required=required, words=words)
    general = question.model_copy(
        update={"queries": {"default": next(iter(question.queries.values()))} if question.queries else {}}
    )
    yield from queries_for(general, plan.searched_names, ())
