"""Errors in the words of the command line: the option that is wrong, and a hint for each code."""

from __future__ import annotations

from collections.abc import Mapping

from storm.cli.console import name_program
from storm.errors import Code, ModelError, StormError

HINTS: Mapping[Code, str] = {
    Code.MODEL_NEEDED: "name one: --model openai/…, or in config/models.yaml",
    Code.MODEL_NOT_CHOSEN: "add --model NAME, or leave --program and --max-… out",
    Code.MODE_WITHOUT_MODEL: "leave --model, --program and --max-… out, or choose --mode broad",
    Code.MODE_WITHOUT_RESEARCH: "leave --set and --settings out, or choose --mode parallel",
    Code.MODE_OF_OTHER_KIND: "leave --mode out, or ask with: storm {command}",
    Code.JOB_WITHOUT_MODEL: "leave --model out, or start another job: storm run DRUG --model NAME",
    Code.JOB_MODEL_GONE: "set STORM_MODELS as it was, or give one: storm resume {job} --model NAME",
    Code.JOB_ASKS_NO_MORE: "leave --model out to write its files again",
    Code.PRICE_UNKNOWN: (
        "give a limit in tokens or calls when the job is started (--max-tokens, --max-calls), or name a model of known "
        "price"
    ),
    Code.JOB_UNKNOWN: "list the jobs: storm jobs",
    Code.JOB_ID_INVALID: "an id looks like trastuzumab-1; list them: storm jobs",
    Code.JOB_EXISTS: "go on with it: storm resume {job}",
    Code.JOB_UNFINISHED: "finish it: storm resume {job}",
    Code.JOB_SUBMITTED: "follow it: storm watch {job}",
    Code.JOB_FINISHED: "see what it found: storm inspect {job}",
    Code.JOB_CANCELLED: "reopen it: storm resume {job}",
    Code.JOB_HELD: "follow it with: storm watch {job}; stop it with: storm cancel {job}",
    Code.BATCH_EXISTS: "give another --name, or leave --name out",
    Code.BATCH_HELD: "follow it: storm batch watch {batch}",
    Code.BATCH_ENDED: "see how: storm batch status {batch}; delete it: storm batch delete {batch}",
    Code.BATCH_UNKNOWN: "list the batches: storm batch list",
    Code.QUEUE_UNAVAILABLE: "start its server, or name it in STORM_QUEUE_URL; what was submitted is in the store",
    Code.LEASE_LOST: "see its status: storm inspect {job}",
    Code.JOB_DAMAGED: "restore the store from a copy, or gather again: storm run DRUG; nothing of the job was changed",
    Code.KEY_FOREIGN: "see what is missing: storm inspect JOB",
    Code.STORE_COMMAND_EMPTY: "give one: storm store cli PING",
    Code.STORE_IN_USE: "wait for it, or stop the store anyway with --force; the job can be resumed",
    Code.STORE_EVICTS: "stop it: storm store stop; it starts again without (or STORM_REDIS_EVICTION=allow)",
    Code.STORE_UNWRITTEN: "free disk space, or lose what is not written with --force",
    Code.CORPUS_FILE_UNKNOWN: "see: storm corpus list",
    Code.CORPUS_UNREADABLE: "remove the folder {folder} and add your files again with: storm corpus add",
    Code.CORPUS_EMPTIED: "add the files again (storm corpus add PATHS), then: storm resume {job}; or start a new job",
    Code.NO_DATABASE_ON: "use --offline, or switch one on in the list",
    Code.NOTHING_SEARCHED: "find out why: storm doctor",
    Code.DRUG_NAME_EMPTY: "give one, for example: storm run trastuzumab --offline",
    Code.DRUG_NAME_LONG: "give one name; synonyms go to --also",
    Code.DRUG_NOT_MEANT: "leave --meaning out, or look at what could not be searched: storm doctor",
    Code.DRUG_AMBIGUOUS: "say which one, for example: --meaning {choice}",
    Code.NO_DRUG: "name the drug that is compared with it, for example: storm run trastuzumab",
    Code.FOLDER_UNWRITABLE: "give another folder with --out",
    Code.FOLDER_TAKEN: "give another folder with --out, or replace the files with --overwrite",
    Code.FILE_UNWRITABLE: "free some disk space or give another folder; the job is saved: storm export JOB --out DIR",
    Code.PROGRAM_FOREIGN: "storm optimize writes them",
    Code.PROGRAM_OF_OTHER_MODE: "make one for it: storm optimize DATASET --mode {mode}",
    Code.PROGRAM_OUTDATED: "optimise again with this version: storm optimize DATASET",
    Code.PROGRAM_UNWRITABLE: "name another file: --out FILE.json",
    Code.TRACE_UNKNOWN: "list them: storm traces list; those of others need --user and --org",
    Code.OPTIMIZATION_CUT: "raise the limit, or use fewer --rounds or a smaller dataset",
}


#: Options that are not called as the argument in Python.
_OPTIONS = {"formats": "format", "preferences.format": "style", "preferences.length": "length"}


def message_of(error: StormError) -> str:
    """What is wrong, with the option that it is about."""
    setting = str(error.details.get("setting", ""))
    if not setting:
        return str(error)
    option = f"--{_OPTIONS.get(setting, setting).replace('_', '-')}"
    named = f"{setting} is "
    return (
        f"{option} is {error.message.removeprefix(named)}" if error.message.startswith(named) else f"{option}: {error}"
    )


def hint_of(error: StormError) -> str:
    """What to do about the error on the command line; may be empty."""
    hint = error.hint or ""
    if error.code:
        hint = HINTS[error.code].format_map({"job": "JOB", **error.details})
    if error.unfinished_job:
        another = " (with another model: --model NAME)" if isinstance(error, ModelError) else ""
        hint = "; ".join(filter(None, (hint, f"then go on: storm resume {error.unfinished_job}{another}")))
    return name_program(hint)
