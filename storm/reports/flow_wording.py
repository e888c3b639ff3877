"""The sentences on searches and on the flow of records that the reader of a report sees; the others are in
`storm.wording`, as are the reasons of exclusions."""

from __future__ import annotations

# The flow, in the words of PRISMA 2020
FLOW = "Records found and kept"
FLOW_TITLE = "Flow of records: {drug}"
FLOW_CAPTION = (
    "Counted as in the PRISMA 2020 flow diagram; what several searches returned is one record and its duplicates. "
    "Screening was done by a program; this is not a systematic review. A report was assessed by the text that the "
    "databases gave, of many an abstract alone."
)
DUPLICATE = "the same work as {work}"
FLOW_HEAD = ("Records", "Databases and registers", "Other methods")
IDENTIFIED = "Identified"
DUPLICATES = "Duplicates"
AUTOMATIC = "Removed by automation before screening"
SCREENED = "Screened"
EXCLUDED = "Excluded"
SOUGHT = "Reports sought (sources saved)"
NOT_RETRIEVED = "Reports not retrieved (title only, not cited)"
ASSESSED = "Reports assessed"
NOT_INCLUDED = "Reports excluded (not cited)"
INCLUDED = "Reports included (references)"
STUDIES = "Studies included (papers and registered studies; reports of one trial are one)"
NEW_STUDIES = "New studies included (papers and registered studies; reports of one trial are one)"
NEW_INCLUDED = "New reports included"
KNOWN_BEFORE = "Already in the previous version"
PREVIOUS_REPORTS = "Reports in the previous version"
NO_LONGER = "Of them no longer cited"
NOW_CITED = "Sources of the previous version that are cited only now"
TOTAL_REPORTS = "Reports included in all (references)"
PREVIOUS_STUDIES = "Studies in the previous version"
TOTAL_STUDIES = "Studies included in all"
REASONS = "Why records were not kept: {reasons}."
REASONS_OF_SOURCES = "Of the sources saved: {reasons}."
REASON = "{reason} ({number})"

# The picture
BY_SEARCH = "Identification of studies via databases and registers"
BY_OTHERS = "Identification of studies via other methods"
BOX = "{text} (n\u00a0=\u00a0{number:,})"
BOX_IDENTIFIED = "Records identified from:"
BOX_DATABASES, BOX_REGISTERS, BOX_WEBSITES, BOX_LOOK_UPS = "Databases", "Registers", "Websites", "Look-ups: {database}"
BOX_REMOVED = "Records removed before screening:"
BOX_REMOVED_OTHERS = "Records not sought:"
BOX_DUPLICATES = "Duplicate records"
BOX_AUTOMATIC = "Records marked as ineligible by automation tools"
BOX_OTHER_REASONS = "Records removed for other reasons"
BOX_SCREENED, BOX_EXCLUDED = "Records screened", "Records excluded"
BOX_SOUGHT, BOX_NOT_RETRIEVED = "Reports sought for retrieval", "Reports not retrieved"
BOX_ASSESSED, BOX_NOT_INCLUDED = "Reports assessed for eligibility", "Reports excluded"
BY_PREVIOUS = "Previous studies"
BOX_PREVIOUS_STUDIES = "Studies included in previous version of review"
BOX_PREVIOUS_REPORTS = "Reports of studies included in previous version of review"
BOX_NO_LONGER = "Reports of it that are no longer cited"
BOX_NOW_CITED = "Sources of it that are cited only now"
BOX_TOTAL_STUDIES = "Total studies included in review"
BOX_TOTAL_REPORTS = "Reports of total included studies"
BOX_NEW_STUDIES, BOX_NEW_REPORTS = "New studies included", "New reports included, of studies and others"
BOX_STUDIES, BOX_REPORTS = "Studies included", "Reports included, of studies and others"
DESCRIPTION = (
    "Of {identified} from databases and registers and {others} from other methods, {included} came to be cited, of "
    "{studies}.{previous}"
)
DESCRIPTION_PREVIOUS = (
    " The previous version cited {reports}, of {studies}; in all, this one cites {total_reports}, of {total_studies}."
)

# The search log
APPENDIX_LOG = "Appendix: all searches"
LOG_INTRO = (
    "Words after a plus sign raise a record's rank; they are not required. Read are the records that a database "
    "returned, best first, of those that match; saved are those of them that became sources. With each address, time "
    "and translated query the searches are in {report}.json (search_log) and in the export format log."
)
LOG_LOOK_UPS = (
    "Look-ups by name or identifier: {look_ups}. They search for no records: what they returned ({records}) is in no "
    "count, except for a source that no search returned."
)
LOG_NAMES = "{symbol} stands for: {names}"
SEARCHED_NAMES, ALL_NAMES = "NAMES", "ALL-NAMES"
LOG_HEAD = ("Query", "For", "Outcome by database")
NEXT_QUERY = " · "
LOG_OUTCOME = "{database}: {outcome}"
LOG_FOUND = "{hits:,} of {total:,} read, {kept} saved"
LOG_REASON = "{outcome} ({reason})"
SEARCHED_AND_LOOKED_UP = "{searched} and {look_ups}"
LOG_DATABASES_HEAD = ("Found by", "Searches", "Records", "Duplicates", "Sources", "Cited")
LOG_UPDATED_HEAD = ("Found by", "Searches", "Records", "Duplicates", "New sources", "New and cited")

# PRISMA-S
APPENDIX_PRISMA_S = "Appendix: reporting of the search (PRISMA-S)"
PRISMA_S_HEAD = ("No.", "Item", "In this job")
NOT_DONE = "Not done by storm."
FAILED = "{place} (failed)"
PLATFORM = "{place}, through {platforms}"
HOSTS = {"eutils.ncbi.nlm.nih.gov": "NCBI E-utilities", "www.ebi.ac.uk": "the services of EMBL-EBI"}
ITEM_DATABASES = "Database name"
ITEM_SEVERAL = "Multi-database searching"
ITEM_REGISTRIES = "Study registries"
ITEM_BROWSING = "Online resources and browsing"
ITEM_CITATIONS = "Citation searching"
ITEM_CONTACTS = "Contacts"
ITEM_OTHER = "Other methods"
ITEM_STRATEGIES = "Full search strategies"
ITEM_LIMITS = "Limits and restrictions"
ITEM_FILTERS = "Search filters"
ITEM_PRIOR = "Prior work"
ITEM_UPDATES = "Updates"
ITEM_DATES = "Dates of searches"
ITEM_REVIEW = "Peer review"
ITEM_TOTAL = "Total records"
ITEM_DUPLICATES = "Deduplication"
NO_DATABASE = "No database was searched."
ALONE = "Each database was searched by itself; what it holds of others is named above."
NO_REGISTRY = "No study registry was searched."
HELD_STUDIES = "{place}: records of {label}; the registry itself was not searched."
HELD_PAGES = "{place}: web pages; the web itself was not searched or browsed."
WEB_PAGES = "The web was searched: {scopes}. Saved pages were read whole where they could be."
NO_BROWSING = "No website was searched or browsed."
LOOK_UPS = "Looked up by name or identifier, not searched for records: {places}."
NO_LOOK_UPS = "None."
STRATEGIES = "In the table of all searches; exactly as run, with addresses, in the export format log."
LIMITS_READ = "Of {cut} of the {searches} searches only the first records by relevance were read, as the table says."
LIMITS_ALL_READ = "All records that matched were read."
OPEN_ACCESS_FILTER = "open access[filter]"
LIMITS_OPEN_ACCESS = "{places}: open access only."
LIMITS = (
    "storm asks for no language or publication type. A search that names years is restricted to them. Filters that a "
    "service or its client adds stand in the address and the translated query, in the export format log."
)
FILTERS = "No published search filter was used."
PRIOR = "No search strategy of earlier work was used."
UPDATES = "None: this job is one round of searches."
UPDATES_ROUNDS = "None: this job updates no earlier one; in its rounds it searched again for its hypotheses."
UPDATE_OF = "This job updates {job} of {day}, with the same questions and names.{dated}"
UPDATE_DATED = " Searched for records entered or changed since a day: {places}; all others whole."
UPDATE_PLACE = "{place} ({day})"
DATES = "{place}: {day}"
REVIEW_MODEL = "No peer review: a language model wrote the searches ({engine}) for the questions{syllabus}."
REVIEW_HYPOTHESES = (
    "No peer review: the searches are made from the templates of the questions{syllabus} and from the hypotheses."
)
REVIEW_TEMPLATES = "No peer review: the searches are made from the templates of the questions{syllabus}."
LOCAL_FILES = "{place} (local files; what they hold: How this was made)"
OF_SYLLABUS = " of the syllabus {name}"
OF_SYLLABUS_VERSION = ", version {version}"
OF_STORM = " (storm {version})"
TOTAL = "{places}. In all {records} read; a record that matches several searches counts in each."
TOTAL_OF = "{place}: {total:,} matched, {hits:,} read"
NOT_COUNTED = "Not counted by the version of storm that made this dossier."
DEDUPLICATION = (
    "{duplicates} removed by storm{version}: records with the same PMID, PMCID, DOI, web address, or number of a "
    "register, patent or label are one; two PMIDs are two."
)
