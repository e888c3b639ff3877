"""The sentences on its question, its sections and its research that the reader of a researched report sees."""

from __future__ import annotations

from storm.models.plan import Complexity, Intent

# The head
ASKED = "Asked: {asked}"
READ_AS = "Read as {intent} ({complexity}{other}), and researched as {questions}."
NOT_BIOMEDICAL = ", not biomedical"
INTENTS = {
    Intent.FACT: "a question for a fact",
    Intent.COMPARISON: "a comparison",
    Intent.OPINION: "a question for a judgement",
    Intent.SURVEY: "a survey of a subject",
}
COMPLEXITIES = {Complexity.SIMPLE: "simple", Complexity.COMPLEX: "with several sides"}
WISHES = "The reader's preferences: {wishes}."
WISH = "{name}: {value}"
NEEDS_MODEL, NOT_APPLIED = "{wish} (no effect without a language model)", "{wish} (not applied)"
#: The reader's preferences, by their fields.
PREFERENCES = {
    "audience": "audience", "length": "length", "tone": "tone", "format": "format", "sections": "sections on",
}  # fmt: skip
NOT_RESEARCHED = "Could not be researched: {question} ({why})"

# The subject: what the words for records and sources call it, and what it is where no drug is asked about
THE_DRUG, THE_SUBJECT = "the drug", "the subject"

# At a glance
AT_A_GLANCE = "{drug} at a glance"

# Sections
NO_SECTION = "Left out:"
LEFT_OUT = "{label} {why}."
NOTHING_PLACED = "no statement stands here"

# Findings by question
FINDINGS = "Findings by question"
FINDINGS_REST = (
    "What else the sources say on each question, beyond the sections above, where they disagree, and what they leave "
    "open."
)
FINDINGS_ALL = "What the sources say on each question, where they disagree, and what they leave open."
STANDS_ABOVE = "Above: {statements}, under {headings}."
HEADING = "“{heading}”"

# How it was planned and researched
PLANNED = "How it was planned and researched"
STEPS = (
    "The request was divided into questions. Each was searched for, its best records were filed as its sources, and it "
    "was answered from these alone; a source that several questions share is one source. {sections}{tables}"
)
NO_SECTIONS = "No sections were written."
SECTIONS_BY_RULES = "Rules planned the sections and put the statements of the answers into them, word for word."
SECTIONS_OUTLINED_BY_MODEL = (
    "A language model planned the sections, and rules put the statements of the answers into them, word for word."
)
SECTIONS_BY_MODEL = (
    "{planned} put the statements of the answers into {them}; a statement that it worded otherwise was checked against "
    "its quote again."
)
PLANNED_BY_MODEL = "A language model planned the sections and"
PLANNED_BY_RULES = "Rules planned the sections, and a language model"
THEM, MOST_OF_THEM = "them", "them, or rules where the model could not"
TABLES_BESIDE = (
    " The tables beside them are copied from the records' fields, tables and quotes by rules, without a language model."
)
QUESTIONS, SETTINGS_TITLE = "Questions", "Settings of the research"
QUESTIONS_HEAD = ("Question", "It asks", "Importance (0 to 1)")
SETTINGS_HEAD = ("Setting", "Value", "What it sets")
SETTINGS = {
    "max_questions": "the most questions into which a request is divided",
    "queries_per_question": "the searches for each question",
    "max_search_results": "the most records that a search takes from a public database; a corpus gives more",
    "pages_read": "the best records of a question, which are read in full where a service has the text",
    "max_iterations": "how often weak answers are searched for again, at most",
    "chars_per_source": "the characters of a source that a language model reads, at most",
    "temperature": "how freely a language model words its replies, where one is used",
}
ROUND = "Searched again, round {number}: {sources}."
NEW_SOURCE = "new source"
NEW_SOURCES, NO_NEW_SOURCE = "{sources} added", "no new source was found for them"
ROUND_HEAD = ("Weak answer", "Why it is weak", "Searched for")
WHY_WEAK = "{kinds}: {reason}"
NO_SEARCH = "nothing"
NEVER_AGAIN, ENDED = "No answer was searched for again: {why}.", "It ended there: {why}."
#: Why the research ended, phrased as the end of a sentence.
WAS_TO_STOP, NOTHING_NEW = "it was to search again at most {times}", "searching again found no new source"
ONCE_ONLY = "it was to search only once"
NONE_WEAK = "no weak answer was left for which another search was named"

# The end of a job
ANSWERED = "Answered: {answered} of {questions}."
AGAIN = "Searched again: {rounds}, {sources}."
SECTIONS_LEFT_OUT = "Sections left out: {headings}"

#: How a statement was checked: judged by a model beside its source, or found in it.
SUPPORTED, FOUND_VERBATIM = "supported by a source", "found word for word in a source"
