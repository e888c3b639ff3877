"""A scripted language model for scripts/optimize_example.py: agent, roles of each mode, judge and reflection model.

It follows its instruction and demonstrations and does little more: it saves one record of a search unless they say to
save all, its quotes are careless unless they say to copy exactly, it plans one question and one search unless they say
to plan or write more, and of a hypothesis it names the target alone unless they say to name what states each link. The
reflection model reads what a job lacked and writes a rule against it. Nothing else raises the score.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from random import Random
from typing import Any

import dspy
from dspy import lm15

from storm import testing

SAVE_ALL = "Save every record that a search shows and that answers the question, before you search again."
COPY = "Compare each quote with its record, letter by letter, before you give it."
ASK_ALL = "Ask of each thing that the request names."
SEARCH_MORE = "Write as many searches as you may, each in one word of the question."
NAME_IDS = "Give the id of what states it with each link, reason and sentence, and leave none of them out."
#: The reflection model's rule for each kind of feedback on a job.
RULES = {
    r"has \d+ of the \d+ sources": SAVE_ALL,
    r"are not supported by their source": COPY,
    r"questions score 0": ASK_ALL,
    r"checklist scores 0": ASK_ALL,
    r"Nothing was kept of a search|No source answers": SEARCH_MORE,
    r"(?:hypotheses|assessment|summary) scores? 0": NAME_IDS,
}
#: The advice for each predictor.
ADVICE = {"agent": SAVE_ALL, "react": SAVE_ALL, "writer": COPY, "write": COPY, "planner": ASK_ALL,
          "checklist_planner": ASK_ALL, "query_writer": SEARCH_MORE, "item_query_writer": SEARCH_MORE,
          "hypothesizer": NAME_IDS, "hypothesis_judge": NAME_IDS, "summary": NAME_IDS}  # fmt: skip


def scripted_lm() -> dspy.LM:
    """The model as a DSPy LM."""
    return dspy.LM("scripted", cache=False, num_retries=0, **ScriptedModel().as_engines())


class ScriptedModel(testing.ScriptedModel):
    """Agent, writer, composer, judge and reflection model: a reply depends on the request and the previous ones."""

    def __init__(self) -> None:
        super().__init__()
        self._random = Random(0)
        self._saved: set[str] = set()
        self._searched: list[str] = []
        self._free = False

    def reply_to(self, request: lm15.Request) -> str:
        """The reply to a request, by its fields."""
        system = request.system if isinstance(request.system, str) else "".join(p.text for p in request.system or ())
        *shown, asked = ["".join(part.text for part in message.parts) for message in request.messages]
        return self.reply(system, "\n".join(shown), asked, (request.config.temperature or 0) >= 0.9)

    def reply(self, system: str, shown: str, asked: str, free: bool) -> str:
        """The reply to an instruction, demonstrations and a request; `free` at a high temperature."""
        fields = _read_fields(asked)
        if "recent_steps" in fields:
            if fields["recent_steps"] == "none yet":
                self._saved, self._searched = set(), []
                self._free = free and self._random.random() < 0.5
            return self._make_step(fields, SAVE_ALL in system or '"tool": "save_source"' in shown or self._free)
        if "records" in fields:
            return _format_reply(statements=_write_statements(fields["records"], COPY in system or '"quote"' in shown))
        if "pairs" in fields:
            numbers = range(1, fields["pairs"].count("The statement:") + 1)
            return _format_reply(verdicts=[{"number": n, "verdict": "supported"} for n in numbers])
        if "today" in fields:
            varied = free and self._random.random() < 0.5
            return _reply_of_research(
                f"{system}\n{SEARCH_MORE}\n{ASK_ALL}\n{NAME_IDS}" if varied else system, shown, fields
            )
        if "statements" in fields:
            order = list(range(1, fields["statements"].count("<untrusted ") + 1))
            return _format_reply(order=order, disagreements=[], open_points=[])
        return _improve_instruction(fields)

    def _make_step(self, fields: Mapping[str, str], thorough: bool) -> str:
        """Search twice for each question that lacks sources, and save the first record or, if thorough, all."""
        last = fields["recent_steps"].rpartition("\n\nStep ")[2]
        cards = [card for card in re.findall(r"^(\w+) (\S+) · ", last, re.M) if card[1] not in self._saved]
        question = re.search(r'question="([\w.]+)"', last)
        if question and cards:
            chosen = cards if thorough else cards[:1]
            self._saved.update(record for _, record in chosen)
            return _format_calls(*(("save_source", _save_arguments(card[0], card[1], question[1])) for card in chosen))
        lacking = re.findall(r"^  (\S+): \d+ of \d+$", fields["state"], re.M)
        for key in [key for key in lacking if self._searched.count(key) < 2]:
            described = re.search(rf"^{re.escape(key)} \(\d+\): (.+?)\. (.+)$", fields["syllabus"], re.M)
            words = described[1 + self._searched.count(key)] if described else key
            tools = re.findall(r"\bsearch_\w+", fields["tools"])
            self._searched.append(key)
            return _format_calls((tools[0], {"words": words, "question": key}))
        return _format_calls(("finish", {}))


def _reply_of_research(system: str, shown: str, fields: Mapping[str, str]) -> str:
    """The reply of a role that plans, searches, reviews or compiles."""
    if "refined_by_rules" in fields:
        asked = re.findall(r"\n(.*\?)\n", fields["asked"])[0]
        return _format_reply(question=asked, scope_in=[], scope_out=[], key_terms=[])
    if "item" in fields:
        return _search_item(fields["item"], SEARCH_MORE in system)
    if "checklist" in fields:
        return _format_reply(judgements=_judge_items(fields["checklist"]))
    if {"targets", "judged_by_rules", "counts"} & fields.keys():
        return _reply_on_hypotheses(fields, NAME_IDS in system or bool(re.search(r'_ids": \["|"text": ', shown)))
    if "planned_by_rules" in fields:
        return _plan_questions(fields["planned_by_rules"], ASK_ALL in system or shown.count('"label"') > 1)
    if "answers" in fields:
        return _format_reply(weak=[])
    if "findings" in fields:
        return _format_reply(title="", headings=_plan_headings(fields["findings"]))
    if "heading" in fields:
        numbers = re.findall(r'<untrusted id="statement (\d+)">', fields["statements"])
        return _format_reply(paragraphs=[{"sentences": [{"number": int(n), "text": ""} for n in numbers]}])
    if "words" in fields:
        first, _, _ = re.sub(r"</?untrusted[^>]*>|\s+", " ", fields["statements"]).partition(".")
        return _format_reply(digest=f"{first}.")
    words = re.findall(r"\w{6,}", fields["question"].partition(": ")[2].partition("\n")[0])
    return _format_reply(searches=words[: int(fields["most"]) if SEARCH_MORE in system else 1])


def _plan_questions(planned: str, all_of_them: bool) -> str:
    """The questions that rules planned, in their words: the first or, if it is asked for, all."""
    found = re.findall(r"^([^:<\n]+): (.+)$", planned, re.M)
    chosen = found if all_of_them else found[:1]
    questions: list[dict[str, Any]] = [
        {"label": label, "description": text, "search_words": label.lower().split(), "importance": 1}
        for label, text in chosen
    ]
    read = {"intent": "survey", "complexity": "complex", "also_look_up": [], "preferences": {}}
    return _format_reply(**read, is_biomedical=True, questions=questions, checklist=questions)


def _search_item(item: str, each_word: bool) -> str:
    """Searches for an item of a checklist: all its words at once or, if it is asked for, two of them alone."""
    words = re.findall(r"\w{6,}", item.rpartition("Its words:")[2])
    return _format_reply(pubmed_searches=words[:2] if each_word else [" AND ".join(words)], web_searches=[])


def _judge_items(checklist: str) -> list[dict[str, Any]]:
    """An item is answered in part by the statements that were found for it."""
    judged = []
    for item, text in _list_fenced(checklist):
        own = re.findall(r"S\d+", text.partition("shown:")[2])
        searches = re.findall(r"\w{6,}", text)[:1]
        state = "partial" if own else "unsatisfied"
        judged.append({"item": item, "state": state, "statements": own, "missing": "", "pubmed_searches": searches})
    return judged


def _reply_on_hypotheses(fields: Mapping[str, str], careful: bool) -> str:
    """Hypotheses, their scores or the summary of them; a careless role does not name what states it."""
    said = _list_fenced(fields["findings"])
    if "targets" in fields:
        stated = [*_list_fenced(fields["targets"]), *said]
        chains = re.findall(r"^(.+?) → (.+?) → (.+?) → (.+)$", fields["planned_by_rules"], re.M)
        return _format_reply(hypotheses=[_propose(links, stated, careful) for links in chains])
    if "counts" in fields:
        own = [{"text": text, "statement": label} for label, text in said[:2]]
        counted = [{"text": text} for text in _count_hypotheses(fields["counts"])]
        return _format_reply(sentences=[*counted, *own] if careful else [])
    reasons = [{"text": text.partition(") ")[2], "statements": [label]} for label, text in said]
    score = {"score": 3, "reasons": reasons if careful else []}
    return _format_reply(mechanism=score, clinical=score, confidence=0.5, is_enough=True, searches=[])


def _count_hypotheses(counts: str) -> list[str]:
    """The sentences that say what was counted and scored."""
    numbers = re.findall(r"\d+", counts)
    scores = "The mechanism score is {} of 10, the clinical score is {} of 10.".format(*numbers[5::2])
    return ["Of {} hypotheses, {} are supported and {} are contradicted.".format(*numbers), scores]


def _propose(chain: tuple[str, ...], stated: list[tuple[str, str]], careful: bool) -> dict[str, Any]:
    """The hypothesis of the rules; a careful one takes its pathway from a statement on its target."""
    drug, target, pathway, effect = chain
    own = [text for _, text in stated if target.casefold() in text.casefold() and text.endswith(".")]
    words = [word for text in own for word in re.findall(r"[\w-]+", text) if word not in target and word != drug]
    links = {"target": target, "pathway": max(words, key=len, default=pathway), "effect": effect}
    named = links if careful else {"target": target}
    ids = {
        f"{name}_ids": [label for label, text in stated if link.casefold() in text.casefold()]
        for name, link in named.items()
    }
    return {"drug": drug, **named, **ids, "confidence": 0.5}


def _list_fenced(text: str) -> list[tuple[str, str]]:
    """What stands between marks, by their ids."""
    return re.findall(r'<untrusted id="([^"]+)">\n(.*?)\n</untrusted>', text, re.S)


def _plan_headings(findings: str) -> list[dict[str, Any]]:
    """A heading for each question."""
    described = re.findall(r"^([a-z][\w.-]*): ([^.\n]+)\.", findings, re.M)
    return [{"heading": label, "level": 1, "questions": [key], "tables": []} for key, label in described]


def _write_statements(records: str, careful: bool) -> list[dict[str, Any]]:
    """The first full sentence of each record; a careless writer leaves a word out of every other quote."""
    made = []
    for number, (source, text) in enumerate(re.findall(r'<untrusted id="(\w+)">\n(.*?)\n</untrusted>', records, re.S)):
        body = re.sub(r"^\([^\n]*\)\n", "", text.partition("\n\n")[2], flags=re.M)  # without the names of its parts
        sentences = [one for one in re.split(r"\.\s", body) if len(one.split()) > 5] or [text]
        sentence = sentences[0].rstrip(".") + "."
        words = sentence.split(" ")
        quote = sentence if careful or number % 2 else " ".join(words[:2] + words[3:])
        made.append({"text": sentence, "source_ids": [source], "quote": quote})
    return made


def _improve_instruction(fields: Mapping[str, str]) -> str:
    """A better instruction, or advice: the rules against what was lacking."""
    if "examples_with_feedback" in fields:  # GEPA
        rules = [rule for lack, rule in RULES.items() if re.search(lack, fields["examples_with_feedback"])]
        return json.dumps({"new_instruction": _add_rules(fields["current_instruction"], rules)})
    if "worse_reward_info" in fields:  # SIMBA
        rules = [rule for lack, rule in RULES.items() if re.search(lack, fields["worse_reward_info"])]
        predictors = re.findall(r"[\w.]+", fields["module_names"])
        advice = {name: ADVICE.get(name.rpartition(".")[2]) for name in predictors}
        return _format_reply(
            discussion="It lacked.", module_advice={n: rule for n, rule in advice.items() if rule in rules}
        )
    if "basic_instruction" in fields:  # MIPROv2 shows this model no job: all rules are proposed
        return _format_reply(proposed_instruction=_add_rules(fields["basic_instruction"], list(RULES.values())))
    return "yes"


def _add_rules(instruction: str, rules: list[str]) -> str:
    return "\n".join([instruction, *(rule for rule in rules if rule not in instruction)])


def _read_fields(asked: str) -> dict[str, str]:
    """The input fields of a request, as the Chat or the JSON adapter writes them."""
    parts = re.split(r"^\[\[ ## (\w+) ## \]\]$", asked.rpartition("\n\nRespond with ")[0], flags=re.M)
    return dict(zip(parts[1::2], map(str.strip, parts[2::2]), strict=True))


def _format_reply(**fields: Any) -> str:
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in fields.items()}
    return "\n\n".join([*(f"[[ ## {name} ## ]]\n{text}" for name, text in texts.items()), "[[ ## completed ## ]]"])


def _format_calls(*calls: tuple[str, dict[str, Any]]) -> str:
    (tool, arguments), *more = calls
    further = [{"tool": name, "args": given} for name, given in more]
    return _format_reply(next_thought="Next.", next_tool_name=tool, next_tool_args=arguments, more_calls=further)


def _save_arguments(database: str, record: str, question: str) -> dict[str, Any]:
    found = {"source_type": database, "external_id": record, "url": "", "title": ""}
    return {**found, "relevant_questions": [question]}
