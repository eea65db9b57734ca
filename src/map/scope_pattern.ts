import { nearestName } from "../values/nearest_name.ts";
import type { ParameterLocation } from "../values/parameter_location.ts";

/** A pattern for parts of a description, read. */
export type ScopePattern =
  | { readonly kind: "path"; readonly method: NameTest; readonly path: NameTest }
  | { readonly kind: "tag" | "operation"; readonly name: NameTest }
  | { readonly kind: "deprecated" }
  | { readonly kind: "response"; readonly status: NameTest }
  | {
    readonly kind: "parameter";
    readonly location: ParameterLocation | undefined;
    readonly name: NameTest;
    /** For headers, whose names are the same in capitals. */
    readonly header: NameTest;
  }
  | { readonly kind: "keyword"; readonly name: NameTest };

/** True if the pattern matches a name. */
export type NameTest = (name: string) => boolean;

/** The kinds of patterns that begin with a word and a colon. */
const PREFIXES = ["tag", "operation", "response", "parameter", "keyword"] as const;
const LOCATIONS = ["path", "query", "header", "cookie", "form_data", "body"] as const;
const FORMS =
  "GET /books/*, /books/**, tag:NAME, operation:ID, deprecated, response:5XX, parameter:NAME and keyword:NAME";

/**
 * Reads a pattern for parts of a description. In paths, `*` is any text within a segment and `**` any text; a path that
 * ends in `/**` means what is above it too. In names, `*` is any text.
 *
 * @throws {TypeError} if the text isn't a pattern: a sentence that says what may be meant.
 *
 * @example
 * ```ts
 * import { parseScopePattern } from "./scope_pattern.ts";
 * import assert from "node:assert/strict";
 *
 * const pattern = parseScopePattern("GET /books/*");
 * assert.ok(pattern.kind === "path" && pattern.method("GET") && pattern.path("/books/{id}"));
 * assert.ok(!pattern.path("/books/{id}/reviews"));
 * ```
 */
export function parseScopePattern(given: string): ScopePattern {
  const text = given.trim();
  if (text === "deprecated") return { kind: "deprecated" };
  const parts = /^(?:(\S+)\s+)?(\/\S*)$/.exec(text);
  if (parts !== null) {
    const [, method = "*", path = ""] = parts;
    return { kind: "path", method: globTest(method, true), path: pathTest(path) };
  }
  const [, word = "", name = ""] = /^(\w+):(.*)$/s.exec(text) ?? [];
  const prefix = PREFIXES.find((known) => known === word);
  if (prefix === undefined) throw malformed(text);
  if (name === "") {
    throw new TypeError(`The pattern "${text}" has nothing after the colon.`);
  }
  switch (prefix) {
    case "tag":
    case "operation":
    case "keyword":
      return { kind: prefix, name: globTest(name) };
    case "response":
      return { kind: prefix, status: statusTest(name, text) };
    case "parameter":
      return parameterPattern(name);
  }
}

function malformed(text: string): TypeError {
  const start = `"${text}" is not a pattern.`;
  const suggestion = suggestionFor(text);
  const hint = suggestion === undefined || suggestion === text
    ? ""
    : ` Did you mean ${suggestion}?`;
  return new TypeError(`${start}${hint} Patterns are ${FORMS}.`);
}

function suggestionFor(text: string): string | undefined {
  const [, word = "", space = "", rest = ""] = /^(\w+)(:|\s+)(.*)$/s.exec(text) ?? [];
  const path = rest.trim();
  const isMethod = /^[A-Z]+$/.test(word) || path.includes("/");
  if (/^\s+$/.test(space) && isMethod) return `${word} /${path}`;
  if (word !== "") {
    const prefix = nearestName(word, PREFIXES);
    return prefix === undefined || path === "" ? undefined : `${prefix}:${path}`;
  }
  if (nearestName(text, ["deprecated"]) !== undefined) return "deprecated";
  if (/^[1-5](\d\d|xx|XX)$/.test(text)) return `response:${text.toUpperCase()}`;
  return /^[^\s/:]+\/\S*$/.test(text) ? `/${text}` : undefined;
}

function parameterPattern(text: string): ScopePattern {
  const [, place = "", rest = ""] = /^(\w+):(.+)$/s.exec(text) ?? [];
  const location = LOCATIONS.find((known) => known === place);
  const name = location === undefined ? text : rest;
  return { kind: "parameter", location, name: globTest(name), header: globTest(name, true) };
}

/** A status, a range such as `5XX` with all that is in it, or `default`. */
function statusTest(text: string, pattern: string): NameTest {
  if (!/^([1-9*][\dxX*]{0,2}|default)$/.test(text)) {
    throw new TypeError(
      `The pattern "${pattern}" names no response. Use a status such as 404, a range such as 5XX, or default.`,
    );
  }
  const source = escaped(text).replaceAll("*", ".*").replaceAll(/[xX]/g, "[\\dX]");
  const expression = new RegExp(`^${source}$`, "i");
  return (status) => expression.test(status);
}

/** A path: `*` stays within a segment, `**` does not; `/books/**` is `/books` and all below it. */
function pathTest(path: string): NameTest {
  const below = path.endsWith("/**");
  const start = below ? path.slice(0, -"/**".length) : path;
  const source = start.split(/(\*+)/).map((part) =>
    !part.startsWith("*") ? escaped(part) : part.length > 1 ? ".*" : "[^/]*"
  ).join("");
  const expression = new RegExp(`^${source}${below ? "(?:/.*)?" : ""}$`, "s");
  return (name) => expression.test(name);
}

function globTest(text: string, anyCase = false): NameTest {
  const source = text.split("*").map(escaped).join(".*");
  const expression = new RegExp(`^${source}$`, anyCase ? "is" : "s");
  return (name) => expression.test(name);
}

function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
}
