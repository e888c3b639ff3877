"""Papers in which a drug is a chemical to be removed, measured or built with: waste water, sensors, batteries, and
comparisons of laboratory methods."""

from __future__ import annotations

import re

_CHEMISTRY = re.compile(
    r"\bphoto-?(?:cataly|degrad|electro-?cataly)\w+|"
    r"\b(?:degradation|removal|adsorption|elimination|remediation) of\b[^.;]{0,80}\b(?:water|wastewater|aqueous|soil|"
    r"catalyst|composites?|nano\w+|persulfate|ozone|biochar|reactors?)\b|"
    r"\b(?:bio-?hydrogen|(?:dark|anaerobic) (?:fermentation|digestion)|pharmaceutical residues?|estuar\w+|"
    r"surface waters?|river water|ecotox\w+|ozonation|environmental (?:risk|fate|occurrence)|waste ?water|sewage|"
    r"effluents?|sludge|aquatic|groundwater|adsorbents?|biochar|peroxymonosulfate|persulfate|voltammetr\w+|"
    r"electrochemical (?:sens|detect|determin)\w+|(?:bio)?sensors? for|lithium[- ](?:disilicate|niobate|formate|"
    r"carbide|ion|sulfur|metal|air|o2)|li-ion|batter(?:y|ies)|cathodes?|anodes?|electrolytes? for|supercapacitors?)\b|"
    r"\b(?:detection|determination|quanti\w+) of\b[^.;]{0,80}\b(?:by|using|with|via)\b[^.;]{0,60}\b(?:LC|HPLC|UHPLC|"
    r"UPLC|GC|chromatograph\w*|spectro\w+|raman|fluoresc\w+|sensors?|electrodes?|probes?)\b|"
    r"\b(?:comparison|evaluation|validation|agreement|performance)\b[^.;:]{0,80}\b(?:microdilution|disk diffusion|"
    r"agar dilution|e-?tests?|susceptibility test\w*)\b",
    re.I,
)


def is_analyte(title: str) -> bool:
    """Whether a paper with this title is on chemistry without people, animals or cells."""
    return _CHEMISTRY.search(title) is not None
