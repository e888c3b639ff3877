"""Which names of molecules are names of one target: by texts that define or join them, and by usual synonyms."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence

from storm.extractive.mechanism_words import fold_words, is_molecule, is_symbol
from storm.models.names import split_words

#: Words before a short name in brackets, among which its long form is.
_LONG_FORM_REACH = 100
#: Names of one protein each, of which databases, labels and articles prefer different ones; letters and digits only.
_SYNONYMS = {
    name: names.split()[0]
    for names in (
        "her2 erbb2 cerbb2 her2neu neu cd340 p185her2",
        "egfr erbb1 her1",
        "complexi mitochondrialcomplexi nadhdehydrogenase mitochondrialnadhdehydrogenase nadhubiquinoneoxidoreductase "
        "mitochondrialcomplexinadhdehydrogenase",
        "gpd2 mgpd mgpdh mitochondrialglycerol3phosphatedehydrogenase mitochondrialglycerophosphatedehydrogenase",
        "dpp4 dppiv cd26 dipeptidylpeptidase4 dipeptidylpeptidaseiv",
        "hmgcr hmgcoareductase hmgcoenzymeareductase 3hydroxy3methylglutarylcoareductase",
        "nmdar nmdareceptor nmethyldaspartatereceptor glutamatenmdareceptor",
        "pd1 pdcd1 programmedcelldeathprotein1 programmeddeath1",
        "pdl1 cd274",
        "cd20 ms4a1",
        "vegfa vegf vascularendothelialgrowthfactora",
        "cox2 ptgs2 cyclooxygenase2",
        "sglt2 slc5a2 sodiumglucosecotransporter2",
        "glp1r glp1receptor glucagonlikepeptide1receptor",
    )
    for name in names.split()
}
#: The genes of the subunits of mitochondrial complex I.
_OF_COMPLEX_I = re.compile(r"(?:mt)?nd[1-6]l?|nduf\w*")
#: A symbol at the end of a long name: "Receptor protein-tyrosine kinase erbB-2".
_LAST_SYMBOL = re.compile(r"\s([A-Za-z][A-Za-z-]{2,8}\d{1,2}[A-Z]?)$")
#: What a text puts between two names of one protein.
_ALSO = (
    r"(?:(?: \(|, )(?:(?:also |formerly |previously )?(?:known as|called|named) |encoded by (?:the )?|"
    r"(?:the |a )?(?:gene )?product of (?:the )?)| \(or )"
)
#: "HER2, the protein that ERBB2 encodes".
_MADE_OF = r"(?:, the| \(the) (?:protein|receptor) (?:that )?(?:the )?"


def group_names(names: Iterable[str], texts: Sequence[str]) -> list[tuple[str, ...]]:
    """The names of each target, as they were given; those that a text defines as no molecule are left out."""
    given = list(dict.fromkeys(names))
    longs = _read_definitions({word for name in given for word in simplify(name).split()}, texts)
    no_molecules = {long for long in longs.values() if not is_molecule(" ".join(long))}
    groups: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in given:
        words = (longs.get(word, (word,)) for word in simplify(name).split())
        groups[fold_words(" ".join(part for word in words for part in word))].append(name)
    for tail in sorted(groups, key=lambda key: (len(key), key)):
        longer = [key for key in groups if len(key) > len(tail) and key[-len(tail) :] == tail]
        if len(longer) == 1:  # "complex I" beside "mitochondrial complex I"
            groups[longer[0]] += groups.pop(tail)
    return _join_groups([groups[key] for key in sorted(groups) if key not in no_molecules], texts)


def simplify(name: str) -> str:
    """A name without what a record adds: "Glutamate [NMDA] receptor" is the NMDA receptor, "HER2/neu receptor" HER2."""
    if is_symbol(first := name.partition("/")[0]):
        return first
    bracket = re.search(r"\[([^\[\]]{2,20})\]", name)
    return f"{bracket[1]}{name[bracket.end() :]}" if bracket else name


def list_forms(name: str) -> list[str]:
    """A name as texts may write it: simplified, and its own symbol."""
    return list(dict.fromkeys((simplify(name), *_list_symbols(name))))


def _join_groups(groups: Sequence[Sequence[str]], texts: Sequence[str]) -> list[tuple[str, ...]]:
    """The groups, those that are known under one name together."""
    joined: list[tuple[set[Hashable], list[str]]] = []
    own = [{key for name in group for key in _list_keys(name)} for group in groups]
    symbols = {word for group in groups for name in group for word in _list_symbols(name)}
    pairs = list(_find_pairs(symbols, texts))
    for group, keys in zip(groups, own, strict=True):
        keys_of: set[Hashable] = {*keys, *(pair for pair in pairs if not keys.isdisjoint(pair))}
        names = list(group)
        for other in [one for one in joined if not one[0].isdisjoint(keys_of)]:
            joined.remove(other)
            keys_of |= other[0]
            names = [*other[1], *names]
        joined.append((keys_of, names))
    return [tuple(names) for _, names in joined]


def _list_keys(name: str) -> Iterator[str]:
    """Under which keys a name is the same as another."""
    for form in (simplify(name), *_list_symbols(name)):
        key = re.sub(r"[\W_]", "", form.casefold())
        key = key.removesuffix("receptor") if key.removesuffix("receptor") in _SYNONYMS else key
        yield "complexi" if _OF_COMPLEX_I.fullmatch(key) else _SYNONYMS.get(key, key)


def _list_symbols(name: str) -> list[str]:
    """The symbols that are a whole name, or its last word after others."""
    last = _LAST_SYMBOL.search(name)
    whole = simplify(name)
    return [*([whole] if is_symbol(whole) else ()), *([last[1]] if last else ())]


def _find_pairs(symbols: Iterable[str], texts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The keys of any two of the symbols that a text joins: "HER2, the protein that ERBB2 encodes"."""
    written = sorted(symbols, key=lambda symbol: (-len(symbol), symbol))
    if len(written) < 2:
        return
    either = "|".join(map(re.escape, written))
    pattern = re.compile(rf"\b({either})(?:{_ALSO}({either})(?:[),;.]| gene\b)|{_MADE_OF}({either})(?: gene)? encodes)")
    found = {(match[1], match[2] or match[3]) for text in texts for match in pattern.finditer(text)}
    yield from sorted({tuple(key for name in pair for key in _list_keys(name)) for pair in found})


def _read_definitions(words: Iterable[str], texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The long form of each symbol that a text defines, the one that is defined most often."""
    longs: dict[str, tuple[str, ...]] = {}
    for short in filter(is_symbol, words):
        counts = Counter(fold_words(long) for text in texts for long in _find_long_forms(short, text))
        if counts:
            longs[short] = min(counts, key=lambda long: (-counts[long], long))
    return longs


def _find_long_forms(short: str, text: str) -> Iterator[str]:
    """The long forms of a short name that a text defines: "AMP-activated protein kinase (AMPK)"."""
    for found in re.finditer(rf"\({re.escape(short)}[);,]", text):
        before = text[max(0, found.start() - _LONG_FORM_REACH) : found.start()].rstrip()
        words = re.findall(r"[^\s,;:()]+(?=[\s-]|$)", re.split(r"[.;:,()]\s", before)[-1])
        for count in range(1, min(len(words), len(short) + 3) + 1):
            if _has_letters(short, words[-count:]):
                yield " ".join(words[-count:])
                break


def _has_letters(short: str, words: Sequence[str]) -> bool:
    """Whether the words have the letters of the short name in order, and begin with the first."""
    long = " ".join(words).casefold()
    letters = [letter for letter in short.casefold() if letter.isalnum() and letter.isascii()]
    if not letters or not long.startswith(letters[0]):
        return False
    at = -1
    for letter in letters:
        at = long.find(letter, at + 1)
        if at < 0:
            return False
    return len(split_words(long)) >= len(letters) // 2
