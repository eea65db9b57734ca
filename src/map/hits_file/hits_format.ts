import { isJson } from "../../values/parse_json.ts";
import type { PrefixCount } from "../base_path.ts";
import { type EvidenceKind, isEvidenceKind } from "../evidence.ts";
import { isPartKind, type ResponsePartKind, type UntriedReason } from "../noticed_hits.ts";
import type { ScalarValue } from "../parameter_plan.ts";
import type { UnmatchedState } from "../unmatched_requests.ts";
import type { TrafficVisibility } from "../visible_parts.ts";
import {
  type Check,
  type Checked,
  closedObject,
  count,
  HitsProblem,
  indexInto,
  list,
  listLength,
  matching,
  object,
  pair,
  readItems,
  readMembers,
  text,
  tuple,
  unchecked,
  unknownMemberError,
} from "./content_check.ts";

// Hits are saved as one line of UTF-8 JSON. These checks define the format; the types for reading and writing follow
// from them. Everything is identified by its name in the description (operations by method and path, parameters by
// location and name, responses by status, schemas by pointer, keywords by name and a hash of their value), so that
// another version of covtool or of the description can assign counts. Zero, unknown and empty members are left out.

/** Increased for a new member that older readers must not ignore. */
export const HITS_FORMAT = 4;

/** The start of the last member: a checksum of all bytes before the comma. */
export const CHECKSUM_START = ',"checksum":"';

/** The index of an unknown time. */
export const NO_TIME = -1;

/** An index into {@linkcode HitsFile.times}, or {@linkcode NO_TIME}. */
export type TimeIndex = number;

/** Returns a time of the file in seconds since 1970; Infinity if unknown. */
export type TimeAt = (index: TimeIndex | undefined) => number;

const FLAG = unchecked<true>();
/** In seconds since 1970. */
const TIME = matching<number>(Number.isFinite);
const TEXTS = list(text);
const KNOWN_TIME = indexInto("times");
const TIME_INDEX: Check<TimeIndex> = (value, limits) => {
  if (value !== undefined && value !== NO_TIME) KNOWN_TIME(value, limits);
};

/** Indexes into {@linkcode HitsFile.tests}, ascending. */
const TESTS = list(indexInto("tests"));
const TESTS_BY_NAME = list(tuple([text, TESTS]));
const TESTS_BY_INDEX = list(tuple([count, TESTS]));
export type TestIndexes = Checked<typeof TESTS>;

/**
 * The smallest interaction with its request: status, time, length of URL and body as recorded, URL, media type, and
 * the body as JSON with each value replaced by its type.
 */
const REQUEST = tuple(
  [count, (value, limits) => TIME_INDEX(value ?? null, limits), count, text] as [
    ...[Check<number>, Check<TimeIndex>, Check<number>, Check<string>],
  ],
  text,
  matching<string>((value) => typeof value === "string" && isJson(value)),
);
export type RequestFile = Checked<typeof REQUEST>;

/** The smallest interaction: its status only, or a {@linkcode RequestFile}. */
const EXAMPLE: Check<number | RequestFile> = (value, limits) =>
  Array.isArray(value) ? REQUEST(value, limits) : count(value, limits);

const PARAMETER_INDEX = indexInto("parameters");
/**
 * Evidence about an operation: the number of interactions, the smallest one, the status or the pointer of the rule
 * that it is about (a dot replaces the pointer of the parameter's schema, a star that of the schema of its items; a
 * tilde stands for `required` of a parameter), the first time, the parameter with the rule (its index in the
 * operation's list, or its name if it isn't listed), and the invalid part of the smallest one's value (default: implied
 * by the pointer).
 */
const EVIDENCE = tuple(
  [count, EXAMPLE, text],
  TIME_INDEX,
  ((value, limits) => {
    if (typeof value !== "string") PARAMETER_INDEX(value, limits);
  }) as Check<number | string>,
  text,
);
export type EvidenceFile = Checked<typeof EVIDENCE>;

export type EvidenceFiles = Readonly<Partial<Record<EvidenceKind, readonly EvidenceFile[]>>>;
const EVIDENCES: Check<EvidenceFiles> = (value, limits) => {
  for (const [kind, entries] of Object.entries(readMembers(value))) {
    if (!isEvidenceKind(kind)) throw unknownMemberError(kind);
    for (const entry of readItems(entries)) EVIDENCE(entry, limits);
  }
};

/**
 * Violations by responses: their number, the smallest one, the pointer of the keyword (a dot replaces the pointer of the
 * schema, a star that of the schema of items, a tilde that of the media type or header), the first time, and the
 * invalid part of the smallest one's value (default: implied by the pointer).
 */
const VIOLATION = tuple([count, EXAMPLE, text, TIME_INDEX], text);
export type ViolationFile = Checked<typeof VIOLATION>;

/** Optional members of parameters. */
const DETAILS = closedObject({}, {
  malformed: count,
  not_recorded: count,
  nested_too_deep: FLAG,
  replaced: FLAG,
  pattern_unjudged: FLAG,
  too_long: FLAG,
  /** The parameter's own examples that were sent: index, hash, hits, first time. */
  examples: list(tuple([count, text, count], TIME_INDEX)),
  /** The values listed by its schema that were sent, with their hits. */
  values: list(tuple([
    matching<ScalarValue>((value) => typeof value !== "object" || value === null),
    count,
  ])),
  /** Responses only: covtool couldn't decode some value. */
  undecoded: FLAG,
  /** Responses only: declared properties of bodies. Each entry has the pointer of `properties`, then names. */
  properties: list(TEXTS) as Check<readonly (readonly [pointer: string, ...names: string[]])[]>,
  /** Responses only. */
  violations: list(VIOLATION),
  tests: TESTS,
  example_tests: TESTS_BY_INDEX,
  /** The tests by schema and counter. */
  schema_tests: list(tuple([indexInto("schemas"), TESTS_BY_INDEX])),
});
export type ParameterDetails = Checked<typeof DETAILS>;
export type SchemaTestsFile = NonNullable<ParameterDetails["schema_tests"]>[number];

// Most of a file consists of parameters and counters. Destructuring, or a call per number, would be slower.

/** The counters of a schema in the order of its layout: two for a keyword (valid, invalid), one for other entries. */
export type CountsFile = readonly [
  schema: number,
  counts: readonly number[],
  /** The time of each nonzero counter's first count: one for all (default: the parameter's), or a list. */
  first?: TimeIndex | readonly TimeIndex[],
];
const KNOWN_SCHEMA = indexInto("schemas");
const COUNTS: Check<CountsFile> = (value, limits) => {
  const counts = readItems(value);
  KNOWN_SCHEMA(counts[0], limits);
  const numbers = readItems(counts[1]);
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at];
    if (!Number.isSafeInteger(number) || (number as number) < 0) count(number, limits);
  }
  const firsts = counts[2];
  if (!Array.isArray(firsts)) return TIME_INDEX(firsts, limits);
  for (let at = 0; at < firsts.length; at++) TIME_INDEX(firsts[at], limits);
};
const ALL_COUNTS = list(COUNTS);

export type ParameterFile = readonly [
  /** Location and name: `query limit`. */
  name: string,
  hits: number,
  schemas?: readonly CountsFile[],
  first?: TimeIndex,
  more?: ParameterDetails,
];
const PARAMETERS = list<ParameterFile>((value, limits) => {
  const parameter = readItems(value);
  text(parameter[0], limits);
  count(parameter[1], limits);
  ALL_COUNTS(parameter[2], limits);
  TIME_INDEX(parameter[3], limits);
  if (parameter[4] !== undefined) DETAILS(parameter[4], limits);
});

/** A documented response: status, hits, first time; number of timed hits, with sum and maximum in microseconds. */
const RESPONSE = tuple([text, count], TIME_INDEX, count, count, count);
export type ResponseFile = Checked<typeof RESPONSE>;

/**
 * A part of responses with the results of its changes: status, part, path, pointer, times reached, changes (runs,
 * noticed, passed, timed out), the reason if it has no verdict, and tests that reach and that notice it, if known.
 */
const NOTICED = tuple(
  [
    ...[text, matching<ResponsePartKind>(isPartKind), text, text, count] as const,
    list(tuple([text, count, count, count, count])),
  ],
  matching<UntriedReason | null>((value) =>
    value === null || value === "flaky" || value === "one_run"
  ),
  TEXTS,
  TEXTS,
);
export type NoticedFile = Checked<typeof NOTICED>;

const NAMED_COUNTS = list(tuple([text, count]));
const OPERATION = closedObject({
  /** Method and path: `GET /books/{id}`. */ operation: text,
  hits: count,
}, {
  /** Responses with 2xx or 3xx, and (`refused`) with 4xx. */
  succeeded: count,
  refused: count,
  answered_bodies: count,
  seen: pair(KNOWN_TIME, KNOWN_TIME),
  parameters: PARAMETERS,
  responses: list(RESPONSE),
  undocumented: NAMED_COUNTS,
  undocumented_bodies: list(tuple([text, count], EXAMPLE)),
  /** Requests that followed a link, by the status of its response and its name. */
  links: NAMED_COUNTS,
  /** Requests whose recording hides a parameter with a default, by location and name: `header X-Mode`. */
  hidden: NAMED_COUNTS,
  /** Media types (`body application/json`) and headers (`header X-Total`) of responses that were seen. */
  response_parts: list(tuple([text, PARAMETERS])),
  /** Undocumented response bodies: status, media type, hits, first time, smallest interaction. */
  undocumented_answers: list(tuple([text, text, count], TIME_INDEX, EXAMPLE)),
  /** Names in queries that aren't documented parameters. */
  undocumented_parameters: NAMED_COUNTS,
  /** Undeclared properties of responses, counted on request: status, media type, pointer, hits, first time. */
  undocumented_properties: list(tuple([text, text, text, count], TIME_INDEX)),
  evidence: EVIDENCES,
  /** Results of `covtool mutate`. */
  noticed: list(NOTICED),
  /** Responses by identity: identity, status, creator of the object (empty if unknown), count, first time. */
  access: list(tuple([text, count, text, count], TIME_INDEX)),
  tests: TESTS,
  response_tests: TESTS_BY_NAME,
  undocumented_tests: TESTS_BY_NAME,
});
export type OperationFile = Checked<typeof OPERATION>;

const REFERENCES = list(tuple([text, KNOWN_SCHEMA]));
/**
 * A schema with counters: its pointer (`schema` and `itemSchema` are those of the parameter with the counts), its layout
 * (see `UnitLayouts`), and its references to schemas of this list, each with the pointer where it occurs.
 */
const SCHEMA = tuple([text, text], REFERENCES);
export type SchemaFile = Checked<typeof SCHEMA>;

const CREDENTIALS = closedObject({
  /** The places where requests show credentials: `authorization`, `header x-api-key`. */
  shown: TEXTS,
}, {
  /** The name of the recording; absent for live traffic, which counts as one recording. */
  recording: text,
  /** Evidence from requests without credentials, by operation; what it proves depends on `shown`. */
  pending: list(pair(text, EVIDENCES)),
  /** Hashes of objects, with the test and the identity that created them. */
  owners: list(tuple([TEXTS, text, text])),
  /** Responses to requests for objects: objects, test, operation, identity, status, count, first time. */
  touches: list(tuple([TEXTS, text, text, text, count, count], TIME_INDEX)),
});
export type CredentialsFile = Checked<typeof CREDENTIALS>;

const BOOLEAN = matching<boolean>((value) => typeof value === "boolean");
const HEADERS_BUT = closedObject({}, { all_but: TEXTS, and: TEXTS });
const HEADERS: Check = (value, limits) => {
  if (Array.isArray(value)) TEXTS(value, limits);
  else if (value !== "all" && value !== "none") HEADERS_BUT(value, limits);
};
const VISIBLE: Check = closedObject({}, {
  ...{ path_parameters: BOOLEAN, query: BOOLEAN, request_headers: HEADERS, request_body: BOOLEAN },
  ...{ response_headers: HEADERS, response_body: BOOLEAN },
});

const UNMATCHED: Check = object({
  total: count,
  requests: list(object({
    ...{ method: text, host: text, path: text, reason: text, count },
    first_at: matching((value) => value === null || Number.isFinite(value)),
  })),
});
const HINTS: Check = list(object({ prefix: text, requests: count, templates: count }));

/** The description: its location as given by the user, and a fingerprint that ignores `x-covtool-ignore`. */
const DESCRIPTION = object({ location: text, title: text, version: text, fingerprint: text });
export type HitsDescription = Checked<typeof DESCRIPTION> & {
  /** The name of the API if several were measured together. */
  readonly api?: string;
};

const FILE = closedObject({
  description: DESCRIPTION as Check<HitsDescription>,
  recorded: count,
  matched: count,
  answered: count,
  schemas: list(SCHEMA),
  operations: list<OperationFile>((value, limits) => {
    const operation = readMembers(value);
    OPERATION(operation, { ...limits, parameters: listLength(operation["parameters"]) });
    checkAtMost(operation, "hits", limits.matched, "matched");
  }),
  covtool_hits: unchecked<typeof HITS_FORMAT>(),
}, {
  /** The version of covtool that wrote the file; for people. */
  covtool: unchecked<string>(),
  /** The parts of messages that the traffic could show, where they differ from `DEFAULT_VISIBILITY`. */
  visible: VISIBLE as Check<Partial<TrafficVisibility>>,
  /** The times that other members refer to by index. */
  times: list(TIME),
  /** The times of the first and the last request. */
  seen: pair(TIME, TIME),
  tests: TEXTS,
  /** True if there were more tests than a map keeps. */
  tests_left_out: matching<true>((value) => value === true),
  /** True if classes of values were counted for all of the traffic. */
  values: matching<true>((value) => value === true),
  unmatched: UNMATCHED as Check<UnmatchedState>,
  hints: HINTS as Check<readonly PrefixCount[]>,
  /** Evidence about credentials from recordings that other hits may continue. */
  credentials: list(CREDENTIALS),
  /** Responses to credentials of no known identity, and to requests whose sender isn't shown. */
  access: closedObject({}, { unknown: count, hidden: count }),
  checksum: unchecked<string>(),
});
export type HitsFile = Checked<typeof FILE>;

/** Throws a HitsProblem unless the content is that of a hits file, so that adding it can't fail halfway. */
export function checkHits(value: unknown): asserts value is HitsFile {
  const file = readMembers(value);
  FILE(file, {
    times: listLength(file["times"]),
    tests: listLength(file["tests"]),
    schemas: listLength(file["schemas"]),
    parameters: 0,
    matched: file["matched"] as number, // `FILE` checks it before comparing
  });
  checkAtMost(file, "matched", file["recorded"]);
  checkAtMost(file, "answered", file["recorded"]);
}

function checkAtMost(
  counts: Readonly<Record<string, unknown>>,
  name: string,
  maximum: unknown,
  maximumName = "recorded",
): void {
  if ((counts[name] as number) <= (maximum as number)) return; // checked as counts before
  const operation = counts["operation"];
  const where = typeof operation === "string" ? ` for ${JSON.stringify(operation)}` : "";
  const problem = `counts ${
    counts[name]
  } ${name}${where}, which is more than the ${maximum} ${maximumName}`;
  throw new HitsProblem(problem, "count");
}
