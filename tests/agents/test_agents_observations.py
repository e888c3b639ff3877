"""What tools return is shown as text; what is none is refused by the tool's name, never shown as its repr."""

from __future__ import annotations

import base64
import dataclasses
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

import dspy
import pytest
from pydantic import BaseModel

from storm.agents.observations import cut_observation, read_observation
from storm.errors import ToolError

PIXEL = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(600)).decode()
IMAGE = dspy.Image(f"data:image/png;base64,{PIXEL}")


class Found(BaseModel):
    title: str
    picture: Any = None


@dataclasses.dataclass
class Trial:
    number: str
    arms: list[Any]


class Pair(NamedTuple):
    left: int
    right: str


class Figure:
    """As PIL and matplotlib have them."""

    def __repr__(self) -> str:
        return "<Figure 640x480>"

    def _repr_png_(self) -> bytes:
        return b"\x89PNG"


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        ("as it is", "as it is"),
        (None, "None"),
        (3.5, "3.5"),
        (Decimal("0.10"), "0.10"),
        (date(2026, 11, 22), "2026-11-22"),
        ({"a": 1, "b": ["x", {"c": 2}]}, "a: 1\nb: x, c: 2"),
        ([1, ("x", "y")], "1\nx, y"),
        (Pair(1, "x"), "1\nx"),
        (Found(title="HERA"), "title: HERA\npicture: None"),
        (Trial("NCT00045032", ["A", "B"]), "number: NCT00045032\narms: A, B"),
        (dspy.Prediction(answer="42"), "answer: 42"),
        (dspy.Code(code="1 + 1"), "1 + 1"),
    ],
)
def test_what_is_text_or_made_of_it_is_shown_in_lines(result: Any, shown: str) -> None:
    assert read_observation(result, "look") == shown


@pytest.mark.parametrize(
    ("result", "named"),
    [
        (IMAGE, "an Image"),
        ([IMAGE], "an Image"),
        ({"caption": "a cell", "picture": IMAGE}, "an Image"),
        (Found(title="HERA", picture=IMAGE), "an Image"),
        (Trial("NCT00045032", [IMAGE]), "an Image"),
        (dspy.Prediction(picture=IMAGE), "an Image"),
        (dspy.Audio(data=PIXEL, audio_format="wav"), "an Audio"),
        (Figure(), "a Figure"),
        (b"\x89PNG", "a bytes"),
        (object(), "an object"),
        ("data:image/png;base64,iVBORw0KGgo=", "a string that is data:image/png"),
        ({"plot": "\nDATA:image/svg+xml,%3Csvg%3E"}, "a string that is data:image/svg+xml"),
        (["data:audio/wav;base64,UklGRg=="], "a string that is data:audio/wav"),
    ],
)
def test_what_is_not_text_is_refused_by_the_tool_s_name_and_no_repr_of_it_is_shown(result: Any, named: str) -> None:
    with pytest.raises(ToolError) as refused:
        read_observation(result, "look")
    assert refused.value.message == (f"look returned {named}, which an observation cannot hold: it must return text")


def test_a_long_observation_is_cut_and_says_by_how_much() -> None:
    assert cut_observation("x" * 100, 100) == "x" * 100
    assert cut_observation("x" * 101, 100) == "x" * 40 + "\n(cut here: 61 characters more)"
