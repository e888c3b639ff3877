"""Public services on loopback that gain, change and retract records between a job and its update.

Each answers a search for records that were entered or changed since a day with these alone.
"""

from __future__ import annotations

import copy
import re
from typing import Any

from fault_server import FaultServer, Reply, Seen
from sound_services import (
    COUNTS,
    NOTHING_AT_OPENFDA,
    europepmc_page,
    europepmc_record,
    in_json,
    label,
    openfda_page,
    study,
    works,
)

SERVICES = ("europepmc", "clinicaltrials", "openfda", "crossref")
#: When a record was entered or last changed: long before any test, or after it.
BEFORE, AFTER = "2001-01-01", "2999-01-01"
_DAYS = re.compile(r"(?:FIRST_IDATE:\[|LastUpdatePostDate\]RANGE\[)(\d{4}-\d\d-\d\d)")

_SAID = {
    1: ("Pembrolizumab versus chemotherapy for lung cancer: a randomised phase 3 trial",
        "Median overall survival was 30.0 months with pembrolizumab and 14.2 months with chemotherapy (hazard ratio "
        "0.63; 95% CI 0.47 to 0.86; P=0.002)."),
    2: ("Adverse events of pembrolizumab in melanoma: a cohort study",
        "Grade 3 or higher adverse events were seen in 14% of patients given pembrolizumab; pneumonitis occurred in "
        "3.4%."),
    3: ("Pembrolizumab in bladder cancer: a randomised trial",
        "Median overall survival was 10.3 months with pembrolizumab and 7.4 months with chemotherapy (hazard ratio "
        "0.73; 95% CI 0.59 to 0.91)."),
    4: ("Adverse events of pembrolizumab in renal cancer: a cohort study",
        "Grade 3 or higher adverse events were seen in 17% of patients given pembrolizumab; colitis occurred in 1.7%."),
    5: ("Pembrolizumab in head and neck cancer: a randomised phase 3 trial",
        "Median overall survival was 8.4 months with pembrolizumab and 6.9 months with standard care (hazard ratio "
        "0.80; 95% CI 0.65 to 0.98)."),
}  # fmt: skip


def doi(number: int) -> str:
    return f"10.1000/kn{number}"


def paper(number: int) -> dict[str, Any]:
    title, abstract = _SAID[number]
    record = {"title": title, "abstractText": abstract, "doi": doi(number)}
    return europepmc_record(f"PPR{number}", "PPR") | record


class UpdatedServices:
    """The services' records, with the day of the last change of each; `down` are services that fail."""

    def __init__(self) -> None:
        self.papers = {number: (paper(number), BEFORE) for number in (1, 2, 3)}
        self.studies = {number: (study(number), BEFORE) for number in (1, 2)}
        self.labels = [label(1)]
        self.retracted: set[int] = set()
        self.down: set[str] = set()

    @staticmethod
    def after(number: int) -> tuple[dict[str, Any], str]:
        """A paper that came after the job."""
        return paper(number), AFTER

    def change(self) -> None:
        """Gain two papers and a study, change the state of another study, and retract a paper."""
        self.papers |= {number: self.after(number) for number in (4, 5)}
        changed = copy.deepcopy(study(1))
        changed["protocolSection"]["statusModule"]["overallStatus"] = "TERMINATED"
        self.studies |= {1: (changed, AFTER), 3: (study(3), AFTER)}
        self.retracted = {2}

    def play(self, server: FaultServer) -> None:
        server.on("/europepmc/search", self._find_papers)
        server.on("/studies", self._find_studies)
        server.on("/drug/label.json", self._find_labels)
        server.on("/drug/drugsfda.json", lambda seen: self._answer("openfda", NOTHING_AT_OPENFDA))
        server.on("/drug/event.json", lambda seen: self._answer("openfda", COUNTS))
        server.on("/works", self._find_notices)

    def _find_papers(self, seen: Seen) -> Reply:
        found = [one for one, day in self.papers.values() if day >= _since(seen.params["query"])]
        return self._answer("europepmc", europepmc_page(*found))

    def _find_studies(self, seen: Seen) -> Reply:
        found = [one for one, day in self.studies.values() if day >= _since(seen.params.get("filter.advanced", ""))]
        return self._answer("clinicaltrials", in_json({"studies": found, "totalCount": len(found)}))

    def _find_labels(self, seen: Seen) -> Reply:
        return self._answer("openfda", openfda_page(*self.labels) if self.labels else NOTHING_AT_OPENFDA)

    def _find_notices(self, seen: Seen) -> Reply:
        kind, wanted = seen.params["filter"].partition(":")[0], re.findall(r"10\.1000/\w+", seen.params["filter"])
        if kind == "updates":
            return self._answer("crossref", works(*(_notice(n) for n in sorted(self.retracted) if doi(n) in wanted)))
        known = ({"DOI": one, "title": ["Pembrolizumab"], "type": "posted-content"} for one in wanted)
        return self._answer("crossref", works(*known))

    def _answer(self, service: str, reply: Reply) -> Reply:
        return Reply("", status=403) if service in self.down else reply


def _since(text: str) -> str:
    match = _DAYS.search(text)
    return match[1] if match else ""


def _notice(number: int) -> dict[str, Any]:
    about = {"DOI": doi(number), "type": "retraction", "updated": {"date-parts": [[2024, 3, 26]]}}
    return {"DOI": f"10.1000/notice{number}", "title": ["Retraction"], "update-to": [about]}
