"""Whether a work was retracted."""

from enum import StrEnum


class Retraction(StrEnum):
    """The retraction status of a work; `not_checked` is never reported as `not_retracted`."""

    RETRACTED = "retracted"
    CONCERN = "expression_of_concern"
    NOT_RETRACTED = "not_retracted"
    NOT_CHECKED = "not_checked"
