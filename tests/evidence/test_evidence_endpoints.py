"""Which endpoint a sentence says it is about."""

import pytest

from storm.evidence.endpoints import Endpoint, endpoint_of, is_on_endpoint, read_planned_endpoint
from storm.models import Hit, Section, SectionKind


@pytest.mark.parametrize(
    ("sentence", "endpoint"),
    [
        ("The primary endpoint, relapse at 12 months, did not differ (P=0.51).", Endpoint.PRIMARY),
        ("For the primary efficacy outcome the hazard ratio was 0.7.", Endpoint.PRIMARY),
        ("All secondary end-points favoured zorvimab.", Endpoint.SECONDARY),
        ("In a post hoc analysis of the primary endpoint women fared better.", Endpoint.POST_HOC),
        ("Post hoc tests showed no difference.", None),
        ("Primary and secondary endpoints: the primary outcome and secondary outcomes were met.", None),
        ("Relapse was rare in primary care.", None),
    ],
)
def test_a_sentence_says_which_endpoint_it_is_about(sentence: str, endpoint: Endpoint | None) -> None:
    assert endpoint_of(sentence) is endpoint


def test_a_result_is_on_the_endpoint_that_the_methods_define() -> None:
    methods = Section(
        label="Methods", kind=SectionKind.METHODS,
        text="Adults were seen monthly. The primary outcome was the change in walking distance at week 12.",
    )  # fmt: skip
    planned = read_planned_endpoint(Hit.of("pubmed", "1", "https://example.org/1", "Zorvimab", sections=(methods,)))
    assert is_on_endpoint("Walking distance at week 12 grew by 40 m with zorvimab: a change of 12 %.", planned)
    assert not is_on_endpoint("Fewer adults on zorvimab needed i.v. fluids (p = .056).", planned)
    assert not is_on_endpoint(
        "Walking distance grew.", read_planned_endpoint(Hit.of("pubmed", "2", "https://a.org", "B"))
    )
