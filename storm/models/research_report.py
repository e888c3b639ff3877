"""The report on a question or topic."""

from typing import ClassVar

from storm.models.dossier import Dossier


class ResearchReport(Dossier):
    """The report on a question or topic: the fields of a dossier, where `drug` is the subject in one line, and always
    with `research`.

        report = storm.report("Is trastuzumab safe for the heart?")
        print(report.answers[0].statements[0].text)
    """

    file_name: ClassVar[str] = "report"
