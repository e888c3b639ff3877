"""To which item of a list a value or an arm belongs: "rash in group A (5%) and fever in group B (7%)"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storm.citations.comparisons import Words, own_words, quote_words, side_words
from storm.citations.measures import DOSES, RATIOS, SPREADS, TIMES, read_values
from storm.citations.positions import bracket_depths, find_after_last, find_next, word_at
from storm.citations.rows import CONTRASTS, GROUP_NOUNS, OWNER_WORDS, TURNS, read_row_leads
from storm.citations.terms import Term, has_word
from storm.citations.vocabulary import words_of

_BORDERS = words_of("; . , and or whereas while but although")
_VERBS = words_of("was were is are be had has including include included comprised being")
#: Before a value at the beginning of an item these introduce a time, people or a dose.
_CIRCUMSTANCES = words_of("in among at after for over during within with of from until")
_MOST_ITEMS = 12
#: What a fault calls an arm.
_ARM = "it"
#: How many words after a preposition may name a group.
_NEAR = 5


def find_item_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """Values and arms of one item that stand with words of another item, and with none of their own."""
    yield from _find_row_faults(said, quoted)
    items = _read_items(_drop_lead(_drop_ratios(quoted)))
    if not 2 <= len(items) <= _MOST_ITEMS:
        return
    words = [_item_words(item) for item in items]
    own = own_words(words)
    claimed = _item_words(said)
    values = read_values(quoted)
    is_shared = has_word(quoted, ("respectively",))  # the arms belong to all lists
    shared = {value.token for value in values if value.label in RATIOS} if _has_one_ratio(quoted) else set[str]()
    shared |= {value.token for value in values if has_word(quoted[max(0, value.at - 3) : value.at], ("both",))}
    for name, anchor in _read_anchors(said, with_p=sum(value.label == "p" for value in values) > 1):
        if anchor <= shared or (name == _ARM and is_shared):  # a single ratio belongs to both sides
            continue
        holders = [n for n, item in enumerate(items) if anchor <= frozenset(term.key for term in item)]
        if len(holders) != 1:
            continue
        rest = own[holders[0]] - anchor
        others = [claimed & one for n, one in enumerate(own) if n != holders[0] and claimed & one]
        if rest and others and not claimed & rest:
            yield f"the quote says {name} of '{quote_words(rest, quoted)}', not of '{quote_words(others[0], said)}'"
            return


def _drop_ratios(terms: Sequence[Term]) -> list[Term]:
    """The text without brackets that give a ratio of both arms: "(hazard ratio for death, 0.75)"."""
    kept: list[Term] = []
    n = 0
    while n < len(terms):
        end = find_next(terms, ("(", ")"), n + 1) if terms[n].word == "(" else n
        is_ratio = any(term.key in RATIOS for term in terms[n : n + 3]) and word_at(terms, end) == ")"
        kept += () if is_ratio and end > n else (terms[n],)
        n = end + 1 if is_ratio and end > n else n + 1
    return kept


def _drop_lead(terms: Sequence[Term]) -> Sequence[Term]:
    """The text without "Compared with A," at its beginning, which belongs to all items."""
    return terms[find_next(terms, (",",), 0) + 1 :] if word_at(terms, 0) == "compared" else terms


def _find_row_faults(said: Sequence[Term], quoted: Sequence[Term]) -> Iterator[str]:
    """The same for whole lists of values: "a progression of 15 and 9 months and a survival of 22 and 15 months"."""
    rows = list(read_row_leads(quoted))
    leads = own_words([lead for _, lead in rows])
    claimed = _item_words(said)
    for term in said:
        holders = [n for n, (tokens, _) in enumerate(rows) if term.key in tokens]
        if len(rows) < 2 or len(holders) != 1 or claimed & leads[holders[0]] or not leads[holders[0]]:
            continue
        others = [claimed & lead for n, lead in enumerate(leads) if n != holders[0] and claimed & lead]
        if others:
            of = quote_words(leads[holders[0]], quoted)
            yield f"the quote says {term.key} of '{of}', not of '{quote_words(others[0], said)}'"
            return


def _has_one_ratio(terms: Sequence[Term]) -> bool:
    return sum(term.key in RATIOS for term in terms) == 1


def _read_items(terms: Sequence[Term]) -> list[Sequence[Term]]:
    """The parts between commas and conjunctions that have an anchor each; other parts are added to the next one."""
    items: list[list[Term]] = []
    pending: list[Term] = []
    for part in _split_parts(terms):
        pending += part
        if _is_anchored(part):
            items.append(pending)
            pending = []
    if items:
        items[0] = _trim_to_parallel(items[0], items[1]) if len(items) > 1 else items[0]
        items[0] = _trim_lead(items[0])
        items[-1] = _trim_tail(items[-1] + pending)
    return list(items)


def _split_parts(terms: Sequence[Term]) -> Iterator[list[Term]]:
    """The parts of the text between its borders; brackets stay whole."""
    part: list[Term] = []
    for n, (term, depth) in enumerate(zip(terms, bracket_depths(terms), strict=True)):
        after = word_at(terms, n + 1)
        if term.word == "to" and not depth and _is_split_range(terms, n):
            yield part
            part = []
        if term.word == "(" and depth == 1 and after in CONTRASTS:
            yield part
            part = []
        is_joint = after in CONTRASTS - TURNS
        if not depth and term.word in _BORDERS and not (is_joint and term.word != ";") and not _is_relative(terms, n):
            yield part
            part = []
        else:
            part.append(term)
    yield part


def _is_relative(terms: Sequence[Term], n: int) -> bool:
    """Whether a comma introduces a relative clause: "group A, which was given B"."""
    return terms[n].word == "," and word_at(terms, n + 1) in ("which", "who", "whose", "respectively")


def _is_split_range(terms: Sequence[Term], n: int) -> bool:
    """Whether "from 3% in A to 7% in B" is to be split here."""
    before = [term.word for term in terms[max(0, n - 8) : n]]
    is_led = "from" in before and any(term.kind == "number" for term in terms[n - len(before) : n - 1])
    return (
        is_led
        and before[-1] not in ("%",)
        and terms[n - 1].kind == "word"
        and n + 1 < len(terms)
        and terms[n + 1].kind == "number"
    )


def _trim_lead(terms: list[Term]) -> list[Term]:
    """The first item without the words that introduce all: "The most frequent events were rash in group A (5%)"."""
    rest = terms[find_after_last(terms, _VERBS, len(terms)) :]
    first = next((n for n, term in enumerate(rest) if term.kind == "number"), len(rest))
    return rest if side_words(rest[:first]) else terms


def _trim_to_parallel(first: list[Term], second: Sequence[Term]) -> list[Term]:
    """The first item from where it is built like the second: "events with A in 5%, and with B in 7%"."""
    number = next((n for n in range(len(first) - 1, -1, -1) if first[n].kind == "number"), 0)
    lead = next((term.word for term in second if term.word not in ("only", "just")), "")
    starts = [n for n in range(number) if lead in OWNER_WORDS | {"from", "to"} and first[n].word == lead]
    return first[starts[-1] :] if starts else first


def _trim_tail(terms: list[Term]) -> list[Term]:
    """The last item without the words about all: "rash (5%) and fever (7%) were more frequent with A"."""
    last = next((n for n in range(len(terms) - 1, -1, -1) if terms[n].kind == "number"), len(terms))
    return terms[: find_next(terms, ("was", "were"), last)]


def _is_anchored(part: Sequence[Term]) -> bool:
    return next(_read_anchors(part, with_p=True), None) is not None


def _read_anchors(terms: Sequence[Term], *, with_p: bool = False) -> Iterator[tuple[str, Words]]:
    """Each value that is a result, and each named group, with the keys that identify it; P values on demand."""
    for value in read_values(terms):
        before = [term.word for term in terms[max(0, value.at - 2) : value.at]]
        is_circumstance = value.unit in TIMES or (value.at <= 2 and bool(_CIRCUMSTANCES & set(before)))
        is_result = value.at > 2 and before[-1] in ("by", "was", "were", "of", "(")
        is_name = (value.unit in DOSES and before[-1:] != ["by"]) or (is_circumstance and not is_result)
        if (value.label not in SPREADS or value.label == "range" or (with_p and value.label == "p")) and not is_name:
            yield value.name, frozenset((value.token,))
    for n, term in enumerate(terms):
        if term.word in OWNER_WORDS:
            after = terms[n + 1 : n + 1 + _NEAR]
            end = next((at for at, other in enumerate(after) if other.word in GROUP_NOUNS), 0)
            if name := side_words(after[:end]):
                yield _ARM, name


def _item_words(terms: Sequence[Term]) -> Words:
    return frozenset(word for word in side_words(terms) if not (word[0].isdigit() or word in SPREADS or word in RATIOS))
