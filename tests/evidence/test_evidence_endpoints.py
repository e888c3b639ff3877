"""Which endpoint a sentence says it is about."""

import pytest

from storm.evidence.endpoints import Endpoint, endpoint_of


@pytest.mark.parametrize(
    ("sentence", "endpoint"),
    [
        ("The primary endpoint, relapse at 12 months, did not differ (P=0.51).", Endpoint.PRIMARY),
        ("For the primary efficacy outcome the hazard ratio was 0.7.", Endpoint.PRIMARY),
        ("All secondary end-points favoured zorvimab.", Endpoint.SECONDARY),
        ("In a post hoc analysis of the primary endpoint women fared better.", Endpoint.POST_HOC),
        ("Post hoc tests showed no difference.", None),
        ("Primary and secondary endpoints: the primary outcome and secondary outcomes were met.", None),
        ("There was no difference in any of the primary or secondary endpoints.", None),
        ("Relapse was rare in primary care.", None),
    ],
)
def test_a_sentence_says_which_endpoint_it_is_about(sentence: str, endpoint: Endpoint | None) -> None:
    assert endpoint_of(sentence) is endpoint
