// Tests the numbers in docs/concepts.md and docs/quick-start.md, which share one example.
import assert from "node:assert/strict";
import { load } from "js-yaml";
import { CoverageMap, type HttpRequest, type Report } from "../../mod.ts";
import { ROOT } from "../../scripts/source_files.ts";

const QUICK_START = await Deno.readTextFile(`${ROOT}/docs/quick-start.md`);
const CONCEPTS = await Deno.readTextFile(`${ROOT}/docs/concepts.md`);

/** The pieces that the quick start writes into a file, in order. */
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

function record(traffic: typeof FIRST): CoverageMap {
  const map = CoverageMap.fromDict(DESCRIPTION);
  for (const { request, response } of traffic) map.record(request, response);
  return map;
}

/** Rows of the tables: covered and total numbers by dimension. */
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

Deno.test("the tables in the concepts have covtool's numbers, before and after", () => {
  const tables = rows();
  assert.equal(tables.length, 2);
  for (const [index, traffic] of [FIRST, [...FIRST, ...MORE]].entries()) {
    const { operations, parameters, keywords, examples, responses } = record(traffic).statistic();
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

Deno.test("the concepts show the description and the traffic of the quick start", () => {
  const [shown = ""] = /(?<=```yaml\n)[\s\S]*?(?=```)/.exec(CONCEPTS) ?? [];
  // Of responses, only the parts with numbers are shown.
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

Deno.test("keywords have the states that the concepts list by number", () => {
  // Numbered in the order of the description.
  const states = (traffic: typeof FIRST) => {
    const report = JSON.parse(record(traffic).generateReport({ format: "json" })) as Report;
    const [operation] = report.operations;
    return (operation?.parameters ?? []).flatMap(({ keywords = [] }) => keywords);
  };
  const numbered = [...CONCEPTS.matchAll(/^ *(\w+): .*#\s+keyword (\d)$/gm)];
  assert.deepEqual(numbered.map(([, , number]) => Number(number)), [1, 2, 3, 4, 5, 6, 7, 8]);
  // Keywords of parameters that were never sent aren't listed, so their order is taken from all traffic.
  const all = states([...FIRST, ...MORE]);
  assert.deepEqual(all.map(({ keyword }) => keyword), numbered.map(([, keyword]) => keyword));
  const keywordNumbers = (found: readonly { readonly schema_path: string }[]) => {
    const paths = new Set(found.map(({ schema_path }) => schema_path));
    return all.flatMap(({ schema_path }, index) => paths.has(schema_path) ? [index + 1] : []);
  };
  const first = states(FIRST).filter(({ state }) => state === "partial");
  assert.deepEqual(keywordNumbers(first), [2, 3, 4, 5, 6]);
  assert.deepEqual(keywordNumbers(all.filter(({ state }) => state === "full")), [4, 6]);
});
