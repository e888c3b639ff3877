"""Words of a claim that other words of the quote imply, and how units are written."""

from __future__ import annotations

#: Conditions of women only.
_OF_WOMEN = """
pregnant postpartum partum pph postmenopausal premenopausal menopause cesarean caesarean mother maternal childbirth
eclampsia preeclampsia antenatal lactating ovarian endometrial endometriosis vaginal uterine obstetric gynaecological
"""
#: Each word of a claim, with the words of a quote that support it.
IMPLIED = {
    "high": ("elevated", "raised"),
    "only": ("except",),
    "risk": ("hazard ratio", "relative risk", "odds ratio", "rate ratio"),
    "control": ("placebo", "sham"),
    "must": ("require", "necessary", "contraindicate"),
    "mechanism": ("mediate", "inhibit", "bind", "block"),
    "hazard": ("hazard ratio",),
    "odds": ("odds ratio",),
    "mean": ("±",),
    "target": ("increase", "titrate", "inhibit", "block", "bind"),
    "woman": tuple(_OF_WOMEN.split()),
    "man": ("prostate", "testicular", "erectile"),
    "recommend": ("should", "indicated"),
    "fasting": ("fast",),
    "protect": ("patent", "prevent"),
    "early": ("preliminary",),
    "response": ("pasi", "acr", "easi", "asas", "objective response"),
    "survival": ("overall survival",),
    "gain": ("increase",),
    "majority": ("most", "main"),
    "mostly": ("most", "majority"),
    "eliminate": ("half life", "clearance"),
    "confidence interval": ("confidence interval",),
}

#: The spellings of units, one unit a line.
UNITS = """
mg, milligram, milligrams
g, gram, grams, gm
kg, kilogram, kilograms
mcg, ug, µg, μg, microgram, micrograms
ng, nanogram, nanograms
pg, picogram, picograms
ml, millilitre, milliliter, millilitres, milliliters, cc
l, litre, liter, litres, liters
dl, decilitre, deciliter
ul, µl, μl, microlitre
mmol, millimole, millimoles
umol, µmol, μmol, micromole
nmol, nanomole
mol, mole
mm, millimetre, millimeter, millimetres, millimeters
cm, centimetre, centimeter, centimetres
m, metre, meter, metres, meters
nm, nanomolar
um, µm, μm, micromolar
mmhg
m2
iu, international unit, international units
unit, units, u
day, days, daily
week, weeks, wk, wks, weekly
month, months, mo, mos
year, years, yr, yrs
hour, hours, hr, hrs, h
minute, minutes, min, mins
second, seconds, sec, secs, s
point, points
letter, letters
time, times, fold
dollar, dollars, usd
euro, euros, eur
"""
