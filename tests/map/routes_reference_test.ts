import assert from "node:assert/strict";
import fc from "fast-check";
import { compileRoutes, type RouteOperation } from "../../src/map/routes.ts";

/** Joins segments after decoding, so that a decoded slash stays inside its segment. */
const BREAK = "\u0001";

interface Candidate {
  readonly index: number;
  readonly captures: readonly string[];
  /** Decides between candidates, left to right: smaller is better. */
  readonly rank: readonly (number | string)[];
}

function splitPath(path: string): { segments: string[]; slash: boolean } {
  const segments = path.slice(1).split("/");
  const slash = segments.at(-1) === "";
  if (slash) segments.pop();
  return { segments: segments.map((segment) => decodeURIComponent(segment)), slash };
}

/** Matches a path against one template with one regular expression. */
function candidate(template: string, index: number, path: string): Candidate | null {
  const wanted = splitPath(template);
  const given = splitPath(path);
  const pattern = wanted.segments.map((segment) =>
    BREAK + segment.split(/\{[^{}]*\}/).map((text) => RegExp.escape(text)).join(`([^${BREAK}]+)`)
  ).join("");
  const text = given.segments.map((segment) => BREAK + segment).join("");
  const found = new RegExp(`^${pattern}$`).exec(text);
  if (found === null) return null;
  const ranks = wanted.segments.flatMap((segment) => {
    if (!segment.includes("{")) return [0, 0, 0, ""];
    if (/^\{[^{}]*\}$/.test(segment)) return [2, 0, 0, ""];
    const texts = segment.split(/\{[^{}]*\}/);
    return [1, -texts.join("").length, -(texts[0] ?? "").length, texts.join("{}")];
  });
  const rank = [...ranks, wanted.slash === given.slash ? 0 : 1, index];
  return { index, captures: found.slice(1), rank };
}

function better(a: Candidate, b: Candidate): number {
  for (let at = 0; at < a.rank.length; at++) {
    const [left, right] = [a.rank[at] ?? 0, b.rank[at] ?? 0];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

function best(
  operations: readonly RouteOperation[],
  basePaths: readonly string[],
  method: string | null,
  path: string,
): Candidate | null {
  const given = path.slice(1).split("/");
  for (const prefix of ["", ...basePaths].sort((a, b) => b.length - a.length)) {
    const length = prefix.split("/").length - 1;
    const start = given.slice(0, length).map((segment) => `/${decodeURIComponent(segment)}`);
    if (given.length < length || start.join("") !== prefix) continue;
    const rest = `/${given.slice(length).join("/")}`;
    const found = operations.flatMap((operation, index) => {
      if (method !== null && operation.method !== method) return [];
      return candidate(operation.path, index, rest) ?? [];
    });
    const [first] = found.sort(better);
    if (first !== undefined) return first;
  }
  return null;
}

const templateSegment = fc.constantFrom(
  ...["a", "b", "a.b", "{x}", "{y}", "{x}.{y}", "{z}.b", "a{x}", "{x}b", ""],
);
const pathSegment = fc.constantFrom("a", "b", "c", "a.b", "a.c.b", "ab", "", "a%2Fb", "%61", "é");
const slash = fc.constantFrom("", "", "/");

function joinPaths(segment: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> {
  return fc.tuple(fc.array(segment, { minLength: 1, maxLength }), slash)
    .map(([segments, end]) => `/${segments.join("/")}${end}`);
}

const operation = fc.record({
  method: fc.constantFrom("GET", "POST"),
  path: fc.oneof({ weight: 8, arbitrary: joinPaths(templateSegment, 3) }, fc.constant("/")),
});
const servers = fc.uniqueArray(fc.constantFrom("/a", "/a/b", "/b", "/a.b/c"), { maxLength: 3 });

Deno.test("match() agrees with one regular expression per template", () => {
  let matched = 0;
  fc.assert(
    fc.property(
      fc.array(operation, { minLength: 1, maxLength: 10 }),
      servers,
      fc.array(joinPaths(pathSegment, 5), { minLength: 1, maxLength: 8 }),
      (operations, basePaths, paths) => {
        const routes = compileRoutes(operations, { basePaths });
        for (const path of paths) {
          const match = routes.match("GET", path);
          const wanted = best(operations, basePaths, "GET", path);
          if (match.kind === "operation") {
            matched += 1;
            assert.equal(match.index, wanted?.index, path);
            assert.deepEqual(
              match.captures.map((text = "") => decodeURIComponent(text)),
              wanted?.captures,
              path,
            );
          } else {
            assert.equal(wanted, null, path);
            const other = best(operations, basePaths, null, path);
            assert.equal(
              match.reason,
              other === null ? "no_matching_path" : "method_not_documented",
              path,
            );
            if (other === null) {
              assert.equal(decodeURIComponent(match.path), decodeURIComponent(path));
            } else assert.equal(match.path, operations[other.index]?.path);
          }
        }
      },
    ),
    { numRuns: 1500 },
  );
  assert.ok(matched > 500, `only ${matched} of the paths matched`);
});

Deno.test("a suggested prefix, given as the option, lets the request match", () => {
  fc.assert(
    fc.property(
      fc.array(operation, { minLength: 1, maxLength: 10 }),
      servers,
      joinPaths(pathSegment, 5),
      fc.constantFrom(undefined, "/b", "http://h/a"),
      (operations, basePaths, url, basePath) => {
        const routes = compileRoutes(operations, { basePath, basePaths });
        const match = routes.match("GET", url);
        if (match.kind === "operation" || match.reason === "method_not_documented") return;
        for (const { prefix } of routes.suggestPrefixes("GET", match.path)) {
          const helped = compileRoutes(operations, { basePath: prefix }).match("GET", url);
          assert.equal(helped.kind, "operation", `${prefix} for ${url}`);
        }
      },
    ),
    { numRuns: 1500 },
  );
});
