"""The sentences on what an update changed that the reader of a report sees."""

from __future__ import annotations

from storm.models import Retraction
from storm.models.changes import Change

CHANGES = "What changed since {day}"
COMPARED = "Compared with the dossier of the job {job}. {changes}"
SINCE = "Since {job}: {changes}"
NOTHING = "Nothing changed: its sources, statements and rows of tables are as they were."
NOTHING_FOUND = "Nothing changed, as far as could be searched."
RETRACTED = "Retracted since: {record}"
COUNTED = "{what}: {numbers}."
SOURCES, STATEMENTS, ROWS = "Sources", "Statements", "Rows of tables"
NUMBER = "{number} {kind}"
NOTHING_GONE = (
    "A record counts as gone only where its search was answered in full without it. Searched for records entered or "
    "changed since {days}: {databases}; what was withdrawn there is not noticed."
)
UNCHECKED = "{database} could not be searched, or only in part{reason}: {records} carried over unchecked."
UNCHECKED_REASON = " ({reason})"
KINDS = {
    Change.NEW: "new", Change.CHANGED: "changed", Change.RETRACTED: "retracted", Change.GONE: "no longer found",
}  # fmt: skip
#: Values of a record's retraction, as readers know them.
VALUES = {
    Retraction.NOT_RETRACTED.value: "not retracted", Retraction.NOT_CHECKED.value: "not checked",
    Retraction.CONCERN.value: "expression of concern",
}  # fmt: skip
#: What is gone of a dossier, not of a database.
GONE = "no longer in the dossier"
RECORDS_HEAD = ("Change", "Record", "What", "Reference")
RECORD = "{database} {id}: {title}"
FIELD = "{field}: {old} → {new}"
#: Where both values are shown alike, such as two texts of one length.
FIELD_CHANGED = "{field} changed"
NOT_CITED, WAS_CITED = "not cited", "was cited before"
STATEMENT = "{kind} ({question}): {statement}"
BEFORE = " Before: “{text}”"
SOURCE_OF = "“{text}” ({sources})"
ROW = "{kind} ({table}, {source}): {cells}"
MORE = "And {number} more, in the file of the format “changes”."
