"""A site's robots.txt as RFC 9309 has it read, and files that are made to cost a reader much."""

from __future__ import annotations

import pytest
from protego import Protego

from storm.databases.pages.robots import MAX_ROBOTS_BYTES, Robots, read_rules

#: The example of RFC 9309, 5.1.
SIMPLE = """\
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
"""
#: The example of RFC 9309, 5.2.
LONGEST_MATCH = """\
User-Agent: foobot
Allow: /example/page/
Disallow: /example/page/disallowed.gif
"""
#: The example of RFC 9309, 2.2.1: two groups for one product are one.
TWO_GROUPS = """\
user-agent: ExampleBot
disallow: /foo
disallow: /bar

user-agent: ExampleBot
disallow: /baz
"""


def permits(body: str | bytes, path: str, agent: str = "storm-research") -> bool:
    content = body.encode() if isinstance(body, str) else body
    return read_rules(content, agent).can_fetch(f"https://example.org{path}", agent)


@pytest.mark.parametrize(
    ("body", "path", "agent", "permitted"),
    [
        (SIMPLE, "/picture.gif", "storm", False),
        (SIMPLE, "/example/page.html", "storm", False),
        (SIMPLE, "/publications/1", "storm", True),
        (SIMPLE, "/elsewhere", "storm", True),
        (SIMPLE, "/elsewhere", "foobot", False),
        (SIMPLE, "/example/page.html", "foobot", True),
        (SIMPLE, "/example/allowed.gif", "foobot", True),
        (SIMPLE, "/example/page.html", "barbot", False),
        (SIMPLE, "/example/page.html", "bazbot", False),
        (SIMPLE, "/picture.gif", "bazbot", True),
        (SIMPLE, "/example/page.html", "quxbot", True),
        (LONGEST_MATCH, "/example/page/disallowed.gif", "foobot", False),
        (LONGEST_MATCH, "/example/page/other.gif", "foobot", True),
        (TWO_GROUPS, "/foo", "examplebot", False),
        (TWO_GROUPS, "/baz", "examplebot", False),
        (TWO_GROUPS, "/qux", "examplebot", True),
    ],
)
def test_the_examples_of_rfc_9309(body: str, path: str, agent: str, permitted: bool) -> None:
    assert permits(body, path, agent) is permitted


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html"),
        ("/path/foo-%24", "/path/foo-$"),
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
        ("/foo/bar/\u30c4", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
    ],
)
def test_paths_are_compared_with_their_escapes_read_as_rfc_9309_does(rule: str, path: str) -> None:
    assert not permits(f"User-agent: *\nDisallow: {rule}\n", path)
    assert permits(f"User-agent: *\nDisallow: {rule}\n", "/other")


@pytest.mark.parametrize(
    ("body", "path", "permitted"),
    [
        ("User-agent: *\nAllow: /\nDisallow: /secret\n", "/secret/page", False),
        ("User-agent: *\nAllow: /\nDisallow: /secret\n", "/public", True),
        ("User-agent: *\nDisallow: /*.pdf$\n", "/paper.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$\n", "/paper.pdf.html", True),
        ("User-agent: *\nDisallow: /page\nAllow: /page\n", "/page", True),
        ("User-agent: *\nDisallow:\n", "/page", True),
        ("User-agent: *\nDisallow: /\n", "/robots.txt", True),
        ("User-agent: STORM-Research/1.0\nDisallow: /\n\nUser-agent: *\nAllow: /\n", "/page", False),
        ("User-agent: storm\nDisallow: /\n", "/page", True),
        ("User-agent: a\nCrawl-delay: 3\nUser-agent: *\nSitemap: /s\nDisallow: /page # not this\n", "/page", False),
        ("Disallow: /\nUser-agent: *\nAllow: /x\n", "/page", True),
        ("User-agent: *\r\rDisallow: /page\r", "/page", False),
        ("\ufeffUser-agent: *\nDisallow: /page\n", "/page", False),
    ],
)
def test_the_longest_rule_of_the_group_for_this_reader_decides(body: str, path: str, permitted: bool) -> None:
    assert permits(body, path) is permitted


def test_rules_beyond_five_hundred_kibibytes_do_not_count() -> None:
    filler = b"# filler\n" * (MAX_ROBOTS_BYTES // 9)
    inside = b"User-agent: *\nDisallow: /a\n" + filler + b"\nDisallow: /b\n"
    assert not permits(inside, "/a")
    assert permits(inside, "/b")


def group_count(rules: Protego) -> int:
    return len(rules._user_agents)


@pytest.mark.parametrize("agent_line", ["User-agent: a{}\n", "User-agent a{}\n", "USERAGENT:a{}x\n"])
def test_thousands_of_other_readers_are_one_group(agent_line: str) -> None:
    """Each rule would else be kept for each of them: ten thousand times ten thousand."""
    named = "".join(agent_line.format("b" * number) for number in range(1, 200))
    rules = read_rules(f"{named}User-agent: *\nDisallow: /page\n".encode(), "storm-research")
    assert group_count(rules) == 2
    assert not rules.can_fetch("https://example.org/page", "storm-research")


def test_a_rule_longer_than_any_address_is_not_kept() -> None:
    body = "User-agent: *\nDisallow: /" + "$" * 400_000 + "\nDisallow: /page\n"
    rules = read_rules(body.encode(), "storm-research")
    assert not rules.can_fetch("https://example.org/page", "storm-research")
    assert max(map(len, rules._url_patterns)) < 100


def test_a_rule_as_long_as_an_address_may_be_counts() -> None:
    path = "/page/" + "a" * 2_000
    assert not permits(f"User-agent: *\nDisallow: {path}\n".encode(), path)


async def test_a_site_is_asked_once_and_a_site_without_a_file_permits_all() -> None:
    asked: list[str] = []

    async def fetch(url: str) -> bytes | None:
        asked.append(url)
        return None if "//free." in url else b"User-agent: *\nDisallow: /private\n"

    robots = Robots("Storm-Research", fetch)
    assert await robots.permits_page("https://free.example.org/private")
    assert not await robots.permits_page("https://example.org/private/page")
    assert await robots.permits_page("https://example.org/public")
    assert asked == ["https://free.example.org/robots.txt", "https://example.org/robots.txt"]
