"""Why a record that was found is not a source, or a source is not cited."""

from __future__ import annotations

from enum import StrEnum


class Exclusion(StrEnum):
    """Why a found record was not kept. `UNRECORDED` is for records without an entry, such as those of jobs begun
    before reasons were recorded; `NOT_CITED` is for sources that the dossier does not cite, `REFUSED` for those of
    which it would have cited a sentence that the check removed. `RETRACTED` is for a work
    that its own record calls retracted; one that only Crossref calls so is a source, and marked."""

    NOT_NAMED = "not_named"
    MENTIONED = "mentioned"
    ANOTHER_DRUG = "another_drug"
    NO_REPORT = "no_report"
    NO_QUESTION = "no_question"
    MINIMUM_MET = "minimum_met"
    BELOW_CUT = "below_cut"
    NO_TEXT = "no_text"
    RETRACTED = "retracted"
    DECLINED = "declined"
    DROPPED = "dropped"
    NOT_CITED = "not_cited"
    REFUSED = "refused"
    UNRECORDED = "unrecorded"

    @property
    def is_automatic(self) -> bool:
        """Whether PRISMA 2020 counts the record as removed by automation tools before screening."""
        return self in (Exclusion.NO_QUESTION, Exclusion.BELOW_CUT)

    @property
    def is_of_source(self) -> bool:
        """Whether PRISMA 2020 counts it as a report that was assessed and not included."""
        return self in (Exclusion.NOT_CITED, Exclusion.REFUSED)
