import io
import re

import pytest
from sections import in_abstract

from storm.databases.formats.jats import read_jats
from storm.errors import RecordError
from storm.models import Cell, Hit, Retraction, Section, SectionKind, TableRow

IDS = """<article-id pub-id-type="pmcid">PMC202</article-id><article-id pub-id-type="pmid">101</article-id>
<article-id pub-id-type="doi">10.1000/ABC</article-id><article-id pub-id-type="publisher-id">x-1</article-id>"""
TITLE = "<title-group><article-title>A trial of <italic>trastuzumab</italic></article-title></title-group>"


def article(
    *,
    kind: str = "research-article",
    ids: str = IDS,
    title: str = TITLE,
    meta: str = "",
    body: str = "",
    rest: str = "",
    xmlns: str = "",
) -> str:
    return f"""<article {xmlns} xmlns:xlink="http://www.w3.org/1999/xlink" article-type="{kind}"><front><journal-meta>
    <journal-id journal-id-type="iso-abbrev">J. Trials</journal-id><journal-title-group>
    <journal-title>The Journal of Trials</journal-title></journal-title-group></journal-meta><article-meta>{ids}{title}
    {meta}</article-meta></front>{body}{rest}</article>"""


def items(document: str) -> list[Hit | RecordError]:
    return list(read_jats(io.BytesIO(document.encode())))


def hit(document: str) -> Hit:
    (found,) = items(document)
    assert isinstance(found, Hit), found
    return found


BODY = """<body><p>An opening.</p><sec><title>Introduction</title><p>HER2 [<xref ref-type="bibr" rid="B1">1</xref>] is
over-expressed.<sup><xref ref-type="bibr">2</xref>,<xref ref-type="bibr">3</xref></sup></p></sec>
<sec><title>Results</title><p>Titres rose to 10<sup>9</sup>.</p><fig><label>Figure 1.</label><caption>
<title>Survival.</title><p>By arm.</p></caption><graphic xlink:href="f1"/></fig><sec><title>Harms</title>
<p>Few. <table-wrap><label>Table 1</label><caption><p>Events</p></caption><table><tr><td>99</td></tr></table>
<table-wrap-foot><p>foot</p></table-wrap-foot></table-wrap> None serious.</p><list><list-item><p>one</p></list-item>
<list-item><p>two</p></list-item></list></sec></sec><sec><title>Supplement</title><supplementary-material><p>no</p>
</supplementary-material></sec></body>"""


def test_an_article_becomes_a_hit() -> None:
    found = hit(
        article(
            meta="""<article-categories><subj-group subj-group-type="heading"><subject>Research Article</subject>
            </subj-group><subj-group subj-group-type="topic"><subject>Oncology</subject></subj-group>
            </article-categories><contrib-group><contrib contrib-type="author"><name><surname>Slamon</surname>
            <given-names>Dennis J.</given-names></name><xref ref-type="aff">1</xref></contrib>
            <contrib contrib-type="editor"><name><surname>Editor</surname></name></contrib>
            <contrib contrib-type="author"><collab>HERA Study Team<contrib-group><contrib><name>
            <surname>Member</surname></name></contrib></contrib-group></collab></contrib></contrib-group>
            <pub-date pub-type="pmc-release"><year>2009</year></pub-date>
            <pub-date pub-type="epub"><day>15</day><month>3</month><year>2001</year></pub-date>
            <abstract><p>Short. NCT00045032.</p></abstract>""",
            body=BODY,
            rest="""<back><ref-list><ref><pub-id pub-id-type="pmid">9</pub-id></ref></ref-list></back>""",
        )
    )
    assert (found.database, found.external_id) == ("pmc", "PMC202")
    assert found.url == "https://pmc.ncbi.nlm.nih.gov/articles/PMC202/"
    assert found.title == "A trial of trastuzumab"
    assert found.identifiers == ("pmid:101", "pmcid:PMC202", "doi:10.1000/abc")
    assert found.authors == ("Slamon DJ", "HERA Study Team")
    assert (found.date, found.year, found.container) == ("2001-03-15", 2001, "J. Trials")
    assert found.publication_types == ("Research Article",)
    assert found.trials == ("NCT00045032",)
    assert found.retraction is Retraction.NOT_CHECKED


def test_the_trial_of_a_paper_may_stand_in_its_methods_alone() -> None:
    methods = "<body><sec><title>Methods</title><p>This study was registered as ISRCTN12345678.</p></sec></body>"
    assert hit(article(body=methods)).trials == ("ISRCTN12345678",)


def test_the_body_becomes_labelled_sections_with_captions_and_tables_apart() -> None:
    assert hit(article(body=BODY)).sections == (
        Section(text="An opening.", kind=SectionKind.INTRODUCTION),
        Section(label="Introduction", text="HER2 is over-expressed.", cited=(4, 23)),
        Section(label="Results", text="Titres rose to 10^9."),
        Section(label="Results", text="Survival.\n\nBy arm.", kind=SectionKind.CAPTION, place="Figure 1"),
        Section(label="Results: Harms", text="Few. None serious.\n\none\n\ntwo"),
        Section(label="Results: Harms", text="Events\n\nfoot", kind=SectionKind.CAPTION, place="Table 1"),
        Section.of_rows((TableRow(cells=(Cell(text="99"),)),), "Results: Harms", "Table 1"),
    )


def test_floating_figures_and_boxes_are_sections_of_their_own() -> None:
    floats = "<floats-group><fig><label>FIG. 2:</label><caption><p>Later.</p></caption></fig></floats-group>"
    box = "<body><p>Before <boxed-text><caption><title>Key points</title></caption><p>One.</p><sec><title>Two</title>"
    found = hit(article(body=f"{box}<p>Three.</p></sec></boxed-text>and after.</p></body>", rest=floats))
    assert found.sections == (
        Section(text="Before and after."),
        Section(label="Key points", text="One.", kind=SectionKind.CONCLUSION),
        Section(label="Key points: Two", text="Three.", kind=SectionKind.CONCLUSION),
        Section(text="Later.", kind=SectionKind.CAPTION, place="Figure 2"),
    )


def test_a_list_and_what_follows_it_are_sentences_of_their_own() -> None:
    body = """<body><p>Patients had <list><list-item><label>1.</label><p>HER2</p></list-item><list-item><p>a heart
    </p></list-item></list> All consented.</p><def-list><def-item><term>ALT:</term><def><p>alanine aminotransferase</p>
    </def></def-item></def-list></body>"""
    found = hit(article(body=body))
    assert found.text == "Patients had\n\nHER2\n\na heart\n\nAll consented.\n\nALT: alanine aminotransferase"


def paragraphs(*texts: str, section: str = "Results") -> list[tuple[str, str]]:
    inside = "".join(f"<p>{text}</p>" for text in texts)
    found = hit(article(body=f"<body><sec><title>{section}</title>{inside}</sec></body>"))
    return [(part.label, part.text) for part in found.sections]


def test_a_heading_that_opens_a_paragraph_is_no_part_of_its_sentence() -> None:
    assert paragraphs("First.", "<bold>Harms.</bold> Few.", "None.", "<italic>Deaths</italic>: Two.") == [
        ("Results", "First."),
        ("Results: Harms", "Few.\n\nNone."),
        ("Results: Deaths", "Two."),
    ]
    assert paragraphs("<bold>Harms</bold>", "Few.") == [("Results: Harms", "Few.")]


@pytest.mark.parametrize(
    "text",
    [
        "<bold>Sitagliptin was safe.</bold> It worked.",
        "<italic>E. coli</italic> was found.",
        "<italic>P</italic>. falciparum grew.",
        "<bold>Trastuzumab</bold> reduced deaths.",
        "We saw <bold>Harms.</bold> Few.",
    ],
)
def test_words_in_bold_or_italic_type_that_belong_to_a_sentence_stay_in_it(text: str) -> None:
    ((label, found),) = paragraphs(text)
    assert (label, found) == ("Results", re.sub(r"</?\w+>", "", text))


def test_parts_without_a_telling_heading_are_what_the_part_around_them_is() -> None:
    body = """<body><sec><title>Methods</title><sec><p>A.</p></sec><sec><title>Results of screening</title><p>B.</p>
    </sec></sec><sec sec-type="results"><title>Week 24</title><p>C.</p></sec></body>"""
    kinds = [(part.label, part.kind) for part in hit(article(body=body)).sections]
    assert kinds == [
        ("Methods", SectionKind.METHODS),
        ("Methods: Results of screening", SectionKind.METHODS),
        ("Week 24", SectionKind.RESULTS),
    ]


def test_what_stands_behind_the_text_is_back_matter() -> None:
    meta = """<author-notes><fn fn-type="conflict"><p>None declared.</p></fn><fn><p>Equal parts.</p></fn></author-notes>
    <funding-group><funding-statement>Paid by X.</funding-statement></funding-group>"""
    back = """<back><ack><title>Thanks</title><p>To all.</p></ack><fn-group><fn fn-type="con"><p>AB wrote.</p></fn>
    <fn><p>Other.</p></fn></fn-group><glossary><def-list><def-item><term>OS</term><def><p>survival</p></def></def-item>
    </def-list></glossary><sec><title>Results of funding</title><p>Y.</p></sec><app-group><app><p>Sites.</p></app>
    </app-group><ref-list><ref><mixed-citation>Z</mixed-citation></ref></ref-list></back>"""
    found = hit(article(meta=meta, rest=back)).sections
    assert {part.kind for part in found} == {SectionKind.BACK_MATTER}
    assert [(part.label, part.text) for part in found] == [
        ("Funding", "Paid by X."),
        ("Competing interests", "None declared."),
        ("Author contributions", "AB wrote."),
        ("Notes", "Other."),
        ("Thanks", "To all."),
        ("Abbreviations", "OS: survival"),
        ("Results of funding", "Y."),
        ("Appendix", "Sites."),
    ]


def test_abstracts() -> None:
    structured = """<abstract><title>Abstract</title><sec><title>Background</title><p>A.</p></sec><sec>
    <title>Results</title><p>B.</p></sec></abstract><abstract abstract-type="summary"><title>Author Summary</title>
    <p>C.</p></abstract><abstract abstract-type="graphical"><p>picture</p></abstract>
    <trans-abstract><p>Resumen.</p></trans-abstract>"""
    found = hit(article(meta=structured)).sections
    assert found == (in_abstract("Background", "A."), in_abstract("Results", "B."), in_abstract("Author Summary", "C."))
    assert [part.role for part in found] == [SectionKind.INTRODUCTION, SectionKind.RESULTS, SectionKind.ABSTRACT]
    assert hit(article(meta="<trans-abstract><p>Resumen.</p></trans-abstract>")).text == "Resumen."


def test_front_matter_alone_is_an_abstract_without_a_body() -> None:
    closed = article(meta="<abstract><p>Only this.</p></abstract>").replace(
        "<front>",
        "<!--The publisher of this article does not allow downloading of the full text in XML form.--><front>",
    )
    (found,) = items(f"<pmc-articleset>{closed}</pmc-articleset>")
    assert isinstance(found, Hit)
    assert found.sections == (in_abstract("Abstract", "Only this."),)


@pytest.mark.parametrize(
    ("ids", "database", "external_id", "identifiers"),
    [
        ('<article-id pub-id-type="pmc">4141807</article-id>', "pmc", "PMC4141807", ("pmcid:PMC4141807",)),
        ('<article-id pub-id-type="pmcaid">202</article-id>', "pmc", "PMC202", ("pmcid:PMC202",)),
        ('<article-id pub-id-type="pmid">101</article-id>', "pubmed", "101", ("pmid:101",)),
        ('<article-id pub-id-type="doi">10.1000/A</article-id>', "crossref", "10.1000/a", ("doi:10.1000/a",)),
    ],
)
def test_an_article_is_filed_where_its_own_number_belongs(
    ids: str, database: str, external_id: str, identifiers: tuple[str, ...]
) -> None:
    found = hit(article(ids=ids))
    assert (found.database, found.external_id, found.identifiers) == (database, external_id, identifiers)


def test_ids_of_other_articles_are_not_its_own() -> None:
    others = """<related-article related-article-type="companion"><article-id pub-id-type="pmid">8</article-id>
    </related-article><pub-history><event><article-id pub-id-type="doi">10.1000/preprint</article-id></event>
    </pub-history>"""
    inner = f"<sub-article><front-stub>{IDS.replace('101', '999')}</front-stub></sub-article>"
    found = hit(article(ids='<article-id pub-id-type="pmcid">PMC202</article-id>', meta=others, rest=inner))
    assert found.identifiers == ("pmcid:PMC202",)


def test_an_article_without_any_number_or_title_is_an_error() -> None:
    assert str(items(article(ids=""))[0]) == "record 1: the article has no PMCID, no PMID and no DOI"
    assert str(items(article(title=""))[0]) == "101 PMC202 10.1000/abc: the article has no title"
    assert str(items("<article/>")[0]) == "record 1: the article has no front matter"


def test_a_subtitle_belongs_to_the_title_and_a_footnote_mark_does_not() -> None:
    title = """<title-group><article-title>A trial<xref ref-type="fn" rid="f"><sup>*</sup></xref>:</article-title>
    <subtitle>in women</subtitle></title-group>"""
    assert hit(article(title=title)).title == "A trial: in women"
    translated = """<title-group><article-title/><trans-title-group><trans-title>A trial</trans-title>
    </trans-title-group></title-group>"""
    assert hit(article(title=translated)).title == "A trial"


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ('<pub-date pub-type="epub"><year>2001</year></pub-date><pub-date pub-type="ppub"><month>Feb</month>'
         "<year>2002</year></pub-date>", "2002-02"),
        ('<pub-date pub-type="collection"><year>2001</year></pub-date><pub-date date-type="pub" '
         'publication-format="electronic"><day>7</day><month>02</month><year>2001</year></pub-date>', "2001-02-07"),
        ('<pub-date pub-type="nihms-submitted"><year>2001</year></pub-date>', None),
        ("<pub-date><string-date>March 5, 2003</string-date></pub-date>", "2003-03-05"),
        ("", None),
    ],
)  # fmt: skip
def test_the_date_is_that_of_publication(dates: str, expected: str | None) -> None:
    assert hit(article(meta=dates)).date == expected


def related(kind: str, target: str = "10.1000/other", link: str = "doi") -> str:
    return f'<related-article related-article-type="{kind}" ext-link-type="{link}" xlink:href="{target}"/>'


@pytest.mark.parametrize(
    ("kind", "meta", "title", "retraction", "notices"),
    [
        ("retraction", related("retracted-article"), TITLE, Retraction.NOT_RETRACTED,
         ("Retraction of: 10.1000/other",)),
        ("research-article", related("retraction-forward", "555", "pmid"), TITLE, Retraction.RETRACTED,
         ("Retracted: (PMID 555)",)),
        ("retracted-article", "", TITLE, Retraction.RETRACTED, ()),
        ("research-article", "", TITLE.replace("A trial", "RETRACTED ARTICLE: A trial"), Retraction.RETRACTED, ()),
        ("research-article", "<article-categories><subj-group subj-group-type='heading'><subject>Retracted</subject>"
         "</subj-group></article-categories>", TITLE, Retraction.RETRACTED, ()),
        ("correction", related("corrected-article"), TITLE, Retraction.NOT_CHECKED, ("Erratum for: 10.1000/other",)),
        ("research-article", related("companion"), TITLE, Retraction.NOT_CHECKED, ()),
    ],
)  # fmt: skip
def test_retractions(kind: str, meta: str, title: str, retraction: Retraction, notices: tuple[str, ...]) -> None:
    found = hit(article(kind=kind, meta=meta, title=title))
    assert (found.retraction, found.notices) == (retraction, notices)


def test_a_retraction_notice_is_not_identified_by_a_doi() -> None:
    assert hit(article(kind="retraction")).identifiers == ("pmid:101", "pmcid:PMC202")


def test_answers_of_oai_are_read_whatever_their_namespace() -> None:
    inner = article(xmlns='xmlns="https://jats.nlm.nih.gov/ns/archiving/1.3/"', body=BODY)
    records = "".join(f"<record><header/><metadata>{inner}</metadata></record>" for _ in range(2))
    answer = f'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>{records}</ListRecords></OAI-PMH>'
    found = items(answer)
    assert [item.external_id for item in found if isinstance(item, Hit)] == ["PMC202", "PMC202"]
    assert isinstance(found[1], Hit)
    assert found[1].sections[1].label == "Introduction"


@pytest.mark.parametrize(
    "answer",
    [
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><error code="idDoesNotExist">Unknown</error></OAI-PMH>',
        '<pmc-articleset><Reply Id="1" error="Unknown"/></pmc-articleset>',
    ],
)
def test_an_answer_without_the_article_is_an_error(answer: str) -> None:
    (found,) = items(answer)
    assert str(found) == "record 1: the service has no such article: Unknown"


def test_names_that_are_no_names_do_no_harm() -> None:
    found = items(article(body="<body><p>One <u:a:b xmlns:u='u'>two</u:a:b> <v:w>three</v:w></p></body>"))
    assert isinstance(found[0], Hit)
    assert found[0].text == "One two three"
    assert "not well-formed XML" in str(found[1])
    (other,) = items("<p:article/>")
    assert str(other) == "not JATS XML: the root element is p:article"


def test_a_summary_below_the_abstract_is_a_conclusion() -> None:
    rest = "<body><sec><title>Results</title><p>A.</p></sec><sec><title>Summary</title><p>B.</p></sec></body>"
    found = hit(article(rest=rest)).sections
    assert [part.kind for part in found] == [SectionKind.RESULTS, SectionKind.CONCLUSION]
