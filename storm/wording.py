"""All sentences that the reader of a report sees; those on searches and on the flow of records are in
`storm.reports.flow_wording`.

A name in braces is a placeholder: `str.format` fills it in plain text, `document.fill_template` in a document.
"""

from __future__ import annotations

from storm.models import Exclusion, NameKind, Relation, RelationKind, Retraction

# The head
TITLE = "{drug}: research dossier"
JOB = "Job {job}, started {started}. Engine: {engine}. Searched: {databases}."
NOTHING = "nothing"
RESEARCH_AID = "Research aid, not medical advice."
#: The basis of the statements: copied by rules, written by a model, or none.
COPIED = "Each sentence below stands, word for word, in its source's record; bracketed {added} are added{fields}"
ADDED = "words in italics"
OF_FIELDS = "; sentences of registries, labels and drug databases may be put together from the fields of their records"
WRITTEN = (
    "Each sentence below was written by a language model; its quote (in {report}.html and {report}.json) stands, word "
    "for word, in its source's record"
)
NOTHING_SAID = "No statement was copied from a source"
NO_STATEMENT = "The language model wrote nothing that stands; what follows is from the records' own fields"
BASIS = "{aid} {basis}.{marked}{to_be_judged}"
MARKED = " It does not support {statements}, marked {warning}."
TO_BE_JUDGED = " Whether each quote supports its sentence was to be judged; where it was not, it says ({not_judged})."
NOT_SUPPORTED = "⚠ NOT SUPPORTED by its source"
NOT_JUDGED = "not judged"
NOT_SEARCHED = "Could not be searched: {names}"
SEARCHED_IN_PART = "Searched in part: {names}"

# Notes
#: Names that mean several drugs.
SEVERAL_SUBSTANCES = (
    "Not one drug: several substances go by the name {asked}, among them {examples}. They are not "
    "distinguished here; for one of them, ask for it by its own name."
)
DRUG_CLASS = (
    "Not one drug: {asked} is a class of drugs{examples}. What is said of one of them here need not hold for another; "
    "for one of them, ask for it by its own name."
)
CLASS_MEMBERS = ", such as {examples}"
#: Names of another drug.
ALSO_ANOTHER_DRUG = (
    "{also} is another drug ({inn}), not another name of {drug}: what is said of either is taken for one here. "
    "Without that name it is about {drug} alone."
)
SHORT_NAME = "{asked} was read as short for {meant}."
#: Shown if the writer's own model judged.
OWN_JUDGE = "The language model that wrote the statements also judged whether their quotes support them."
UNFINISHED = "Not answered, or only in part, although sources were found: {labels} (the gaps listed under each say why)"
CHANGED_SCOPE = "{database} changed while this job ran; its searches covered different records: {scopes}."
NEXT_SCOPE = "; then "
UNJUDGED = "Not judged: {number} of the statements; where one is shown, it says so."
ALL_FAILED = "Nothing could be searched, so this {report} says nothing about {drug}."
CUT_BEFORE_A_SOURCE = "The work was cut short before a source was saved, so this {report} says nothing about {drug}."
NO_SEARCH = "The language model stopped before it searched anything, so this {report} says nothing about {drug}."
NONE_SAVED = (
    "{records} found, but the language model saved none as a source, so this {report} says nothing about {drug}."
)
NONE_ANSWERS = (
    "At least {most:,} records match a search (not all name the drug); {read}, and the rules recognised no answer in "
    "these."
)
NONE_OF_ALL_ANSWERS = "{records} found, and the rules recognised no answer on {drug} in {them}."
BUNDLED_SAMPLE = (
    "Only the bundled sample (trastuzumab, metformin) was searched. Of its 146 records, 143 have real identifiers, "
    "titles and figures, and abstracts that we wrote: quote the papers, not these. Three are open-access articles on "
    "metformin in full (CC BY). "
    "Add your own records with: storm corpus add PATHS"
)
CORPUS_NOT_SEARCHED = (
    "Your own corpus ({records}) was not searched, as this job is of the sample; begin a new job for it."
)
PERHAPS_MISTYPED = "Did you mean {name}? What was searched here has records with that name, and none with {asked}."
NO_PUBLIC_DATABASE = "No public database could be searched."
AGENT_BEFORE = "An agent with a language model worked on this job before: sources may have been filed by it."
NO_RECORD = "No record in what was searched names {drug}. This says nothing about the wider literature."

# The subject of a statement that does not name the drug
ABOUT_OTHER = "about: {name}"
OF_CLASS = "class: {name}"

# Gaps
CUT_SHORT = "Gathering was cut short, perhaps before this question was searched. What is missing here may be there."
NOT_ASKED = "Not searched, or only in part: {databases}. What is missing here may be there."
READ_IN_PART = "{database}: {read:,} of {total:,} records that match were read. What is missing may be there."
NO_SOURCE = "No source answers this question."
TOO_FEW_SOURCES = "Found {found} of the {needed} sources that the question needs."
MORE_AUTHORS = "The record names only some of the authors"
TOO_FEW_ANSWER = "{found} sources were found, {needed} were needed; statements on the drug come from {answering}."
TITLES_ONLY = "{number} of its sources have no text here, only a title."
RELATIVES_ONLY = "All of its sources are about a related product, not the drug itself."
RETRACTED_RECORDS = "Found and not used, since retracted: {records}."
RETRACTED_SOURCES = "Retracted: {number} of its sources."
NOTHING_ON = "No statement that answers this was found on: {what}."
NO_COMPARISON_WITH = "No statement on this compares it with {what}{named}; what other questions print may."
NO_SENTENCE = "From its sources the rules selected no sentence; they may answer it all the same."
SILENT_SOURCES = "Of its {number} sources: {cited} cited{silent}{others}."
WITHOUT_SENTENCE = ", {number} from which the rules selected no sentence (they may answer it all the same)"
UNUSED_SOURCES = ", {number} not cited (sentences ranked lower or repeated others)"
NOTHING_WRITTEN = "The model wrote no statement that these sources support."
OPEN_POINT = "Not answered by any statement: {point}."
LEFT_OUT = "Supported by their sources, but left out as less informative: {statements}."
PARTLY_READ = "Read only in their most relevant passages: {number} of its sources."
NOT_READ = "Not read in full, since {reason}: {number} of its sources."
BUDGET_SPENT = "The budget ran out before this answer was finished."
GAP = "Gap:"

# Executive summary
SUMMARY = "Summary"
NO_STRONG_STATEMENT = "No statement of this {report} stands on evidence that is strong enough to be summarised."
LEFT_OPEN = "Not known: {gaps}."
NOTHING_LACKS = (
    "Every question is answered from as many sources as it needs; remaining gaps are listed under each question."
)
UNANSWERED = "no answer on {questions}"
ON_TOO_FEW = "too few sources behind the answer on {questions}"
HAS_OF = "{question} ({number} of {needed})"
NOT_SEARCHED_AT_ALL = "what {databases} would have shown, which could not be searched"
NOT_SEARCHED_IN_FULL = "all that {databases} would have shown, searched in part"

# At a glance
AT_A_GLANCE = "At a glance"
GLANCE_HEAD = ("", "as the records state it")
IDENTITY = "Identity"
SEARCHED_AS = "Search terms"
ALSO_KNOWN = "Recognised, but not searched"
RELATED = "Related products (kept apart)"
FACT_NAMES = "Names in the records"
FACT_CLASS = "Class or mechanism"
FACT_TARGET = "Target"
FACT_SPONSOR = "Sponsor or holder"
FACT_WARNING = "Boxed warning"
TRIALS = "Trials among the sources"
NOT_STATED = "not stated"
NO_PHASE = "no phase stated"
NO_STATE = "no state stated"
NAME_KINDS = {
    NameKind.INN: "generic name",
    NameKind.BRAND: "brand",
    NameKind.SALT: "salt",
    NameKind.CODE: "code",
    NameKind.OTHER: "synonym",
}
NOT_RESOLVED = "not resolved: {why}"
NO_DRUG_RECORD = "no drug record among those searched has this name"
UNII = "UNII {unii}"
MATCHED = "“{asked}” is its {kind} in {record}"
JOINED = "treated as the same drug: {drugs}"
JOINED_DRUG = "{name} ({chembl})"
CHOSEN = "chosen by the user among drugs of that name (others: {others})"
NAME_COUNTED = "{name} (in {sources})"
NO_RELATED = "no related product was found"
CITED_RELATED = "none named by a drug database; cited as such: {cited}"
NOT_KNOWN = "not known: {why}"
NO_DRUG_DATABASE = "no drug database was searched"
NOT_ASKED_FOR_NAMES = "{databases} could not be asked"
APPROVALS_HEAD = ("Agency", "Date", "Product", "Indication", "Source")
OF_RELATIVE = " ({relation})"
STUDIES_HEAD = ("Registered study", "Phase", "Status", "Participants", "Completion", "Sponsor", "Source")
STATUS = "{status}: {why}"
PRIMARY_COMPLETION = "primary"
STUDY_COMPLETION = "study"
PROTECTIONS_HEAD = ("Patent or exclusivity", "As of {day}", "Source")
EXPIRED = "expired {at}"
EXPIRES = "expires {at}"
PAEDIATRIC_ENDED = "paediatric exclusivity ended {at}"
PAEDIATRIC_LASTS = "paediatric exclusivity lasts until {until}"

# Coverage
COVERAGE = "Coverage"
COVERAGE_HEAD = ("Question", "Sources", "In its answer", "Needed", "Enough", "Designs of the sources")
ENOUGH, TOO_FEW = "✓", "⚠"
FEW_IN_ANSWER = "⚠ {questions}: answered from fewer sources than needed; the {report} says what became of the others."
IN_ALL = "{sources} in all{origins}; {needed} needed."
TOO_FEW_IN_ALL = f"{TOO_FEW} {IN_ALL}"
ORIGINS = ", records of {databases} ({names})"
NONE = "none"

# Answers
AGAINST, GIVEN_WITH, DOSE_RAISED = "vs {comparator}", "given with {partners}", "{dose}, raised to {raised}"
HISTORICAL_CONTROL, CROSSOVER, DOSE_THEN = "with a historical control", "crossover", "{bolus}, then {rate}"
ALL_RECEIVED = "all also on {treatment}"
WITHIN_GROUP = "change within a group, not between groups"
BACKGROUND, BACKGROUND_IN = "background", "background in: {design}"
PRECLINICAL, IN_ANIMALS = "Preclinical, in animals or cells:", "preclinical, in animals or cells"
READ_ON, NO_DATE = "read {day}", "no date"
PATENT_OF, LISTED_ON, FILED_ON, PRIORITY_ON = "patent of {date}", "submitted {date}", "filed {date}", "priority {date}"
AS_OF = "as of {date}"
LATER = "later on this: {mark}, {date}"
EXPIRED_DATES, PASSED_DATES = "expired: {dates}", "has passed: {dates}"
EXTENDED_UNTIL = "stated end: {dates}; extended until {date}"
WARNING = NOT_SUPPORTED + ":"
REMARKS = " ({remarks})"
DISAGREE = "Sources disagree"
DISAGREE_ON = "{disagree} on {endpoint}{where}:"
IN_TRIAL = " in {trial}"
CHECKED = "Checked:"
COUNTS = (
    "{checked} {written} written; {supported} {how}, {unjudged}{removed} removed, {marked} marked as not supported."
)
COUNTS_UNJUDGED = "{number} {not_judged}, "

# How this was made
METHODOLOGY = "How this was made"
MADE_BY = "Made by {engine}"
MADE_BY_ENGINE = "Made by the {engine} engine"
METHOD = (
    "{made}. It searched on {searched} and stopped because {why}. A source was kept only if a search of this job "
    "returned it; its description is the database's. {checked}Retractions are reported as the records and, where it "
    "was searched, Crossref's notices state them; a paper that was not checked is marked in the references. All "
    "searches are listed at the end."
)
QUOTES_CHECKED = "The quote of each statement was checked against its record's text, word for word. "
SEARCHED_IN_CACHE = "{day}, in part by answers given since {oldest},"
#: Why a job may go on.
MODEL_FAILED, RESEARCH_FAILED = "its language model failed", "the research of a question failed"
#: Why gathering stopped, phrased as the end of a sentence.
WHY_STOPPED = {
    "complete": "enough sources were filed under every question",
    "no_progress": "further searches found no more sources for the questions that needed some",
    "nothing_searched": "nothing could be searched",
    "budget": "its budget was spent",
    "max_iters": "it reached its maximum number of steps",
    "model_error": MODEL_FAILED,
}
SPENDING_HEAD = ("Language models", "Calls", "Prompt tokens", "Reply tokens", "Price")
OF_THAT = "of that, on {question}"
ALL_ROLES = "all"
DATABASE_USE = "{scope}. Searches: {searched}; result: {status}."
SCOPE, ANSWERED = "{database}: {scope}", " (answered {day})"

# References
REFERENCES = "References"
NO_REFERENCES = "None."
ET_AL = "et al"
RETRACTED_TITLE, PREPRINT_TITLE, LABEL_TITLE = " [retracted]", " [Preprint]", " [package insert]"
ON_THE_INTERNET, CITED_ON = "{name} [Internet]", " [cited {date}]"
AVAILABLE_FROM = " Available from: "
REVISED, STUDY_START = "revised {date}", "study start {date}"
THESIS_TITLE = " [thesis]"
SPONSOR, LAST_UPDATE, LABEL_VERSION = "Sponsor: {sponsor}", "Last update: {date}", "Version {version}"
APPLICATION, FILED = "Application {number}", "Filed {date}"
IN_BOOK, EDITORS = "In: {book}", "editors"
TRIAL_ENTRY = "Identifier {number}, {title}"
#: Registries with their publishers, as cited in references.
REGISTRIES = {
    "ClinicalTrials.gov": "ClinicalTrials.gov [Internet]. Bethesda (MD): National Library of Medicine (US); 2000 -",
}  # fmt: skip
INVENTOR, INVENTORS, ASSIGNEE = "inventor", "inventors", "assignee"
#: How patents are cited, by the country of the office.
PATENTS = {
    "US": "United States patent {number}",
    "EP": "European patent {number}",
    "WO": "International patent {number}",
}
PATENT = "Patent {number}"
PATENT_OFFICES = {
    "US": "United States Patent and Trademark Office",
    "EP": "European Patent Office",
    "WO": "World Intellectual Property Organization",
}
NO_REFERENCE = "No source is cited, so this file has no entry."
PAPER_NUMBERS = {"pmid": "PubMed PMID: ", "pmcid": "PubMed Central PMCID: "}
RETRACTIONS = {Retraction.RETRACTED: "RETRACTED", Retraction.CONCERN: "EXPRESSION OF CONCERN"}
NOT_CHECKED = "retraction not checked"
LEVEL = "level {efficacy} ({reason}{basis}), {read}"
TWO_LEVELS = "level {efficacy} for efficacy, {safety} for harms ({reason}{basis}), {read}"
SCORE = "{level}; score {score}: {parts}"
NO_LEVEL = "no level ({reason}), {read}"
LEVELS = (
    "Levels are those at which the design of a study starts for efficacy and for common harms (Oxford Centre for "
    "Evidence-Based Medicine 2011; 1 is the highest). They say nothing of how well it was done, and are not grades of "
    "GRADE."
)
OPEN_ACCESS = "open access"
FREE_COPY = "free copy: {link}"
FUNDING = "funding: {payer}"
NOTE = "research note, not the source's words: {note}"
#: Prefixes of identifiers; others get the name of their database.
IDENTIFIER_KINDS = {
    "pmid": "PMID ", "doi": "doi:", "pmcid": "", "registry": "", "patent": "patent ", "chembl": "", "label": "label ",
}  # fmt: skip

#: The role of the drug in a source, if the relation alone does not show it.
RELATION_KINDS = {
    RelationKind.COMBINATION: "in combination",
    RelationKind.BACKGROUND: "the drug is background only",
    RelationKind.MENTIONED: "only mentions the drug",
}

#: Why a source is not evidence on the drug, as shown to the researcher's model.
NO_RESULTS = "is an erratum, a protocol, an editorial or a notice, which reports no results of its own"
NO_EVIDENCE = {
    RelationKind.BACKGROUND: "names the drug only as what was given besides",
    RelationKind.MENTIONED: "only mentions the drug",
    RelationKind.NONE: "does not name the drug",
}

#: Why a record that was found is not a source, or a source is not cited.
EXCLUSIONS = {
    Exclusion.NOT_NAMED: "does not name the drug",
    Exclusion.MENTIONED: "only mentions the drug",
    Exclusion.ANOTHER_DRUG: "is about another drug",
    Exclusion.NO_REPORT: "erratum, protocol, editorial or notice",
    Exclusion.NO_QUESTION: "answers none of the questions",
    Exclusion.MINIMUM_MET: "its questions had enough sources",
    Exclusion.BELOW_CUT: "not among the records that were read for a question that it may answer",
    Exclusion.NO_TEXT: "has only a title, which answers no question",
    Exclusion.RETRACTED: "retracted",
    Exclusion.DECLINED: "seen by the agent and not saved",
    Exclusion.DROPPED: "saved, and dropped by the agent",
    Exclusion.NOT_CITED: "not cited",
    Exclusion.REFUSED: "its sentence did not pass the check",
    Exclusion.UNRECORDED: "not saved, no reason recorded",
}


def describe_relation(relation: Relation, kind: RelationKind) -> str:
    """How a source relates to the drug; empty if it is about the drug itself."""
    if relation is Relation.COMBINATION and kind.is_evidence:
        return relation.value
    return RELATION_KINDS.get(kind) or ("" if relation is Relation.ITSELF else relation.value)


def format_count(number: int, noun: str) -> str:
    """`1 source`, `2 sources`."""
    return f"{number} {noun}{'s' * (number != 1)}"


def format_large_count(number: int, noun: str, several: str = "") -> str:
    """`1,600 participants`; `several` is an irregular plural."""
    return f"{number:,} {noun if number == 1 else several or noun + 's'}"


def explain_none_saved(number: int, drug: str, report: str) -> str:
    """Explain an empty report: records were found, but the language model saved none."""
    records = "1 record was" if number == 1 else f"{number} records were"
    return NONE_SAVED.format(records=records, drug=drug, report=report)


def explain_none_answers(number: int, most: int, drug: str) -> str:
    """Explain an empty report: `number` of at least `most` records were read, and none answers a question."""
    if most > number:
        return NONE_ANSWERS.format(most=most, read="1 was read" if number == 1 else f"{number:,} were read")
    records, them = ("1 record was", "it") if number == 1 else (f"{number} records were", "them")
    return NONE_OF_ALL_ANSWERS.format(records=records, them=them, drug=drug)
