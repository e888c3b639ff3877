"""The types of evidence."""

from __future__ import annotations

from enum import StrEnum


class Evidence(StrEnum):
    """The type of evidence of a record, as shown to readers; the strongest first."""

    META_ANALYSIS = "meta-analysis or systematic review"
    RANDOMISED = "randomised trial"
    SECONDARY = "secondary analysis of trials"
    OTHER_TRIAL = "other clinical trial"
    REGULATORY = "regulatory record"
    OBSERVATIONAL = "observational study"
    REVIEW = "review or guideline"
    PRECLINICAL = "animal or laboratory study"
    PATENT = "patent"
    NOTICE = "protocol or notice"
    OTHER = "other"
