"""Makes the questions of a repurposing report: of a drug's mechanism, and of what it does in a disease."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from storm import planning_wording
from storm.models import Disease, Narrowing, Question, Syllabus

#: The questions of the drug's syllabus that these are made of.
_MECHANISM, _EFFICACY, _SAFETY = "mechanism.moa", "clinical.efficacy", "clinical.safety"
#: The name of the syllabus.
_NAME = "repurposing"
#: How sentences and searches name animals and cells.
_MODELS = (
    r"\b(mice|mouse|murine|rats?|rodents?|rabbits?|dogs?|pigs?|monkeys?|macaques?|zebrafish|drosophila|transgenic|"
    r"xenografts?|allografts?|organoids?|spheroids?|in vitro|in vivo|ex vivo|knock-?(out|down)|cell lines?|"
    r"(cancer|tumou?r|cultured|primary|stem|neuronal|epithelial|endothelial|progenitor) cells|neurons|"
    r"(animal|mouse|rat|preclinical) models?)\b"
)
_MODEL_SEARCHES = ("mice animal model", "in vitro cells", "rats", "preclinical")
_IN_PATIENTS = ("randomized trial efficacy", "patients outcome", "cohort study risk")
#: A sentence on animals is of their question, whatever of the effect it says; one on harms is of the harms.
_PRECEDENCE = 3
#: Databases of labels.
_LABELS = ("openfda", "dailymed")
#: Names of targets that are searched for: short ones together, and long ones each.
_MOST_SHORT, _MOST_LONG = 8, 2
#: Targets named in a heading.
_MOST_NAMED = 3
#: How much the report depends on each.
_IMPORTANCE = {
    "mechanism.drug": 0.7, "mechanism.disease": 0.8, "mechanism.models": 0.9, "clinical.benefit": 1.0,
    "clinical.harm": 0.8,
}  # fmt: skip


def make_syllabus(drug: str, disease: Disease | None, targets: Sequence[str], drug_syllabus: Syllabus) -> Syllabus:
    """The questions on the drug of this name and the disease; without a disease, that on the drug's mechanism alone,
    and without targets none on them."""
    questions = tuple(_make_all(drug, disease, targets, drug_syllabus))
    return Syllabus(name=_NAME, questions=questions, min_databases=1)


def make_web_syllabus(names: Sequence[str]) -> Syllabus:
    """The one question on what is not biomedical, and goes by these names."""
    subject = ", ".join(names)
    question = Question(
        key="mechanism.drug",
        label=_begin(planning_wording.MECHANISM_OF.format(drug=subject)),
        description=planning_wording.ABOUT_MECHANISM.format(drug=subject),
        min_sources=1,
        queries={"web": (" ".join(names),)},
        takes_facts=True,
    )
    return Syllabus(name=_NAME, questions=(question,), min_databases=1)


def _make_all(drug: str, disease: Disease | None, targets: Sequence[str], known: Syllabus) -> Iterator[Question]:
    words = {"drug": drug, "disease": disease.label if disease else "", "targets": ", ".join(targets[:_MOST_NAMED])}
    name, about = planning_wording.MECHANISM_OF, planning_wording.ABOUT_MECHANISM
    yield _name_question(known.question(_MECHANISM), "mechanism.drug", name, about, words)
    if disease and targets:
        yield _ask_of_targets(disease, targets, known, words)
    if disease:
        yield _ask_of_models(disease, known, words)
        yield from _ask_of_patients(disease, known, words)


def _ask_of_targets(disease: Disease, targets: Sequence[str], known: Syllabus, words: Mapping[str, str]) -> Question:
    """The question on the targets in the disease: any sentence that names both answers it, with or without the drug."""
    mechanism, name, about = known.question(_MECHANISM), planning_wording.TARGETS_IN, planning_wording.ABOUT_TARGETS
    return _name_question(
        mechanism, "mechanism.disease", name, about, words,
        names=disease.names,
        about=(Narrowing(label=words["targets"], phrases=tuple(targets)),),
        focus=(*targets, *mechanism.focus),
        says=(),
        queries={"default": tuple(_search_for_targets(targets))},
        itself_only=False,
    )  # fmt: skip


def _ask_of_models(disease: Disease, known: Syllabus, words: Mapping[str, str]) -> Question:
    mechanism, efficacy = known.question(_MECHANISM), known.question(_EFFICACY)
    name, about = planning_wording.IN_MODELS, planning_wording.ABOUT_MODELS
    return _name_question(
        mechanism, "mechanism.models", name, about, words,
        about=_narrow_to(disease),
        focus=(*disease.names, *mechanism.focus, *efficacy.focus),
        says=(_MODELS,),
        cues=tuple(dict.fromkeys((*mechanism.cues, *efficacy.cues))),
        precedence=_PRECEDENCE,
        queries=_search_for(disease, {"default": _MODEL_SEARCHES}),
    )  # fmt: skip


def _ask_of_patients(disease: Disease, known: Syllabus, words: Mapping[str, str]) -> Iterator[Question]:
    for question, key, name, about, searches in (
        (known.question(_EFFICACY), "clinical.benefit", planning_wording.BENEFIT_IN, planning_wording.ABOUT_BENEFIT,
         {"default": _IN_PATIENTS}),
        (known.question(_SAFETY), "clinical.harm", planning_wording.HARM_IN, planning_wording.ABOUT_HARM, {}),
    ):  # fmt: skip
        yield _name_question(
            question, key, name, about, words,
            about=_narrow_to(disease),
            focus=(*disease.names, *question.focus),
            queries=_search_for(disease, {**question.queries, **searches}),
        )  # fmt: skip


def _narrow_to(disease: Disease) -> tuple[Narrowing, ...]:
    return (Narrowing(label=disease.label, phrases=disease.names, role="setting"),)


def _name_question(
    question: Question, key: str, label: str, explained: str, words: Mapping[str, str], **changed: object
) -> Question:
    """A question of the drug's syllabus under another key, with these templates of its label and description."""
    return question.model_copy(
        update={
            "key": key,
            "label": _begin(label.format(**words)),
            "description": explained.format(**words),
            "min_sources": 1,
            "importance": _IMPORTANCE[key],
            "parent": "",
            **changed,
        }
    )


def _search_for(disease: Disease, templates: Mapping[str, Sequence[str]]) -> Mapping[str, tuple[str, ...]]:
    """The templates with the disease, which is searched for alone first; labels of products are searched as they are,
    since they are for other diseases."""
    written = {
        database: tuple(phrases if database in _LABELS else (f"{disease.label} {phrase}" for phrase in phrases))
        for database, phrases in templates.items()
    }
    return {**written, "default": (disease.label, *written["default"])}


def _search_for_targets(targets: Sequence[str]) -> Iterator[str]:
    """The short names of the targets in one search, and the first long ones."""
    if short := [name for name in targets if " " not in name]:
        yield " ".join(short[:_MOST_SHORT])
    yield from [name for name in targets if " " in name][:_MOST_LONG]
    yield "pathogenesis pathway"


def _begin(text: str) -> str:
    """The text as a heading begins."""
    return text[:1].upper() + text[1:]
