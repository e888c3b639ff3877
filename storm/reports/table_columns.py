"""The columns of the tables from records, and what a document shows of them."""

from __future__ import annotations

from collections.abc import Mapping

from storm.models.record_table import TableName

TRIAL = "Trial"
STUDY, ENDPOINT, MEASURE, VALUE, INTERVAL = "Study", "Endpoint", "Measure", "Value", "Interval"
UNIT, COMPARED, PARTICIPANTS = "Unit of the outcome", "Compared", "n"
_EFFECTS = (STUDY, ENDPOINT, MEASURE, VALUE, UNIT, INTERVAL, "p", COMPARED, PARTICIPANTS, "Kind")
_SHOWN_EFFECTS = (STUDY, ENDPOINT, MEASURE, VALUE, INTERVAL, COMPARED)
#: What the table of trials says of a trial besides what the registered studies at a glance do.
BEYOND_GLANCE = ("Design", "Arms", "Participant flow", "Primary endpoint", "Result", "Dates")
#: Headings in a document.
TITLES: Mapping[TableName, str] = {
    TableName.TRIALS: "Trials",
    TableName.EFFECT_SIZES: "Effect sizes",
    TableName.COMPARISONS: "Comparisons with another drug",
    TableName.ADVERSE_EVENTS: "Adverse events by arm",
    TableName.APPROVALS: "Approvals",
    TableName.PATENTS: "Patents and exclusivities on {day}",
    TableName.BIOSIMILARS: "Biosimilars and generics",
}
#: The column of the date to which paediatric exclusivity extends a patent.
EXTENDED = "Extended until"
COLUMNS: Mapping[TableName, tuple[str, ...]] = {
    TableName.TRIALS: (
        TRIAL, "Role of the drug", "Phase", "Design", "Participants", "Population", "Arms", "Primary endpoint",
        "Result", "Status", "Why stopped", "Participant flow", "Dates",
    ),
    TableName.EFFECT_SIZES: _EFFECTS,
    TableName.COMPARISONS: _EFFECTS,
    TableName.ADVERSE_EVENTS: (
        "Study", "Kind", "Event", "Arm", "Affected (participants)", "At risk (participants)", "Affected (%)",
    ),
    TableName.APPROVALS: ("Agency", "Product", "Indication", "Date", "Kind", "Number"),
    TableName.PATENTS: (
        "Number", "Kind", "Country", "Holder", "Expiry", EXTENDED, "Covers", "State on the day of the job",
    ),
    TableName.BIOSIMILARS: (
        "Product", "Kind", "Agency", "Number", "Holder", "Approved", "Reference product", "Status",
    ),
}  # fmt: skip
#: The columns that a document shows; a file has all.
SHOWN: Mapping[TableName, tuple[str, ...]] = {
    TableName.TRIALS: (TRIAL, "Phase", "Status", "Participants", *BEYOND_GLANCE),
    TableName.EFFECT_SIZES: _SHOWN_EFFECTS,
    TableName.COMPARISONS: _SHOWN_EFFECTS,
    TableName.ADVERSE_EVENTS: (
        "Study", "Kind", "Event", "Arm", "Affected (participants)", "At risk (participants)", "Affected (%)",
    ),
    TableName.APPROVALS: ("Agency", "Date", "Product", "Indication"),
    TableName.PATENTS: ("Number", "Kind", "Holder", "Covers", "Expiry", EXTENDED, "State on the day of the job"),
    TableName.BIOSIMILARS: ("Product", "Kind", "Agency", "Number", "Holder", "Approved"),
}  # fmt: skip
#: The columns that a document shows even if no record states anything in them: when a patent ends, and whether it has.
ALWAYS_SHOWN = frozenset({"Expiry", "State on the day of the job"})
