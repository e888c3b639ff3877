"""Patterns for the role of a drug in a study: comparator, concomitant treatment or earlier treatment.

All patterns read folded text (storm.models.names): lower case, no accents, every dash a hyphen.
"""

from __future__ import annotations

import re

VERSUS = re.compile(r"\b(?:versus|vs\.?|compared (?:with|to))\s*$")
AGAINST = re.compile(
    r"\b(?:versus|vs\.?|v\.|compar(?:ed|ison|able|ing) (?:with|to|against)|in comparison (?:with|to)|against|over|than|"
    r"superior(?:ity)? to|non-?inferior(?:ity)? to|switch\w* from|instead of)\b"
)
#: "Adding zorvimab to" the drug, "zorvimab added to" it, or to a regimen with it.
ADDED_TO = re.compile(r"\b(?:added|adding|addition of) (?:(?!to\b)[\w-]+ ){0,4}to (?:[\w-]+,? (?:and |plus )?){0,2}$")
#: Earlier or concomitant treatment: these words come before the name of the drug, with at most three words between.
BACKGROUND = re.compile(
    r"(?:(?:inadequate|insufficient|poor|not (?:have )?adequate|suboptimal)(?:ly)? ?(?:glyc\w+ |blood glucose )?"
    r"(?:control\w*|respon\w+)?(?: (?:with|on|by|to|despite))?|uncontrolled (?:with|on|by)|"
    r"(?:add(?:ed)?[- ]?on|added|addition|adding) to|(?:on a )?background(?: of)?|"
    r"(?:previously|already|prior|earlier|pre-?)[- ]?(?:treated|treatment|therapy|receiv\w+|taking)(?: with| on)?|"
    r"progress\w+ (?:on|after|during|following)|refractory to|resistan\w+ to|fail\w* (?:of|on|with|to)|"
    r"after|following|despite|stable|combined with background|rescue (?:therapy|medication|treatment|drug))"
    r"(?:[\s,(]+(?!and\b|or\b|plus\b|versus\b|vs\b)[\w-]+){0,3}?[\s(]*$"
)
#: What people got, or could not get, before what is studied: "after previous" the drug, "-ineligible patients".
PRIOR = re.compile(
    r"\b(?:previous|prior|earlier|failed|failure of|progress\w+ (?:on|after|during|following)|ineligible for|unfit for|"
    r"intoleran\w+ (?:to|of))[\s-](?:[\w-]+ ){0,2}$"
)
PRIOR_AFTER = re.compile(
    r"(?:-based (?:[\w-]+ )?)?[- ](?:ineligible|unfit|refractory|pre-?treated|experienced|failures?)\b"
)
BACKGROUND_AFTER = re.compile(
    r"[- ](?:refractory|resistant|pre-?treated|treated|experienced|exposed|ineligible|unfit|unsuitable|intolerant)\b|"
    r" (?:was |as )?(?:the |a )?(?:\w+ )?rescue\b"
)
