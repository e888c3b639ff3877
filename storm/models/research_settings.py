"""The settings of research that plans its own questions: how broad, how deep, and how often it searches again."""

from collections.abc import Mapping
from typing import Any, Self

from pydantic import Field, ValidationError

from storm.errors import UsageError, suggest_name
from storm.models.base import Frozen
from storm.value_wording import describe_range


class ResearchSettings(Frozen):
    """How a job researches its questions: at most `max_questions`; `queries_per_question` searches for each, of
    `max_search_results` records a database; its `pages_read` best records are read in full, each up to
    `chars_per_source` characters; at most `max_iterations` times weak answers are searched for again. `temperature` is
    that of the models that plan and write.

        storm.report("Is trastuzumab safe?", research=storm.ResearchSettings(max_questions=6))
    """

    max_questions: int = Field(default=10, ge=1, le=40)
    queries_per_question: int = Field(default=4, ge=1, le=20)
    max_search_results: int = Field(default=5, ge=1, le=200)
    pages_read: int = Field(default=10, ge=1, le=200)
    max_iterations: int = Field(default=2, ge=0, le=50)
    chars_per_source: int = Field(default=12_000, ge=500, le=200_000)
    temperature: float = Field(default=0.1, ge=0, le=2)

    @classmethod
    def parse(cls, values: Mapping[str, Any]) -> Self:
        """The settings with these values, by name; UsageError if a name is unknown or a value is not allowed."""
        for name in values:
            if name not in cls.model_fields:
                raise UsageError(
                    f"{name!r} is not a setting of research",
                    hint=f"{suggest_name(name, cls.model_fields)}there are: {', '.join(cls.model_fields)}",
                )
        try:
            return cls.model_validate(dict(values))
        except ValidationError as exc:
            problem = exc.errors(include_url=False)[0]
            name = str(problem["loc"][0])
            raise UsageError(
                f"the setting {name} is {problem['input']!r}; it must be {cls._describe_range(name)}",
                hint="give another value",
            ) from exc

    @classmethod
    def _describe_range(cls, name: str) -> str:
        field = cls.model_fields[name]
        bounds = {end: getattr(bound, end) for bound in field.metadata for end in ("ge", "le") if hasattr(bound, end)}
        return describe_range(bounds.get("ge"), bounds.get("le"), is_whole=field.annotation is int)
