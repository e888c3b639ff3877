"""Searches in PubMed's own syntax: what is wrong with one, the same one repaired, and its plain terms.

A search in this syntax is written by a model in a role that writes searches, or by the caller; text of a source never
becomes one. What is sent passes `check_query`, whatever was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from storm.databases.services.pubmed_fields import DATE_FIELDS, field_name, is_date, is_field
from storm.models.search import MAX_NATIVE

#: What joins terms.
OPERATORS = frozenset(("AND", "OR", "NOT"))
#: A phrase, a tag, a single sign (of which a quotation mark or square bracket has no partner), or a word.
_TOKEN = re.compile(r'"[^"]*"|\[[^\[\]()"]*\]|[()"\[\]]|[^\s"()\[\]]+')
_CURLY = str.maketrans("“”„«»", '"""""')
#: What no query may contain: other quotation marks, escapes, control characters and halves of characters.
_UNREADABLE = re.compile(r"[“”„«»\\\x00-\x08\x0e-\x1b\x7f-\x9f\ud800-\udfff]")
#: The number of an earlier search of a session, which there is not.
_HISTORY = re.compile(r"#\d+")
#: PubMed truncates words of so many letters and no shorter ones.
_STEM = 4
#: Where a phrase without a closing quotation mark ends.
_PHRASE_END = re.compile(r'"|[\[\]()]| (?:AND|OR|NOT)\b|$')
_YEARS = r"(?<!\d)(?:19|20)\d\d"
#: Years and days as a range in other signs, before a tag: `2015-2020 [dp]`.
_SPAN = re.compile(rf"({_YEARS}(?:/\d\d?){{0,2}}) ?[-:–—] ?({_YEARS}(?:/\d\d?){{0,2}})(?=\"? ?\[)", re.A)
#: A number of days before today that is not a phrase.
_RECENT = re.compile(r'(?<!")\b(last \d{1,4} (?:day|month|year)s?)(?= ?\[)', re.I | re.A)
#: Words in which the name of a field that has no closing bracket is looked for.
_LONGEST_FIELD = 5


class CheckedQuery(NamedTuple):
    """A search as it may be sent, empty if plain terms must be, and the remark that says which of these it is."""

    text: str
    remark: str


def choose_query(text: str) -> CheckedQuery:
    """The text as it is if nothing is wrong with it, or repaired; else none."""
    problems = check_query(text)
    if not problems:
        return CheckedQuery(text, "sent as written")
    if repaired := repair_query(text):
        return CheckedQuery(repaired, f"repaired: {repaired}")
    return CheckedQuery("", f"sent as plain terms, since {'; '.join(problems)}")


def check_query(text: str) -> tuple[str, ...]:
    """What is wrong with a search in PubMed's syntax, each kind of fault once; nothing if it can be sent."""
    if len(text) > MAX_NATIVE:
        return (f"it has more than {MAX_NATIVE:,} characters",)
    tokens = _TOKEN.findall(text)
    faults = ["it contains characters that no search may"] if _UNREADABLE.search(text) else []
    if not any(is_term(token) and any(map(str.isalnum, token)) for token in tokens):
        faults.append("it has no word to search for")
    faults += _find_unbalanced(tokens)
    padded = ["", "", *tokens, "", ""]
    for place in range(2, len(padded) - 2):
        faults += _find_token_faults(padded[place - 2 : place + 3])
    return tuple(dict.fromkeys(faults))


def _find_unbalanced(tokens: Sequence[str]) -> Iterator[str]:
    depth = lowest = 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        lowest = min(lowest, depth)
    if depth or lowest < 0:
        yield "its parentheses are not balanced"
    if '"' in tokens:
        yield "a quotation mark is not closed"
    if "[" in tokens or "]" in tokens:
        yield "its square brackets are not balanced"


def _find_token_faults(window: Sequence[str]) -> Iterator[str]:
    """The faults of the token in the middle of five."""
    _, before, token, after, behind = window
    if is_tag(token):
        yield from _find_tag_faults(before, token)
    elif token == ")" and before == "(":
        yield "parentheses are empty"
    elif token in OPERATORS:
        if before in ("", "(") or after in ("", ")"):
            yield f"{token} has nothing to join"
        elif after in OPERATORS:
            yield f"two operators stand together: {token} {after}"
    elif token.upper() in OPERATORS:
        yield f"operators are written in capitals: {token}"
    elif token == ":":
        if not (_is_date_tag(before) and is_date(after) and _is_date_tag(behind)):
            yield "a colon stands between terms that are not dates"
    elif is_term(token):
        yield from _find_term_faults(token, after)


def _find_tag_faults(before: str, token: str) -> Iterator[str]:
    name = field_name(token)
    if not is_field(name):
        yield f"there is no field {token[:40]}"
    if not is_term(before) or before == ":":
        yield "a field stands after no term"
    elif name in DATE_FIELDS and not is_date(before):
        yield f"{before[:40]} is not a date or range of dates"


def _find_term_faults(token: str, after: str) -> Iterator[str]:
    if token.startswith('"') and not any(map(str.isalnum, token)):
        yield "a phrase has no letter or digit"
    if _HISTORY.fullmatch(token):
        yield f"{token[:40]} refers to an earlier search"
    if ":" in token.strip(":") and not token.startswith('"') and not _is_date_tag(after):
        yield f"{token[:40]} is a range without the field of a date"
    if any(map(_is_short_stem, token.strip('"').split())):
        yield f"fewer than {_STEM} letters stand before *"


def _is_short_stem(word: str) -> bool:
    return "*" in word and len(word.partition("*")[0]) < _STEM


def repair_query(text: str) -> str:
    """The search with quotation marks and brackets closed, operators in capitals and between terms, without fields that
    PubMed does not know, and with dates as it writes them; empty if that does not make it one that can be sent."""
    if len(text) > MAX_NATIVE:
        return ""
    tokens = _repair_operators(_repair_terms(read_tokens(text)))
    repaired = _join_tokens(tokens)
    return "" if check_query(repaired) else repaired


def read_tokens(text: str) -> list[str]:
    """Words, phrases, tags, parentheses and operators of a search, with quotation marks closed."""
    return _TOKEN.findall(_repair_text(text))


def _repair_text(text: str) -> str:
    text = " ".join(_UNREADABLE.sub(" ", text.translate(_CURLY)).split())
    if text.count('"') % 2:
        text = "".join(_close_phrases(text))
    return _RECENT.sub(r'"\1"', _SPAN.sub(r"\1:\2", text))


def _close_phrases(text: str) -> Iterator[str]:
    """The text with each phrase closed at the next quotation mark, or before a bracket or operator."""
    place = 0
    while (start := text.find('"', place)) >= 0:
        yield text[place:start]
        end = _PHRASE_END.search(text, start + 1)
        assert end is not None
        yield f'"{text[start + 1 : end.start()].strip()}"'
        place = end.end() if end[0] == '"' else end.start()
    yield text[place:]


def _repair_terms(tokens: Sequence[str]) -> list[str]:
    """The tokens with tags that are known and follow a term, and with terms that can be searched for."""
    repaired: list[str] = []
    place = 0
    while place < len(tokens):
        token, after = tokens[place], tokens[place + 1] if place + 1 < len(tokens) else ""
        place += 1
        if token == "[":
            token, read = _close_tag(tokens, place)
            place += read
        if is_tag(token):
            _add_tag(repaired, token)
        elif token == ":":
            if repaired and _is_date_tag(repaired[-1]) and is_date(after):
                repaired.append(token)
        elif is_term(token):
            repaired += _repair_term(token, after, repaired[-1] if repaired else "")
        elif token in ("(", ")", *OPERATORS):
            repaired.append(token)
    return repaired


def _close_tag(tokens: Sequence[str], place: int) -> tuple[str, int]:
    """The field in the words from this place on, and how many words it has; empty if there is none."""
    words: list[str] = []
    for token in tokens[place : place + _LONGEST_FIELD]:
        if not is_term(token) or token.startswith('"'):
            break
        words.append(token)
    for number in range(len(words), 0, -1):
        if is_field(field_name(" ".join(words[:number]))):
            return f"[{' '.join(words[:number])}]", number
    return "", 0


def _add_tag(repaired: list[str], tag: str) -> None:
    """Add a known tag to the term before it; a range that ends before it begins is turned."""
    name = field_name(tag)
    if not repaired or not is_term(repaired[-1]) or not is_field(name):
        return
    if name in DATE_FIELDS and not is_date(repaired[-1]):
        first, _, last = repaired[-1].strip('"').partition(":")
        repaired[-1] = f"{last.strip()}:{first.strip()}" if last else repaired[-1]
    repaired.append(tag)


def _repair_term(token: str, after: str, before: str) -> list[str]:
    if token.upper() in OPERATORS:
        joins = token.upper() != "NOT" or before == ")" or before.startswith(('"', "["))
        return [token.upper() if joins else token]
    words = [word.replace("*", "") if _is_short_stem(word) else word for word in token.strip('"').split()]
    term = f'"{" ".join(words)}"' if token.startswith('"') else "".join(words)
    if not any(map(str.isalnum, term)):
        return []
    if ":" in term and not term.startswith('"') and not _is_date_tag(after):
        bare = term.strip(":")
        if ":" not in bare:
            return [bare]
        return [bare, "[dp]"] if is_date(bare) and not is_tag(after) else [f'"{bare}"']
    return [term]


def _repair_operators(tokens: Sequence[str]) -> list[str]:
    """The tokens with balanced parentheses, and one operator at most between two terms; none if an exclusion would
    become something else."""
    repaired, depth = ["("], 0
    for token in tokens:
        last = repaired[-1]
        if token in OPERATORS and last in ("(", *OPERATORS):
            if last == "NOT" or (token == "NOT" and last != "AND"):
                return []
            if last != "(" and last != "OR":
                repaired[-1] = token
        elif token == ")":
            depth -= _close_group(repaired) if depth else 0
        else:
            repaired.append(token)
            depth += token == "("
    while repaired and repaired[-1] in ("(", *OPERATORS):
        depth -= repaired.pop() == "("
    return [*repaired[1:], *[")"] * depth]


def _close_group(repaired: list[str]) -> bool:
    """Close the innermost group, without an operator at its end; an empty one is left out."""
    if repaired[-1] in OPERATORS:
        repaired.pop()
    if repaired[-1] == "(":
        repaired.pop()
    else:
        repaired.append(")")
    return True


def _join_tokens(tokens: Sequence[str]) -> str:
    parts: list[str] = []
    for token in tokens:
        is_joined = not parts or token == ")" or is_tag(token) or parts[-1] == "("
        parts += [token] if is_joined else [" ", token]
    return "".join(parts)


def is_tag(token: str) -> bool:
    """Whether a token is a field in square brackets."""
    return token.startswith("[") and len(token) > 1


def _is_date_tag(token: str) -> bool:
    return is_tag(token) and field_name(token) in DATE_FIELDS


def is_term(token: str) -> bool:
    """Whether a token is a word or phrase."""
    return token not in ("", "(", ")", "[", "]", '"', *OPERATORS) and not is_tag(token)
