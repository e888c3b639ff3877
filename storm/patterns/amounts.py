"""How much of a drug was given, or how strong a preparation is."""

from __future__ import annotations

#: "20 mg", "0.5 mg/kg", "2 µg/kg/min", "300 U/ml", "0.5%", as a part of a pattern.
AMOUNT = r"\d[\d.,]{0,8} ?(?:%|(?:(?:[mµμnkMG]|mc)?(?:g|[lL]|IU|U|mol|Bq)|units?)\b)(?:/\w{1,6}){0,3}"
