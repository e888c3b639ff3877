"""What readers of the HTML see around the document itself."""

from __future__ import annotations

LANGUAGE = "en"
SKIP = "Skip to the text"
CONTENTS = "Contents"
QUOTES, QUOTE = "Quotes", "Quote"
QUOTES_BASIS = (
    "The quote of each sentence, marked within its paragraph of the source, as far as the job stored that paragraph. "
    "The citation mark after a sentence leads here."
)
BACK = "Back to the sentence"
CLOSE = "Close"

# Filters: shown only where scripts run
FILTERS = "Filter"
BY_QUESTION, BY_DATABASE, BY_LEVEL = "Question", "Database", "Level of evidence"
ALL = "all"
LEVEL, NO_LEVEL = "level {level}", "no level"
RESET = "Show all"
#: Announced when a filter has changed.
SHOWN = "{statements} of {all_statements} statements, {references} of {all_references} references"
SCROLLS = "{caption}, table"
