"""The questions of a job, and the version of their templates."""

from __future__ import annotations

from storm.models import Question, Syllabus


def make_syllabus(label: str = "Safety", **queries: tuple[str, ...]) -> Syllabus:
    question = Question(key="safety", label=label, description="Is it safe?", min_sources=1, queries=queries)
    return Syllabus(name="drug", questions=(question,))


def test_equal_syllabuses_have_one_version_whatever_the_order_of_their_templates() -> None:
    first = make_syllabus(pubmed=("harm",), chembl=("warnings",))
    assert first.version == make_syllabus(chembl=("warnings",), pubmed=("harm",)).version
    assert Syllabus.model_validate_json(first.model_dump_json()).version == first.version


def test_another_template_or_question_is_another_version() -> None:
    versions = {
        make_syllabus(pubmed=("harm",)).version,
        make_syllabus(pubmed=("harms",)).version,
        make_syllabus("Harm", pubmed=("harm",)).version,
    }
    assert len(versions) == 3
