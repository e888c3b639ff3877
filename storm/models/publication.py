"""Where and by whom a work was published: what a bibliography needs beside its title, its date and its identifiers."""

from collections.abc import Sequence
from typing import Any, TypeVar, cast

from pydantic import GetJsonSchemaHandler, SerializerFunctionWrapHandler, model_serializer
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from storm.models.base import Frozen

Details = TypeVar("Details", bound="_Details")

#: The type of a record that lists a patent for a product; its date is that of its submission.
PATENT_LISTING = "Patent listing"
#: How the sentence on the documents of an approval begins; each has a date of its own.
DOCUMENTS_PUBLISHED = "Documents published by the FDA: "


class _Details(Frozen):
    """Fields of a record, each empty where the record does not state it; written without its empty fields."""

    @model_serializer(mode="wrap")
    def _write_stated(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in write(self).items() if value not in (None, "", [], ())}

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler, /) -> JsonSchemaValue:
        """In a JSON schema: the fields, none of which need be there."""
        fields = cast(CoreSchema, {name: value for name, value in core_schema.items() if name != "serialization"})
        schema = handler.resolve_ref_schema(handler(fields))
        schema.pop("required", None)
        return schema


class Contributor(_Details):
    """An author, editor or inventor in parts, or a group by its `collective` name alone.

    `given` is as the record has it ("Dennis J", "Dennis J."), `initials` without full stops and blanks ("DJ"), `suffix`
    such as "Jr" or "3rd". A particle belongs to `family` ("van der Berg"). A name whose parts the record does not tell
    apart is `collective`, too: nobody guesses.
    """

    family: str = ""
    given: str = ""
    initials: str = ""
    suffix: str = ""
    collective: str = ""


class Pages(_Details):
    """The first and the last page, both in full ("687", "697" of "687-97"); one page has no `last`."""

    first: str
    last: str | None = None


class PatentDetails(_Details):
    """A patent document: `number` without its `country` (two letters) and `kind` code ("B2").

    Dates are ISO, possibly partial; `priority_date` is the earliest, `publication_date` that of this document.
    """

    number: str | None = None
    kind: str | None = None
    country: str | None = None
    applicants: tuple[str, ...] = ()
    inventors: tuple[Contributor, ...] = ()
    application_number: str | None = None
    priority_numbers: tuple[str, ...] = ()
    filing_date: str | None = None
    priority_date: str | None = None
    publication_date: str | None = None
    legal_status: str | None = None


class TrialDetails(_Details):
    """A study's entry in a `registry` ("ClinicalTrials.gov") under its `number`; dates are ISO, possibly partial."""

    registry: str | None = None
    number: str | None = None
    sponsor: str | None = None
    first_posted: str | None = None
    last_update: str | None = None


class LabelDetails(_Details):
    """A product's label: its brand or other name, who places it on the market, its set id and the version of it."""

    product: str | None = None
    labeler: str | None = None
    set_id: str | None = None
    version: str | None = None
    effective_date: str | None = None


class BookDetails(_Details):
    """The book that a record is a chapter of, or that it is; its publisher and place stand in the Publication.

    `doi` is that of a chapter where it may be its book's: it identifies neither, and is for bibliographies.
    """

    title: str | None = None
    doi: str | None = None
    editors: tuple[Contributor, ...] = ()
    isbn: str | None = None


class Publication(_Details):
    """What a record states in fields of its own; a parser fills what it reads, and leaves all else empty.

    `authors` are all that the record names, in its order, without "et al"; `authors_complete` is False where the record
    says that there are more, True where it says that there are not, None where it does not say. `journal` is the full
    title, `journal_abbreviation` that of NLM or ISO. An article without pages has an `article_number` ("e1001", or the
    publisher's own id where it counts as one). `issn` is the printed journal's or else the electronic one's, with its
    hyphen. `language` is the record's code ("eng", "en"), `place` the publisher's city.
    """

    authors: tuple[Contributor, ...] = ()
    authors_complete: bool | None = None
    journal: str | None = None
    journal_abbreviation: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: Pages | None = None
    article_number: str | None = None
    issn: str | None = None
    language: str | None = None
    publisher: str | None = None
    place: str | None = None
    patent: PatentDetails | None = None
    trial: TrialDetails | None = None
    label: LabelDetails | None = None
    book: BookDetails | None = None


def merge_publications(ranked: Sequence[Publication]) -> Publication:
    """One of all that records of one work state, the best record first: each field from the first that has it, and the
    authors from the record that names most."""
    fullest = max(ranked, key=_count_authors)
    authors = {"authors": fullest.authors, "authors_complete": fullest.authors_complete}
    return _fill(ranked).model_copy(update=authors)


def _count_authors(publication: Publication) -> tuple[bool, int, int]:
    """How much the record says of the authors: whether of all, of how many, and how many forenames in full."""
    spelled = sum(len(author.given.split(" ", 1)[0].rstrip(".")) > 1 for author in publication.authors)
    is_whole = bool(publication.authors) and publication.authors_complete is not False
    return is_whole, len(publication.authors), spelled


def _fill(ranked: Sequence[Details]) -> Details:
    """The first with what it lacks from the others, in their order."""
    filled = {name: _first([getattr(one, name) for one in ranked]) for name in type(ranked[0]).model_fields}
    return ranked[0].model_copy(update={name: value for name, value in filled.items() if value})


def _first(values: Sequence[Any]) -> Any:
    stated = [value for value in values if value]
    match stated:
        case [Pages(first=first) as pages, *_]:  # a last page belongs to the first page beside which it stands
            return next((other for other in stated if other.first == first and other.last), pages)
        case [_Details(), *_]:
            return _fill(stated)
    return next(iter(stated), None)
