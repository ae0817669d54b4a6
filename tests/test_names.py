"""A class has a name of its own: who reads it in one module need not ask which of several is meant."""

import ast
from collections import defaultdict

from folders import ROOT

SOURCE = ROOT / "src" / "railbird"


def test_no_two_public_classes_share_a_name() -> None:
    # Kernels name what is handed to compiled functions of one module, and nobody imports it from there.
    places = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        if path.is_relative_to(SOURCE / "kernels"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(SOURCE)))
    shared = {name: found for name, found in places.items() if len(found) > 1}
    assert shared == {}
