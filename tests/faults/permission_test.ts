import assert from "node:assert/strict";
import { ERROR_END, shellTest, UNPRIVILEGED } from "./shell.ts";

const DENIED =
  "Permission to use this file is denied: check its permissions and those of its folder\\.";

function assertLines(out: string, expected: readonly (string | RegExp)[]): void {
  const lines = out.trimEnd().split("\n");
  assert.equal(lines.length, expected.length, out);
  for (const [index, line] of lines.entries()) {
    const wanted = expected[index] ?? "";
    if (typeof wanted === "string") assert.equal(line, wanted);
    else assert.match(line, wanted);
  }
}

shellTest("files without permissions have their own messages", UNPRIVILEGED, async (run) => {
  const { out, err } = await run(`
        said() { covtool "$@" 2>&1 >/dev/null | tr '\\n' '|'; echo; }
        mkdir locked mine; echo old > mine/old.html
        chmod 444 mine/old.html; chmod 555 locked
        cp traffic.json secret.json; cp openapi.yaml secret.yaml; chmod 000 secret.*
        said report secret.yaml traffic.json
        said report openapi.yaml secret.json
        said convert secret.json
        said report openapi.yaml traffic.json -o locked/new.html
        said report openapi.yaml traffic.json -o locked/deep/new.html
        said report openapi.yaml traffic.json -o mine/old.html
        said convert traffic.json -o locked/t.jsonl
        said proxy openapi.yaml --save-traffic locked/t.jsonl -- true
        said proxy openapi.yaml --export-ca locked/ca.pem -- true
        (cd locked && said init)
        echo "schema: openapi.yaml" > covtool.yaml; chmod 000 covtool.yaml
        said report
        rm -f covtool.yaml
        cat mine/old.html; ls -A locked mine
      `);
  assert.equal(err, "");
  const error = (text: string) => new RegExp(`^Error: ${text}${ERROR_END}$`);
  assertLines(out, [
    error(`Cannot load secret\\.yaml: ${DENIED}`),
    error(`Cannot read secret\\.json: ${DENIED}`),
    error(`Cannot read secret\\.json: ${DENIED}`),
    error(`Cannot write locked/new\\.html: ${DENIED}`),
    error(`Cannot write locked/deep/new\\.html: ${DENIED}`),
    error(`Cannot write mine/old\\.html: ${DENIED}`),
    error(`Cannot write locked/t\\.jsonl: ${DENIED}`),
    error(`Cannot use locked/t\\.jsonl: ${DENIED}`),
    new RegExp(
      `Error: Cannot write the certificate to \\S+/locked/ca\\.pem: ${DENIED} Choose another file with --export-ca\\.${ERROR_END}$`,
    ),
    error(`Cannot write covtool\\.yaml: ${DENIED}`),
    error(`Cannot read covtool\\.yaml: ${DENIED}`),
    "old",
    "locked:",
    "",
    "mine:",
    "old.html",
  ]);
});

shellTest(
  "folders of recordings that can't be read are never skipped silently",
  UNPRIVILEGED,
  async (run) => {
    const { out } = await run(`
        said() { covtool "$@" --format hits=r.hits 2>&1 | tr '\\n' '|'; echo; }
        mkdir -p locked some/locked; cp traffic.json some
        chmod 000 locked some/locked
        said report openapi.yaml locked
        said report openapi.yaml some
        said report openapi.yaml 'some/**/*.json'
        said report openapi.yaml 'some/locked/*.json'
        chmod 700 locked some/locked
      `);
    const sentence = (folder: string) => `Cannot read the folder ${folder}: ${DENIED}`;
    assertLines(out, [
      new RegExp(`^Error: ${sentence("locked")}${ERROR_END}$`),
      new RegExp(`^Error: ${sentence("some/locked")}${ERROR_END}$`),
      new RegExp(`requests: .*\\|Warning: ${sentence("some/locked")}\\|`),
      new RegExp(`^Error: ${sentence("some/locked")}${ERROR_END}$`),
    ]);
  },
);

shellTest(
  "a writable file in a read-only folder is written",
  UNPRIVILEGED,
  async (run) => {
    const { out, err } = await run(`
        mkdir locked; echo old > locked/r.svg; chmod 555 locked
        covtool report openapi.yaml traffic.json --format badge=locked/r.svg 2>/dev/null
        echo "$? $(tail -c 7 locked/r.svg)"
        chmod 755 locked
      `);
    assert.equal(err, "");
    assert.equal(out, "0 </svg>\n");
  },
);
