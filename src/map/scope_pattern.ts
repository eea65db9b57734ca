import type { OperationModel, ParameterModel } from "../openapi/model.ts";
import { nearestName } from "../values/nearest_name.ts";
import type { ParameterLocation } from "../values/position.ts";
import { escapePattern } from "../values/escapes.ts";

/** A pattern for parts of a description, with notes for people. */
export interface ScopeEntry {
  /** `GET /books/*`, `tag:internal`, `operation:getBook`, `deprecated`, `response:5XX`, `parameter:X-Id`, `keyword:format`. */
  readonly pattern: string;
  /** The reason for the exclusion, for people. */
  readonly reason?: string | undefined;
  /** The last day on which the entry is meant to apply, such as `2027-01-31`. */
  readonly until?: string | undefined;
  /** Where the entry was written: `covtool.yaml:12`. */
  readonly source?: string | undefined;
}

/** The parts of a description that a map measures (default: all of it). */
export interface ScopeOptions {
  /** Patterns for what to measure. Those for operations, parameters, responses and keywords apply separately. */
  readonly include?: readonly (string | ScopeEntry)[] | undefined;
  /** Patterns for what to leave out; they override `include`. */
  readonly exclude?: readonly (string | ScopeEntry)[] | undefined;
}

/** A validated {@linkcode ScopeEntry}. */
export interface ScopeRule {
  readonly pattern: string;
  readonly reason: string | null;
  readonly until: string | null;
  readonly source: string;
  readonly matcher: ScopePattern;
}

export interface ScopeRules {
  readonly include: readonly ScopeRule[];
  readonly exclude: readonly ScopeRule[];
}

/** @throws {TypeError} for a malformed pattern or date; the message begins with the source. */
export function readScope({ include = [], exclude = [] }: ScopeOptions): ScopeRules {
  return {
    include: readScopeEntries(include, "include option"),
    exclude: readScopeEntries(exclude, "exclude option"),
  };
}

/** @param source The source of entries that don't specify their own. */
function readScopeEntries(entries: readonly (string | ScopeEntry)[], source: string): ScopeRule[] {
  if (!Array.isArray(entries)) throw new TypeError(`${source}: Give a list of patterns.`);
  return entries.map((given: string | ScopeEntry) => {
    const entry = typeof given === "string" ? { pattern: given } : given;
    if (typeof entry?.pattern !== "string") {
      throw new TypeError(
        `${source}: Give each entry as a pattern, or as an object with pattern, reason and until.`,
      );
    }
    const origin = entry.source ?? source;
    try {
      return {
        pattern: entry.pattern.trim(),
        reason: entry.reason ?? null,
        until: entry.until === undefined ? null : readDay(entry.until),
        source: origin,
        matcher: parseScopePattern(entry.pattern),
      };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new TypeError(`${origin}: ${error.message}`, { cause: error });
    }
  });
}

/** Returns the text of a calendar date such as `2027-01-31`; throws a TypeError for any other text. */
export function readDay(text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  // Some engines parse February 30 as March 2, others reject it.
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw new TypeError(`"${text}" is not a date. Write until as 2027-01-31.`);
}

export type ScopedPart =
  | {
    readonly kind: "operation";
    readonly model: Pick<
      OperationModel,
      "method" | "path" | "tags" | "operationId" | "deprecated"
    >;
  }
  | {
    readonly kind: "parameter";
    readonly model: Pick<ParameterModel, "location" | "name" | "deprecated">;
  }
  /** `name` is the status of a response or the name of a keyword. */
  | { readonly kind: "response" | "keyword"; readonly name: string };

export interface ScopePattern {
  readonly kind: "path" | "tag" | "operation" | "deprecated" | "response" | "parameter" | "keyword";
  readonly part: ScopedPart["kind"];
  /** The location of parameters; undefined for all locations. */
  readonly location?: ParameterLocation | undefined;
  /** True if a part matches; always false for parts of another kind. */
  test(part: ScopedPart): boolean;
}

type NameTest = (name: string) => boolean;

const PREFIXES = ["tag", "operation", "response", "parameter", "keyword"] as const;
const LOCATIONS = ["path", "query", "header", "cookie", "form_data", "body"] as const;
const USAGE =
  "GET /books/*, /books/**, tag:NAME, operation:ID, deprecated, response:5XX, parameter:NAME and keyword:NAME";

/** Parses a pattern for parts of a description: `*` within a segment, `**` across; `/**` at the end is optional. */
export function parseScopePattern(source: string): ScopePattern {
  const text = source.trim();
  if (text === "deprecated") return forOperations(text, ({ deprecated }) => deprecated);
  const [, word = "", name = ""] = /^(\w+):(.*)$/s.exec(text) ?? [];
  const prefix = PREFIXES.find((known) => known === word);
  if (prefix === undefined) {
    const parts = /^(?:(\S+)\s+)?(\/\S*)$/.exec(text);
    if (parts === null) throw malformedPatternError(text);
    const isMethod = globTest(parts[1] ?? "*", true);
    const isPath = pathTest(parts[2] ?? "");
    return forOperations("path", ({ method, path }) => isMethod(method) && isPath(path));
  }
  if (name === "") {
    throw new TypeError(`The pattern "${text}" has nothing after the colon.`);
  }
  if (prefix === "parameter") return parameterPattern(name);
  const test = prefix === "response" ? statusTest(name, text) : globTest(name);
  switch (prefix) {
    case "tag":
      return forOperations(prefix, ({ tags }) => tags.some(test));
    case "operation":
      return forOperations(prefix, ({ operationId }) => operationId !== null && test(operationId));
    case "response":
    case "keyword":
      return {
        kind: prefix,
        part: prefix,
        test: (part) => part.kind === prefix && test(part.name),
      };
  }
}

function forOperations(
  kind: ScopePattern["kind"],
  test: (model: (ScopedPart & { readonly kind: "operation" })["model"]) => boolean,
): ScopePattern {
  return { kind, part: "operation", test: (part) => part.kind === "operation" && test(part.model) };
}

function malformedPatternError(text: string): TypeError {
  const start = `"${text}" is not a pattern.`;
  const suggestion = suggestPattern(text);
  const hint = suggestion === undefined || suggestion === text
    ? ""
    : ` Did you mean ${suggestion}?`;
  return new TypeError(`${start}${hint} Patterns are ${USAGE}.`);
}

function suggestPattern(text: string): string | undefined {
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
  const pattern = location === undefined ? text : rest;
  const [isName, isHeader] = [globTest(pattern), globTest(pattern, true)];
  return {
    kind: "parameter",
    part: "parameter",
    location,
    test: (part) =>
      part.kind === "parameter" && (location === undefined || part.model.location === location) &&
      (part.model.location === "header" ? isHeader : isName)(part.model.name),
  };
}

/** Returns a test for a status, for a range such as `5XX` and the statuses in it, or for `default`. */
function statusTest(text: string, pattern: string): NameTest {
  if (!/^([1-9*][\dxX*]{0,2}|default)$/.test(text)) {
    throw new TypeError(
      `The pattern "${pattern}" names no response. Use a status such as 404, a range such as 5XX, or default.`,
    );
  }
  const source = text.replaceAll("*", ".*").replaceAll(/[xX]/g, "[\\dX]");
  const expression = new RegExp(`^${source}$`, "i");
  return (status) => expression.test(status);
}

/** Returns a test for paths. `*` matches within a segment, `**` across segments; `/books/**` includes `/books`. */
function pathTest(path: string): NameTest {
  const includesSubpaths = path.endsWith("/**");
  const start = includesSubpaths ? path.slice(0, -"/**".length) : path;
  const source = start.split(/(\*+)/).map((part) =>
    !part.startsWith("*") ? escapePattern(part) : part.length > 1 ? ".*" : "[^/]*"
  ).join("");
  const expression = new RegExp(`^${source}${includesSubpaths ? "(?:/.*)?" : ""}$`, "s");
  return (name) => expression.test(name);
}

function globTest(text: string, anyCase = false): NameTest {
  const source = text.split("*").map(escapePattern).join(".*");
  const expression = new RegExp(`^${source}$`, anyCase ? "is" : "s");
  return (name) => expression.test(name);
}
