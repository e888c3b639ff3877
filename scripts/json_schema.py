"""Write docs/dossier.schema.json from the models. --check: say whether it is as they are (exit 1)."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from storm.models import Dossier
from storm.models.dossier import SCHEMA_VERSION

FILE = Path(__file__).resolve().parents[1] / "docs/dossier.schema.json"


def main() -> int:
    """0, or 1 if --check finds another file."""
    text = write_schema()
    if "--check" in sys.argv[1:]:
        if FILE.read_text(encoding="utf-8") != text:
            sys.exit("Error: docs/dossier.schema.json is not as the models are; run scripts/json_schema.py")
        return 0
    FILE.write_text(text, encoding="utf-8")
    return 0


def write_schema() -> str:
    """The JSON schema of dossier.json."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:storm:dossier:{SCHEMA_VERSION}"}
    return json.dumps(head | Dossier.model_json_schema(mode="serialization"), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    sys.exit(main())
