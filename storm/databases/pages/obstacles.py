"""Detects pages shown in place of the requested one: robot checks, consent forms, paywalls, empty shells."""

from __future__ import annotations

import re
from typing import NamedTuple

#: The number of characters of markup to examine: these pages are short.
_MAX_MARKUP = 300_000


class _Obstacle(NamedTuple):
    """A page with this mark and at most `most` characters of text is this obstacle."""

    reason: str
    most: int
    mark: re.Pattern[str]


def _make_obstacle(reason: str, most: int, *marks: str) -> _Obstacle:
    return _Obstacle(reason, most, re.compile("|".join(marks), re.I))


_OBSTACLES = (
    _make_obstacle(
        "a proof of work or robot check", 1_500,
        r"\bPOW_CHALLENGE\b", r"\b_?cf_chl_opt\b", r"_Incapsula_Resource", r"captcha-delivery\.com", r"\bpx-captcha\b",
        r"\banubis_challenge\b",
        r"<title[^>]{0,99}>\s*(?:just a moment|preparing to download|checking your browser|attention required"
        r"|pardon our interruption|client challenge|making sure you|ddos-guard|access denied|robot check"
        r"|are you a robot|verify(?:ing)? (?:that )?you are (?:a )?human|security check|human verification)",
    ),
    _make_obstacle(
        "a consent form", 1_500,
        r"<title[^>]{0,99}>\s*(?:before you continue|consent\b|(?:cookie|privacy) (?:consent|choice|setting))",
        r"<form[^>]{0,500}action=[\"'][^\"'>]{0,300}\bconsent\b", r"//(?:consent|guce)\.(?:google|youtube|yahoo)\.com",
    ),
    _make_obstacle(
        "a paywall", 800,
        r"\"isAccessibleForFree\"\s*:\s*\"?false",
        r"\b(?:subscribe|sign in|log ?in) (?:now )?(?:to|for) (?:continu|read|view|access|full)",
        r"\b(?:purchase|buy) (?:access|this article|this chapter|the full|article|pdf)\b",
        r"\bpreview of subscription content\b", r"\b(?:only )?(?:available|open) (?:only )?to subscribers\b",
        r"\baccess (?:through|via) your (?:institution|organi[sz]ation)\b",
        r"\bget (?:full )?access to (?:the full|this)\b",
    ),
    _make_obstacle(
        "a page that needs JavaScript", 400,
        r"\b(?:enable|turn on|activate|requires?|needs?|without) (?:your browser's )?java ?script\b",
        r"\bjava ?script (?:is|was|has been|must be|needs to be|to be) (?:disabled|enabled|required|turned)",
    ),
)  # fmt: skip


def find_obstacle(markup: str, text: str) -> str:
    """The obstacle that this page is, given its main text; empty for a readable page.

    A mark alone is not enough: an article about paywalls, or a page with a `noscript` notice, has text.
    """
    start = markup[:_MAX_MARKUP]
    for kind in _OBSTACLES:
        if len(text) <= kind.most and kind.mark.search(start):
            return kind.reason
    return ""
