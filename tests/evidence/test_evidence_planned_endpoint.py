"""Which sentences are on the endpoint that a study was planned for."""

from storm.evidence.planned_endpoint import is_minor_null, is_on_endpoint, read_planned_endpoint
from storm.models import Hit, Section, SectionKind


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


def test_a_null_result_is_minor_unless_it_is_on_the_planned_endpoint() -> None:
    planned = frozenset(("walking", "distance"))
    assert is_minor_null("Fewer women needed i.v. fluids (p = .056).", planned)
    assert not is_minor_null("Walking distance did not differ (p = 0.31).", planned)
    assert not is_minor_null("The primary endpoint did not differ (P=0.51).", frozenset())
    assert not is_minor_null("Fewer fell (p = 0.02), and pain did not differ (p = 0.4).", planned)
    assert not is_minor_null("Fewer fell (p < 0.001).", planned)
