"""The designs of studies."""

from __future__ import annotations

from enum import StrEnum


class Design(StrEnum):
    """The design of the study in a record; `NO_STUDY` is for records without one, such as labels and patents."""

    RANDOMISED = "randomised trial"
    SECONDARY = "secondary analysis of trials"
    META_ANALYSIS = "meta-analysis"
    NON_RANDOMISED = "non-randomised trial"
    INTERVENTIONAL = "interventional study"
    PHARMACOKINETIC = "pharmacokinetic"
    COHORT = "cohort"
    CASE_CONTROL = "case-control"
    CROSS_SECTIONAL = "cross-sectional"
    SPONTANEOUS_REPORTS = "spontaneous reports"
    CASE_REPORT = "case report"
    ANIMAL = "animal"
    IN_VITRO = "in vitro"
    IN_SILICO = "in silico"
    REVIEW = "review"
    GUIDELINE = "guideline"
    ECONOMIC = "cost-effectiveness model"
    PROTOCOL = "protocol"
    ERRATUM = "erratum"
    RETRACTION = "retraction notice"
    EDITORIAL = "editorial or letter"
    OTHER = "other"
    NO_STUDY = ""


#: Studies of cells or molecules, outside of any body.
OUTSIDE_BODIES = frozenset((Design.IN_VITRO, Design.IN_SILICO))
#: Documents without results of their own.
NO_REPORTS = frozenset((Design.PROTOCOL, Design.ERRATUM, Design.RETRACTION, Design.EDITORIAL))
