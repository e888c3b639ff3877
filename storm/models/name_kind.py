"""The kinds of a drug's names."""

from enum import StrEnum


class NameKind(StrEnum):
    """The kind of a drug's name, most informative first; `inn` covers international and national generic names."""

    INN = "inn"
    SALT = "salt"
    BRAND = "brand"
    CODE = "code"
    OTHER = "other"
