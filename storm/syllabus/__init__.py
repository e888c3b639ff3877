"""The syllabus of a job: reads its questions, counts their sources, and matches records to them by rules."""

from storm.syllabus.aboutness import subject_of
from storm.syllabus.assignment import Assigned, assign
from storm.syllabus.coverage import coverage, neediest_first
from storm.syllabus.loader import bundled_syllabus, load_syllabus
from storm.syllabus.relation import names_first, relation_of

__all__ = [
    "Assigned", "assign", "bundled_syllabus", "coverage", "load_syllabus", "names_first", "neediest_first",
    "relation_of", "subject_of",
]  # fmt: skip
