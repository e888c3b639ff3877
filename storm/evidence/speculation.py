"""Words of what a document supposes, advises or hopes for, and has not found, as patterns for text in lower case."""

from __future__ import annotations

from storm.patterns.alternatives import compile_lowered

#: What was assumed before the study.
HYPOTHESIS = compile_lowered(
    r"\bhypothes[ie]|\bpostulated\b|\banticipation that\b|\b(?:we|it was) assumed\b|"
    r"\bwe (?:also )?(?:expect|expected|anticipated|speculate|believe|assume)\b|"
    r"^If\b(?!.{0,200}\b(?:had|did)\b).{10,200}, then\b"
)
#: What the study leaves open.
SPECULATION = compile_lowered(
    r"\b(?:either (?:[a-z]+ )?(?:can|could) be (?:used|chosen|prescribed)|"
    r"rethinking is|(?:is|are|remains?|seems?) mandatory|may|might|could(?! not| be concluded)|would|possib(?:le|"
    r"ly)|"
    r"(?:the |a |raises? )possibility|perhaps|"
    r"presumabl[ey]|theoretically|(?<!more )(?<!less )(?<!\bas )likely|unlikely|probabl[ey]|speculat\w+|"
    r"(?<!enough to )warrant\w*|should|conceivabl[ey]|plausibl[ey]|putative\w*|"
    r"further (?:\([^()]{1,20}\) )?(?:stud|research|trial|investigat|work|clinical|evaluat)\w*|future|"
    r"remains? (?:(?:a |an |highly |very |largely |still )?(?:un\w+|"
    r"challeng\w+|difficult|elusive|problematic|poorly)|to be|controversial)|questionable|it is (?:important|"
    r"interesting|noteworthy|worth|necessary)|seems?|seemed|(?:is|are|was|were|be) (?:believed|thought|assumed|"
    r"presumed|expected|anticipated)|(?:can|needs? to) be considered|can be (?:explained|attributed|due)|"
    r"explanations?|attribut(?:ed|able)|limitations?|is needed|are needed|hoped?|(?:is|are) (?:still |"
    r"currently )?(?:unknown|unclear)|potential|promising|awaits?|"
    r"(?:accumulating|emerging|growing|preliminary|limited) evidence (?:suggest|indicat)s?|"
    r"(?:it is|is) (?:therefore |thus )?recommended that|"
    r"not (?:large|powered|sufficient) enough|(?:samples?(?: sizes?)?|groups?|cohorts?|study|"
    r"trial|numbers? of (?:patients|participants|subjects)) (?:were|was) too (?:small|few) to|"
    r"we did not (?:compare the|collect|assess|evaluate|examine|investigate|record|measure)(?! any\b)|"
    r"reflects the (?:[\w-]+ ){0,2}"
    r"(?:distribution|role|involvement|nature|importance|complexity|sensitivity)|we (?:\w+ )?recommend|"
    r"we suggest (?!that\b)(?!.{0,200}(?:%|mortality|died))|mechanisms? (?:[\w-]+ ){1,10}must be considered|"
    r"ease of (?:administration|use)|disutilit\w+|candidate|raises?|suggests? a trend|clinical implications?)\b|"
    r"\b(?:sample size|study period|follow-?up(?: period)?)\b[^.;,]{0,20} (?:was|is) (?:\w+ )?"
    r"(?:short|small|limited)\b(?! to\b)|"
    r"\b(?:this|our|the present) study did not (?:measure|assess|evaluate|examine|investigate)"
)
