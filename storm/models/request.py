"""A request: its subject, the reader's preferences, and the run settings."""

import string
import unicodedata
from enum import StrEnum
from typing import Any, Literal, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from storm.errors import Code, UsageError
from storm.models.base import Frozen
from storm.models.program import SavedProgram
from storm.models.research_settings import ResearchSettings
from storm.models.syllabus import Syllabus
from storm.value_wording import list_choices

#: Maximum characters of a drug's name, and of a question or topic.
MAX_NAME, MAX_TEXT = 200, 20_000
#: Latin letters and figures as East Asian keyboards write them, and the plain ones that records have. Signs stay: those
#: of a Chinese sentence are wide.
_FULL_WIDTH = {0xFEE0 + ord(plain): plain for plain in f"{string.ascii_letters}{string.digits}"}

_DRUG_NAME = "drug name"


def check_drug_name(name: str, what: str = _DRUG_NAME) -> str:
    """The name with plain spaces; UsageError, which calls it `what`, if it is empty, longer than 200 characters,
    without a letter or digit, or contains invisible characters."""
    name = name.translate(_FULL_WIDTH)
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
        raise UsageError(f"the {what} contains invisible characters", hint="type it again by hand")
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
    """A question or topic, possibly of several lines; UsageError if it is empty, too long, without a letter or digit,
    or contains control characters other than tabs and line breaks, or bytes that are not text."""
    text = text.translate(_FULL_WIDTH).strip()
    if not any(character.isalnum() for character in text):
        why = "has no letter or digit" if text else "is empty"
        raise UsageError(f"the {what} {why}", hint="write it out in words")
    if len(text) > MAX_TEXT:
        raise UsageError(f"the {what} has {len(text):,} characters, at most {MAX_TEXT:,} are taken", hint="shorten it")
    unseen = {unicodedata.category(character) for character in text if character not in "\t\n\r"}
    if "Cc" in unseen:
        raise UsageError(f"the {what} contains control characters", hint="type it again without escape codes")
    if "Cs" in unseen:
        raise UsageError(
            f"the {what} contains bytes that are not UTF-8 text", hint="type it again, or save it as UTF-8"
        )
    return text


#: The formats in which a report is written unless others are asked for; people open the first.
DEFAULT_FORMATS = ("html", "md", "json")


class RequestKind(StrEnum):
    """What a request is about."""

    DRUG = "drug"
    QUESTION = "question"
    TOPIC = "topic"
    REPURPOSING = "repurposing"

    @property
    def noun(self) -> str:
        """What such a request is called in messages."""
        return "repurposing question" if self is RequestKind.REPURPOSING else self.value


#: What happens to a statement that its source does not support.
Unsupported = Literal["remove", "mark"]

#: What is done before the first call of a job's agent: `rules` file what is plainly about the drug. Empty: not decided.
Prefill = Literal["", "rules", "none"]
#: What is decided where nothing was asked for.
DEFAULT_PREFILL: Prefill = "rules"


class Paper(StrEnum):
    """The paper of formats with pages."""

    A4 = "a4"
    LETTER = "letter"

    @classmethod
    def of(cls, name: str) -> Self:
        """The paper of that name; UsageError if there is none."""
        if name not in list(cls):
            raise UsageError(f"paper is {name!r}; it must be {list_choices(cls)}", setting="paper")
        return cls(name)


class JobLimits(Frozen):
    """The budget of a job's language models:

        storm.run("trastuzumab", model="openai/gpt-5", limits=storm.JobLimits(usd=2, minutes=10))

    US dollars, tokens, calls, minutes; None means no limit.
    """

    usd: float | None = Field(default=None, gt=0)
    tokens: int | None = Field(default=None, gt=0)
    calls: int | None = Field(default=None, gt=0)
    minutes: float | None = Field(default=None, gt=0)


class RunSettings(Frozen):
    """How a job is run: in a request as requested (`mode` may be empty), in a job as decided.

    `model` is used for every role; if it is empty, the configured models are used. `program` is the optimised program
    itself and not its file's name, as the file may change before a resume. `prefill` is for modes with an agent; jobs
    begun before it have none. `research` is for modes that plan their own questions.
    """

    mode: str = ""
    model: str = ""
    program: SavedProgram | None = None
    limits: JobLimits = JobLimits.model_construct()
    unsupported: Unsupported = "remove"
    prefill: Prefill = ""
    research: ResearchSettings = ResearchSettings.model_construct()

    @model_validator(mode="before")
    @classmethod
    def _read_earlier(cls, values: Any) -> Any:
        """Read the settings of jobs that were begun when the only one of research was `rounds`."""
        if not isinstance(values, dict) or "rounds" not in values:
            return values
        earlier = {name: value for name, value in values.items() if name != "rounds"}
        return {"research": {"max_iterations": values["rounds"]}, **earlier}


class ReportPreferences(Frozen):
    """How the reader wants the report, for modes that use this.

        storm.report("Is trastuzumab safe?", preferences=storm.ReportPreferences(length="short", sections=("Harms",)))

    Empty fields are left to the writer.
    """

    audience: str = ""
    length: str = ""
    tone: str = ""
    format: str = ""
    sections: tuple[str, ...] = ()


class JobRequest(Frozen):
    """What the user requested, without storm's decisions: all that a resume needs to repeat it.

    `text` is a drug's name, a question, a topic, or a drug and a disease. `meaning` chooses the drug if the name is
    ambiguous. Without a `syllabus` the planner makes the questions. `template` is the path of a DOCX file with a house
    style. `update_of` is the finished job whose dossier is brought up to date.
    `context` is what was said before a question was asked.
    """

    kind: RequestKind = RequestKind.DRUG
    text: str
    also: tuple[str, ...] = ()
    meaning: str = ""
    syllabus: Syllabus | None = None
    offline: bool = False
    databases: tuple[str, ...] = ()
    preferences: ReportPreferences = ReportPreferences.model_construct()
    settings: RunSettings = RunSettings.model_construct()
    out: str | None = None
    formats: tuple[str, ...] = DEFAULT_FORMATS
    paper: Paper = Paper.A4
    template: str | None = None
    update_of: str = ""
    context: str = ""

    @field_validator("text")
    @classmethod
    def _check_text(cls, value: str, info: ValidationInfo) -> str:
        kind = info.data.get("kind", RequestKind.DRUG)
        return check_drug_name(value) if kind is RequestKind.DRUG else check_text(value, kind.noun)

    @field_validator("context")
    @classmethod
    def _check_context(cls, value: str) -> str:
        return check_text(value, "context") if value.strip() else ""

    @field_validator("also")
    @classmethod
    def _check_synonyms(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(check_drug_name(name, "synonym") for name in value))

    @property
    def subject(self) -> str:
        """The job's title in lists: the text on one line, cut if it is long."""
        line = " ".join(self.text.split()) if self.kind is not RequestKind.DRUG else self.text
        return line if len(line) <= MAX_NAME else f"{line[: MAX_NAME - 1]}…"
