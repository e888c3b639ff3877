"""Which names a drug is searched by."""

from __future__ import annotations

from storm.extractive.planner import names_of
from storm.models import Hit


def record(database: str, external_id: str, *drugs: str) -> Hit:
    return Hit.of(database, external_id, f"https://example.org/{external_id}", f"{drugs[0]} label", drugs=drugs)


def test_a_product_s_one_other_name_is_its_brand() -> None:
    label = record("openfda", "set-1", "HERCEPTIN", "TRASTUZUMAB")
    assert names_of(["trastuzumab"], [label]) == ("trastuzumab", "HERCEPTIN")


def test_a_combination_gives_no_name_since_the_other_may_be_another_drug() -> None:
    janumet = record("openfda", "set-2", "JANUMET", "SITAGLIPTIN PHOSPHATE", "METFORMIN HYDROCHLORIDE")
    assert names_of(["metformin"], [janumet]) == ("metformin",)


def test_a_molecule_s_record_gives_all_its_names() -> None:
    molecule = record("chembl", "CHEMBL1201585", "TRASTUZUMAB", "RhuMab HER2", "R-597")
    assert set(names_of(["trastuzumab"], [molecule])) == {"trastuzumab", "RhuMab HER2", "R-597"}


def test_a_record_that_does_not_list_the_drug_gives_nothing() -> None:
    assert names_of(["trastuzumab"], [record("openfda", "set-3", "PERJETA", "PERTUZUMAB")]) == ("trastuzumab",)


def test_given_names_come_first_each_once_whatever_its_case_and_the_order_of_records_changes_nothing() -> None:
    records = [record("openfda", f"set-{n}", brand, "TRASTUZUMAB") for n, brand in enumerate(["HERCEPTIN", "Herclon"])]
    names = names_of(["Trastuzumab", "herceptin"], records)
    assert names == names_of(["Trastuzumab", "herceptin"], records[::-1]) == ("Trastuzumab", "herceptin", "Herclon")
