"""The functions that read foreign text, each with the length of text that it is given at most."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from lxml import etree

from storm.agents.checklist_judge import WrittenJudgement
from storm.agents.count_claims import Counts, Tally, find_count_fault
from storm.agents.drafts import MAX_READ_QUOTE, MAX_READ_TEXT, Draft, check_draft
from storm.agents.fencing import fence_text, hide_paths, plain_line, unfenced_line
from storm.agents.heading_words import KnownWords, is_neutral, list_claiming, stands_in
from storm.agents.item_searches import ItemSearchReader
from storm.agents.reply_limits import MAX_REPLY, reply_fault
from storm.agents.reply_values import MAX_VALUE
from storm.agents.section_writer import SectionParagraph
from storm.agents.stated_links import names_link
from storm.agents.sub_questions import SubQuestion, find_stems, make_questions, read_questions, repair_questions
from storm.agents.written_hypotheses import WrittenHypothesis
from storm.agents.written_searches import read_searches
from storm.citations.claims import find_claim_faults
from storm.citations.conflicts import find_conflicts
from storm.citations.denials import find_contradiction
from storm.citations.markers import read_citation_marks, strip_marks
from storm.citations.numbers import find_unsupported_names, find_unsupported_numbers, read_numbers
from storm.citations.paragraphs import cut_paragraph
from storm.citations.quotes import count_words, find_quote, normalize_text
from storm.citations.renumbering import renumber_marks
from storm.citations.report_references import LONGEST_PART, validate_references
from storm.citations.section_length import is_length
from storm.databases.formats import fields
from storm.databases.formats.abstracts import abstract_sections
from storm.databases.formats.author_names import split_inverted
from storm.databases.formats.bibliography import complete_pages, find_isbn, find_issn, locate_article
from storm.databases.formats.dates import is_iso_date, parse_date
from storm.databases.formats.fields import clean_text, text_line
from storm.databases.formats.headings import markdown_parts
from storm.databases.formats.patent_numbers import split_patent_number
from storm.databases.formats.publication_types import publication_types
from storm.databases.formats.recognition import recognise_format
from storm.databases.formats.trial_registration import find_registration
from storm.databases.formats.xml_text import blocks_of_html, paragraphs_of, text_of, text_of_html
from storm.databases.http.redaction import redact_text
from storm.databases.http.sniffing import Expect, fault_of
from storm.databases.identity.substance_names import strip_salt, strip_suffix, substances_in
from storm.databases.pages.obstacles import find_obstacle
from storm.databases.search_words import holds_terms
from storm.databases.services.pubmed_syntax import choose_query
from storm.databases.services.pubmed_terms import read_terms
from storm.databases.services.query_text import bare_words, plain_term
from storm.evidence.abbreviations import read_abbreviations
from storm.evidence.agreement import read_stated_results
from storm.evidence.ambiguity import is_knockout_model
from storm.evidence.arms import explain_arm, explain_only_arm, has_one_arm, tries_only
from storm.evidence.comparison import compares_drugs
from storm.evidence.conditions import remove_condition
from storm.evidence.endpoints import endpoint_of
from storm.evidence.instructions import addresses_program
from storm.evidence.levels import find_level
from storm.evidence.modulation import read_modulation
from storm.evidence.narrowing import may_answer, names_phrase
from storm.evidence.other_drugs import read_other_drugs
from storm.evidence.other_effects import is_compared_with, is_of_another_drug
from storm.evidence.outcomes import Outcomes
from storm.evidence.passages import Passage
from storm.evidence.sentence_kinds import REACH, kind_of
from storm.evidence.sides import Subject, read_stated_sides
from storm.evidence.species import is_preclinical
from storm.evidence.standalone import is_linked, is_taken_back, stands_alone
from storm.evidence.study import read_study
from storm.evidence.subjects import compile_name_pattern, is_added_to, is_aside
from storm.export.bibtex import to_bibtex
from storm.export.csl_json import to_csl
from storm.export.csv_text import to_csv
from storm.export.docx_elements import parse_length
from storm.export.html_quotes import mark_quote
from storm.export.markdown import escape_markdown
from storm.export.missing_letters import read_missing_letters, replace_letters
from storm.export.repurposing_markdown import repurposing_markdown
from storm.export.ris import to_ris
from storm.extractive import RuleSummaryWriter
from storm.extractive.asked_disease import find_disease, find_other_diseases, find_substances, names_pair
from storm.extractive.asked_question import read_question
from storm.extractive.disease_names import name_disease
from storm.extractive.drug_names import NamedDrug
from storm.extractive.effect_results import read_result
from storm.extractive.facets import find_facets
from storm.extractive.headings import read_sides
from storm.extractive.mechanism_reader import Sentence, find_pathways_of, find_targets, read_field_targets
from storm.extractive.mechanism_words import find_outcomes
from storm.extractive.preferences_reader import read_preferences
from storm.extractive.question_refiner import RuleRefiner
from storm.extractive.question_words import MOST_READ, clean_question, find_candidates, find_phrases, read_words
from storm.extractive.same_targets import group_names
from storm.extractive.sub_questions import Topic, make_sub_questions
from storm.extractive.target_names import list_target_names
from storm.models import (
    Answer,
    Assessment,
    Cell,
    Complexity,
    Contributor,
    Disease,
    DrugIdentity,
    EvidencePiece,
    FindingsSection,
    Hit,
    JobRequest,
    MechanismHypothesis,
    Narrowing,
    Plan,
    ProposedHypothesis,
    Publication,
    RecordFacts,
    RecordFlow,
    Reference,
    ReportPreferences,
    ReportReference,
    RepurposingReport,
    RepurposingRound,
    RequestKind,
    Section,
    SectionKind,
    Source,
    Span,
    Statement,
    TableRow,
    TestedHypothesis,
)
from storm.models.identifiers import find_trials, normalize_doi, normalize_patent, normalize_url
from storm.models.names import fold_text, plain_words, split_words
from storm.models.record_changes import compare_records
from storm.models.report_form import read_form
from storm.models.request import MAX_TEXT
from storm.models.search import MAX_NATIVE
from storm.models.section import LONGEST, kind_of_heading
from storm.models.written_identifiers import lookup_keys
from storm.ranking import rank_sentences, split_sentences, split_terms
from storm.ranking.evidence import choose_diverse, cut_content
from storm.ranking.question_words import list_content, list_parts
from storm.reports.advice import asks_advice
from storm.reports.document import escape_markup, one_line
from storm.reports.entries import Entry, entry_of, split_name
from storm.reports.expiries import passed_expiries, passed_plans
from storm.reports.language import is_not_english
from storm.reports.overtaken import is_open
from storm.reports.pictures.flow import draw_flow
from storm.reports.pictures.svg import fit_lines
from storm.reports.record_tables import collect_tables
from storm.reports.reference_style import describe_entry
from storm.syllabus import assign, bundled_syllabus, relation_of, subject_of
from storm.syllabus.analytes import is_analyte
from storm.syllabus.relation import relations_in
from storm.tools.cards import write_card

SYLLABUS = bundled_syllabus(Path(__file__).parent.parent / "config")
PLAN = Plan(names=("trastuzumab",), syllabus=SYLLABUS)
NARROW = SYLLABUS.questions[0].model_copy(
    update={"about": (Narrowing(label="lapatinib", phrases=("lapatinib", "cancer of the breast"), role="comparator"),)}
)
#: Characters of a record, of a line or paragraph, of a page's markup, of a title and of a name or an address.
RECORD, FULL_TEXT, MARKUP, TITLE, NAME = fields.MAX_TEXT, fields.MAX_LINE, 2_000_000, 5_000, 2_000
#: Characters of a prompt's material: the synthesizer's is the longest.
MATERIAL = 72_000
#: Characters of a sentence that can be read alone.
READ_ALONE = 600


def described(text: str) -> Hit:
    """A record whose title and text are this one."""
    return Hit.of("pubmed", "1", "https://example.org/1", text, text=text)


class TextFunction(NamedTuple):
    """What reads a text, and the longest text that it is given."""

    name: str
    read: Callable[[str], Any]
    limit: int


def hit(text: str, title: str = "Trastuzumab in trial ABC") -> Hit:
    return Hit.of("pubmed", "1", "https://example.org/1", title, text=text)


def _conflicts(text: str) -> Any:
    statement = Statement(text=text, quote=text, source_ids=("src_001",))
    return find_conflicts([(statement, hit("", "Trastuzumab (ABCD study) NCT00000001"))])


def _draft(text: str) -> Any:
    draft = Draft(text=text, quote="Trastuzumab in trial ABC", source_ids=["src_001"])
    return check_draft(draft, {"src_001": hit(text)}, "trastuzumab")


def _validated_report(text: str) -> Any:
    """A report whose reference, section and evidence have this text, apart from its address."""
    written = ReportReference(title=text, date=text, url="https://example.org/1", identifiers=(text,), source="pubmed")
    report = RepurposingReport(
        title=text, executive_summary="It may help. " * 10, research_question=text, methodology=text, conclusion=text,
        references=(written,), clinical_findings=(FindingsSection(title=text, content=text, citations=(written,)),),
    )  # fmt: skip
    pieces = [written.model_copy(update={"url": "https://example.org/2"}), written.model_copy(update={"title": "A"})]
    return validate_references(report, [EvidencePiece(content=text, citation=piece) for piece in pieces])


def _diverse_pieces(text: str) -> Any:
    pieces = [EvidencePiece(content=one, citation=ReportReference(title="A")) for one in (text, f"{text} again")]
    return choose_diverse(pieces, text[:MAX_TEXT])


def _sub_questions(text: str) -> Any:
    """The questions of a plan whose sub-questions have this text."""
    written = SubQuestion(label=text, description=text, search_words=[text, "dose"], importance=0.5)
    other = SubQuestion(label=f"{text} again", description=text)
    return make_questions(
        repair_questions(read_questions([written, other], text, PLAN), PLAN.names, 10),
        PLAN,
        complexity=Complexity.COMPLEX,
        on_web=False,
    )


#: What a sentence may count: nothing.
NO_TALLY = Tally(Counts(), Counts(), Counts(), {}, ("trastuzumab", "a"))


def _kind(text: str) -> Any:
    return kind_of(Passage(text, text, Section(text=text)), SectionKind.DISCUSSION)


def _mechanism(text: str) -> Any:
    """All that is read of a sentence on how a drug acts."""
    said = f"Trastuzumab inhibits {text} AMPK {text}, a PCSK9 inhibitor of HER2 by trastuzumab"
    sentence = Sentence("src_001", said, said, Passage(said, said, Section(text=said)))
    list(read_field_targets(hit("").model_copy(update={"facts": RecordFacts(targets=(said,), drug_class=(said,))})))
    forms = compile_name_pattern(("AMPK",))
    read_result(said, ("trastuzumab",), Disease(label="cancer", names=("cancer",)))
    return find_targets(sentence, ["trastuzumab"]), list(find_pathways_of(said, forms)), list(find_outcomes(said))


def _table_rows(text: str) -> Any:
    """The rows of tables that a quote, and a cell and the headings of a paper's table, give."""
    row = TableRow(heading=text, cells=(Cell(column=text, text=text),))
    paper = hit("").model_copy(update={"sections": (Section.of_rows((row,), f"Adverse events {text}", "Table 1"),)})
    source = Source(source_id="src_001", number=1, hit=paper, questions=())
    answer = Answer(question="q", statements=(Statement(text=text, quote=text, source_ids=("src_001",)),))
    return collect_tables(("trastuzumab",), (source,), (answer,), (), date(2026, 11, 22))


def _posted_rows(text: str) -> Any:
    """The rows of a registered study whose every text is this one."""
    values = TableRow(heading=text, cells=(Cell(column=text, text=text, unit=text),))
    compared = TableRow(heading=f"{text}, {text} versus {text}", cells=(Cell(column="95% CI", text=text),))
    sections = (Section(label="ARMS", text=text), Section.of_rows((values, compared), "RESULTS: Primary outcome", "1"))
    trial = Hit.of("clinicaltrials", "NCT00000001", "https://example.org/1", text, sections=sections)
    source = Source(source_id="src_001", number=1, hit=trial, questions=())
    return collect_tables(("trastuzumab",), (source,), (), (), date(2026, 11, 22))


def _repurposing_markdown(text: str) -> Any:
    """A report whose findings have this text, and the other parts a little of it."""
    part = text[:NAME]
    one = ReportReference(title=part, url="https://example.org/1")
    findings = FindingsSection(title=part, content=f"{text} [1] {part}")
    report = RepurposingReport.model_construct(
        title=part, executive_summary=part, research_question=part, methodology=part, conclusion=part,
        mechanistic_findings=(findings,), references=(one,),
    )  # fmt: skip
    return repurposing_markdown(report)


def _repurposing_summary(text: str) -> Any:
    """The summary that rules write on a drug, a disease and a target of this name."""
    name = text or "x"
    proposed = ProposedHypothesis(hypothesis=MechanismHypothesis(drug=name, target=name))
    last = RepurposingRound(tested=(TestedHypothesis.of(proposed, (), ()),), assessment=Assessment())
    plan = PLAN.model_copy(update={"names": (name,), "disease": Disease(label=name, names=(name,))})
    return asyncio.run(RuleSummaryWriter().write_summary(plan, last, (), ()))


def _abbreviations(text: str) -> Any:
    short = read_abbreviations(hit(f"Group A received trastuzumab. {text}"), ("trastuzumab",))
    return short.explain_short_names(text[:LONGEST])


def _others(text: str) -> Any:
    return read_other_drugs(hit(text, text[:TITLE]), ("trastuzumab",)).remark_on(text)


def _paper(text: str) -> Hit:
    """A review, whose level is read from its words."""
    return hit(text, text[:TITLE]).model_copy(update={"publication_types": ("Meta-Analysis",)})


def _faults(text: str) -> Any:
    """A statement with a bit of everything beside the text as its quote."""
    return find_claim_faults(
        "Of 40 men 36% vs 12% (n = 5) had less pain with A-1 than with B-2, but all may relapse.", text
    )


def _registration(text: str) -> Any:
    """The trial of a paper whose methods are the text."""
    return find_registration([Section(label="Methods", text=f"NCT00000001 {text}", kind=SectionKind.METHODS)])


def _disease(text: str) -> Any:
    """The disease of a request, and its names."""
    asked = read_question(JobRequest(kind=RequestKind.REPURPOSING, text=f"Does it help with {text}?"))
    phrase = find_disease(asked, find_substances(asked))
    return (name_disease(phrase), find_other_diseases(asked, phrase, ()), names_pair(asked)) if phrase else None


def _element(text: str) -> etree._Element:
    """An element of XML with this text and the mark of a reference."""
    element = etree.Element("p")
    element.text = text
    etree.SubElement(element, "xref", {"ref-type": "bibr"}).text = "1"
    return element


def _targets(text: str) -> Any:
    facts = RecordFacts(targets=(text[:TITLE], "Protein kinase erbB-2"))
    record = Hit.of(
        "chembl", "CHEMBL1", "https://example.org/1", "ZORVIMAB", text=text, drugs=("zorvimab",), facts=facts
    )
    return list_target_names(NamedDrug("zorvimab", "zorvimab", [record], DrugIdentity(asked="zorvimab"), ("zorvimab",)))


def _question(text: str) -> Any:
    """All that is read of a question, and the sub-questions of its words."""
    asked = read_question(JobRequest(kind=RequestKind.QUESTION, text=f"Does it help with {text}?"))
    assert asked.candidates is not None
    return make_sub_questions(asked, Topic(asked.phrases(), SYLLABUS), 10)


def _refined(text: str) -> Any:
    """The question as it is understood after what was said before it."""
    request = JobRequest(kind=RequestKind.QUESTION, text=f"Does it help with {text}?", context=f"We spoke of {text}.")
    return asyncio.run(RuleRefiner().refine(request))


def _words(text: str) -> Any:
    words = read_words(text)
    return find_candidates(words, ()), find_phrases(words, ())


def _sides(text: str) -> Any:
    """The sides of a statement with this text, its results, and what it says is done to a target."""
    subject = Subject(("trastuzumab",), Outcomes(("breast cancer",), "longer survival"))
    named = names_phrase(text, ("breast cancer", "cancer of the breast")), is_knockout_model(text)
    results = read_stated_results(text, subject.names)
    return read_stated_sides(text, subject), results, read_modulation(text, frozenset(("her2",))), named


def _entry(text: str) -> Entry:
    own = Publication(authors=(Contributor(family=text, given=text), Contributor(collective=text)), volume=text)
    return entry_of(
        Reference(
            n=1, source_id="src_001", source_type="pubmed", external_id="1", url="https://example.org/1", title=text,
            publication=own,
        )
    )  # fmt: skip


_ALL = [
    ("strip_marks", strip_marks, LONGEST),
    ("read_citation_marks", read_citation_marks, FULL_TEXT),
    ("compare_records", lambda text: compare_records(described(text), described(f"{text}.")), FULL_TEXT),
    ("normalize_text", normalize_text, LONGEST),
    ("find_quote", lambda text: find_quote("a quote that is not there", text), LONGEST),
    ("find_quote of the text", lambda text: find_quote(text, f"{text} {text}"), MAX_READ_QUOTE),
    ("count_words", count_words, LONGEST),
    ("cut_paragraph", lambda text: cut_paragraph(f"{text} a {text}", Span(len(text), len(text) + 2, " a")), LONGEST),
    ("read_numbers", read_numbers, MAX_READ_QUOTE),
    ("find_unsupported_numbers", lambda text: find_unsupported_numbers(text, "an unrelated 7"), MAX_READ_TEXT),
    ("find_unsupported_names", lambda text: find_unsupported_names(text, "HER2", ["a text"]), MAX_READ_TEXT),
    ("contradiction", lambda text: find_contradiction(text, f"It did not fail: {text}"), MAX_READ_TEXT),
    ("find_conflicts", _conflicts, MAX_READ_QUOTE),
    ("check_draft", _draft, MAX_READ_TEXT),
    ("claim_faults", _faults, MAX_READ_QUOTE),
    ("table_rows", _table_rows, MAX_READ_QUOTE),
    ("posted_rows", _posted_rows, MAX_READ_QUOTE),
    ("reply_fault", reply_fault, MAX_REPLY),
    ("find_stems", find_stems, MAX_TEXT),
    ("list_claiming", list_claiming, MAX_VALUE),
    ("KnownWords", lambda text: KnownWords(text).list_unknown(f"{text} again"), MAX_TEXT),
    ("is_not_english", lambda text: is_not_english(f"{text} die {text}"), MAX_TEXT),
    ("asks_advice", lambda text: asks_advice(f"{text} i {text}"), MAX_TEXT),
    ("is_neutral", lambda text: is_neutral(f"{text} again", KnownWords(text), text), MAX_VALUE),
    ("stands_in", lambda text: stands_in(text, f"{text} again"), MAX_VALUE),
    ("is_length", is_length, FULL_TEXT),
    ("read_form", read_form, MAX_VALUE),
    ("repair_questions", _sub_questions, MAX_VALUE),
    ("find_count_fault", lambda text: find_count_fault(text, NO_TALLY), MAX_VALUE),
    ("names_link", lambda text: names_link("slower cognitive decline in AMPK 2", text), MAX_READ_QUOTE),
    ("WrittenHypothesis", lambda text: WrittenHypothesis.model_validate(
        {"target": text, "target_ids": text}
    ), MAX_VALUE),
    ("read_searches", lambda text: read_searches([text], PLAN, 4), MAX_VALUE),
    ("ItemSearchReader", lambda text: ItemSearchReader(PLAN).read(PLAN.syllabus.keys[0], [text], [text]), MAX_VALUE),
    ("WrittenJudgement", lambda text: WrittenJudgement.model_validate(
        {"missing": text, "statements": text}
    ), MAX_VALUE),
    ("split_sentences", split_sentences, LONGEST),
    ("rank_sentences", lambda text: rank_sentences([text], ["survival"], ["her2"], ["hazard ratio"]), LONGEST),
    ("split_terms", split_terms, LONGEST),
    ("stands_alone", stands_alone, LONGEST),
    ("is_taken_back", lambda text: is_taken_back(text, text), LONGEST),
    ("read_stated_sides", _sides, LONGEST),
    ("kind_of", _kind, LONGEST),
    ("read_abbreviations", _abbreviations, RECORD),
    ("read_other_drugs", _others, RECORD),
    ("compares_drugs", lambda text: compares_drugs(f"Trastuzumab {text}", ["trastuzumab"]), READ_ALONE),
    ("explain_arm", lambda text: explain_arm(f"{text} treatment group", "trastuzumab"), READ_ALONE),
    ("remove_condition", lambda text: remove_condition(text, f"Zorvimab in {text[:TITLE]}"), READ_ALONE),
    ("explain_only_arm", lambda text: explain_only_arm(text, "trastuzumab"), READ_ALONE),
    ("has_one_arm", lambda text: has_one_arm(hit(text, text[:TITLE]), ("trastuzumab",)), RECORD),
    ("is_analyte", is_analyte, TITLE),
    ("tries_only", lambda text: tries_only(hit(text, text[:TITLE]), ("trastuzumab",)), RECORD),
    ("find_level", lambda text: find_level(_paper(text)), RECORD),
    ("is_linked", is_linked, LONGEST),
    ("is_preclinical", is_preclinical, MAX_READ_TEXT),
    ("is_added_to", lambda text: is_added_to(text, ["trastuzumab"]), MAX_READ_TEXT),
    ("is_aside", lambda text: is_aside(text, ["trastuzumab"]), READ_ALONE),
    ("is_compared_with", lambda text: is_compared_with(text, ["trastuzumab"]), MAX_READ_QUOTE),
    ("is_of_another_drug", lambda text: is_of_another_drug(text, ["trastuzumab"]), READ_ALONE),
    ("relations_in", lambda text: relations_in(text, ["trastuzumab"]), FULL_TEXT),
    ("mechanism", _mechanism, REACH),
    ("group_names", lambda text: group_names(("HER2", "KEAP1", "XQZ4"), (f"HER2, {text}",)), LONGEST),
    ("card", lambda text: write_card(hit(text), "survival", ["trastuzumab"]), RECORD),
    ("assign", lambda text: assign(hit(text, text[:FULL_TEXT]), SYLLABUS), RECORD),
    ("subject_of", lambda text: subject_of(hit(text), ["trastuzumab", "a"]), RECORD),
    ("read_study", lambda text: read_study(hit(text), ["trastuzumab", "a"]), RECORD),
    ("endpoint_of", endpoint_of, MAX_READ_TEXT),
    ("relation_of", lambda text: relation_of(hit(text), ["trastuzumab", "a"]), RECORD),
    ("read_preferences", lambda text: read_preferences(text, ReportPreferences()), MOST_READ),
    ("clean_question", clean_question, MAX_TEXT),
    ("find_facets", find_facets, MOST_READ),
    ("words of a question", _words, MOST_READ),
    ("read_question", _question, MOST_READ),
    ("addresses_program", addresses_program, LONGEST),
    ("RuleRefiner", _refined, MOST_READ),
    ("disease of a request", _disease, MOST_READ),
    ("targets of a record", _targets, RECORD),
    ("fence_text", lambda text: fence_text(text, text), MATERIAL),
    ("plain_line", lambda text: plain_line(text, 300), FULL_TEXT),
    ("hide_paths", hide_paths, FULL_TEXT),
    ("unfenced_line", unfenced_line, FULL_TEXT),
    ("one_line", one_line, FULL_TEXT),
    ("is_open", is_open, MAX_READ_TEXT),
    ("passed_plans", lambda text: passed_plans(text, date(2026, 11, 21)), MAX_READ_TEXT),
    ("passed_expiries", lambda text: passed_expiries(text, date(2026, 11, 21)), MAX_READ_TEXT),
    ("escape_markdown", escape_markdown, FULL_TEXT),
    ("escape_markup", escape_markup, FULL_TEXT),
    ("repurposing_markdown", _repurposing_markdown, LONGEST_PART),
    ("write_summary", _repurposing_summary, TITLE),
    ("read_missing_letters", read_missing_letters, FULL_TEXT),
    ("replace_letters", lambda text: replace_letters(text, {"王", "α"}), FULL_TEXT),
    ("mark_quote", lambda text: mark_quote(text, f"a paragraph around {text}"), LONGEST),
    ("text_line", text_line, FULL_TEXT),
    ("fold_text", fold_text, FULL_TEXT),
    ("split_words", split_words, MAX_TEXT),
    ("plain_words", plain_words, LONGEST),
    ("text_of_html", text_of_html, FULL_TEXT),
    ("blocks_of_html", blocks_of_html, FULL_TEXT),
    ("abstract_sections", lambda text: abstract_sections([("", text)]), FULL_TEXT),
    ("markdown_parts", markdown_parts, RECORD),
    ("clean_text", clean_text, RECORD),
    ("Hit.of", hit, RECORD),
    ("may_answer", lambda text: may_answer(hit(text), NARROW), RECORD),
    ("holds_terms", lambda text: holds_terms(hit(text), (("a phrase", "not there"),)), RECORD),
    ("text_of", lambda text: text_of(_element(text)), RECORD),
    ("paragraphs_of", lambda text: paragraphs_of(_element(text)), RECORD),
    ("recognise", lambda text: recognise_format(f"<{text}".encode()), 65_536),
    ("find_obstacle", lambda text: find_obstacle(text, text), MARKUP),
    ("fault_of", lambda text: fault_of(f"<r>{text}</r>{text}".encode(), Expect.XML), MARKUP),
    ("redact_text", redact_text, FULL_TEXT),
    ("renumber_marks", lambda text: renumber_marks(text, {1: 1, 3: 2}, 3), LONGEST_PART),
    ("validate_references", _validated_report, NAME),
    ("choose_diverse", _diverse_pieces, FULL_TEXT),
    ("cut_content", lambda text: cut_content(text, len(text) - 1), FULL_TEXT),
    ("find_trials", find_trials, FULL_TEXT),
    ("find_registration", _registration, FULL_TEXT),
    ("lookup_keys", lambda text: lookup_keys("web", text, text), NAME),
    ("normalize_url", lambda text: normalize_url(f"https://example.org/{text}"), NAME),
    ("normalize_doi", lambda text: normalize_doi(f"10.1234/{text}"), NAME),
    ("normalize_patent", normalize_patent, NAME),
    ("split_patent_number", split_patent_number, NAME),
    ("parse_date", parse_date, TITLE),
    ("is_iso_date", is_iso_date, TITLE),
    ("locate_article", locate_article, FULL_TEXT),
    ("complete_pages", lambda text: complete_pages("1", text), FULL_TEXT),
    ("find_issn", lambda text: find_issn([text]), FULL_TEXT),
    ("find_isbn", lambda text: find_isbn([text]), FULL_TEXT),
    ("split_inverted", split_inverted, FULL_TEXT),
    ("kind_of_heading", kind_of_heading, TITLE),
    ("publication_types", lambda text: publication_types([text]), TITLE),
    ("substances_in", substances_in, TITLE),
    ("strip_salt", strip_salt, TITLE),
    ("strip_suffix", strip_suffix, TITLE),
    ("plain_term", plain_term, TITLE),
    ("bare_words", bare_words, TITLE),
    ("choose_query", choose_query, MAX_NATIVE),
    ("list_content", lambda text: list_content(list_parts(text)), MAX_TEXT),
    ("read_terms", read_terms, MAX_NATIVE),
    ("split_name", split_name, TITLE),
    ("describe_entry", lambda text: describe_entry(_entry(text)), TITLE),
    ("to_bibtex", lambda text: to_bibtex([_entry(text)]), TITLE),
    ("to_ris", lambda text: to_ris([_entry(text)]), TITLE),
    ("to_csl", lambda text: to_csl([_entry(text)]), TITLE),
    ("parse_length", parse_length, NAME),
    ("read_sides", read_sides, MAX_READ_TEXT),
    ("SectionParagraph", SectionParagraph.model_validate, MAX_READ_TEXT),
    ("to_csv", lambda text: to_csv([(text,)]), FULL_TEXT),
    ("fit_lines", lambda text: fit_lines(text, 200, 2), TITLE),
    ("draw_flow", lambda text: draw_flow(RecordFlow(), text, (text,)), TITLE),
]  # fmt: skip
FUNCTIONS = [TextFunction(*one) for one in _ALL]

#: What is repeated: single characters, pairs, and the beginnings of what the functions look for.
PIECES = (
    "C", "a", "1", " ", "\n", ".", "-", "(", "[", "]", "<", ">", "{", "^", "\u0301", "²", "一", "&", "_", ",", '"',
    "1.", "1,", "1 ", "a-", "a ", "A.", "A1", ". ", ".\n", "\n ", "[1", "[1]", "(1", "^1", "1%", "no ", "not a", "<a",
    "<!--", "<sup>", "</", "&#", "QUJD", "1, 1%", "src_1,", "hr 1", "fail", "amab ", "trastuzumab ", "higher risk ",
    "95% ci ", "a/", ";", "and ", "://", "1e", "http://a.", "[[ ## ", "system:", "switch", "NCT1", "10.1", "\t\r\n",
    "one ", "half a ", "Results: ", "# ", "(A", "a'", "\u0301\u0323", "½", "[1-2]", "No. 5 ",
    "\u200b", "\u2028", "İ", "…",
)  # fmt: skip
