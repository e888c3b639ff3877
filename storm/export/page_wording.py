"""What readers of HTML, DOCX and PDF see around the document itself."""

from __future__ import annotations

LANGUAGE = "en-GB"
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

# DOCX and PDF
DOCUMENT_SUBJECT = "Research with cited sources; a research aid, not medical advice"
#: Letters that the fonts of a PDF lack: in the file, and on the terminal.
MISSING_LETTERS = "Letters that the fonts of this file lack"
LIST_OF_MISSING = (
    "Between ⟨ and ⟩ stand, in Latin letters or as codes, letters of the records that the fonts of this file lack; its "
    "other formats have the letters themselves. They are {letters}."
)
MISSING_NOTE = (
    "The fonts of the PDF lack {letters}, written between ⟨ and ⟩ in Latin letters or as codes: {named}; the other "
    "formats have them"
)
