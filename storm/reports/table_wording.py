"""What readers see around the tables from records; their columns and titles are in `table_columns`."""

from __future__ import annotations

TABLES = "Tables from records"
APPROVALS, STUDIES, PROTECTIONS = "Approvals", "Registered studies", "Patents and exclusivities"
PROTECTIONS_COUNTED = (
    "Patents and exclusivities of the drug alone with an expiry date: {number}, of which {passed} had expired by "
    "{day}; the last date is {last} {mark}. The table of patents lists them, and those of combinations."
)
LAUNCHES, LAUNCHES_HEAD = "Marketed in the United States, by the labels' listings", ("Since", "Product", "Source")
TRIALS_OF_PAPERS = "named by papers, without their registry records: {numbers}"
MORE_TRIALS = "{numbers} and {more} more"
TABLES_BASIS = (
    "Copied from the records' fields, tables and quotes by rules, without a language model. Posted results are the "
    "sponsors' and not peer-reviewed; “not posted” and “not stated” are not zero. {glance}All columns and rows are "
    "in the files of the format “tables”."
)
#: What a registry says of the direction of a comparison, in its words.
POSTED_AS = " (posted as: {note})"
WHOLE_STUDY = "{number} (whole study)"
IN_PAPER = "{result} (published: {paper})"
NO_METHOD = "method not stated"
AT_A_GLANCE = "{tables} are listed at a glance. "
PARTIAL_RESULTS = (
    "These tables have only results whose endpoint and interval could be read unambiguously, and events that a record "
    "or paper lists by arm; the answers contain more."
)
PARTIAL_PATENTS = (
    "Dates that a record states in its text alone are not in this table; the answers may quote them. Of the Orange and "
    "Purple Book the holder is the applicant, and what was listed or removed after the release that was read is not "
    "seen."
)
NOT_KEPT = (
    "Not in this table: {records} of patents or patent listings that were found and not saved as sources; the format "
    "“log” gives the reason for each."
)
TABLE_SOURCE = "Source"
TABLE_ENDS = (TABLE_SOURCE, "Reference", "Address", "Place in the source")
MORE_ROWS = "In the table's file: {rows}, from {mark}."
OMITTED_ROWS = "Left out: {rows} of the sources, on rarer events or with results whose group of people is not clear."
FIRST_OF = "{endpoint} (first of {number})"
FIRST_OF_AT_LEAST = "{endpoint} (first of {number} or more)"
MORE_VALUES = " (and {number} more lines of values)"
ANY_EVENT, LISTED_BY_PAPER = "any", "as a paper lists it"
POSTED_RESULT, PUBLISHED_RESULT = "posted in the registry", "published"
EXCLUSIVITY = "exclusivity {code}"
APPLICATIONS = {
    "NDA": "new drug application", "ANDA": "abbreviated new drug application", "BLA": "biologics licence application",
}  # fmt: skip
#: What a fact at a glance is if no record states it.
NOT_IN_SOURCES = "not stated in a field that storm reads of a drug, label or registry record"
NO_SUCH_RECORD, NO_LABEL = "no drug, label or registry record is cited", "no label is cited"
NO_TRIAL = "no registration number of a trial was read from the references on the drug"
