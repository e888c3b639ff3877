"""The roles of a job without a language model."""

from storm.extractive.checklist_judge import RuleChecklistJudge
from storm.extractive.checklist_planner import RuleChecklistPlanner
from storm.extractive.checklist_queries import ChecklistQueryWriter
from storm.extractive.compiler import RuleCompiler
from storm.extractive.digester import RuleDigester
from storm.extractive.direct_answer import DirectSynthesizer
from storm.extractive.direct_selector import DirectSelector
from storm.extractive.hypothesis_judge import RuleHypothesisJudge
from storm.extractive.hypothesizer import RuleHypothesizer
from storm.extractive.planner import ExtractivePlanner
from storm.extractive.query_writer import TemplateQueryWriter
from storm.extractive.question_planner import QuestionPlanner
from storm.extractive.question_refiner import RuleRefiner
from storm.extractive.reflector import RuleReflector
from storm.extractive.repurposing_planner import RepurposingPlanner
from storm.extractive.repurposing_summary import RuleSummaryWriter
from storm.extractive.researcher import ExtractiveResearcher
from storm.extractive.source_selector import RuleSelector
from storm.extractive.synthesizer import ExtractiveSynthesizer

__all__ = [
    "ChecklistQueryWriter",
    "DirectSelector",
    "DirectSynthesizer",
    "ExtractivePlanner",
    "ExtractiveResearcher",
    "ExtractiveSynthesizer",
    "QuestionPlanner",
    "RepurposingPlanner",
    "RuleChecklistJudge",
    "RuleChecklistPlanner",
    "RuleCompiler",
    "RuleDigester",
    "RuleHypothesisJudge",
    "RuleHypothesizer",
    "RuleRefiner",
    "RuleReflector",
    "RuleSelector",
    "RuleSummaryWriter",
    "TemplateQueryWriter",
]
