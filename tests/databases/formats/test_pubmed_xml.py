import io

import pytest
from sections import in_abstract

from storm.databases.formats.pubmed_xml import read_pubmed
from storm.errors import RecordError
from storm.models import Hit, Retraction


def article(
    *,
    pmid: str = "101",
    title: str = "<ArticleTitle>A trial of trastuzumab.</ArticleTitle>",
    date: str = "<PubDate><Year>2001</Year><Month>Mar</Month><Day>15</Day></PubDate>",
    body: str = "",
    citation: str = "",
    data: str = "",
) -> str:
    return f"""<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">{pmid}</PMID>
    <Article><Journal><JournalIssue>{date}</JournalIssue><Title>The Journal of Trials</Title>
    <ISOAbbreviation>J Trials</ISOAbbreviation></Journal>{title}{body}</Article>{citation}</MedlineCitation>
    <PubmedData>{data}</PubmedData></PubmedArticle>"""


def items(*records: str) -> list[Hit | RecordError]:
    return list(read_pubmed(io.BytesIO(f"<PubmedArticleSet>{''.join(records)}</PubmedArticleSet>".encode())))


def hit(record: str) -> Hit:
    (found,) = items(record)
    assert isinstance(found, Hit), found
    return found


def test_an_article_becomes_a_hit() -> None:
    found = hit(
        article(
            body="""<Abstract><AbstractText Label="BACKGROUND" NlmCategory="BACKGROUND">HER2 is over-expressed.
            </AbstractText><AbstractText Label="RESULTS">It grew by 10<sup>9</sup> in <i>ERBB2</i><sub>2</sub>,
            as shown.
            </AbstractText><CopyrightInformation>Copyright 2001</CopyrightInformation></Abstract>
            <AuthorList><Author ValidYN="Y"><LastName>Slamon</LastName><ForeName>Dennis J</ForeName>
            <Initials>DJ</Initials></Author><Author ValidYN="N"><LastName>Wrong</LastName></Author>
            <Author><CollectiveName>HERA Study Team</CollectiveName></Author></AuthorList>
            <PublicationTypeList><PublicationType UI="D016449">Randomized Controlled Trial</PublicationType>
            <PublicationType>Journal Article</PublicationType></PublicationTypeList>""",
            citation="""<MeshHeadingList><MeshHeading><DescriptorName UI="D006801">Humans</DescriptorName></MeshHeading>
            <MeshHeading><DescriptorName MajorTopicYN="N">Breast Neoplasms</DescriptorName><QualifierName>drug therapy
            </QualifierName></MeshHeading></MeshHeadingList>""",
            data="""<ArticleIdList><ArticleId IdType="pubmed">101</ArticleId><ArticleId IdType="pmc">PMC202</ArticleId>
            <ArticleId IdType="doi">10.1056/ABC</ArticleId></ArticleIdList>""",
        )
    )
    assert (found.database, found.external_id, found.url) == ("pubmed", "101", "https://pubmed.ncbi.nlm.nih.gov/101/")
    assert found.title == "A trial of trastuzumab."
    assert found.identifiers == ("pmid:101", "pmcid:PMC202", "doi:10.1056/abc")
    assert found.sections == (
        in_abstract("BACKGROUND", "HER2 is over-expressed."),
        in_abstract("RESULTS", "It grew by 10^9 in ERBB22, as shown."),
    )
    assert found.authors == ("Slamon DJ", "HERA Study Team")
    assert (found.date, found.year, found.container) == ("2001-03-15", 2001, "J Trials")
    assert found.publication_types == ("Randomized Controlled Trial", "Journal Article")
    assert found.headings == ("Humans", "Breast Neoplasms")
    assert (found.trials, found.drugs) == ((), ())
    assert (found.retraction, found.notices) == (Retraction.NOT_RETRACTED, ())


@pytest.mark.parametrize("root", ["PubmedArticleSet", "PubmedBookArticleSet", None])
def test_a_set_or_a_single_article_may_be_the_root(root: str | None) -> None:
    document = f"<{root}>{article()}</{root}>" if root else article()
    (found,) = read_pubmed(io.BytesIO(document.encode()))
    assert isinstance(found, Hit)


def test_ids_of_cited_papers_are_not_the_articles_own() -> None:
    references = """<ArticleIdList><ArticleId IdType="pubmed">101</ArticleId></ArticleIdList><ReferenceList><Reference>
    <Citation>Other</Citation><ArticleIdList><ArticleId IdType="doi">10.1000/cited</ArticleId>
    <ArticleId IdType="pmc">PMC9</ArticleId><ArticleId IdType="pubmed">9</ArticleId></ArticleIdList></Reference>
    </ReferenceList>"""
    assert hit(article(data=references)).identifiers == ("pmid:101",)


def test_a_doi_may_stand_in_a_valid_location_only() -> None:
    location = '<ELocationID EIdType="doi" ValidYN="{}">10.1000/x1</ELocationID>'
    assert hit(article(body=location.format("Y"))).identifiers == ("pmid:101", "doi:10.1000/x1")
    assert hit(article(body=location.format("N"))).identifiers == ("pmid:101",)
    pii = '<ELocationID EIdType="pii" ValidYN="Y">10.1000/x1</ELocationID>'
    assert hit(article(body=pii)).identifiers == ("pmid:101",)


def test_a_translated_title_loses_its_brackets() -> None:
    title = "<ArticleTitle>[Gastric cancer in [very] old mice.]</ArticleTitle><VernacularTitle>Krebs</VernacularTitle>"
    assert hit(article(title=title)).title == "Gastric cancer in [very] old mice."


def test_the_vernacular_title_stands_in() -> None:
    title = "<ArticleTitle>[Not Available].</ArticleTitle><VernacularTitle>Magenkrebs.</VernacularTitle>"
    assert hit(article(title=title)).title == "Magenkrebs."


def test_an_article_without_any_title_is_an_error() -> None:
    (found,) = items(article(title="<ArticleTitle/>"))
    assert str(found) == "PMID 101: the record has no title"


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("<PubDate><Year>1990</Year><Season>Spring</Season></PubDate>", "1990"),
        ("<PubDate><Year>2015</Year></PubDate>", "2015"),
        ("<PubDate><Year>2017</Year><Month>06</Month></PubDate>", "2017-06"),
        ("<PubDate><MedlineDate>1978 Jul-Sep</MedlineDate></PubDate>", "1978-07"),
        ("<PubDate><Year>2020</Year><Month>Jul-Aug</Month></PubDate>", "2020-07"),
        ("<PubDate><MedlineDate>2000 Dec-2001 Jan</MedlineDate></PubDate>", "2000-12"),
        ("<PubDate><MedlineDate>in press</MedlineDate></PubDate>", None),
        ("", None),
    ],
)
def test_partial_dates(date: str, expected: str | None) -> None:
    found = hit(article(date=date))
    assert (found.date, found.year) == (expected, int(expected[:4]) if expected else None)


def test_the_day_online_stands_in_for_an_issue_without_date() -> None:
    online = '<ArticleDate DateType="Electronic"><Year>2020</Year><Month>07</Month><Day>24</Day></ArticleDate>'
    assert hit(article(date="", body=online)).date == "2020-07-24"
    assert hit(article(body=online)).date == "2001-03-15"


def test_another_abstract_counts_only_where_there_is_none() -> None:
    other = """<OtherAbstract Type="Publisher" Language="spa"><AbstractText>Resumen.</AbstractText></OtherAbstract>
    <OtherAbstract Type="plain-language-summary" Language="eng"><AbstractText>Summary.</AbstractText></OtherAbstract>"""
    assert hit(article(citation=other)).text == "Summary."
    own = "<Abstract><AbstractText>Own.</AbstractText></Abstract>"
    assert hit(article(body=own, citation=other)).text == "Own."
    assert hit(article(body="<Abstract><AbstractText/></Abstract>", citation=other)).text == "Summary."


def test_unlabelled_parts_have_no_label() -> None:
    found = hit(article(body='<Abstract><AbstractText Label="UNLABELLED">Text.</AbstractText></Abstract>'))
    assert found.sections == (in_abstract("", "Text."),)


def correction(kind: str, pmid: str = "555") -> str:
    return f"""<CommentsCorrectionsList><CommentsCorrections RefType="{kind}"><RefSource>J Foo 2020;1:2</RefSource>
    <PMID Version="1">{pmid}</PMID></CommentsCorrections></CommentsCorrectionsList>"""


def types(*names: str) -> str:
    listed = "".join(f"<PublicationType>{name}</PublicationType>" for name in names)
    return f"<PublicationTypeList>{listed}</PublicationTypeList>"


@pytest.mark.parametrize(
    ("body", "citation", "retraction", "notices"),
    [
        (types("Retracted Publication"), "", Retraction.RETRACTED, ()),
        ("", correction("RetractionIn"), Retraction.RETRACTED, ("Retracted: J Foo 2020;1:2 (PMID 555)",)),
        (
            "",
            correction("ExpressionOfConcernIn"),
            Retraction.CONCERN,
            ("Expression of concern: J Foo 2020;1:2 (PMID 555)",),
        ),
        ("", correction("ErratumIn"), Retraction.NOT_RETRACTED, ("Erratum: J Foo 2020;1:2 (PMID 555)",)),
        ("", correction("CommentIn"), Retraction.NOT_RETRACTED, ()),
    ],
)
def test_retractions(body: str, citation: str, retraction: Retraction, notices: tuple[str, ...]) -> None:
    found = hit(article(body=body, citation=citation))
    assert (found.retraction, found.notices) == (retraction, notices)


def test_a_retraction_notice_is_its_own_work_and_not_retracted() -> None:
    own = '<ArticleIdList><ArticleId IdType="doi">10.1000/original</ArticleId></ArticleIdList>'
    found = hit(article(body=types("Retraction of Publication"), citation=correction("RetractionOf"), data=own))
    assert found.retraction is Retraction.NOT_RETRACTED
    assert found.notices == ("Retraction of: J Foo 2020;1:2 (PMID 555)",)
    assert found.identifiers == ("pmid:101",)


def test_trials_come_from_the_data_banks_and_the_text() -> None:
    bank = """<DataBankList><DataBank><DataBankName>ClinicalTrials.gov</DataBankName><AccessionNumberList>
    <AccessionNumber>NCT00045032</AccessionNumber></AccessionNumberList></DataBank><DataBank>
    <DataBankName>GEO</DataBankName><AccessionNumberList><AccessionNumber>GSE1</AccessionNumber></AccessionNumberList>
    </DataBank></DataBankList><Abstract><AbstractText>See NCT00021255 and nct00045032.</AbstractText></Abstract>"""
    found = hit(article(body=bank))
    assert found.trials == ("NCT00045032", "NCT00021255")
    assert found.identifiers == ("pmid:101",)


def test_authors_without_initials_or_family_name() -> None:
    people = """<AuthorList><Author><LastName>Kostek</LastName><Initials>S</Initials></Author>
    <Author><LastName>Prince</LastName></Author><Author><LastName>Gebhard</LastName><Initials>C</Initials>
    <Suffix>3rd</Suffix></Author><Author><ForeName>Only</ForeName></Author></AuthorList>
    <InvestigatorList><Investigator><LastName>Not</LastName></Investigator></InvestigatorList>"""
    assert hit(article(body=people)).authors == ("Kostek S", "Prince", "Gebhard C 3rd", "Only")


BOOK = """<PubmedBookArticle><BookDocument><PMID Version="1">300</PMID><ArticleIdList>
<ArticleId IdType="bookaccession">NBK1</ArticleId><ArticleId IdType="doi">10.1000/book</ArticleId></ArticleIdList><Book>
<Publisher><PublisherName>Big Press</PublisherName></Publisher><BookTitle>Gene Reviews<sup>®</sup></BookTitle>
<PubDate><Year>1993</Year></PubDate><AuthorList Type="editors"><Author><LastName>Editor</LastName></Author></AuthorList>
<AuthorList Type="authors"><Author><LastName>Booker</LastName><Initials>B</Initials></Author></AuthorList></Book>
{chapter}<PublicationType>Review</PublicationType><Abstract><AbstractText Label="MANAGEMENT">Treat.</AbstractText>
</Abstract>{dates}</BookDocument></PubmedBookArticle>"""


def test_a_chapter_is_not_identified_by_its_books_doi() -> None:
    chapter = """<ArticleTitle><i>HER2</i> testing</ArticleTitle><AuthorList Type="authors"><Author>
    <LastName>Chapman</LastName><Initials>C</Initials></Author></AuthorList>"""
    dates = "<ContributionDate><Year>2006</Year><Month>2</Month><Day>15</Day></ContributionDate>"
    found = hit(BOOK.format(chapter=chapter, dates=dates))
    assert (found.title, found.container) == ("HER2 testing", "Gene Reviews®")
    assert (found.identifiers, found.authors) == (("pmid:300",), ("Chapman C",))
    assert (found.date, found.publication_types) == ("2006-02-15", ("Review",))
    assert found.sections == (in_abstract("MANAGEMENT", "Treat."),)
    assert found.retraction is Retraction.NOT_CHECKED


def test_a_whole_book_has_its_title_its_authors_and_its_doi() -> None:
    found = hit(BOOK.format(chapter="", dates=""))
    assert (found.title, found.container, found.authors) == ("Gene Reviews®", "Big Press", ("Booker B",))
    assert (found.identifiers, found.date) == (("pmid:300", "doi:10.1000/book"), "1993")


def test_articles_and_chapters_may_stand_in_one_set() -> None:
    found = items(article(), BOOK.format(chapter="", dates=""), article(pmid="102"))
    assert [item.external_id for item in found if isinstance(item, Hit)] == ["101", "300", "102"]


def test_a_record_without_article_is_an_error() -> None:
    (found,) = items("<PubmedArticle><MedlineCitation/></PubmedArticle>")
    assert str(found) == "record 1: the record holds no article"
