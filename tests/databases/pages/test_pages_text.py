from __future__ import annotations

import io
import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.pages.html import decode_page, read_html
from storm.databases.pages.obstacles import find_obstacle
from storm.databases.pages.pdf import read_pdf
from storm.databases.pages.reading import read_page
from storm.databases.pages.text import media_type, write_page
from storm.errors import BadAnswer

SENTENCE = "Trastuzumab prolonged survival of women with metastatic breast cancer in this trial. "

ARTICLE = """<!DOCTYPE html><html><head><title>Page | Journal</title>
<meta name="citation_title" content="Trastuzumab  in breast cancer">
<meta name="citation_author" content="Slamon, Dennis J."><meta name="citation_author" content="Norton L">
<meta name="citation_publication_date" content="2001/03/15"><meta name="citation_journal_title" content="NEJM">
<meta name="citation_doi" content="doi:10.1056/NEJM200103153441101"><meta name="citation_pmid" content="11248153">
</head><body><nav><a href="/">Home</a> <a href="/x">Subscribe to read</a></nav><article><h1>Trastuzumab</h1>
<p>Patients had 10<sup>9</sup> cells per litre<sup><a href="#r1">1</a></sup> and a dose of 4&nbsp;mg/m<sup>2</sup>.</p>
SENTENCES<table><tr><td>Median survival</td><td>25.1 months</td></tr></table></article></body></html>""".replace(
    "SENTENCES", "".join(f"<p>{n}. {SENTENCE}</p>" for n in range(30))
)


def html(body: str, head: str = "") -> bytes:
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>".encode()


def pdf(*pages: str, title: str = "", password: str = "") -> bytes:
    """A PDF with a line of text a page, empty where the text is."""
    writer = PdfWriter()
    font = DictionaryObject(
        {
            NameObject(f"/{k}"): NameObject(f"/{v}")
            for k, v in (("Type", "Font"), ("Subtype", "Type1"), ("BaseFont", "Helvetica"))
        }
    )
    for text in pages:
        page = writer.add_blank_page(600, 800)
        content = DecodedStreamObject()
        content.set_data(f"BT /F1 12 Tf 50 700 Td ({text}) Tj ET".encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(content)
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
        )
    if title:
        writer.add_metadata({"/Title": title, "/Author": "D. Slamon", "/CreationDate": "D:20010315120000Z"})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def test_an_article_gives_its_text_without_the_navigation() -> None:
    page = read_page(ARTICLE.encode(), "text/html; charset=utf-8")
    assert SENTENCE.strip() in page.text and "25.1 months" in page.text
    assert "Home" not in page.text and "Subscribe" not in page.text


def test_a_page_is_cut_at_its_headings() -> None:
    text = f"<p>{SENTENCE}</p>" * 9
    body = f"<article><h1>Trial</h1>{text}<h2>Results</h2>{text}<h3>Harms</h3>{text}<ul><li>One</li><li>Two</li></ul>"
    parts = read_page(html(f"{body}</article>"), "text/html").parts
    assert [label for label, _ in parts] == ["Trial", "Trial: Results", "Trial: Results: Harms"]
    assert parts[2][1].split("\n\n")[-3:] == [SENTENCE.strip(), "- One", "- Two"]


def test_plain_text_is_cut_at_headings_of_markdown() -> None:
    assert read_page(b"# Trial\nOne.\n## Results\nTwo.", "text/plain").parts == [
        ("Trial", "One."),
        ("Trial: Results", "Two."),
    ]


def test_superscripts_stay_apart_from_the_number_and_reference_marks_go() -> None:
    text = read_page(ARTICLE.encode(), "text/html").text
    assert "10^9 cells per litre and a dose of 4 mg/m^2." in text.replace("\xa0", " ")


@pytest.mark.parametrize("char", ["\x0c", "\x1b", "\0", "\x08", "\ufffe", "&#12;", "&#x1B;", "&#0;"])
def test_a_control_character_in_a_page_is_a_blank(char: str) -> None:
    page = ARTICLE.replace("1. Trastuzumab prolonged", f"1. Trastuzumab{char}prolonged")
    assert "\n1. Trastuzumab prolonged survival" in read_page(page.encode(), "text/html").text


def test_citation_tags_say_what_the_page_is() -> None:
    page = read_page(ARTICLE.encode(), "text/html")
    assert page.title == "Trastuzumab in breast cancer"
    assert page.authors == ("Slamon DJ", "Norton L")
    assert (page.date, page.container) == ("2001-03-15", "NEJM")


def test_a_page_without_citation_tags_has_the_title_of_its_head() -> None:
    page = read_page(
        html(f"<p>{SENTENCE}</p>", "<title>FDA\n approves</title><meta property='og:site_name' content='FDA'>"),
        "text/html",
    )
    assert (page.title, page.container, page.authors, page.date) == ("FDA approves", "FDA", (), None)


def test_a_short_notice_is_a_page_with_text() -> None:
    assert read_page(b"<p>The FDA approved the drug on 1 May 2020.</p>", "text/html").text.startswith(
        "The FDA approved"
    )


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("Dosis: 4 µg – täglich".encode(), "text/plain; charset=utf-8", "Dosis: 4 µg – täglich"),
        ("Dosis: 4 µg – täglich".encode("cp1252"), "text/plain; charset=iso-8859-1", "Dosis: 4 µg – täglich"),
        ("Dosis: 4 µg – täglich".encode("cp1252"), "text/plain", "Dosis: 4 µg – täglich"),
        ("Dosis: 4 µg".encode("utf-16"), "text/plain; charset=utf-16", "Dosis: 4 µg"),
        ("Dosis: 4 µg".encode(), "text/plain; charset=nonsense", "Dosis: 4 µg"),
        ("\ufeffDosis".encode(), "text/plain; charset=utf-8", "Dosis"),
    ],
)
def test_plain_text_is_read_in_the_charset_it_has(body: bytes, content_type: str, text: str) -> None:
    assert read_page(body, content_type).text == text


def test_the_charset_that_the_page_declares_counts_where_the_server_names_none() -> None:
    assert decode_page('<meta charset="windows-1251"><p>Трастузумаб</p>'.encode("cp1251"), "").endswith(
        "Трастузумаб</p>"
    )


def test_xhtml_with_an_encoding_declaration_is_read() -> None:
    body = f'<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>{SENTENCE}</p></body></html>'
    assert read_page(body.encode(), "application/xhtml+xml").text == SENTENCE.strip()


@pytest.mark.parametrize(
    ("header", "expected"),
    [("text/html; charset=UTF-8", ("text/html", "utf-8")), ("", ("", "")),
     ('TEXT/HTML; charset="utf-8"', ("text/html", "utf-8")),
     ("application/pdf", ("application/pdf", "")), ("text/html; charset*=x'", ("text/html", ""))],
)  # fmt: skip
def test_the_media_type_is_read_from_the_header(header: str, expected: tuple[str, str]) -> None:
    assert media_type(header)[0] == expected[0]
    assert expected[1] in media_type(header)[1]


MOMENT, ROBOT, BEFORE = "Just a moment...", "Making sure you&#39;re not a bot!", "Before you continue"
FREE = json.dumps({"isAccessibleForFree": False})
OBSTACLES = {
    "proof of work": [
        html("<h1>Just a moment...</h1><p>Enable JavaScript and cookies to continue</p>", f"<title>{MOMENT}</title>"),
        html("<p>Checking.</p><script>window._cf_chl_opt={cvId:'3'};</script>"),
        html("<p>Your access looked automated.</p>", "<title>Pardon Our Interruption</title>"),
        html("<iframe src='https://geo.captcha-delivery.com/captcha/?x'></iframe><p>Please enable JS</p>"),
        html('<script id="anubis_challenge">{}</script><p>Loading</p>', f"<title>{ROBOT}</title>"),
        html("<h1>Access Denied</h1><p>You don't have permission.</p>", "<TITLE>Access Denied</TITLE>"),
    ],
    "consent": [
        html("<form action='https://consent.google.com/save'><p>We use cookies</p></form>", f"<title>{BEFORE}</title>"),
        html("<p>We and our partners store information.</p><form action='/consent'><button>Accept</button></form>"),
    ],
    "paywall": [
        html(f"<p>{SENTENCE}</p><p>Subscribe to continue reading</p>"),
        html(f"<p>{SENTENCE}</p><script type=application/ld+json>{FREE}</script>"),
        html(f"<p>{SENTENCE}</p><div>This is a preview of subscription content, access via your institution</div>"),
        html("<p>Get full access to this article</p><p>Purchase this article for 35 USD</p>"),
    ],
    "JavaScript": [
        html("<noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>"),
        html("<p>JavaScript is disabled in your browser.</p>"),
        html("<div id='app'></div><noscript><strong>This site doesn't work without JavaScript.</strong></noscript>"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("reason", "body"), [(reason, body) for reason, bodies in OBSTACLES.items() for body in bodies]
)
def test_a_page_that_stands_in_the_way_is_no_text_and_the_reason_is_reported(reason: str, body: bytes) -> None:
    with pytest.raises(BadAnswer, match=reason):
        read_page(body, "text/html")


@pytest.mark.parametrize("body", [body for bodies in OBSTACLES.values() for body in bodies])
def test_the_same_marks_in_an_article_do_not_hide_its_text(body: bytes) -> None:
    article = body.decode().replace("</body>", "".join(f"<p>{n}. {SENTENCE}</p>" for n in range(40)) + "</body>")
    assert SENTENCE.strip() in read_page(article.encode(), "text/html").text


@needs_recorded_answers
def test_the_recorded_proof_of_work_page_is_no_text() -> None:
    with pytest.raises(BadAnswer, match="proof of work"):
        read_page((ANSWERS / "html" / "pmc_proof_of_work_interstitial.html").read_bytes(), "text/html")


@needs_recorded_answers
@pytest.mark.parametrize("folder", ["pubmed", "clinicaltrials", "crossref_openalex_unpaywall"])
def test_recorded_html_pages_give_text_or_our_error(folder: str) -> None:
    pages = sorted((ANSWERS / folder).glob("*.html"))
    assert pages
    for path in pages:
        try:
            assert read_page(path.read_bytes(), "text/html").text
        except BadAnswer as exc:
            assert exc.message


@pytest.mark.parametrize(
    ("body", "content_type"),
    [(b"", "text/html"), (b"   ", "text/plain"), (b"<html></html>", "text/html"), (b"...", "text/plain"),
     (html("<script>var a = 'text in a script';</script><style>p{color:red}</style>"), "text/html")],
)  # fmt: skip
def test_a_page_without_words_is_no_text(body: bytes, content_type: str) -> None:
    with pytest.raises(BadAnswer, match="no text"):
        read_page(body, content_type)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [(b"\x89PNG\r\n\x1a\n\0\0", "image/png"), (b'{"a": 1}', "application/json"),
     (b"PK\3\4\0\0", "application/octet-stream"),
     (b"\0\1\2", "text/html"), (b"words", "")],
)  # fmt: skip
def test_what_is_no_page_is_refused(body: bytes, content_type: str) -> None:
    with pytest.raises(BadAnswer, match="not a page"):
        read_page(body, content_type)


def test_a_pdf_gives_its_text_title_author_and_date_whatever_its_type_says() -> None:
    for kind in ("application/pdf", "application/octet-stream", "text/html"):
        page = read_page(pdf("First page", "Second page", title="Trastuzumab"), kind)
        assert page.text == "First page\n\nSecond page"
        assert (page.title, page.authors, page.date, page.part) == ("Trastuzumab", ("D. Slamon",), "2001-03-15", "")


def test_a_pdf_whose_title_a_word_processor_wrote_takes_its_first_line() -> None:
    assert read_pdf(pdf("A fine first line", title="Microsoft Word - draft.docx")).title == "A fine first line"


def test_a_login_page_sent_as_a_pdf_is_read_as_the_page_it_is() -> None:
    with pytest.raises(BadAnswer, match="paywall"):
        read_page(html("<p>Please log in to read this paper, it is for members.</p>"), "application/pdf")


def test_a_pdf_longer_than_the_limit_says_which_pages_were_read() -> None:
    page = read_pdf(pdf("One", "Two", "Three"), max_pages=2)
    assert (page.text, page.part) == ("One\n\nTwo", "pages 1–2 of 3")


def test_a_pdf_that_takes_too_long_says_which_pages_were_read() -> None:
    ticks = iter(range(100))
    page = read_pdf(pdf("One", "Two", "Three"), max_seconds=2.5, clock=lambda: float(next(ticks)))
    assert (page.text, page.part) == ("One\n\nTwo", "pages 1–2 of 3")


def test_a_scanned_pdf_is_no_text() -> None:
    with pytest.raises(BadAnswer, match="only images"):
        read_page(pdf("", ""), "application/pdf")


def test_an_encrypted_pdf_is_no_text() -> None:
    with pytest.raises(BadAnswer, match="encrypted"):
        read_page(pdf("Secret", password="hunter2"), "application/pdf")


def test_damaged_pdfs_give_text_or_our_error() -> None:
    whole = pdf("First page", "Second page", title="Trastuzumab")
    for cut in range(0, len(whole), 23):
        for damaged in (whole[:cut], whole[:cut] + b"\xff\0<<" + whole[cut + 4 :]):
            try:
                read_page(damaged, "application/pdf")
            except BadAnswer as exc:
                assert exc.message


TAGS = st.sampled_from(
    ["<p>", "</p>", "<div>", "<table><tr><td>", "<sup>", "<sup><a>", "<!--", "-->", "<title>",
     "<meta name=citation_doi content=", "<script>", "<svg>", "<math>", "<noscript>", "<![CDATA[",
     "<?xml version='1.0' encoding='x'?>", "<!DOCTYPE html", "<html>",
     "&#x0;", "&bogus;", "<a href='http://[::1'>", "<br>", "<frameset>", "<li>", "\0", "\ud7ff", "words of a page"]
)  # fmt: skip
TYPES = st.sampled_from(
    ["text/html", "text/plain", "application/pdf", "", "text/html; charset=utf-16", "x", "text/html; charset=big5"]
)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400), TYPES)
@example(b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 1 0 R>>endobj trailer<</Root 1 0 R>>", "application/pdf")
def test_random_bytes_give_text_or_our_error(body: bytes, content_type: str) -> None:
    for start in (b"", b"%PDF-1.7\n", b"<!doctype html>"):
        _text_or_our_error(start + body, content_type)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(TAGS, st.text(max_size=20)), max_size=40), st.text(max_size=40))
def test_broken_html_gives_text_or_our_error(parts: list[str], content_type: str) -> None:
    body = "".join(parts).encode(errors="replace")
    _text_or_our_error(body, "text/html")
    _text_or_our_error(body, content_type)


@pytest.mark.slow
def test_deeply_nested_html_gives_text_or_our_error() -> None:
    for tag in ("<div>", "<b>", "<table><tr><td>", "<sup>", "<ul><li>", "<svg>"):
        _text_or_our_error((tag * 5_000 + SENTENCE).encode(), "text/html")


def _text_or_our_error(body: bytes, content_type: str) -> None:
    try:
        page = read_page(body, content_type)
    except BadAnswer as exc:
        assert exc.message
    else:
        assert page.text.strip()
        json.dumps(write_page(page)).encode()


def test_no_obstacle_is_seen_in_ordinary_markup() -> None:
    assert (
        find_obstacle("<title>FDA approves trastuzumab</title><p>The FDA approved it.</p>", "The FDA approved it.")
        == ""
    )


def test_fields_of_a_hostile_page_are_kept_short() -> None:
    page = read_html(f"<html><title>{'x' * 9_000}</title><meta name=author content='{'y' * 9_000}'><p>{SENTENCE}</p>")
    assert len(page.title) == 1_000 and len(page.authors[0]) == 1_000
