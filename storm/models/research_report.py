"""The report on a question or topic."""

from typing import ClassVar

from storm.models.dossier import Dossier


class ResearchReport(Dossier):
    """The report on a question or topic: the fields of a dossier, where `drug` is the subject in one line, and always
    with `research`."""

    file_name: ClassVar[str] = "report"
