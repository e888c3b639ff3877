"""What records and sentences state of a drug's mechanism: its targets, what lies downstream of them, and outcomes.

A sentence says that the drug acts on a molecule in one of these forms:
- after the name: "X inhibits AMPK", "X acts by activating AMPK", "X, an AMPK activator", "X is an inhibitor of AMPK",
  "X-induced activation of AMPK"
- before it: "the AMPK activator X", "AMPK is activated by X", "activation of AMPK by X", "AMPK activation by X".
A sentence with a denial, a question or another drug between the two says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from storm.evidence.passages import Passage, read_passages
from storm.evidence.sentence_kinds import REACH as MOST_READ
from storm.evidence.sentence_kinds import SentenceKind, kind_of
from storm.evidence.subjects import compile_name_pattern
from storm.extractive.mechanism_words import (
    REACH,
    Words,
    carries_drugs,
    find_pathways,
    is_molecule,
    read_molecule_after,
    read_molecule_before,
)
from storm.models import Hit, Related
from storm.models.relation import Relation
from storm.syllabus.drug_names import DRUG_NAME
from storm.syllabus.relation import relations_in


class Sentence(NamedTuple):
    """A sentence of a source that states something: `quote` is verbatim, `text` is without reference marks."""

    source_id: str
    quote: str
    text: str
    passage: Passage

    @property
    def is_statement(self) -> bool:
        """Whether it states what it says; sentences of methods and back matter do not."""
        return kind_of(self.passage, self.passage.section.role) in _STATED

    @property
    def names_kinds(self) -> bool:
        """Whether it states, or names what is studied: "We compared the AMPK activator X"."""
        return kind_of(self.passage, self.passage.section.role) in _NAMING


_ACTOR = (
    r"(?:inhibitors?|antagonists?|(?:inverse |partial )?agonists?|blockers?|activators?|modulators?|stimulators?|"
    r"sensitizers?|suppressors?|binders?)"
)
_VERB = (
    r"(?:inhibit(?:s|ed)?|block(?:s|ed)?|antagoni[sz]e[sd]?|activate[sd]?|target(?:s|ed)?|binds?(?: to)?|bound to|"
    r"suppress(?:es|ed)?|stimulate[sd]?|neutrali[sz]e[sd]?|agoni[sz]es?|modulate[sd]?|(?:down|up)-?regulate[sd]?|"
    r"acts? (?:on|at)|interact(?:s|ed)? with)"
)
_DOING = (
    r"(?:inhibiting|blocking|antagoni[sz]ing|activating|targeting|binding(?: to)?|suppressing|stimulating|"
    r"neutrali[sz]ing|modulating|(?:down|up)-?regulating)"
)
_DEED = (
    r"(?:inhibition|blockade|blocking|antagonism|activation|stimulation|suppression|modulation|neutrali[sz]ation|"
    r"(?:down|up)-?regulation)"
)
_ADVERBS = (
    r"(?:[a-z]+ly |also |thus |not only |both |can |has been (?:shown|reported|found) to |is known to |"
    r"was (?:shown|found) to )"
)
_SALT = r"(?: (?:calcium|sodium|potassium|hydrochloride|mesylate|maleate|acetate|phosphate|succinate|tartrate))?"
_CALLED = r"(?: ?\([^()]{1,60}\))?"
_IN_TURN = r"(?:,? which|,? that)?"
_GIVEN = r"(?: (?:treatment|therapy|administration|exposure|itself|alone))?"
#: What follows the name of the drug, up to the molecule.
_ACTS_ON = re.compile(rf"{_CALLED}{_GIVEN}{_IN_TURN} {_ADVERBS}{{0,3}}{_VERB} ")
_ACTS_BY = re.compile(
    rf"{_CALLED}{_GIVEN}{_IN_TURN} (?:[\w-]+ ){{0,12}}?(?:by|through|via) (?:the |its )?"
    rf"(?:[a-z]+ly )?(?:{_DOING}|{_DEED} of) "
)
_IS_A = re.compile(
    rf"{_CALLED}(?:, (?:which is )?| \((?:which is )?|{_SALT} (?:[\w-]+ ){{0,9}}?"
    rf"(?:is|was|acts as|works as|functions as|serves as) )"
    rf"(?:[a-z]+ly |also |known as )?(?:an?|the) (?P<named>(?:[^ .;:,()]+ ){{0,9}}?){_ACTOR}(?P<of> of (?:the )?)?"
)
_INDUCED = re.compile(rf"-(?:induced|mediated|dependent|stimulated) (?:(?P<of>{_DEED} of )|)")
#: What stands before the name of the drug, after the molecule.
_KIND_BEFORE = re.compile(
    rf" {_ACTOR}(?: \([^()]{{1,40}}\))?(?:,? (?:such as|like|including|e\.g\.,?))? (?:\(e\.g\.,? ?)?$"
)
_DONE_BY = re.compile(r"(?P<done> (?:is|was|are|were|be|been|being) (?:[a-z]+ly )?(?:inhibited|blocked|antagoni[sz]ed|"
                      r"activated|targeted|suppressed|stimulated|modulated|neutrali[sz]ed) by (?:the )?)$")  # fmt: skip
_DEED_BY = re.compile(rf"(?P<deed> {_DEED} (?:by|with|induced by) (?:the )?)$")
_DEED_OF = re.compile(rf"\b{_DEED} of (?P<what>[^.;:]{{2,80}}) (?:by|with) (?:the )?$", re.I)
_DENIED = re.compile(
    r"\b(?:not(?! only)|no|never|neither|nor|cannot|without|fail(?:s|ed|ure)?|lacks?|lacked|whether|if|unlike|"
    r"unaffected|hypothesi\w+|resistan\w+ to|withdrawal of|instead of|prevented|abolished|reversed|independent)\b|"
    r"n['’]t\b",
    re.I,
)
#: The drug is not what acts: "X plus DRUG inhibits", "than DRUG".
_OTHER_ACTS = re.compile(r"\b(?:plus|with|than|versus|vs\.?|unlike|or|and|to|of|combined|co-?\w*) $", re.I)
_TREATED = re.compile(
    r"\b(?:(?:treat\w*|therapy|incubation|exposure|administration|injection|infusion|dos\w*) (?:\w+ )?"
    r"(?:with|of|to)|effects? of) $",
    re.I,
)
#: Sentences of these kinds state what they say. Others name a drug's kind only: "We compared the AMPK activator X".
_STATED = (SentenceKind.FINDING, SentenceKind.FACT, SentenceKind.SECOND_HAND)
_NAMING = (*_STATED, SentenceKind.OBJECTIVE, SentenceKind.METHOD)
_KIND_IN_FIELD = re.compile(rf"(?P<name>[^;]{{2,90}}?)[ -](?:directed antibody )?(?:{_ACTOR}|interactions?)$", re.I)
_NO_NAME = re.compile(r"\*|\.\.")


def read_sentences(source_id: str, hit: Hit) -> Iterator[Sentence]:
    """The sentences of a source, outside of tables."""
    for passage in read_passages(hit):
        if len(passage.shown) <= MOST_READ and not passage.section.rows:
            yield Sentence(source_id, passage.text, passage.shown, passage)


def read_field_targets(hit: Hit) -> Iterator[str]:
    """The targets that a record of the drug states in its own fields."""
    for target in hit.facts.targets:
        named = _KIND_IN_FIELD.fullmatch(target[:120])
        name = named["name"] if named else target
        if not _NO_NAME.search(name) and (named is None or is_molecule(name)) and not carries_drugs(name):
            yield name.strip()
    for kind in hit.facts.drug_class:
        named = _KIND_IN_FIELD.fullmatch(kind[:120])
        if named and is_molecule(_drop_brackets(named["name"])):
            yield _drop_brackets(named["name"])


def _drop_brackets(name: str) -> str:
    return re.sub(r" ?\([^()]{0,60}\)", "", name).strip()


def find_targets(sentence: Sentence, names: Sequence[str], related: Sequence[Related] = ()) -> list[str]:
    """The molecules that a sentence says the drug acts on."""
    text = sentence.text
    mentions = list(compile_name_pattern(tuple(names)).finditer(text))
    if not mentions or Relation.ITSELF not in relations_in(text, names, related):
        return []
    names_kinds, is_statement = sentence.names_kinds, sentence.is_statement
    found: dict[str, None] = {}
    for mention in mentions:
        read = [*_read_kind(text, mention.start(), mention.end())] if names_kinds else []
        if is_statement:
            read += [*_read_after(text, mention), *_read_before(text, mention.start())]
        for target in read:
            low, high = min(target.start, mention.start()), max(target.end, mention.end())
            between = text[min(target.end, mention.end()) : max(target.start, mention.start())]
            if not _DENIED.search(text, max(0, low - 40), high) and not names_other_drug(between, names):
                found[target.text] = None
    return list(found)


def names_other_drug(text: str, names: Sequence[str]) -> bool:
    """Whether a text names a drug that is not the one of these names."""
    own = compile_name_pattern(tuple(names))
    return any(not own.match(text, other.start()) for other in DRUG_NAME.finditer(text))


def _read_kind(text: str, start: int, end: int) -> Iterator[Words]:
    """The molecule in the name of a kind of drugs: "the AMPK activator X", "X, an inhibitor of AMPK"."""
    if before := _KIND_BEFORE.search(text, max(0, start - REACH), start):
        yield from filter(None, [read_molecule_before(text, before.start())])
    if after := _IS_A.match(text, end, end + 2 * REACH):
        if after["of"]:
            yield from _read_list(text, after.end())
        elif after["named"]:
            yield from filter(None, [read_molecule_before(text, after.end("named") - 1)])


def _read_after(text: str, mention: re.Match[str]) -> Iterator[Words]:
    start, end = mention.span()
    before = text[max(0, start - 40) : start]
    if (acts := _ACTS_ON.match(text, end)) and (_TREATED.search(before) or not _OTHER_ACTS.search(before)):
        yield from _read_list(text, acts.end())
    if (acts := _ACTS_BY.match(text, end, end + 2 * REACH)) and not _OTHER_ACTS.search(before):
        yield from _read_list(text, acts.end())
    if induced := _INDUCED.match(text, end):
        molecule = read_molecule_after(text, induced.end())
        if molecule and (induced["of"] or re.match(rf" {_DEED}\b", text[molecule.end : molecule.end + 20])):
            yield molecule


def _read_before(text: str, start: int) -> Iterator[Words]:
    low = max(0, start - REACH)
    for pattern in (_DONE_BY, _DEED_BY):
        if before := pattern.search(text, low, start):
            yield from filter(None, [read_molecule_before(text, before.start())])
    if deed := _DEED_OF.search(text, low, start):
        molecule = read_molecule_after(text, deed.start("what"))
        if molecule and molecule.end <= deed.end("what"):
            yield molecule


def _read_list(text: str, start: int) -> Iterator[Words]:
    """The molecules of an enumeration: "A, B and C"."""
    if short := _FIRST_OF_TWO.match(text, start, start + REACH):  # "D2 and D3 receptors"
        start = short.end()
    for _ in range(4):
        molecule = read_molecule_after(text, start)
        if molecule is None:
            return
        yield molecule
        joined = re.match(r"(?: \([^()]{1,20}\))?(?:,? and |, )", text[molecule.end : molecule.end + 30])
        if joined is None:
            return
        start = molecule.end + joined.end()


_FIRST_OF_TWO = re.compile(r"(?:the )?[A-Z]\d(?:,? and |, |/)")
_LEADS_TO = re.compile(
    r"\b(?:regulat|control|mediat|inhibit|suppress|activat|promot|induc|reduc|increas|stimulat|block|lead|led|result|"
    r"caus|driv|catalys|catalyz|modulat|trigger|involved in|role in|attenuat|enhanc|decreas|impair|prevent|limit)",
    re.I,
)
_COMES_OF = re.compile(r"\b(?:via|through|by|mediated|dependent|due to|because of|downstream of)\b", re.I)
_NO_CLAUSE = re.compile(r"[.;:]|\b(?:whereas|although|but)\b")
#: Characters between a target and a pathway.
_APART = 120


def find_pathways_of(text: str, forms: re.Pattern[str]) -> Iterator[Words]:
    """The pathways and processes that a sentence names downstream of a molecule, by a verb between the two, or as one
    whose name holds the molecule's ("AMPK/mTOR signalling")."""
    mentions = list(forms.finditer(text))
    for pathway in find_pathways(text) if mentions else ():
        if any(_is_downstream(text, mention, pathway) for mention in mentions):
            yield pathway


def _is_downstream(text: str, mention: re.Match[str], pathway: Words) -> bool:
    start, end = mention.span()
    if pathway.start <= start < pathway.end:
        return True
    between = text[end : pathway.start] if end <= pathway.start else text[pathway.end : start]
    if len(between) > _APART or _NO_CLAUSE.search(between) or _DENIED.search(between):
        return False
    leads = _LEADS_TO if end <= pathway.start else _COMES_OF
    return leads.search(between) is not None
