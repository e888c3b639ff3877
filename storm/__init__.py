"""storm turns a drug name into a cited dossier, and a question into a cited report. A drug and a disease become
hypotheses, with the evidence for and against each.

    dossier = storm.run("trastuzumab", offline=True)
    report = storm.report("Does trastuzumab harm the heart?", offline=True)
    report = storm.repurpose("metformin for breast cancer", offline=True)
    result = storm.ask("Does metformin cause lactic acidosis?", offline=True)

It can run without a model, without keys and offline; see README.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from storm.version import __version__

if TYPE_CHECKING:
    from storm.api import (
        AgentAnswer,
        BatchLimits,
        JobOutcome,
        ReportAgent,
        aask,
        ajobs,
        areport,
        arepurpose,
        aresume,
        arun,
        arun_many,
        ask,
        aupdate,
        jobs,
        report,
        repurpose,
        resume,
        run,
        run_many,
        update,
        worst_exit_code,
    )
    from storm.app import App, open_app
    from storm.citations import build_reference_from_evidence, list_evidence, validate_references
    from storm.errors import StormError
    from storm.export import to_html, to_json, to_markdown
    from storm.models import (
        DeepResearchResult,
        Dossier,
        Event,
        EvidencePiece,
        HypothesisStatus,
        JobLimits,
        MechanismHypothesis,
        ReportPreferences,
        RepurposingReport,
        ResearchPlan,
        ResearchReport,
        ResearchSettings,
    )
    from storm.ports import EventSink
    from storm.settings import Settings, read_settings
    from storm.toolkit import (
        ToolConfig,
        ToolContext,
        ToolProgress,
        ToolRecorder,
        ToolResult,
        as_dspy_tool,
        call_tool,
        list_tools,
        register_tool,
        run_tool,
    )

__all__ = [
    "AgentAnswer", "App", "BatchLimits", "DeepResearchResult", "Dossier", "Event", "EventSink", "EvidencePiece",
    "HypothesisStatus", "JobLimits", "JobOutcome", "MechanismHypothesis", "ReportAgent", "ReportPreferences",
    "RepurposingReport", "ResearchPlan", "ResearchReport", "ResearchSettings", "Settings", "StormError",
    "ToolConfig", "ToolContext", "ToolProgress", "ToolRecorder", "ToolResult", "__version__", "aask", "ajobs",
    "areport", "arepurpose", "aresume", "arun", "arun_many", "as_dspy_tool", "ask", "aupdate",
    "build_reference_from_evidence", "call_tool", "jobs", "list_evidence", "list_tools", "open_app",
    "read_settings", "register_tool", "report", "repurpose", "resume", "run", "run_many", "run_tool", "to_html",
    "to_json", "to_markdown", "update", "validate_references", "worst_exit_code",
]  # fmt: skip

_HOMES = {
    "storm.api": (
        "AgentAnswer",
        "BatchLimits",
        "JobOutcome",
        "ReportAgent",
        "aask",
        "ajobs",
        "areport",
        "arepurpose",
        "aresume",
        "arun",
        "arun_many",
        "ask",
        "aupdate",
        "jobs",
        "report",
        "repurpose",
        "resume",
        "run",
        "run_many",
        "update",
        "worst_exit_code",
    ),
    "storm.app": ("App", "open_app"),
    "storm.citations": ("build_reference_from_evidence", "list_evidence", "validate_references"),
    "storm.errors": ("StormError",),
    "storm.export": ("to_html", "to_json", "to_markdown"),
    "storm.models": (
        "DeepResearchResult",
        "Dossier",
        "Event",
        "EvidencePiece",
        "HypothesisStatus",
        "JobLimits",
        "MechanismHypothesis",
        "ReportPreferences",
        "RepurposingReport",
        "ResearchPlan",
        "ResearchReport",
        "ResearchSettings",
    ),
    "storm.ports": ("EventSink",),
    "storm.settings": ("Settings", "read_settings"),
    "storm.toolkit": (
        "ToolConfig",
        "ToolContext",
        "ToolProgress",
        "ToolRecorder",
        "ToolResult",
        "as_dspy_tool",
        "call_tool",
        "list_tools",
        "register_tool",
        "run_tool",
    ),
}
#: Types whose Markdown `storm.export` writes.
_WRITTEN = ("Dossier", "RepurposingReport", "ResearchReport")
#: Modules that are attributes of the package: `storm.errors` and so on.
_MODULES = ("errors", "programs", "testing")


def __getattr__(name: str) -> Any:
    # Imported on first use, so that the command line starts without importing the whole program.
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"storm.{name}")
    home = next((module for module, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'storm' has no attribute {name!r}")
    if name in _WRITTEN:
        import_module("storm.export")  # it sets what `RepurposingReport.to_markdown` calls
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
