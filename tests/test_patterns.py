"""Every regular expression over foreign text does work in proportion to the text: found in the source, all of them."""

from __future__ import annotations

import ast
import importlib
import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

import pytest
from regex_steps import MOST_GROWTH, StepCounter, worst_growth

import storm
from storm.evidence.ambiguity import _compile_use
from storm.evidence.dose import BOLUS_AND_INFUSION, DOSE_BESIDE, FREQUENCY_BEFORE, ROUTE_BESIDE
from storm.evidence.group_treatments import BEFORE_DRUG, DOSE_OF_GROUP
from storm.extractive.facets import FACETS, Facet
from storm.models import Question
from storm.reports.compared_arms import SIDES
from storm.reports.quoted_effects import ALONE, ARMS
from storm.reports.unclear_effects import GIVEN_OTHERWISE
from storm.syllabus import bundled_syllabus

PACKAGE = Path(storm.__file__).parent
#: Where the flags stand in a call of `re`.
CALLS = {
    "compile": 1, "search": 2, "match": 2, "fullmatch": 2, "findall": 2, "finditer": 2, "sub": 4, "subn": 4, "split": 3,
}  # fmt: skip
ANCHORED = {"match", "fullmatch"}

#: Patterns that are worse than linear, and what bounds the text that they are given.
BOUNDED = {
    "agents/drafts.py:_ADDRESS": "MAX_CHARACTERS, checked before",
    "agents/drafts.py:_BESIDE": "MAX_READ_TEXT, checked before",
    "citations/markers.py:_WORD_BEFORE": "a window of _REACH characters",
    "databases/http/sniffing.py:_PROLOGUE": "the first or the last _START bytes",
    "databases/http/sniffing.py:_xml_fault": "the last _START bytes",
    "evidence/arm_lists.py:_SIZED": "a sentence of _LONGEST characters",
    "evidence/arm_lists.py:_TRAILING": "a part of such a sentence",
    "evidence/population.py:_LAST_WORDS": "a part of a sentence of _SENTENCE characters",
    "evidence/population.py:_PEOPLE": "a title or a sentence of _SENTENCE characters",
    "syllabus/partners.py:_JOINED_AFTER": "a window of _REACH characters",
    "syllabus/partners.py:_JOINED_BEFORE": "a window of _REACH characters",
    "syllabus/regimens.py:BACKGROUND": "a window of _TEXT_REACH, _TITLE_REACH or _REACH characters",
}
#: What doubling the text may cost these: a little more than four times as much.
_SQUARE = 4.5
#: Patterns that are made of something when they are used, and one that is made so.
MADE = {
    "reports/relative_reductions.py:read_relative_reduction": (
        r"zorvimab (?:significantly )?(?:reduc\w+|cut) (?:the )?risk of ((?:(?!by\b)[\w-]+ ){0,6}?(?!by\b)[\w-]+) by "
        r"(\d{1,3}(?:\.\d{1,2})?) ?%[^()]{0,60}\("
    ),
    "patterns/alternatives.py:compile_alternatives": r"\b(?:relapse|death)\b|^pain",
    "reports/conjugate_effects.py:read_conjugate_effect": r"(?:zorvimab)[\s-](?:\w*tansine|\w*dotin|ozogamicin)\b",
    "citations/denials.py:_find_forms": r"(?<![^\W_])surviv|(?<=\bnon)surviv",
    "citations/denials.py:_asserts_stem": r"\bsurv\w*|\b(?:all|zero) (?:\w+ ){0,2}surv|\bsurv\w*[ -]free\b",
    "citations/numbers.py:_name_patterns": r"(?<![^\W\d_])pd-?l[\W_]{0,3}1(?![.·]?\d)",
    "databases/formats/clinicaltrials_results.py:_has_phrase": r"(?<!\w)Female(?!\w)",
    "databases/services/clinicaltrials_gov.py:fetch": r"NCT number\s+NCT02688803\s+not found",
    "databases/services/crossref.py:names_pattern": r"(?<!\w)(?:imatinib|gleevec)(?!\w)",
    "databases/services/epo_ops.py:fetch": r"EP123456(?:[A-Z]\d?)?",
    "databases/identity/resolution.py:_relation_of": r"(?<!\w)imatinib(?!\w)",
    "evidence/subjects.py:_compile_levels": (
        r"(?:(?<![^\W_])(?:zorvimab)(?![^\W_]))[ ‐-](?:[\w-]+ ){0,2}"
        r"(?:(?:concentrations?|levels?)\b|(?:was|were) (?:quantifiable|detectable|≥|>))|"
        r"\b(?:concentrations?|levels?) of (?:[\w-]+ ){0,2}(?:(?<![^\W_])(?:zorvimab)(?![^\W_]))"
    ),
    "evidence/abbreviations.py:_find_last_words": r"(?<!insulin )(?<![\w-])glargine\b",
    "evidence/abbreviations.py:_compile_name_pattern": r"(?<![\w-])BEV(?:[ -](?:group|arm))?(?![\w-])",
    "evidence/abbreviations.py:_compile_group_pattern": r"\b(?:[Gg]roups?|[Aa]rms?|[Cc]ohorts?)(?:[ -]| - )"
    r"K\b(?![.·]\d)"
    r"|(?<![\w-])K(?=(?: and| or| versus| vs\.?|,) [\w-]+ (?:groups|arms))|(?<![\w-])K[ -](?:[Gg]roups?)\b",
    "evidence/ambiguity.py:_compile_use": _compile_use(("imatinib mesylate", "imatinib")).pattern,
    "evidence/conditions.py:_compile_condition": r"\b(?:diarrh|infant)[\w-]*",
    "evidence/comparator.py:_are_given_together": r"\bcisplatin(?:/| plus | ?\+ ?)fluorouracil\b",
    "evidence/other_drugs.py:_compile_patterns": r"\bdpp-4\ inhibitors?\b",
    "evidence/subjects.py:compile_name_pattern": r"(?<![^\W_])(?:imatinib[\W_]+mesylate|imatinib)(?![^\W_])",
    "databases/identity/resolution.py:drugs_named_after": r"(?<!\w)interferon(?!\w)",
    "evidence/dose.py:read_dose": DOSE_BESIDE.replace("{name}", "imatinib"),
    "evidence/dose.py:_find_infusion": BOLUS_AND_INFUSION.replace("{name}", "imatinib"),
    "evidence/dose.py:_find_route": ROUTE_BESIDE.replace("{name}", "imatinib"),
    "evidence/dose.py:_find_frequency": FREQUENCY_BEFORE.replace("{name}", "imatinib"),
    "evidence/group_treatments.py:_compile_with_dose": f"{BEFORE_DRUG}(?:imatinib){DOSE_OF_GROUP}",
    "reports/compared_arms.py:_divide_arms": SIDES.format(name="imatinib"),
    "reports/unclear_effects.py:is_unclear": GIVEN_OTHERWISE.format(name="imatinib"),
    "reports/quoted_effects.py:_match_sentence": ALONE[0].replace("{name}", "imatinib"),
    "reports/quoted_effects.py:_spell_unit": r"4\.1\s?(kg(?:/[A-Za-z]{1,6})?)(?![A-Za-z])",
    "reports/quoted_effects.py:_gives_arms": ARMS.format(name="imatinib", other="docetaxel"),
    "extractive/same_targets.py:_find_long_forms": r"\(AMPK[);,]",
    "extractive/same_targets.py:_find_pairs": r"\b(HER2|ERBB2)(?:(?:(?: \(|, )(?:(?:also |formerly |previously )?"
    r"(?:known as|called|named) |encoded by (?:the )?|(?:the |a )?(?:gene )?product of (?:the )?)| \(or )"
    r"(HER2|ERBB2)(?:[),;.]| gene\b)|"
    r"(?:, the| \(the) (?:protein|receptor) (?:that )?(?:the )?(HER2|ERBB2)(?: gene)? encodes)",
    "extractive/facets.py:_compile": r"(?<![\w-])(?:pathways?|how do(?=\b[^.?!]{0,60} works?\b))(?![\w-])",
    "syllabus/relation.py:_compile_names": r"i(?<![^\W_]i)matinib[\W_]+mesylate(?![^\W_])",
}
#: Patterns that a syllabus holds, or a constant of the module; those that come with the program are tried below.
GIVEN = {
    "databases/formats/dates.py:", "databases/pages/obstacles.py:_make_obstacle",
    "patterns/alternatives.py:_count_letters", "syllabus/loader.py:_check_expression",
    "patterns/matches.py:_compile_lowered", "patterns/alternatives.py:compile_lowered",
}  # fmt: skip


class Pattern(NamedTuple):
    """A pattern and where it stands; `text` is None where it is made when it is used."""

    place: str
    text: str | bytes | None
    flags: int
    anchored: bool


def patterns_of(path: Path) -> Iterator[Pattern]:
    """All calls of `re` in a module."""
    source = path.read_text(encoding="utf-8")
    if "import re\n" not in source and "import compile_lowered\n" not in source:
        return
    tree = ast.parse(source)
    module = vars(importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)))
    named = {n.value: ast.unparse(n.targets[0]) for n in tree.body if isinstance(n, ast.Assign)}
    calls: list[tuple[ast.Call, str]] = []
    # Which attributes are read of each name, and how often the name stands in the module.
    uses, mentions = defaultdict(list), Counter[str]()
    for node, function in _walk(tree):
        if isinstance(node, ast.Name):
            mentions[node.id] += 1
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            uses[node.value.id].append(node.attr)
        elif _is_call_of_re(node):
            calls.append((node, function))
    for call, function in calls:
        name = named.get(call, "")
        place = f"{path.relative_to(PACKAGE)}:{name or function}"
        # A pattern is anchored if it is only tried where a text begins.
        anchored = _method_of(call) in ANCHORED
        if _method_of(call) == "compile":
            anchored = bool(uses[name]) and ANCHORED.issuperset(uses[name]) and mentions[name] == 1 + len(uses[name])
        yield Pattern(place, _value(call.args[0], module), _flags(call, module), anchored)


def _walk(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """The nodes as `ast.walk` has them, but for those that stand in no module, each with the function around it."""
    todo: deque[tuple[ast.AST, str]] = deque([(tree, "")])
    while todo:
        node, function = todo.popleft()
        yield node, function
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = node.name
        for field in node._fields:
            child = getattr(node, field, None)
            if isinstance(child, list):
                todo.extend((one, function) for one in child if isinstance(one, ast.AST))
            elif isinstance(child, ast.AST) and not isinstance(child, ast.expr_context):
                todo.append((child, function))


def _is_call_of_re(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and _method_of(node) in CALLS


def _method_of(call: ast.Call) -> str:
    """The function of `re` that is called, if one is; storm's own ways to compile a pattern take the same arguments."""
    name = ast.unparse(call.func)
    return (
        "compile"
        if name in ("compile_alternatives", "compile_lowered")
        else name.removeprefix("re.")
        if name.startswith("re.")
        else ""
    )


def _value(node: ast.expr, module: dict[str, Any]) -> Any:
    try:
        value = eval(compile(ast.Expression(node), "", "eval"), module)
    except NameError:
        return None
    return value if isinstance(value, str | bytes) else None


def _flags(call: ast.Call, module: dict[str, Any]) -> int:
    given = [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
    given += call.args[CALLS[_method_of(call)] :]
    return int(eval(ast.unparse(given[0]), {"flags": 0, **module})) if given else 0


PATTERNS = [pattern for path in sorted(PACKAGE.rglob("*.py")) for pattern in patterns_of(path)]


@pytest.mark.parametrize(
    "bad",
    [
        r"(a+)+b",
        r"(?:a|aa)+b",
        r"\s+$",
        r"\s*,",
        r"[A-Za-z]{3,}\^",
        r"(?<!\d)\d+(?:\.\d+)*%",
        r"(?:\s|<!--.*?-->)*$",
        r"(?:[a-z]+-)*\d",
        r"<a>\s*([^<]*?)\s*</a>",
        r"[.!?]+[)\]]*\s+",
        r"\([A-Z][A-Za-z]*[A-Z][A-Za-z]*\)",
        r"fail\w* to",
        r".*x",
    ],
)
def test_a_pattern_whose_work_grows_faster_than_its_text_is_found_out(bad: str) -> None:
    assert worst_growth(bad).ratio > MOST_GROWTH


@pytest.mark.parametrize(
    "good",
    [
        r"a+",
        r"(?:(?<!\s)\s+)?,",
        r"\ba\w*",
        r"(?<!\w)\w+!",
        r"\d{1,3}(?:,\d{3})*",
        r"<[^<>]*>",
        r"\W{0,9}x",
        r"\[\d+(?:, ?\d+)*\]",
    ],
)
def test_a_linear_pattern_passes(good: str) -> None:
    assert worst_growth(good).ratio <= MOST_GROWTH


@pytest.mark.slow
def test_the_counter_finds_the_matches_that_re_finds() -> None:
    texts = ["", "a", "12, 13", "x<!---->y", "aab  ,b", "HER2-x1.5 (AbC) \n\n z."]
    for pattern in PATTERNS:
        if isinstance(pattern.text, str):
            counter = StepCounter(pattern.text, pattern.flags, most_repeats=99)
            for text in texts:
                expected = [match.span() for match in re.finditer(pattern.text, text, pattern.flags)]
                assert counter.matches(text) == expected, (pattern.place, text)


def test_most_patterns_of_the_package_are_seen() -> None:
    assert len(PATTERNS) > 230
    assert sum(pattern.text is not None for pattern in PATTERNS) > 220


@pytest.mark.slow
@pytest.mark.parametrize(
    "pattern", [p for p in PATTERNS if p.text is not None and p.place not in BOUNDED], ids=lambda p: p.place
)
def test_a_pattern_works_in_proportion_to_its_text(pattern: Pattern) -> None:
    assert pattern.text is not None
    growth = worst_growth(pattern.text, pattern.flags, pattern.anchored)
    assert growth.ratio <= MOST_GROWTH, f"{pattern.place}: {growth.piece}; make it linear, or list what bounds its text"


def test_a_pattern_that_is_made_when_it_is_used_is_listed_with_an_example() -> None:
    made = {pattern.place for pattern in PATTERNS if pattern.text is None}
    assert made - BOUNDED.keys() == MADE.keys() | GIVEN


@pytest.mark.parametrize("example", MADE.values())
def test_an_example_of_a_made_pattern_is_linear(example: str) -> None:
    assert worst_growth(example).ratio <= MOST_GROWTH


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [p for p in PATTERNS if p.place in BOUNDED and p.text], ids=lambda p: p.place)
def test_a_pattern_over_bounded_text_grows_at_most_with_the_square(pattern: Pattern) -> None:
    assert pattern.text is not None
    assert worst_growth(pattern.text, pattern.flags, pattern.anchored, most=_SQUARE).ratio <= _SQUARE


def test_what_is_bounded_is_still_there() -> None:
    assert BOUNDED.keys() <= {pattern.place for pattern in PATTERNS}


@pytest.mark.parametrize("facet", FACETS, ids=lambda facet: facet.key)
def test_the_words_of_a_facet_are_found_in_proportion_to_the_text(facet: Facet) -> None:
    assert worst_growth(facet.pattern.pattern).ratio <= MOST_GROWTH


SYLLABUS = bundled_syllabus(PACKAGE.parent / "config")


@pytest.mark.parametrize("question", SYLLABUS.questions, ids=lambda question: question.key)
def test_the_rules_over_whole_texts_are_linear(question: Question) -> None:
    """Those of titles and sentences, and the cues, read texts of bounded length."""
    for rule in question.rules:
        if rule.where in ("text", "any", "type", "database", "relation"):
            assert worst_growth(rule.pattern, re.IGNORECASE).ratio <= MOST_GROWTH, rule.pattern
