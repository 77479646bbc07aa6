# What `crosslane check --sarif` writes, against the schema of SARIF 2.1.0 and what GitHub asks beyond it.
#   sarif_schema_test.py CROSSLANE SCHEMA
# Exit code 77 where the schema or the validator is missing.
import json
import pathlib
import subprocess
import sys
import tempfile

NOT_HERE = 77
HEAD = """#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint words[]; };
shared uint tile[64];
void main() {
  const uint i = gl_LocalInvocationIndex;
"""
# Name, shader, flags, and the ids that must be among the results.
CASES = [
    ("clean.comp", HEAD + "words[i] = i;\n}\n", [], []),
    ("a racy one.comp", HEAD + "tile[i] = i;\nwords[i] = tile[i ^ 1];\n}\n", [], ["groupshared-race"]),
    ("sized.comp", HEAD + "words[i] = subgroupAdd(1);\n}\n", [], ["wave-size-dependent"]),
    ("endless.comp", HEAD + "while (atomicAdd(words[0], 0u) == 0u) {}\n}\n", [], ["no-progress"]),
    ("barrier.comp", HEAD + "if (i < 7) barrier();\nwords[i] = i;\n}\n", [], ["barrier-divergence"]),
    ("far.comp", HEAD + "words[i + 5000] = i;\n}\n", [], ["buffer-out-of-bounds"]),
    ("far.hlsl", "RWStructuredBuffer<uint> o;\n[numthreads(64,1,1)] void main(uint i : SV_GroupIndex) { o[i + 5000] = i; }\n",
     [], ["buffer-out-of-bounds"]),
]


def sarif_of(program, folder, name, flags):
    written = folder / "found.sarif"
    written.unlink(missing_ok=True)
    run = subprocess.run([program, "check", name, "--sarif", written.name, *flags], cwd=folder, capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"{name}: exit code {run.returncode}\n{run.stderr}")
    return json.loads(written.read_text())


def complain_of_github(name, sarif):
    """What code scanning needs of each result: a rule, a text, one place in the repository with a line."""
    rules = [rule["id"] for rule in sarif["runs"][0]["tool"]["driver"]["rules"]]
    for result in sarif["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        uri = place["artifactLocation"]["uri"]
        assert rules[result["ruleIndex"]] == result["ruleId"], f"{name}: ruleIndex"
        assert result["message"]["text"], f"{name}: no text"
        assert len(result["locations"]) == 1, f"{name}: several locations"
        assert place.get("region", {"startLine": 1})["startLine"] >= 1, f"{name}: line 0"
        assert not uri.startswith("/") and " " not in uri and "\\" not in uri, f"{name}: {uri}"


def main():
    program, schema_file = (str(pathlib.Path(name).resolve()) for name in sys.argv[1:])
    try:
        import jsonschema
    except ImportError:
        print("python3-jsonschema is not installed")
        return NOT_HERE
    if not pathlib.Path(schema_file).is_file():
        print(f"{schema_file} is missing: scripts/fetch-sarif-schema.sh fetches it")
        return NOT_HERE
    schema = json.loads(pathlib.Path(schema_file).read_text(encoding="utf-8-sig"))
    validator = jsonschema.validators.validator_for(schema)(schema)
    assert list(validator.iter_errors({"version": "2.1.0"})), "the schema lets everything pass"
    failures = []
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for name, text, flags, ids in CASES:
            (folder / name).write_text(text)
            sarif = sarif_of(program, folder, name, flags)
            failures += [f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message}"
                         for error in validator.iter_errors(sarif)]
            found = {result["ruleId"] for result in sarif["runs"][0]["results"]}
            failures += [f"{name}: {id} is missing, there is {sorted(found)}" for id in ids if id not in found]
            complain_of_github(name, sarif)
    print("\n".join(failures) or f"{len(CASES)} files are valid")
    return 1 if failures else 0


sys.exit(main())
