"""A syllabus whose questions cannot be told apart, or from look-ups, is refused."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from storm.models import Question, Syllabus


@pytest.mark.parametrize("key", ["names", "sources"])
def test_a_key_that_the_search_log_has_for_look_ups_is_refused(key: str) -> None:
    question = Question(key=key, label="Names", description="What is it called?", min_sources=1)
    with pytest.raises(ValidationError, match=f"'{key}' is no key for a question"):
        Syllabus(name="own", questions=(question,))
