"""Looks up what a repurposing report says of its hypotheses: their drug and disease, statements and references."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from storm.models import Dossier, Reference, Repurposing, RepurposingRound, Source, SummarySentence, TestedHypothesis
from storm.reports import repurposing_wording as words


def has_no_evidence(dossier: Dossier) -> bool:
    """Whether hypotheses were to be tested, and no source on the disease was found."""
    return dossier.repurposing is not None and not dossier.repurposing.rounds


def find_last_round(dossier: Dossier) -> RepurposingRound | None:
    """The round that counts."""
    rounds = dossier.repurposing.rounds if dossier.repurposing else ()
    return rounds[-1] if rounds else None


def name_drug(dossier: Dossier) -> str:
    """The drug's own name."""
    return dossier.names[0] if dossier.names else dossier.drug


def name_disease(repurposing: Repurposing) -> str:
    """The disease's name."""
    return repurposing.disease or words.THE_DISEASE


def title_report(dossier: Dossier, repurposing: Repurposing) -> str:
    """The title, which says nothing of what was found."""
    drug = name_drug(dossier)
    title = words.TITLE if repurposing.disease else words.TITLE_OF_DRUG
    return title.format(drug=f"{drug[:1].upper()}{drug[1:]}", disease=repurposing.disease)


def list_statements(dossier: Dossier) -> dict[str, SummarySentence]:
    """The statements of the answers, by their identity, with the first question that each answers."""
    found: dict[str, SummarySentence] = {}
    for answer in dossier.answers:
        for one in answer.all_statements:
            found.setdefault(one.identity, SummarySentence(**one.model_dump(), question=answer.question))
    return found


def list_basis_sources(repurposing: Repurposing | None, sources: Iterable[Source]) -> Iterator[str]:
    """The sources that state links of the hypotheses of the last round."""
    known = {source.source_id for source in sources}
    for tested in repurposing.rounds[-1].tested if repurposing and repurposing.rounds else ():
        yield from (link.source_id for link in tested.basis if link.source_id in known)


def cited_by(
    identities: Iterable[str], statements: Mapping[str, SummarySentence], references: Mapping[str, Reference]
) -> tuple[Reference, ...]:
    """The references of these statements, each once; `references` are by source."""
    sources = (source for key in identities if key in statements for source in statements[key].source_ids)
    return tuple(references[source] for source in dict.fromkeys(sources) if source in references)


def evidence_of_hypothesis(tested: TestedHypothesis) -> tuple[str, ...]:
    """The identities of its statements, for and against, each once."""
    return tuple(dict.fromkeys((*tested.supporting, *tested.contradicting)))
