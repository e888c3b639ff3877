"""What a quote carries, by rule: words, values, arms, directions, and what limits them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storm.citations.claims import find_claim_faults
from storm.citations.coverage import Record

HOT = "Hot flushes were reported by 35% of women receiving letrozole and by 21% of those receiving placebo (P<0.001)."
RENAL = "The starting dose is 20 mg once daily; it should be reduced to 10 mg in patients with severe renal impairment."
RIBO = "The hazard ratio for death was 0.58 (95% CI, 0.46 to 0.72) in favor of ribociclib over placebo."
RATS = "In rats, oral empagliflozin at 10 mg/kg lowered fasting glucose within 2 hours."
TWO_YEARS = "Two years of exemestane was not more effective than one year of treatment."
SHOCK = "Mortality did not differ between hydrocortisone and placebo (39.2% and 36.1%, respectively; P=0.69)."


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Hot flushes were more common with letrozole than with placebo (35% vs 21%).", HOT),
        ("Fewer women given placebo than letrozole had hot flushes (21% versus 35%).", HOT),
        ("With placebo, 21% of the women had hot flushes, compared with 35% with letrozole.", HOT),
        ("Significantly more women had hot flushes on letrozole than on placebo.", HOT),
        ("In severe kidney impairment the dose should be lowered to 10 mg.", RENAL),
        ("The HR for death was 0.58 (95% CI 0.46-0.72), favouring ribociclib over placebo.", RIBO),
        ("Fasting glucose in rats fell within two hours of oral empagliflozin 10 mg/kg.", RATS),
        ("One year of exemestane was as effective as two years.", TWO_YEARS),
        ("Two years of exemestane were no better than one year.", TWO_YEARS),
        ("Mortality was 39.2% with hydrocortisone and 36.1% with placebo.", SHOCK),
        ("Mortality was similar with hydrocortisone and placebo.", SHOCK),
        ("Patients under 18 years of age were excluded.", "Patients younger than 18 years were not eligible for it."),
        ("Only patients of at least 18 years were eligible.", "Patients below 18 years were excluded from the trial."),
        ("Dosing took it from 8% to 27%, a rise.", "Dosing took it up from 8% to 27%, a clear rise in dosing."),
        ("Median survival was 25.1 months.", "生存期間中央値は25.1か月"),
    ],
)
def test_a_paraphrase_is_supported(statement: str, quote: str) -> None:
    assert find_claim_faults(statement, quote) == ()


@pytest.mark.parametrize(
    ("statement", "quote", "fault"),
    [
        ("The drug is harmless and may be taken by anybody without a prescription.",
         "Herceptin (trastuzumab; EMEA/H/C/000278, ATC code", "the quote does not say 'harmless'"),
        ("Hot flushes were reported by 35% of women receiving anastrozole.", HOT, "does not say 'anastrozole'"),
        ("Trastuzumab is authorised for children with breast cancer.",
         "Herceptin (trastuzumab; ATC code L01XC03) is authorised for breast cancer.", "does not say 'children'"),
        ("Zorvimab reduced seizure severity by 12%.", "Zorvimab reduced seizure frequency by 12%.", "on the frequency"),
        ("Zorvimab caused nausea in 12% of them.", "Nausea occurred in 12% of those given zorvimab.", "what caused"),
        ("Stroke occurred in 1.60% with apixaban.",
         "Apixaban was noninferior to warfarin for stroke (1.27% vs 1.60%).", "not to 'apixaban'"),
        ("Pain occurred in 40% with zorvimab.",
         "Zorvimab was superior to placebo for pain (20% vs 40%).", "not to 'zorvimab'"),
        ("Joint pain was reported by 35% of women receiving letrozole.", HOT, "does not say 'joint'"),
        ("Hot flushes were reported by 35% of men receiving letrozole.", HOT, "'man'|'men'"),
        ("Hot flushes were reported by 21% of women receiving letrozole.", HOT, "gives 21% to 'placebo'"),
        ("Hot flushes were more common with placebo than with letrozole.", HOT, "otherwise than 'more'|numbers"),
        ("The difference in hot flushes was not significant.", HOT, "says that it is significant"),
        ("Hot flushes were reported by 35% with letrozole (P>0.001).", HOT, "'less than' of 0.001"),
        ("The starting dose is 20 g once daily.", RENAL, "'20 mg', the statement '20 g'"),
        ("The starting dose is 20 mg once weekly.", RENAL, "each week"),
        ("The dose should be increased to 10 mg in patients with severe renal impairment.", RENAL, "'reduced'"),
        ("The odds ratio for death was 0.58.", RIBO, "'hazard ratio', the statement 'odds ratio'"),
        ("The hazard ratio for death was 0.58 in favor of placebo over ribociclib.", RIBO, "otherwise than 'favor'"),
        ("Oral empagliflozin at 10 mg/kg lowered fasting glucose within 2 hours.", RATS, "about animals"),
        ("In rats, oral empagliflozin at 10 mg/kg lowered fasting glucose after 2 hours.", RATS, "'during'"),
        ("One year of exemestane was not more effective than two years.", TWO_YEARS, "otherwise than 'more'"),
        ("Two years of exemestane was superior to one year.", TWO_YEARS, "denies something"),
        ("Mortality was significantly higher with hydrocortisone than with placebo.", SHOCK, "not say whether|higher"),
        ("It reduces pain.", "It may reduce pain in some patients.", "leaves no doubt"),
        ("It reduces pain.", "We asked whether it reduces pain in adults.", "asked or planned"),
        ("Obesity caused relapse.", "Obesity was associated with relapse.", "the statement a cause"),
        ("It was not well tolerated.", "It was well tolerated, with no increase in infections.", "denies"),
        ("The mean age was 60 years.", "The median age was 60 years.", "'median', the statement 'mean'"),
        ("Sites of pain were never seen.", "Sites of pain were rarely seen.", "never"),
        ("Patients over 18 years were excluded.", "Patients below 18 years were excluded.", "'less than' of 18"),
    ],
)  # fmt: skip
def test_what_the_quote_does_not_say_is_reported(statement: str, quote: str, fault: str) -> None:
    faults = "; ".join(find_claim_faults(statement, quote))
    assert any(part in faults for part in fault.split("|")), faults


@pytest.mark.parametrize(
    ("statement", "quote", "supported"),
    [
        ("Zorvimab improved survival.", "It improved survival in this trial.", True),
        ("It improved survival in women.", "It improved survival in this trial.", True),
        ("Paclitaxel improved survival.", "It improved survival in this trial.", False),
        ("Zorvimab improved survival.", "Paclitaxel improved survival in this trial.", False),
        ("It improved survival in women.", "It improved survival in men in this trial.", False),
        ("It improved response.", "It improved survival in this trial.", False),
    ],
)
def test_a_record_supplies_only_what_its_quote_leaves_unnamed(statement: str, quote: str, supported: bool) -> None:
    record = Record("Response to zorvimab or docetaxel in women", ("zorvimab",))
    assert (find_claim_faults(statement, quote, record) == ()) is supported


@given(st.text(max_size=200))
def test_every_text_supports_itself(text: str) -> None:
    assert find_claim_faults(text, text) == ()


def test_a_quote_that_is_a_whole_text_is_refused_without_reading_it() -> None:
    (fault,) = find_claim_faults("Response rose.", "neither increased than " * 2_000)
    assert "too long" in fault
    text = "Response rose. " * 2_000
    assert find_claim_faults(text, text) == ()


WORDS = ("more", "less", "not", "than", "with", "and", "vs", "(", ")", "12%", "36%", "5", "mg", "from", "to", "placebo",
         "A1", "median", "may", "compared", "significant", "P=0.2", ";", ",", "as", "without", "increased")  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=25), st.lists(st.sampled_from(WORDS), max_size=25))
def test_any_words_in_any_order_can_be_read(statement: list[str], quote: list[str]) -> None:
    assert all(find_claim_faults(" ".join(statement), " ".join(quote)))


@pytest.mark.parametrize(
    "arms", [("letrozole", "placebo"), ("cisplatin plus S-1", "S-1 alone"), ("abatacept 10 mg", "abatacept 2 mg")]
)
@pytest.mark.parametrize(
    "form",
    [
        "Response was 36% with {0} and 12% with {1}.",
        "Response was 36% vs 12% for {0} vs {1}.",
        "Response was more frequent with {0} than with {1} (36% vs 12%).",
        "With {0} response was 36%, and with {1} it was 12%.",
        "Response was 36% and 12% with {0} and {1}, respectively.",
    ],
)
def test_a_value_keeps_its_arm_in_every_order_of_words(form: str, arms: tuple[str, str]) -> None:
    quote = form.format(*arms)
    assert find_claim_faults(f"Response was 12% with {arms[1]} and 36% with {arms[0]}.", quote) == ()
    assert find_claim_faults(f"Response was 36% with {arms[1]} and 12% with {arms[0]}.", quote) != ()


@pytest.mark.parametrize(
    ("quote", "supported", "refused"),
    [
        (
            "Median times to progression were 15.2 and 9.2 months and the median overall survival was 22.7 and 15.1 "
            "months in arms A and B, respectively.",
            "Median overall survival was 22.7 months in arm A and 15.1 months in arm B.",
            "Median overall survival was 15.1 months in arm A and 22.7 months in arm B.",
        ),
        (
            "Median survival was 9.8 and 7.4 months in the combination and monotherapy arms, respectively, and "
            "diarrhoea was reported in 14% and 5% of patients.",
            "Diarrhoea occurred in 14% of the combination arm.",
            "Diarrhoea occurred in 5% of the combination arm.",
        ),
        (
            "At 3 months, 15% of the intervention group had quit compared to 9% of the controls.",
            "At 3 months, 15% of the intervention group and 9% of controls had quit.",
            "Quit rates at 3 months were the same in both groups.",
        ),
        (
            "Hospital stay was shorter in the early feeding group than in the conventional group (p = 0.01), whereas "
            "the rates of wound infection were similar (8% vs. 9%, p = 0.71).",
            "Wound infection rates did not differ significantly (8% vs. 9%, p = 0.71).",
            "Wound infection was significantly less frequent with early feeding (8% vs. 9%).",
        ),
        (
            "The implantation and clinical pregnancy rates were higher in group B, but the differences were not "
            "statistically significant.",
            "Differences in implantation and clinical pregnancy rates were not statistically significant.",
            "Implantation and clinical pregnancy rates were significantly higher in group B.",
        ),
    ],
)
def test_lists_clauses_and_equality_keep_their_subjects(quote: str, supported: str, refused: str) -> None:
    assert find_claim_faults(supported, quote) == ()
    assert find_claim_faults(refused, quote) != ()


def test_an_arm_that_is_set_aside_in_a_statement_is_not_that_of_its_value() -> None:
    quote = "The change was -1.2 points in the zorvimab group and 0.3 points in the placebo group."
    false = "In the placebo group, by contrast with zorvimab, the change was -1.2 points."
    assert find_claim_faults(false, quote) == ("the quote gives -1.2 point to 'zorvimab', not to 'placebo'",)
    true = "In the zorvimab group, by contrast with placebo, the change was -1.2 points."
    assert find_claim_faults(true, quote) == ()


def test_a_reason_quotes_words_as_their_text_has_them_and_in_its_order() -> None:
    quote = "Rash occurred in 35% of the women on letrozole and in 12% of the women on placebo tablets."
    moved = "Rash occurred in 35% of the women on placebo tablets and in 12% of those on letrozole."
    assert "the quote gives 35% to 'letrozole', not to 'placebo tablets'" in find_claim_faults(moved, quote, most=9)
