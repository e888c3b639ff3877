"""What readers see in the pictures of a dossier and below them."""

from __future__ import annotations

APPROVALS = "Approvals over time"
APPROVALS_BASIS = (
    "The approvals of the table above by date{more}. A filled mark is the drug itself, an open one a related product."
)
APPROVALS_AND_LAUNCHES = "Approvals and launches over time"
LAUNCHES_BASIS = (
    "The approvals (circles) and starts of marketing (squares) of the tables above by date{more}. A filled mark is the "
    "drug itself, an open one a related product."
)
LAUNCH = "on the US market"
UNDATED = "; not shown: {number} without a date"
LATER_ONES = "; shown are the first {number}"
EVIDENCE = "Evidence by question and design"
EVIDENCE_BASIS = (
    "The sources of each question by what they are; the larger the circle, the more there are. A source may count for "
    "several questions."
)
FOREST = "{endpoint}: {measure}, {compared}"
FOREST_BASIS = (
    "Each study's own result and confidence interval on one {scale} scale, not pooled; the studies may differ in "
    "people, doses and follow-up. The line stands at no effect ({no_effect})."
)
LOGARITHMIC, LINEAR = "logarithmic", "linear"
STUDY_SIZE, STUDY, RESULT = "n", "Study", "Value and interval"
RESULT_OF = "{value} ({low} to {high})"
