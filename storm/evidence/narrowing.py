"""Whether a sentence or record is on what a question is narrowed to: a harm, a group of patients, a comparator."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile

from storm.citations.terms import stem_word
from storm.citations.vocabulary import GRAMMAR
from storm.evidence.passages import Passage
from storm.evidence.population import say_of_whom
from storm.evidence.short_terms import spell_out_terms
from storm.evidence.strength import evidence_of
from storm.evidence.subjects import compile_name_pattern, is_given_to_all
from storm.models import Evidence, Hit, Narrowing, Question
from storm.models.names import plain_words
from storm.syllabus.drug_names import DRUG_NAME

#: Shorter stems are whole words, or their plural; those of longer words that end with this sign are beginnings.
_SHORT_STEM = 5
_BEGINS, _SHORTEST_BEGINNING = "*", 4
#: How a sentence says that it compares.
_COMPARES = re.compile(
    r"\b(?:than|versus|vs|compar(?:ed|es?|ing|ison|able|ably|ative)|relative to|superior\w*|(?:non-?)?inferior\w*|"
    r"similar\w*|equivalen\w+|identical\w*|match\w*|bioequivalen\w+|interchangeab\w+|differ(?:ed|s|ent|ently|ence|ences)?|"
    r"equal(?:ly)?|as (?:effective|good|safe|much|many) as|"
    r"(?:works?|perform|fares?|did|(?:work|perform|far|tolerat|reliev|lower|reduc|improv|controll?|prevent|decreas|increas)"
    r"e?[ds])(?: [\w-]{1,20}){0,2} as well as|whereas|while|respectively|against|ratio|"
    r"(?:cheap|less|more|few|high|low|great|small|strong|weak|bett|wors|long|short)er|more|less)\b"
    r"|\d (?:\w+ ){0,3}(?:on|with|for|in|by) (?:\w+ ){1,3}and (?:\w+ )?\d"
    r"|\d ?%[^;]{1,80}\d ?%|\b(?-i:HR|OR|RR)\b|\badvantage\b|\bp ?[<=]",
    re.I,
)

#: What is depressed other than mood: one word with it, so that neither is read as the disease.
_DEPRESSED = re.compile(
    r"\b((?:(?:cardio)?respiratory|ventilatory|cardiovascular|circulatory|cardiac|myocardial|marrow|immune|cns|"
    r"nervous system|synaptic|spreading|st|st[- ]segment|long[- ]term)(?:(?: and |/|, )(?:(?:cardio)?respiratory|"
    r"ventilatory|cardiovascular|circulatory|cardiac|myocardial|cns)){0,3}) depression\b",
    re.I,
)
#: Words that name no contrast agent.
IN_CONTRAST = re.compile(r"\b(?:in|by) (?:\w+ )?contrast\b", re.I)
#: When something was measured, and what became less: no stay in hospital and no fall as an outcome.
_STAY = re.compile(
    r"\b(?:during|throughout|prior to|before|at|between) (?:the |their |initial |index )*hospitali[sz]ation\b", re.I
)
_DECREASE = re.compile(
    r"\bfalls? (?:to|from|below|(?:in|of) (?=(?:the )?(?:\w+ ){0,2}(?:ha?em\w+|glucose|pressures?|levels?|counts?|"
    r"values?|scores?|rates?|weight|hba1c|cholesterol|egfr|sodium|potassium|temperature|saturation|fev1|concentrations?)\b))",
    re.I,
)
#: What dies or survives other than people: one word with it.
_OF_CELLS = re.compile(
    r"\b(cell|cellular|neuronal|neuron|bacterial|programmed|apoptotic) (?=(?:death|survival|mortality)\b)", re.I
)
#: A number that belongs to the word before it: one word with that, so that "type 1 diabetes" is no type 2.
_NUMBERED = re.compile(r"\b(type|stage|grade|phase|class) (\d{1,2}|i{1,3}v?|iv)\b", re.I)
#: What a protein interacts with: no interaction of drugs.
_OF_PROTEINS = re.compile(
    r"\binteract\w*(?= (?:\w+ ){0,3}?(?:with|between) (?:\w+ ){0,4}?(?:receptors?|proteins?|members|domains?|kinases?|"
    r"subunits?|ligands?|dna|rna|family)\b)",
    re.I,
)
#: Children who are treated themselves, and what is of those whose mothers were.
_CHILDREN = re.compile(r"\b(?:child|kid|teen|adolescen|youth|p(?:a)?ediatric)", re.I)
_OF_MOTHERS = re.compile(r"\b(?:pregnan\w+|gestation\w*|maternal\w*|mothers?|GDMs?)\b", re.I)
#: Letters that are written in two ways.
_SPELLINGS = (("ae", "e"), ("oe", "e"), ("sulph", "sulf"))
#: What stands between two things that are given together: "plus", "in combination with"; after a word for it, "and".
_PLUS = re.compile(
    r"(?: ?[+/] ?| plus | (?:alone or |alone and )?(?:in )?(?:combination|combined|together) with |"
    r" (?:when )?added to )",
    re.I,
)
_AND = re.compile(r" (?:and|with|to) ", re.I)
_COMBINES = re.compile(r"\b(?:combin\w+|add\w*|dual|both)\b(?: (?:of|the|therapy|with))*\s$", re.I)
#: Characters read before two things for such a word.
_REACH = 40
#: How a sentence begins that says itself of whom it is.
_OPENING = re.compile(
    r"(?:in|for|among) (?:(?:\w+ )?(?:patients|people|subjects|women|men|children|adults) (?:with|who have) )?"
    r"(?:[\w-]+ ){0,3}?(?:diseases?|disorders?|syndromes?|cancers?|carcinomas?|tumou?rs?|infections?|failure|diabetes|"
    r"hypertension|asthma|schizophrenia|depression|epilepsy|dementia|sclerosis|obesity|\w+itis|\w+a?emia|\w+osis)\b",
    re.I,
)
_LIST = re.compile(r"[,/]")
_CLAUSE_END = re.compile(r"[.;:?!](?:\s|$)")
#: The other side of a comparison that is not a drug, and sides that are named without their drugs.
_NO_DRUG = re.compile(r"\b(?:placebo|sham|vehicle|(?:no|without) (?:\w+ )?(?:treatment|therapy)|usual care)\b", re.I)
_SIDES = re.compile(
    r"\b(?:(?:added|add-?on(?: (?:therapy|treatment))?|addition) to|background of|"
    r"(?:inadequate|poor|insufficient)ly controlled (?:on|with))"
    r"(?: (?:an?|the|ongoing|stable|background|current|existing))*\s$",
    re.I,
)
#: Characters read before a drug for it.
_BEFORE = 80
_SIDES = re.compile(r"\b(?:groups|arms|treatments|drugs|regimens|both|either|neither|between)\b", re.I)
#: How many words may stand within a name, and how many of a list: "gastric or gastro-oesophageal junction cancer".
_WITHIN, _LISTED, _JOINED = 1, 5, frozenset(("and", "or"))
#: Between the last word of a name and its others, where it comes first: "cancer of the breast".
_OF = frozenset(("of", "the", "a", "an"))
#: Characters of a record in which what a question is narrowed to is looked for, and of a trial's report in which its
#: short name is.
_MOST_READ, _MOST_OF_ABSTRACT = 500_000, 4_000
#: Names of copies of a drug, of which records name products: a record's title says that its product is one.
COPIES = re.compile(r"(?:biosimilar|generic)s?")
#: The short name of a trial: "KATHERINE".
_SHORT_NAME = re.compile(r"[A-Z][A-Z\d-]{3,19}")
_JOINS = re.compile(r" and |/|, ", re.I)


def is_on_question(passage: Passage, hit: Hit, question: Question, names: Sequence[str]) -> bool:
    """Whether a sentence is on what the question about a drug of these names is narrowed to: on one of its outcomes,
    one of its comparators, its people, and half of its other settings, such as what is given with the drug."""
    is_on = {one: _is_on(one, passage, hit, names) for one in question.about}
    settings = [found for one, found in is_on.items() if one.role == "setting"]
    others = [
        [found for one, found in is_on.items() if one.role == role] for role in ("outcome", "population", "comparator")
    ]
    is_on_others = all(any(found) for found in others if found)
    return 2 * sum(settings) >= len(settings) and is_on_others and not _is_of_mothers(passage, hit, question)


def names_outcome(sentence: str, question: Question) -> bool:
    """Whether a sentence names an outcome that the question is narrowed to; copies of the drug are none."""
    outcomes = [one for one in question.about if one.role == "outcome" and not names_copies(one)]
    return bool(outcomes) and any(_has_phrase(one, _plain_words(sentence)) for one in outcomes)


def names_anything(sentence: str, question: Question) -> bool:
    """Whether a sentence itself names something that the question is narrowed to."""
    return any(_has_phrase(one, _plain_words(sentence)) for one in question.about)


def names_phrase(text: str, phrases: tuple[str, ...]) -> bool:
    """Whether the words of one of the phrases stand together in a text, in any of their forms: "cancer of the breast"
    and "breast or lung cancer" name breast cancer, "cancer after breast surgery" does not."""
    clauses = [_plain_text(_LIST.sub(" and ", part)) for part in _CLAUSE_END.split(text)]
    return any(
        all(stem.removesuffix(_BEGINS) in clause for stem in stems) and _stand_together(stems, clause.split())
        for stems in _stems_of(phrases)
        for clause in clauses
    )


def names_all_words(one: Narrowing, text: str) -> bool:
    """Whether a text has all words of one of the phrases, wherever they stand."""
    return _has_phrase(one, _plain_words(text))


def may_answer(hit: Hit, question: Question) -> bool:
    """Whether a record names, anywhere in its first half million characters, what the question compares with, or else
    everything that it is narrowed to."""
    needed = [one for one in question.about if one.role == "comparator"] or question.about
    read = (hit.title, *hit.list_first_texts(_MOST_READ)) if question.about else ()
    texts = [_plain_words(text) for text in read]
    found = [any(_has_phrase(one, words) for words in texts) for one in needed]
    return any(found) if needed is not question.about else all(found)


def names_copies(one: Narrowing) -> bool:
    """Whether a question is narrowed to the drug's biosimilars or generics."""
    return bool(COPIES.fullmatch(one.label.casefold()))


def _is_on(one: Narrowing, passage: Passage, hit: Hit, names: Sequence[str]) -> bool:
    if one.role == "comparator" and not (_COMPARES.search(passage.shown) and _compares(one, passage.shown, names)):
        return False
    if _has_phrase(one, _plain_words(spell_out_terms(passage.shown, hit))):
        return one.role != "comparator" or _names_side(one, passage.shown, names)
    if names_copies(one) and one.role != "comparator":
        return _has_phrase(one, _plain_words(hit.title))
    if one.role == "outcome" or (one.role == "comparator" and _names_another(passage.shown, names)):
        return False
    if one.is_setting and _OPENING.match(passage.shown):  # of whom it is, it says itself
        return False
    of_whom = say_of_whom(hit) if one.is_setting else hit.title
    if one.role == "setting" and _SHORT_NAME.fullmatch(one.label) and evidence_of(hit) is Evidence.RANDOMISED:
        of_whom = " ".join((hit.title, *hit.list_first_texts(_MOST_OF_ABSTRACT)))
    return _has_phrase(one, _plain_words(f"{passage.shown} {of_whom} {passage.section.name}"))


def _is_of_mothers(passage: Passage, hit: Hit, question: Question) -> bool:
    """Whether a sentence is on treated mothers and their newborns, where the question asks for children who are
    treated themselves."""
    asked = " ".join((*(one.label for one in question.about), *question.focus))
    asks_children = _CHILDREN.search(asked) and not _OF_MOTHERS.search(asked)
    return bool(asks_children and _OF_MOTHERS.search(f"{hit.title} {passage.shown}"))


def _compares(one: Narrowing, sentence: str, names: Sequence[str]) -> bool:
    """Whether what a sentence names beside both together is both of them: "A plus B versus B" does not compare A with
    B."""
    own, other = compile_name_pattern(tuple(names)), compile_name_pattern(one.phrases)
    rest, start = "", 0
    found = sorted([*own.finditer(sentence), *other.finditer(sentence)], key=lambda match: match.start())
    for first, second in pairwise(found):
        between = sentence[first.end() : second.start()]
        is_pair = bool(own.fullmatch(first[0])) is not bool(own.fullmatch(second[0]))
        before = sentence[max(0, first.start() - _REACH) : first.start()]
        if is_pair and (_PLUS.fullmatch(between) or (_AND.fullmatch(between) and _COMBINES.search(before))):
            rest += sentence[start : first.start()]
            start = second.end()
    rest += sentence[start:]
    return not start or bool(own.search(rest) and other.search(rest))


def _names_side(one: Narrowing, sentence: str, names: Sequence[str]) -> bool:
    """Whether a sentence that names what the drug is compared with has the drug, too, not as what all sides were given
    (or both as that), or does not name it and speaks of both sides."""
    own, other = compile_name_pattern(tuple(names)), compile_name_pattern(one.phrases)
    if not own.search(sentence):
        return bool(_SIDES.search(sentence))
    return not is_given_to_all(sentence, own) or is_given_to_all(sentence, other)


def _names_another(sentence: str, names: Sequence[str]) -> bool:
    """Whether a sentence names another drug, or none, which may be what it compares with."""
    if _NO_DRUG.search(sentence):
        return True
    own = compile_name_pattern(tuple(names))
    return any(not own.match(sentence, other.start()) for other in DRUG_NAME.finditer(sentence))


def _has_phrase(one: Narrowing, words: Iterable[str]) -> bool:
    found = frozenset(words)
    return any(all(_has_word(stem, found) for stem in stems) for stems in _stems_of(one.phrases))


def _stand_together(stems: Sequence[str], words: Sequence[str]) -> bool:
    starts = [n for n, word in enumerate(words) if _is_form(stems[0], word)]
    if any(_follow(stems[1:], words, n + 1) is not None for n in starts):
        return True
    ends = (n for n, word in enumerate(words) if len(stems) > 1 and _is_form(stems[-1], word))
    return any(_follow(stems[1:-1], words, n + 1) is not None for end in ends for n in starts if _is_of(words, end, n))


def _is_of(words: Sequence[str], end: int, start: int) -> bool:
    """Whether a name that starts here is of the word there: "cancer of the breast"."""
    return end < start <= end + len(_OF) and _OF.issuperset(words[end + 1 : start])


def _follow(stems: Sequence[str], words: Sequence[str], start: int) -> int | None:
    """Where the words of these stems end that follow, each near the one before; None if one does not."""
    for stem in stems:
        near = range(start, min(len(words), start + _LISTED + 1))
        found = next((n for n in near if _is_form(stem, words[n])), None)
        if found is None or not _is_within(words[start:found]):
            return None
        start = found + 1
    return start


def _is_within(words: Sequence[str]) -> bool:
    """Whether words may stand within a name: "breast and ovarian cancer", not "breast surgery in cancer"."""
    if not words or words[0] not in _JOINED:
        return len(words) <= _WITHIN and GRAMMAR.isdisjoint(words)
    return words[-1] not in _JOINED and (GRAMMAR - _JOINED).isdisjoint(words)


def _is_form(stem: str, word: str) -> bool:
    return word.startswith(stem.removesuffix(_BEGINS)) if len(stem) >= _SHORT_STEM else word in _short_forms(stem)


def _has_word(stem: str, words: frozenset[str]) -> bool:
    if len(stem) < _SHORT_STEM:
        return not words.isdisjoint(_short_forms(stem))
    beginning = stem.removesuffix(_BEGINS)
    return any(word.startswith(beginning) for word in words)


def _short_forms(stem: str) -> tuple[str, ...]:
    return (stem, f"{stem}s", f"{stem}d") if stem.endswith("e") else (stem, f"{stem}s")


@lru_cache(maxsize=256)
def _stems_of(phrases: tuple[str, ...]) -> Sequence[tuple[str, ...]]:
    """How the words of each phrase begin in all their forms."""
    split = ([word for word in _plain_words(phrase) if word not in GRAMMAR and word != "s"] for phrase in phrases)
    return [tuple(map(_beginning, words)) for words in split if words]


def _beginning(word: str) -> str:
    """What a word and its stem have in common; an inflammation is not all that is of the organ."""
    if word.endswith("itis"):
        return word.removesuffix("is")
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(word, stem_word(word), strict=False))
    stem = "".join(letter for letter, _ in pairs)
    ending = word.removeprefix(stem)
    if len(stem) >= _SHORT_STEM or ending in ("", "s"):
        return stem
    if ending == "e" or len(stem) < _SHORTEST_BEGINNING:  # "acute", "acne"
        return word
    return f"{stem}{_BEGINS}"  # "obesity" is of "obese", too


def _plain_words(text: str) -> list[str]:
    """The words of a text in one spelling."""
    return _plain_text(text).split()


def _plain_text(text: str) -> str:
    """The same words in one text, with spaces between them."""
    small = text.lower()
    if "contrast" in small:
        text = IN_CONTRAST.sub(" ", text)
    if "depre" in small:
        text = _DEPRESSED.sub(_join_depressed, text)
    if "interact" in small:
        text = _OF_PROTEINS.sub(" ", text)
    if "hospitali" in small:
        text = _STAY.sub(" ", text)
    if "fall" in small:
        text = _DECREASE.sub(" ", text)
    text = _NUMBERED.sub(r"\1\2", text)
    if "death" in small or "urv" in small or "mort" in small:
        text = _OF_CELLS.sub(r"\1", text)
    words = plain_words(text)
    for written, plain in _SPELLINGS:
        words = words.replace(written, plain)
    return words


def _join_depressed(match: re.Match[str]) -> str:
    parts = (re.sub(r"\W", "", part) for part in _JOINS.split(match[1]))
    return " ".join(f"{part}depression" for part in parts)
