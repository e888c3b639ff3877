"""How the names of substances are put together: salts, several substances in one name, and the FDA's suffixes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from storm.databases.formats.chembl import folded_name

#: Words after a substance's name that make a salt, ester or hydrate of it.
_SALTS = frozenset((
    "acetate", "aluminum", "anhydrous", "arginine", "ascorbate", "aspartate", "benzathine", "benzoate",
    "besilate", "besylate", "bicarbonate", "bisulfate", "bisulphate", "bitartrate", "bromide", "butyrate", "calcium",
    "camsylate", "caproate", "carbonate", "chloride", "choline", "citrate", "cypionate", "decanoate", "diacetate",
    "dibromide", "dichloride", "dihydrate", "dihydrochloride", "dimaleate", "dimeglumine", "dimesylate", "diphosphate",
    "dipropionate", "disodium", "disulfate", "ditosylate", "edisylate", "embonate", "enanthate", "erbumine",
    "esilate", "estolate", "esylate", "ethylsuccinate", "formate", "fosfate", "fumarate", "furoate", "gluceptate",
    "gluconate", "glucuronate", "glutamate", "glycolate", "hcl", "hemifumarate", "hemihydrate", "hemisulfate",
    "heptahydrate", "hexahydrate", "hippurate", "hyclate", "hydrate", "hydrobromide", "hydrochloride", "hydroiodide",
    "hydroxide", "iodide", "isethionate", "isetionate", "lactate", "lactobionate", "lauroxil", "laurylsulfate",
    "lithium", "lysine", "magnesium", "malate", "maleate", "malonate", "mandelate", "meglumine", "mesilate",
    "mesylate", "methanesulfonate", "methylbromide", "methylsulfate", "monohydrate", "monohydrochloride",
    "monosodium", "mucate", "napadisylate", "napsilate", "napsylate", "nitrate", "oleate", "olamine", "oxalate",
    "oxoglurate", "palmitate", "pamoate", "pantothenate", "pentahydrate", "phenylpropionate", "phosphate", "pivalate",
    "polistirex", "potassium", "procaine", "propionate", "resinate", "saccharate", "salicylate", "sesquihydrate",
    "sodium", "stearate", "strontium", "succinate", "sulfate", "sulfonate", "sulphate", "tannate", "tartrate",
    "teoclate", "terephthalate", "tetrahydrate", "theoclate", "tosilate", "tosylate", "triflutate", "trifenatate",
    "trihydrate", "trisodium", "tromethamine", "trometamol", "undecanoate", "undecylenate", "valerate", "xinafoate",
    "zinc",
))  # fmt: skip
#: Salts of these have nothing in common but a mineral: what is left without the other half is no drug.
_CATIONS = frozenset((
    "aluminium", "aluminum", "ammonium", "antimony", "barium", "bismuth", "calcium", "cerium", "cesium", "chromic",
    "chromium", "cobalt", "copper", "cupric", "ferric", "ferrous", "gold", "iron", "lanthanum", "lithium", "magnesium",
    "manganese", "manganous", "mercuric", "potassium", "rubidium", "selenium", "silver", "sodium", "stannous",
    "strontium", "thallous", "zinc",
))  # fmt: skip
#: What parts one substance from the next; after a comma may also stand which form of the substance it is.
_JOINED = re.compile(
    r",?\s+and\s+|\s*[;/+&]\s*|,\s+(?!(?:anhydrous|conjugated|dibasic|dried|(?:un)?esterified|human|(?:mono|tri)basic|"
    r"purified|recombinant|unspecified|\w*hydrate)\b)",
    re.I,
)
#: What the FDA adds to the names of biological products since 2017: four letters without meaning.
_SUFFIX = re.compile(r"(?<=\w{4})-(?!acid|alfa|base|beta|gold|iron|zinc)[a-z]{4}$", re.I)


def substances_in(text: str) -> list[str]:
    """The names of the single substances."""
    return [part.strip() for part in _JOINED.split(text)]


def without_suffix(name: str) -> str:
    """The name without the FDA's suffix."""
    return _SUFFIX.sub("", name)


def unsalted(name: str) -> str:
    """The substance without what makes a salt of it: `imatinib` of `imatinib mesylate`; `sodium chloride` stays."""
    return next(_shortened(name), name)


def substance_of(name: str, stated: Collection[str]) -> str:
    """The substance of a salt, if that is a name in itself: one that some record states, or that was asked for."""
    return next((text for text in _shortened(name) if folded_name(text) in stated), name)


def _shortened(name: str) -> Iterator[str]:
    """The name without its last words, as far as they make a salt of it; the shortest first."""
    words = name.split()
    kept = len(words)
    if words and words[0].casefold() not in _CATIONS:
        while kept > 1 and words[kept - 1].casefold().strip("(),") in _SALTS:
            kept -= 1
    yield from (" ".join(words[:number]).rstrip(",") for number in range(kept, len(words)))
