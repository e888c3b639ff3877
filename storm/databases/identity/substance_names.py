"""Parses substance names: salts, several substances in one name, and the FDA's suffixes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from storm.databases.formats.chembl import fold_name

#: Words after a substance's name that make a salt, ester or hydrate of it.
_SALTS = frozenset((
    "acetate", "adipate", "aluminum", "anhydrous", "arginine", "ascorbate", "aspartate", "benzathine", "benzoate",
    "besilate", "besylate", "bicarbonate", "bisulfate", "bisulphate", "bitartrate", "bromide", "butyrate", "calcium",
    "camphorsulfonate", "camsylate", "caproate", "carbonate", "chloride", "choline", "citrate", "cypionate",
    "decanoate", "diacetate", "dibromide", "dichloride", "diethylamine", "dihydrate", "dihydrochloride", "dimaleate",
    "dimeglumine", "dimesylate", "diolamine", "diphosphate", "dipropionate", "disodium", "disulfate", "ditosylate",
    "edisylate", "embonate", "enanthate", "epolamine", "erbumine", "esilate", "estolate", "esylate", "ethylsuccinate",
    "formate", "fosfate", "fumarate", "furoate", "gluceptate", "gluconate", "glucuronate", "glutamate", "glycolate",
    "hcl", "hemifumarate", "hemihydrate", "hemisulfate", "heptahydrate", "hexahydrate", "hippurate", "hyclate",
    "hydrate", "hydrobromide", "hydrochloride", "hydrogen", "hydrogensulfate", "hydroiodide", "hydroxide", "iodide",
    "isethionate", "isetionate", "lactate", "lactobionate", "lauroxil", "laurylsulfate", "lithium", "lysinate",
    "lysine", "magnesium", "malate", "maleate", "malonate", "mandelate", "meglumine", "mesilate", "mesylate",
    "methanesulfonate", "methylbromide", "methylsulfate", "monohydrate", "monohydrochloride", "monosodium", "mucate",
    "napadisylate", "napsilate", "napsylate", "nitrate", "olamine", "oleate", "oxalate", "oxoglurate", "palmitate",
    "pamoate", "pantothenate", "pentahydrate", "phenylpropionate", "phosphate", "pivalate", "polistirex", "potassium",
    "procaine", "propionate", "resinate", "saccharate", "salicylate", "sesquihydrate", "sodium", "stearate",
    "strontium", "succinate", "sulfate", "sulfonate", "sulphate", "tannate", "tartrate", "teoclate", "terephthalate",
    "tetrahydrate", "theoclate", "tosilate", "tosylate", "trifenatate", "triflutate", "trihydrate", "trisodium",
    "trolamine", "trometamol", "tromethamine", "undecanoate", "undecylenate", "valerate", "xinafoate", "zinc",
))  # fmt: skip
#: Words that make an ester, which is another substance: testosterone enanthate.
_ESTERS = frozenset((
    "acetate", "benzoate", "butyrate", "caproate", "cypionate", "decanoate", "diacetate", "dipropionate", "enanthate",
    "estolate", "ethylsuccinate", "furoate", "lauroxil", "oleate", "palmitate", "phenylpropionate", "pivalate",
    "propionate", "salicylate", "stearate", "undecanoate", "undecylenate", "valerate",
))  # fmt: skip
#: Those that make salts of some substances: octreotide acetate is a salt, hydrocortisone acetate an ester.
_SALTS_TOO = frozenset(("acetate", "benzoate", "diacetate", "salicylate", "stearate"))
#: The end of an acid's name; the names of its salts end in `ate`.
_ACID = re.compile(r"ic acid$", re.I)
#: Names shared by many substances: two records with such a name may be about different ones.
_GENERA = frozenset(("estrogens", "insulin", "interferon"))
#: Minerals: without the other half of a salt's name they are not a drug.
_CATIONS = frozenset((
    "aluminium", "aluminum", "ammonium", "antimony", "arsenic", "barium", "bismuth", "cadmium", "caesium", "calcium",
    "cerium", "cesium", "chromic", "chromium", "cobalt", "copper", "cupric", "europium", "ferric", "ferrous",
    "gadolinium", "gallium", "germanium", "gold", "hydrogen", "indium", "iridium", "iron", "lanthanum", "lead",
    "lithium", "lutetium", "magnesium", "manganese", "manganous", "mercuric", "mercury", "molybdenum", "nickel",
    "palladium", "platinum", "potassium", "radium", "rhenium", "rhodium", "rubidium", "ruthenium", "samarium",
    "scandium", "selenium", "silver", "sodium", "stannic", "stannous", "strontium", "thallium", "thallous", "tin",
    "titanium", "vanadium", "ytterbium", "yttrium", "zinc", "zirconium",
))  # fmt: skip
#: Halves of names that are not a drug alone: `dimethyl` of `dimethyl fumarate`, which is not a salt.
_HEADS = frozenset((
    "allyl", "amyl", "ascorbyl", "benzyl", "butyl", "cetyl", "choline", "diethyl", "dimethyl", "diroximel", "ethyl",
    "ethylene", "glyceryl", "glycol", "hexyl", "isoamyl", "isobutyl", "isopropyl", "lauryl", "menthyl", "methyl",
    "methylene", "monoethyl", "monomethyl", "myristyl", "octyl", "oleyl", "phenyl", "phenylmercuric", "propyl",
    "retinyl", "stearyl", "tocopheryl", "triethyl", "trimethyl", "trolamine", "vinyl",
))  # fmt: skip
#: Words for the form of a substance; they may follow a comma, as the words of a salt may.
_FORMS = frozenset((
    "biphasic", "conjugated", "dibasic", "dried", "esterified", "human", "isophane", "lente", "liposomal", "micronized",
    "monobasic", "pegylated", "purified", "recombinant", "regular", "semilente", "tribasic", "ultralente",
    "unesterified", "unspecified",
))  # fmt: skip
#: What chemists put before a word for a salt, and further words for the form of one substance.
_PREFIX = re.compile(r"^(?:(?:[dlrs]|dl|rs|rac|tert|n)-|hemi|sesqui)(?=[a-z]{4})")
_OF_ONE_SUBSTANCE = _SALTS - _ESTERS | _SALTS_TOO | _FORMS | {"base", "butylamine", "clathrate", "free"}
_CODE = re.compile(r"[A-Z]{1,6}[- ]?\d{2,8}[A-Z]?")
#: Words of salts that in a comma-separated list are substances of their own.
_LISTED = _CATIONS | {"arginine", "choline", "lysine"}
#: The separators of substances; after a comma may also come the salt or form of the same substance.
_SALT_OR_FORM = rf"(?:{'|'.join(sorted(_FORMS | _SALTS - _LISTED))}|\w*hydrate)\b"
_JOINED = re.compile(rf"(?:,|(?<!\s)(?=\s))\s+and\s+|(?:(?<!\s)\s+)?[;/+&]\s*|,\s++(?!{_SALT_OR_FORM})", re.I)
#: The FDA's suffix of biological products since 2017: four letters without meaning, unlike the excluded ones.
_SUFFIX = re.compile(r"(?<=\w{4})-(?!acid|alfa|base|beta|dota|free|gold|iron|like|live|poly|type|zinc)[a-z]{4}$", re.I)


def substances_in(text: str) -> list[str]:
    """The names of the single substances in a name."""
    return [part.strip() for part in _JOINED.split(text)]


def strip_suffix(name: str) -> str:
    """The name without the FDA's suffix."""
    return _SUFFIX.sub("", name)


def strip_salt(name: str) -> str:
    """The substance without the words of a salt: `imatinib` of `imatinib mesylate`; `sodium chloride` stays."""
    return next(_strip_salt_words(name), name)


def substance_of(name: str, stated: Collection[str]) -> str:
    """The substance of a salt, if it is one of the `stated` names; else the name unchanged."""
    return next((text for text in _strip_salt_words(name) if fold_name(text) in stated), name)


def same_substance(name: str) -> str | None:
    """The folded key that names of one substance share: `imatinib` for it and its mesylate, anhydrous or not, and
    `valproate` for an acid and its salts; None for a name of many substances, such as insulin.

    Esters of organic acids, and prodrugs with names of their own, are other substances. Phosphates count as salts,
    though a few are esters (clindamycin, dexamethasone): the body converts them to the substance that names them.
    """
    base = next(_strip_salt_words(name, _SALTS - _ESTERS), name)
    return None if base.casefold() in _GENERA else fold_name(_ACID.sub("ate", base))


def is_ester_or_salt(name: str, substance: str) -> bool:
    """Whether the name is the substance's plus words for an ester or salt."""
    return any(fold_name(text) == fold_name(substance) for text in _strip_salt_words(name))


def may_be_salt(name: str, substance: str) -> bool:
    """Whether the name is the substance's plus words for a salt, even such as make esters of other substances."""
    salts = _SALTS - _ESTERS | _SALTS_TOO
    return any(fold_name(text) == fold_name(substance) for text in _strip_salt_words(name, salts))


def is_form_of(name: str, substance: str) -> bool:
    """Whether the name is a code, or the words of the substance with others for a salt or form, in any order: `sodium
    warfarin`, `doxorubicin hydrochloride liposomal`. Meant for records that state the same international name."""
    words = [word.strip("(),") for word in name.casefold().split()]
    own = substance.casefold().split()
    if not set(own) <= set(words):
        return _CODE.fullmatch(name) is not None
    return all(_PREFIX.sub("", word) in _OF_ONE_SUBSTANCE for word in words if word not in own)


def _strip_salt_words(name: str, salts: Collection[str] = _SALTS) -> Iterator[str]:
    """The name without its last words for a salt, the shortest form first."""
    words = name.split()
    kept = len(words)
    if words and words[0].casefold() not in _CATIONS:
        while kept > 1 and words[kept - 1].casefold().strip("(),") in salts:
            kept -= 1
    if kept == 1 and words[0].casefold() in _HEADS:
        return
    yield from (" ".join(words[:number]).rstrip(",") for number in range(kept, len(words)))
