"""Makes the questions of a repurposing report: of a drug's mechanism, and of what it does in a disease."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from storm import planning_wording as wording
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
        label=_begin(wording.MECHANISM_OF.format(drug=subject)),
        description=wording.ABOUT_MECHANISM.format(drug=subject),
        min_sources=1,
        queries={"web": (" ".join(names),)},
        takes_facts=True,
    )
    return Syllabus(name=_NAME, questions=(question,), min_databases=1)


def _make_all(drug: str, disease: Disease | None, targets: Sequence[str], known: Syllabus) -> Iterator[Question]:
    mechanism, efficacy, safety = map(known.question, (_MECHANISM, _EFFICACY, _SAFETY))
    words = {"drug": drug, "disease": disease.label if disease else "", "targets": _join_names(targets)}
    yield _name_question(mechanism, "mechanism.drug", wording.MECHANISM_OF, wording.ABOUT_MECHANISM, words)
    if disease is None:
        return
    setting = (Narrowing(label=disease.label, phrases=disease.names, role="setting"),)
    if targets:
        yield _name_question(
            mechanism, "mechanism.disease", wording.TARGETS_IN, wording.ABOUT_TARGETS, words,
            names=disease.names,
            about=(Narrowing(label=words["targets"], phrases=tuple(targets)),),
            focus=(*targets, *mechanism.focus),
            says=(),
            queries={"default": tuple(_search_for_targets(targets))},
            itself_only=False,
        )  # fmt: skip
    yield _name_question(
        mechanism, "mechanism.models", wording.IN_MODELS, wording.ABOUT_MODELS, words,
        about=setting,
        focus=(*disease.names, *mechanism.focus, *efficacy.focus),
        says=(_MODELS,),
        cues=tuple(dict.fromkeys((*mechanism.cues, *efficacy.cues))),
        precedence=_PRECEDENCE,
        queries=_search_for(disease, {"default": _MODEL_SEARCHES}),
    )  # fmt: skip
    for question, key, label, description in (
        (efficacy, "clinical.benefit", wording.BENEFIT_IN, wording.ABOUT_BENEFIT),
        (safety, "clinical.harm", wording.HARM_IN, wording.ABOUT_HARM),
    ):
        templates = {**question.queries, **({"default": _IN_PATIENTS} if question is efficacy else {})}
        yield _name_question(
            question, key, label, description, words,
            about=setting,
            focus=(*disease.names, *question.focus),
            queries=_search_for(disease, templates),
        )  # fmt: skip


def _name_question(
    question: Question, key: str, label: str, description: str, words: Mapping[str, str], **changed: object
) -> Question:
    """A question of the drug's syllabus under another key, with these templates of its label and description."""
    return question.model_copy(
        update={
            "key": key,
            "label": _begin(label.format(**words)),
            "description": description.format(**words),
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
        place: tuple(phrases if place in _LABELS else (f"{disease.label} {phrase}" for phrase in phrases))
        for place, phrases in templates.items()
    }
    return {**written, "default": (disease.label, *written["default"])}


def _search_for_targets(targets: Sequence[str]) -> Iterator[str]:
    """The short names of the targets in one search, and the first long ones."""
    if short := [name for name in targets if " " not in name]:
        yield " ".join(short[:_MOST_SHORT])
    yield from [name for name in targets if " " in name][:_MOST_LONG]
    yield "pathogenesis pathway"


def _join_names(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_NAMED])


def _begin(text: str) -> str:
    """The text as a heading begins."""
    return text[:1].upper() + text[1:]
