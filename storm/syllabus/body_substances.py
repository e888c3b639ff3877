"""Hormones and other substances of the body that are drugs, too: "insulin resistance" is about no treatment."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storm.models.names import fold_text

_SUBSTANCES = frozenset((
    "insulin", "glucagon", "testosterone", "estradiol", "oestradiol", "estrogen", "oestrogen", "estrogens",
    "progesterone", "cortisol", "hydrocortisone", "oxytocin", "vasopressin", "melatonin", "dopamine", "serotonin",
    "histamine", "adrenaline", "epinephrine", "noradrenaline", "norepinephrine", "erythropoietin", "leptin",
    "thyroxine", "calcitonin", "prolactin", "somatostatin", "glutamate", "glutamine", "glucose", "lactate",
    "albumin", "iron", "zinc", "calcium", "magnesium", "potassium", "copper", "selenium", "cholesterol", "folate",
    "interferon", "interleukin-2", "adenosine", "acetylcholine", "angiotensin", "gastrin", "secretin", "ghrelin",
    "relaxin", "growth hormone", "vitamin d", "vitamin a", "vitamin c", "vitamin e", "vitamin k", "nitric oxide",
))  # fmt: skip

#: What is said of the substance in the body, after its name and before it, in folded text.
MEASURED_AFTER = re.compile(
    r"[ -](?:resist\w*|sensitiv\w*|insensitiv\w*|secret\w+|signal\w*|respons\w+|actions?|receptors?|levels?|release|"
    r"concentrations?|production|producing|synthesis|content|genes?|mrna|autoantibod\w+|antibod\w+|like|pathways?|"
    r"homeostasis|metabolism|deficien\w*|status|(?:in)?dependen\w+|granules?|clearance|index|growth factor|substrate|"
    r"oscillations?|expression|transporters?|channels?|binding|uptake|influx|efflux|stimulated|mediated|axis|peaks?|"
    r"tolerance|degrad\w+|surge|rise|area)\b|"
    r"/(?:igf|insulin|glucagon|glucose|gluco\w+|akt|pi3k|cortisol|progesterone|estr\w+)\b"
)
MEASURED_BEFORE = re.compile(
    r"(?:\b(?:fasting|plasma|serum|urin\w+|salivary|circulating|endogenous|post-?prandial|brain|hepatic|tissue|blood|"
    r"intracellular|extracellular|c-peptide and|phase) |\bnon-?)$"
)


def is_body_substance(names: Sequence[str]) -> bool:
    """Whether a drug with these names is a substance of the body, too."""
    return any(fold_text(name) in _SUBSTANCES for name in names)


def is_measured(before: str, after: str) -> bool:
    """Whether the folded text around such a name is about the substance in the body, not about giving it."""
    return bool(MEASURED_BEFORE.search(before) or MEASURED_AFTER.match(after))
