// The numbers of docs/concepts.md and docs/quick-start.md, which are one example.
import assert from "node:assert/strict";
import { load } from "js-yaml";
import { CoverageMap, type HttpRequest, type Report } from "../../mod.ts";
import { ROOT } from "../../scripts/source_files.ts";

const QUICK_START = await Deno.readTextFile(`${ROOT}/docs/quick-start.md`);
const CONCEPTS = await Deno.readTextFile(`${ROOT}/docs/concepts.md`);

/** What the quick start writes into a file, one piece after the other. */
function written(file: string): string[] {
  const pattern = new RegExp(`^cat >>? ${file} <<'END'\\n([\\s\\S]*?)^END$`, "gm");
  return [...QUICK_START.matchAll(pattern)].map(([, text = ""]) => text);
}

const DESCRIPTION = load(written("openapi.yaml")[0] ?? "") as Record<string, unknown>;
const [FIRST = [], MORE = []] = written("traffic.jsonl").map((lines) =>
  lines.trim().split("\n").map((line) =>
    JSON.parse(line) as { request: HttpRequest; response: { status_code: number } }
  )
);

function mapOf(traffic: typeof FIRST): CoverageMap {
  const map = CoverageMap.fromDict(DESCRIPTION);
  for (const { request, response } of traffic) map.record(request, response);
  return map;
}

/** The rows of the tables of numbers: what is covered and what could be, by dimension. */
function rows(): Record<string, readonly string[]>[] {
  const tables: Record<string, readonly string[]>[] = [];
  for (const [, name = "", cells = ""] of CONCEPTS.matchAll(/^\| \**(\w+)\** +\|(.*)\|$/gm)) {
    const counts = /(\d+) of (\d+)/.exec(cells);
    if (counts === null) continue;
    if (name === "operations") tables.push({});
    const last = tables.at(-1);
    if (last !== undefined) last[name] = counts.slice(1);
  }
  return tables;
}

Deno.test("the tables of the concepts are what covtool counts, before and after", () => {
  const tables = rows();
  assert.equal(tables.length, 2);
  for (const [index, traffic] of [FIRST, [...FIRST, ...MORE]].entries()) {
    const { operations, parameters, keywords, examples, responses } = mapOf(traffic).statistic();
    const counted = {
      operations,
      parameters,
      keywords: { seen: keywords.full + keywords.partial, total: keywords.total },
      examples,
      responses,
    };
    for (const [name, { seen, total }] of Object.entries(counted)) {
      assert.deepEqual(tables[index]?.[name], [String(seen), String(total)], name);
    }
  }
});

Deno.test("the concepts show the description and the order of the quick start", () => {
  const [shown = ""] = /(?<=```yaml\n)[\s\S]*?(?=```)/.exec(CONCEPTS) ?? [];
  // Only what has a number is shown of responses.
  const { paths } = load(shown.replace(/#\s.*$/gm, "")) as { paths: unknown };
  assert.deepEqual(paths, withoutDescriptions(DESCRIPTION["paths"]));
  const [traffic = ""] = /(?<=```json\n)[\s\S]*?(?=```)/.exec(CONCEPTS) ?? [];
  assert.deepEqual([JSON.parse(traffic)], FIRST);
});

function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== "description");
  return entries.length === 0
    ? null
    : Object.fromEntries(entries.map(([name, child]) => [name, withoutDescriptions(child)]));
}

Deno.test("the keywords are in the states that the concepts say, by their numbers", () => {
  // In the order of the description, which is that of the numbers.
  const states = (traffic: typeof FIRST) => {
    const report = JSON.parse(mapOf(traffic).generateReport({ format: "json" })) as Report;
    const [operation] = report.operations;
    return (operation?.parameters ?? []).flatMap(({ keywords = [] }) => keywords);
  };
  const numbered = [...CONCEPTS.matchAll(/^ *(\w+): .*#\s+keyword (\d)$/gm)];
  assert.deepEqual(numbered.map(([, , number]) => Number(number)), [1, 2, 3, 4, 5, 6, 7, 8]);
  // What nobody sent lists no keywords yet, so their order is that of all the traffic.
  const all = states([...FIRST, ...MORE]);
  assert.deepEqual(all.map(({ keyword }) => keyword), numbered.map(([, keyword]) => keyword));
  const numbersOf = (found: readonly { readonly schema_path: string }[]) => {
    const paths = new Set(found.map(({ schema_path }) => schema_path));
    return all.flatMap(({ schema_path }, index) => paths.has(schema_path) ? [index + 1] : []);
  };
  const first = states(FIRST).filter(({ state }) => state === "partial");
  assert.deepEqual(numbersOf(first), [2, 3, 4, 5, 6]);
  assert.deepEqual(numbersOf(all.filter(({ state }) => state === "full")), [4, 6]);
});
