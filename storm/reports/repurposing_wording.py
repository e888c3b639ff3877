"""The sentences on hypotheses that the reader of a repurposing report sees."""

from __future__ import annotations

from storm.models import HypothesisStatus

# The head
TITLE = "{drug} for {disease}: hypotheses and evidence"
TITLE_OF_DRUG = "{drug}: hypotheses and evidence"
THE_DISEASE = "the disease"
READ_AS = "Read as the question whether {drug} could treat {disease}, and researched as {questions}."
READ_WITHOUT_DISEASE = "Read as a request on {drug} that names no disease, and researched as {questions}."
NO_EVIDENCE = "Cannot generate report: No evidence collected."
#: What else than statements stands in the report, and who made it.
MADE_BY_RULES = (
    " The executive summary, the hypotheses, the scores and the conclusion are drawn up by rules from these sentences, "
    "the records' fields and their counts."
)
MADE_BY_MODEL = (
    " The executive summary, the hypotheses and the scores were written by a language model, where the notes do not "
    "say otherwise; what is for and against a hypothesis was found by rules."
)

# The summary and the hypotheses
SUMMARY, HYPOTHESES = "Executive summary", "Hypotheses"
HYPOTHESES_INTRO = (
    "How {drug} could act on {disease}, as drug → target → pathway → effect. A statement counts for or against a "
    "hypothesis by its own words; a result without an effect counts against it. What no source tested is not "
    "contradicted."
)
HYPOTHESES_HEAD = ("Hypothesis", "Mechanism", "Status", "For", "Against", "The statements stand under")
NUMBER = "Hypothesis {number}"
STATUS = "{status}: {supported} for it, {contradicted} against it."
SOURCE = "source"
STATUSES = {
    HypothesisStatus.SUPPORTED: "supported",
    HypothesisStatus.MIXED: "mixed",
    HypothesisStatus.CONTRADICTED: "contradicted",
    HypothesisStatus.UNTESTED: "untested",
}
LINKS_HEAD = ("Link", "What it is", "What names it")
LINKS = {"target": "Target", "pathway": "Pathway", "effect": "Effect"}
OF_FIELD = "a field of its record"
QUOTED = "“{quote}”"
STATED_BY = "{what} {mark}"
NO_BASIS = "no source is named"
FOR, AGAINST = "For it:", "Against it:"
SAME_STATEMENTS = "The same statements are for and against it as for {hypothesis}."

# The scores
SCORES = "How strong the evidence is"
SCORES_HEAD = ("Evidence", "Score (0 to 10)", "Reasons", "Sources")
MECHANISM, CLINICAL = "On mechanisms", "In patients"
CONFIDENCE = "Confidence: {confidence} (0 to 1)."
CONFIDENCE_SINCE = "Confidence: {confidence} (0 to 1): {why}."

# What follows from it
CANDIDATES, LIMITATIONS, CONCLUSION = "Drug candidates", "Limitations", "Conclusion"
CANDIDATES_HEAD = ("Drug", "Status", "The hypothesis that makes it a candidate")
NO_CANDIDATE = "None: no hypothesis is supported or mixed."
NO_LIMITATION = "None of those that are computed."
CONCLUDED = (
    "Of {hypotheses} on how {drug} could act on {disease}, by the sources that were read: {statuses}; this says what "
    "sources state, and nothing of how anyone should be treated."
)
CONCLUDED_NONE = (
    "{none}: the sources on {drug} and {disease} were not joined to a mechanism; this says what sources state, and "
    "nothing of how anyone should be treated."
)

# Limitations
IN_OTHER_LANGUAGES = "Not in English, of {sources} whose records state a language: {number} ({languages})."
ABSTRACTS_ONLY = "Read as abstracts only: {number} of {sources} ({share:.0%})."
NO_SOURCE_ON = "No source was found on: {questions}."
NO_STATEMENT_ON = "Sources were found, but no sentence in them that answers: {questions}."
ONE_STUDY = "On one study alone: {hypotheses}."
ANIMALS_ONLY = "On animals or cells alone: {hypotheses}."
UNTESTED = "Not tested by any source that was found: {hypotheses}."
LINK_NOT_STATED = "Links for which no stating record or sentence was found: {hypotheses}."
TARGET_NOT_TESTED = "Judged by results of the drug that do not name its target: {hypotheses}."
LINKS_OF = "{hypothesis} ({links})"
NUMBERED = "hypothesis {number}"

# The method
SECTIONS = (
    "The headings of the sections are the same in each such report, and rules put the statements of the answers under "
    "them, word for word."
)
SECTIONS_BY_MODEL = (
    "The headings of the sections are the same in each such report; a language model put the statements of the answers "
    "under them, or rules where it could not, and a statement that it worded otherwise was checked against its quote "
    "again."
)
ROUNDS_SETTING = "in how many rounds hypotheses are tested, at most"
ROUND = "Round {number}: {hypotheses}; {sources}."
SEARCHED, NO_SEARCH = "the searches below added {sources}", "nothing further was searched for"
ROUND_HEAD = ("Question", "Searched for")
ENDED = "It ended there: {why}."
NO_ROUND = "No hypothesis was proposed: {why}."
NO_SOURCE = "no source on the disease was found"
ENOUGH, LAST_ROUND = "the evidence was judged to be enough", "it was to end after {rounds} at most"
ROUND_CHANGED_NOTHING = "round {number} changed nothing"
NOTHING_TO_SEARCH = "a further round would have searched for nothing new"
METHODOLOGY = (
    "Searched on {days}: {databases}. {years}A record was included if a search returned it and it was found to answer "
    "a question of the plan. {flow}Statements were taken from the sources of each question alone and checked "
    "against their quotes. Engine: {engine}."
)
DAYS = "{first} to {last}"
NOTHING = "nothing"
YEARS = "The works cited are of {first} to {last}. "
FLOW = (
    "The searches returned {identified:,} records, of which {duplicates:,} repeat others; {screened:,} were screened, "
    "{assessed:,} read and {included:,} cited. "
)

# The end of a job
COUNTED = "{number} ({statuses})"
HYPOTHESES_TESTED = "Hypotheses: {hypotheses}"
CONFIDENT = "Evidence: {mechanism} of 10 on mechanisms, {clinical} of 10 in patients; confidence {confidence}"

# The report alone, as Markdown
QUESTION, METHOD, MECHANISTIC, CLINICAL_FINDINGS, REFERENCES = (
    "Research question", "Methodology", "Mechanistic findings", "Clinical findings", "References",
)  # fmt: skip
TESTED_LINE = "{status} ({supported} for, {contradicted} against): {mechanism}"
CANDIDATE_LINE = "{name}: {mechanism} ({status})"
REMOVED, REMOVED_LINE = "Removed references", "{title} ({place}): {reason}"
NONE = "None."
CLOSING = "Papers reviewed: {papers:,}. Search iterations: {iterations:,}. Confidence: {confidence}."
