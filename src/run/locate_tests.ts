import { readFileSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { ReportNoticed } from "../report/report.ts";
import { readTestName } from "../suggest/formats/request_title.ts";
import { getOrAdd } from "../values/collections.ts";
import { escapePattern } from "../values/escapes.ts";
import type { Suggestion } from "../suggest/suggestion.ts";

/** The largest size of a file, in bytes, that may have tests written by hand. */
const MAX_SIZE = 1 << 20;

/** Adds the test in which to assert it to each part that no test notices. */
export function locateUnnoticed(parts: readonly ReportNoticed[]): readonly ReportNoticed[] {
  return locateTests(parts.map((part) => {
    const [test] = part.state === "unnoticed" ? part.reached_by : [];
    return test === undefined ? part : { ...part, closest_test: readTestName(test) };
  }));
}

/** Adds the line of the closest test to each suggestion, if its file is in the working directory. */
export function locateTests<Item extends Pick<Suggestion, "closest_test">>(
  suggestions: readonly Item[],
): readonly Item[] {
  const files = new Map<string, readonly string[]>();
  const lineByTest = new Map<string, number>();
  return suggestions.map((suggestion) => {
    const { closest_test } = suggestion;
    if (closest_test?.file === undefined) return suggestion;
    const { name, file } = closest_test;
    // Cached, as many parts of responses may have the same test.
    const line = getOrAdd(
      lineByTest,
      JSON.stringify([file, name]),
      () => findLine(withoutClass(name, file), getOrAdd(files, file, () => readLines(file))),
    );
    return line === 0 ? suggestion : { ...suggestion, closest_test: { ...closest_test, line } };
  });
}

function readLines(file: string): readonly string[] {
  if (isAbsolute(file) || file.split(/[/\\]/).includes("..")) return [];
  try {
    return statSync(file).size > MAX_SIZE ? [] : readFileSync(file, "utf8").split("\n");
  } catch {
    return []; // the tests are elsewhere
  }
}

/** Returns a test's name without the class of JUnit that its file is named after. */
function withoutClass(name: string, file: string): string {
  const prefix = `${file.replace(/^.*[/\\]/, "").replace(/\.\w+$/, "")}.`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** Returns the line, from 1, with the innermost part of a test's name; 0 if there is none, as with computed names. */
function findLine(name: string, lines: readonly string[]): number {
  const lastName = name.split(" > ").at(-1)?.replace(/^[^[]*::/, "") ?? "";
  // pytest and JUnit append parameters to a name, Go appends subtests.
  const names = [lastName, lastName.replace(/\s*[[(].*$/s, ""), lastName.replace(/\/.*$/s, "")];
  for (const one of names.filter((name) => name !== "")) {
    // Comments and longer names may contain it before its function or title.
    const text = escapePattern(one);
    const own = new RegExp(`(?<!\\w)${text}\\s*\\(|(["'\`])${text}\\1`);
    const index = lines.findIndex((line) => own.test(line));
    const found = index >= 0 ? index : lines.findIndex((line) => line.includes(one));
    if (found >= 0) return found + 1;
  }
  return 0;
}
