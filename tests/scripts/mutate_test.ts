import assert from "node:assert/strict";
import equivalent from "../../scripts/mutate/equivalent.json" with { type: "json" };
import { findMutants, type SourceFile } from "../../scripts/mutate/instrument.ts";
import {
  describe,
  type Equivalent,
  findEquivalent,
  type Mutant,
  mutated,
} from "../../scripts/mutate/mutant.ts";
import { findReached } from "../../scripts/mutate/reached.ts";
import { findRoom, ROOMS } from "../../scripts/mutate/rooms.ts";
import { drawMutants } from "../../scripts/mutate/sample.ts";
import { type Judged, showMutant, summarize, table } from "../../scripts/mutate/summary.ts";
import { reachingTests, tryMutant } from "../../scripts/mutate/try_mutant.ts";
import { ROOT, sourceFiles } from "../../scripts/source_files.ts";
import { inFolder } from "../in_folder.ts";

const EQUIVALENT: readonly Equivalent[] = equivalent;

const SOURCE = `/** Counts down. */
export function steps(from: number, isSlow: boolean): number {
  let count = 0;
  for (let left = from; left > 0; left--) count++;
  return isSlow && from > 2 && count > 1 ? count * 2 : count;
}

export function unused(text: string): string {
  return text.trim();
}
`;

const TEST = `import { steps } from "../../src/part/steps.ts";

function expect(actual: number, expected: number) {
  if (actual !== expected) throw new Error(actual + " is not " + expected);
}

Deno.test("steps are counted", () => expect(steps(3, false), 3));
Deno.test({ name: "slow steps count twice", fn: () => expect(steps(3, true), 6) });
`;

const FILE: SourceFile = { path: "src/part/steps.ts", text: SOURCE };
const TEST_FILE: SourceFile = { path: "tests/part/steps_test.ts", text: TEST };

function find(mutants: readonly Mutant[], original: string, replacement: string): Mutant {
  const found = mutants.find((mutant) =>
    mutant.original === original && mutant.replacement === replacement
  );
  assert.ok(found !== undefined, `${original} → ${replacement}`);
  return found;
}

Deno.test("a mutant is the file with one change, and keeps the precedence of operators", async () => {
  const mutants = await findMutants([FILE]);
  assert.equal(new Set(mutants.map(({ id }) => id)).size, mutants.length);
  const both = find(mutants, "isSlow && from > 2", "isSlow || from > 2");
  const changed = mutated(SOURCE, both);
  assert.ok(changed.includes("return (isSlow || from > 2) && count > 1 ?"), changed);
  assert.equal(changed.length, SOURCE.length + 2);
  const block = find(mutants, "{\n  return text.trim();\n}", "{}");
  assert.ok(mutated(SOURCE, block).endsWith("unused(text: string): string {}\n"));
});

Deno.test("a sample is reproducible for a seed, even if the mutants move in the file", async () => {
  const before = await findMutants([FILE]);
  const after = await findMutants([{ ...FILE, text: `// A line.\n${SOURCE}` }]);
  const ids = (mutants: readonly Mutant[], seed: number, size: number) =>
    drawMutants(mutants, seed, size).map(({ id }) => id);
  assert.deepEqual(ids(before, 7, 5), ids(after, 7, 5));
  assert.deepEqual(ids(before, 7, 5), ids(before, 7, 9).slice(0, 5));
  assert.notDeepEqual(ids(before, 7, 5), ids(before, 8, 5));
});

Deno.test("mutants are killed, hang, survive, or aren't reached", () =>
  inFolder({}, async (folder) => {
    const copy = `${folder}/copy`;
    await Deno.mkdir(`${copy}/src/part`, { recursive: true });
    await Deno.mkdir(`${copy}/tests/part`, { recursive: true });
    await Deno.writeTextFile(`${copy}/deno.dev.json`, "{}");
    for (const { path, text } of [FILE, TEST_FILE]) {
      await Deno.writeTextFile(`${copy}/${path}`, text);
    }
    const mutants = await findMutants([FILE]);
    const cache = `${folder}/reached`;
    const said: string[] = [];
    const reach = () =>
      findReached(mutants, [FILE], [TEST_FILE], [copy], cache, (line) => said.push(line));
    const reached = await reach();
    assert.deepEqual(await reach(), reached);
    assert.equal(said.length, 1, "what is known isn't run again");
    assert.equal(await Deno.readTextFile(`${copy}/${FILE.path}`), SOURCE);

    const twice = find(mutants, "count * 2", "count / 2");
    assert.deepEqual(reachingTests(twice, reached).map(({ names }) => names), [[
      "slow steps count twice",
    ]]);
    const outcome = (original: string, replacement: string) =>
      tryMutant(find(mutants, original, replacement), FILE, reached, copy, 2);
    const by = TEST_FILE.path;
    assert.deepEqual(await outcome("count * 2", "count / 2"), { status: "killed", by });
    assert.deepEqual(await outcome("left--", "left++"), { status: "hung", by });
    assert.deepEqual(await outcome("from > 2", "from >= 2"), { status: "survived" });
    assert.deepEqual(await outcome("text.trim()", "text"), { status: "unreached" });
    assert.deepEqual(await outcome("{\n  return text.trim();\n}", "{}"), { status: "types" });
    assert.equal(await Deno.readTextFile(`${copy}/${FILE.path}`), SOURCE);
  }));

Deno.test("equivalent mutants don't count for the score, and unparsable ones not at all", async () => {
  const mutants = await findMutants([FILE]);
  const judged = (status: Judged["result"]["status"], isEquivalent: boolean): Judged => ({
    room: "src/part",
    mutant: find(mutants, "from > 2", "from >= 2"),
    result: { status },
    isEquivalent,
  });
  const summary = summarize("src/part", [
    ...[judged("killed", false), judged("hung", false), judged("types", false)],
    ...[judged("survived", false), judged("survived", true), judged("invalid", false)],
    { ...judged("survived", false), room: "src/other" },
  ]);
  assert.deepEqual(summary, {
    ...{ room: "src/part", mutants: 5, killed: 1, hung: 1, types: 1 },
    ...{ equivalent: 1, survived: 1, unreached: 0, score: 0.75 },
  });
  assert.ok(table([summary]).endsWith("| `src/part` | 5 | 1 | 1 | 1 | 1 | 1 | 0 | 75.0 % |"));
});

Deno.test("a survivor is shown with its lines and an entry for the list of equivalent mutants", async () => {
  const mutant = find(await findMutants([FILE]), "from > 2", "from >= 2");
  const [title, before, after, entry = ""] = showMutant(mutant, SOURCE, "survived").split("\n");
  assert.equal(title, `survived: src/part/steps.ts:5 EqualityOperator ${mutant.id}`);
  assert.equal(before, "-   return isSlow && from > 2 && count > 1 ? count * 2 : count;");
  assert.equal(after, "+   return isSlow && (from >= 2) && count > 1 ? count * 2 : count;");
  const listed = JSON.parse(entry);
  assert.equal(findEquivalent(mutant, SOURCE, [listed]), listed);
  assert.equal(findEquivalent(mutant, SOURCE, [{ ...listed, replacement: "true" }]), undefined);
});

Deno.test("a folder or file of a part has the part's tests, and others have the tests that mirror them", () => {
  assert.deepEqual(findRoom("./src/http/body.ts").tests, findRoom("src/http/").tests);
  assert.ok(findRoom("src/openapi").tests.includes("tests/openapi/"));
  assert.throws(() => findRoom("tests/http"), { name: "RangeError", message: /isn't in src/ });
});

Deno.test("each part has files and tests", async () => {
  const paths = await sourceFiles(ROOT, [".ts", ".tsx"]);
  const start = (prefix: string) => paths.some((path) => path.startsWith(prefix));
  const parts = ROOMS.flatMap(({ files, tests }) => [...files, ...tests]);
  assert.deepEqual(parts.filter((prefix) => !start(prefix)), []);
});

Deno.test("each equivalent mutant exists in the sources, and has a reason", async () => {
  const paths = [...new Set(EQUIVALENT.map(({ file }) => file))];
  const files = paths.map((path) => ({ path, text: Deno.readTextFileSync(`${ROOT}/${path}`) }));
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const known = new Set(
    (await findMutants(files)).map((mutant) => {
      const { line, original, replacement } = describe(mutant, texts.get(mutant.file) ?? "");
      return JSON.stringify([mutant.file, line, original, replacement]);
    }),
  );
  const lost = EQUIVALENT.filter(({ file, line, original, replacement, reason }) =>
    !known.has(JSON.stringify([file, line, original, replacement])) || reason.length < 10
  );
  assert.deepEqual(lost, []);
});
