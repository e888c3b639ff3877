"""What was asked for: the subject, how the reader wants it, and how it is to be run."""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from storm.errors import Code, UsageError
from storm.models.base import Frozen
from storm.models.program import SavedProgram
from storm.models.syllabus import Syllabus

#: Characters of a drug's name, and of a question or a topic.
MAX_NAME, MAX_TEXT = 200, 20_000

_DRUG_NAME = "drug name"


def check_drug_name(name: str, what: str = _DRUG_NAME) -> str:
    """The name, its spaces plain ones; UsageError, which calls it `what`, if it is empty, over 200 characters, without
    a letter or digit, or has characters that cannot be seen."""
    text = "".join(" " if unicodedata.category(character) == "Zs" else character for character in name).strip()
    if not text:
        raise _bad_name_error(what, "is empty")
    if len(text) > MAX_NAME:
        raise _long_name_error(what, len(text))
    unseen = {unicodedata.category(character) for character in text if not character.isprintable()}
    if unseen & {"Cc", "Zl", "Zp"}:
        raise UsageError(
            f"the {what} contains control characters",
            hint="type it again without tabs, line breaks or escape codes",
        )
    if unseen:
        raise UsageError(f"the {what} contains characters that cannot be seen", hint="type it again by hand")
    if not any(character.isalnum() for character in text):
        raise _bad_name_error(what, "has no letter or digit")
    return text


def _bad_name_error(what: str, why: str) -> UsageError:
    if what != _DRUG_NAME:
        return UsageError(f"the {what} {why}", hint="give a name, or leave it out")
    return UsageError(f"the {what} {why}", hint='give one, for example "trastuzumab"', code=Code.DRUG_NAME_EMPTY)


def _long_name_error(what: str, length: int) -> UsageError:
    message = f"the {what} has {length:,} characters, at most {MAX_NAME} are taken"
    if what != _DRUG_NAME:
        return UsageError(message, hint="give one name each time")
    return UsageError(message, hint="give one name; synonyms go to `also`", code=Code.DRUG_NAME_LONG)


def check_text(text: str, what: str) -> str:
    """A question or topic, of several lines if need be; UsageError if it is empty, too long, without a letter or digit,
    or has control characters other than tabs and line breaks."""
    text = text.strip()
    if not any(character.isalnum() for character in text):
        raise UsageError(f"the {what} has no letter or digit" if text else f"the {what} is empty", hint="write it out")
    if len(text) > MAX_TEXT:
        raise UsageError(f"the {what} has {len(text):,} characters, at most {MAX_TEXT:,} are taken", hint="shorten it")
    if any(unicodedata.category(character) == "Cc" and character not in "\t\n\r" for character in text):
        raise UsageError(f"the {what} contains control characters", hint="type it again without escape codes")
    return text


class RequestKind(StrEnum):
    """What a request is about."""

    DRUG = "drug"
    QUESTION = "question"
    TOPIC = "topic"


#: What becomes of a statement that its source does not carry.
Unsupported = Literal["remove", "mark"]


class JobLimits(Frozen):
    """What the language models of a job may cost: dollars, tokens, calls, minutes; None is no limit."""

    usd: float | None = Field(default=None, gt=0)
    tokens: int | None = Field(default=None, gt=0)
    calls: int | None = Field(default=None, gt=0)
    minutes: float | None = Field(default=None, gt=0)


class RunSettings(Frozen):
    """How a job is run. In a request, as it was asked for: `mode` is empty where nobody chose; in a job, as decided.

    `model` was asked for by name, for every role; without one those of the configuration work. `program` is what they
    are shown: itself and not its file's name, since that may change before a resume. `rounds` is how often weak answers
    are searched for again, in a mode that does so.
    """

    mode: str = ""
    model: str = ""
    program: SavedProgram | None = None
    limits: JobLimits = JobLimits.model_construct()
    unsupported: Unsupported = "remove"
    rounds: int = Field(default=2, ge=0)


class Preferences(Frozen):
    """How the reader wants the report, for a mode that reads it; what is empty is left to the writer."""

    audience: str = ""
    length: str = ""
    tone: str = ""
    format: str = ""
    sections: tuple[str, ...] = ()


class JobRequest(Frozen):
    """What was asked for, and nothing that storm decided: all that a resume needs to do the same again.

    `text` is a drug's name, a question or a topic. `meaning` is which drug a name of several is to mean. Without a
    `syllabus` the planner makes the questions.
    """

    kind: RequestKind = RequestKind.DRUG
    text: str
    also: tuple[str, ...] = ()
    meaning: str = ""
    syllabus: Syllabus | None = None
    offline: bool = False
    databases: tuple[str, ...] = ()
    preferences: Preferences = Preferences.model_construct()
    settings: RunSettings = RunSettings.model_construct()
    out: str | None = None
    formats: tuple[str, ...] = ("md", "json")

    @field_validator("text")
    @classmethod
    def _check_text(cls, value: str, info: ValidationInfo) -> str:
        kind = info.data.get("kind", RequestKind.DRUG)
        return check_drug_name(value) if kind is RequestKind.DRUG else check_text(value, kind)

    @field_validator("also")
    @classmethod
    def _check_synonyms(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(check_drug_name(name, "synonym") for name in value))

    @property
    def subject(self) -> str:
        """What the job is listed by: the text on one line, a long one cut."""
        line = " ".join(self.text.split()) if self.kind is not RequestKind.DRUG else self.text
        return line if len(line) <= MAX_NAME else f"{line[: MAX_NAME - 1]}…"
