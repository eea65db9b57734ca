import { isJson } from "../../values/parse_json.ts";
import type { PrefixCount } from "../base_path.ts";
import { type EvidenceKind, isEvidenceKind } from "../evidence.ts";
import { isPartKind, type ResponsePartKind, type UntriedReason } from "../noticed_hits.ts";
import type { ScalarValue } from "../parameter_plan.ts";
import type { UnmatchedState } from "../unmatched.ts";
import type { Visible } from "../visible_parts.ts";
import {
  type Check,
  type Checked,
  closed,
  count,
  HitsProblem,
  indexInto,
  is,
  list,
  listLength,
  object,
  pair,
  readItems,
  readMembers,
  text,
  tuple,
  unchecked,
  unknownMember,
} from "./content_check.ts";

// Hits are saved as one line of UTF-8 JSON, which these checks describe: the types of what is written and read follow
// from them. Everything is named as the description names it (operations by method and path, parameters by location and
// name, responses by status, schemas by pointer, keywords by name and a hash of their value), so that another version of
// covtool, or another state of the description, can tell what was counted. What is zero, unknown or empty is left out.

/** A new member that old readers may ignore doesn't change it; one that they can't do without does. */
export const HITS_FORMAT = 3;

/** The last member: a checksum of all bytes before the comma. */
export const CHECKSUM_START = ',"checksum":"';

/** Stands for a time that is not known. */
export const NO_TIME = -1;

/** A time, as an index into {@linkcode HitsFile.times}, or {@linkcode NO_TIME}. */
export type TimeIndex = number;

const FLAG = unchecked<true>();
/** In seconds since 1970. */
const TIME = is<number>(Number.isFinite);
const TEXTS = list(text);
const KNOWN_TIME = indexInto("times");
const TIME_INDEX: Check<TimeIndex> = (value, limits) => {
  if (value !== undefined && value !== NO_TIME) KNOWN_TIME(value, limits);
};

/** Tests by their index in {@linkcode HitsFile.tests}, in ascending order. */
const TESTS = list(indexInto("tests"));
const TESTS_BY_NAME = list(tuple([text, TESTS]));
const TESTS_BY_INDEX = list(tuple([count, TESTS]));
export type TestIndexes = Checked<typeof TESTS>;

/**
 * The smallest of some interactions with its request: status, time, length of URL and body as they were recorded, URL,
 * media type, and the body as JSON with the types of values in their place.
 */
const REQUEST = tuple(
  [count, (value, limits) => TIME_INDEX(value ?? null, limits), count, text] as [
    ...[Check<number>, Check<TimeIndex>, Check<number>, Check<string>],
  ],
  text,
  is<string>((value) => typeof value === "string" && isJson(value)),
);
export type RequestFile = Checked<typeof REQUEST>;

/** The smallest of some interactions: its status, or that and its request. */
const EXAMPLE: Check<number | RequestFile> = (value, limits) =>
  Array.isArray(value) ? REQUEST(value, limits) : count(value, limits);

const PARAMETER_INDEX = indexInto("parameters");
/**
 * Interactions that show the same of an operation: their number, the smallest, a status or the pointer of the rule that
 * they are about (with a dot, from the schema of the parameter), the first time, the parameter whose rule it is (its
 * index in the operation's list, or its name if it isn't there), a hash of the value of the keyword (empty for the
 * `required` of a parameter), and the part of the value that the smallest refuses (default: as the pointer tells).
 */
const EVIDENCE = tuple(
  [count, EXAMPLE, text],
  TIME_INDEX,
  ((value, limits) => {
    if (typeof value !== "string") PARAMETER_INDEX(value, limits);
  }) as Check<number | string>,
  text,
  text,
);
export type EvidenceFile = Checked<typeof EVIDENCE>;

export type EvidenceFiles = Readonly<Partial<Record<EvidenceKind, readonly EvidenceFile[]>>>;
const EVIDENCES: Check<EvidenceFiles> = (value, limits) => {
  for (const [kind, entries] of Object.entries(readMembers(value))) {
    if (!isEvidenceKind(kind)) throw unknownMember(kind);
    for (const entry of readItems(entries)) EVIDENCE(entry, limits);
  }
};

/**
 * Responses that broke a keyword of a media type or header: their number, the smallest, the pointer of the keyword (with
 * a dot from the schema, with a tilde from the media type or header), the first time, a hash of the value of the keyword
 * (empty after a tilde), and the part of the value that the smallest has wrong (default: as the pointer tells).
 */
const VIOLATION = tuple([count, EXAMPLE, text, TIME_INDEX, text], text);
export type ViolationFile = Checked<typeof VIOLATION>;

/** Members that few parameters need. */
const DETAILS = closed({}, {
  malformed: count,
  not_recorded: count,
  nested_too_deep: FLAG,
  replaced: FLAG,
  pattern_unjudged: FLAG,
  too_long: FLAG,
  /** The examples of the parameter itself that were sent: index, hash, hits, first time. */
  examples: list(tuple([count, text, count], TIME_INDEX)),
  /** The values that its schema lists and that were sent, with their hits. */
  values: list(tuple([
    is<ScalarValue>((value) => typeof value !== "object" || value === null),
    count,
  ])),
  /** Of a response: a value came that covtool does not decode. */
  undecoded: FLAG,
  /** Of a response: the declared properties that its bodies had, after the pointer of `properties` that declares them. */
  properties: list(TEXTS) as Check<readonly (readonly [pointer: string, ...names: string[]])[]>,
  /** Of a response: the keywords that it broke. */
  violations: list(VIOLATION),
  tests: TESTS,
  example_tests: TESTS_BY_INDEX,
  /** The tests of the counters of schemas. */
  schema_tests: list(tuple([indexInto("schemas"), TESTS_BY_INDEX])),
});
export type ParameterDetails = Checked<typeof DETAILS>;
export type SchemaTestsFile = NonNullable<ParameterDetails["schema_tests"]>[number];

// Parameters and their counters are most of a file: taking lists apart, or a call for each number, takes longer.

/** The counters of a schema, in the order of its layout: two for a keyword (valid, invalid), one for an example. */
export type CountsFile = readonly [
  schema: number,
  counts: readonly number[],
  /** When each nonzero counter was first counted: one time for all (default: the parameter's), or a list. */
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

/** A documented response that came: status, hits, first time; how many were timed, and their durations in microseconds. */
const RESPONSE = tuple([text, count], TIME_INDEX, count, count, count);
export type ResponseFile = Checked<typeof RESPONSE>;

/**
 * A part of responses and the results of its changes: status, part, path, pointer of its place, how often it was
 * reached, the changes (runs, noticed, passed, timed out), and why it has no verdict and the tests, where they are known.
 */
const NOTICED = tuple(
  [
    ...[text, is<ResponsePartKind>(isPartKind), text, text, count] as const,
    list(tuple([text, count, count, count, count])),
  ],
  is<UntriedReason | null>((value) => value === null || value === "flaky" || value === "one_run"),
  TEXTS,
  TEXTS,
);
export type NoticedFile = Checked<typeof NOTICED>;

const COUNTED = list(tuple([text, count]));
const OPERATION = closed({
  /** Method and path: `GET /books/{id}`. */ operation: text,
  hits: count,
}, {
  /** Answers of 2xx or 3xx, and of 4xx. */
  succeeded: count,
  refused: count,
  answered_bodies: count,
  seen: pair(KNOWN_TIME, KNOWN_TIME),
  parameters: PARAMETERS,
  responses: list(RESPONSE),
  /** Statuses that the description does not have. */
  undocumented: COUNTED,
  undocumented_bodies: list(tuple([text, count], EXAMPLE)),
  /** Requests that followed a link, by the status of the response that documents it, and its name. */
  links: COUNTED,
  /** Requests whose recording can't show a parameter that has a default: `header X-Mode`. */
  hidden: COUNTED,
  /** The media types (`body application/json`) and headers (`header X-Total`) of responses that came. */
  response_parts: list(tuple([text, PARAMETERS])),
  /** Bodies of answers that the description does not have: status, media type, hits, first time, request. */
  undocumented_answers: list(tuple([text, text, count], TIME_INDEX, EXAMPLE)),
  /** Names in queries that are no documented parameters. */
  undocumented_parameters: COUNTED,
  /** Properties of answers that it does not declare, where they are asked for: status, media type, pointer, hits, first time. */
  undocumented_properties: list(tuple([text, text, text, count], TIME_INDEX)),
  evidence: EVIDENCES,
  /** Parts of responses that were changed towards tests. */
  noticed: list(NOTICED),
  /** Answers to identities: identity, status, who created the object (empty where nobody knows), their number, first time. */
  access: list(tuple([text, count, text, count], TIME_INDEX)),
  tests: TESTS,
  response_tests: TESTS_BY_NAME,
  undocumented_tests: TESTS_BY_NAME,
});
export type OperationFile = Checked<typeof OPERATION>;

/**
 * A schema with counters: its pointer (`schema` and `itemSchema` refer to the parameter that has the counts), its layout
 * (see `UnitLayouts`), and which schemas of this list it refers to and where.
 */
const REFERENCES = list(tuple([text, KNOWN_SCHEMA]));
const SCHEMA = tuple([text, text], REFERENCES);
export type SchemaFile = Checked<typeof SCHEMA>;

const CREDENTIALS = closed({
  /** Places where its requests show credentials: `authorization`, `header x-api-key`. */
  shown: TEXTS,
}, {
  /** The name of the recording; absent for what is recorded live, which all is one. */
  recording: text,
  /** Requests without credentials, by operation; what they prove depends on the places. */
  pending: list(pair(text, EVIDENCES)),
  /** Objects, as hashes, with the test and the identity that created them. */
  owners: list(tuple([TEXTS, text, text])),
  /** Answers to requests that name objects: these, test, operation, identity, status, their number, first time. */
  touches: list(tuple([TEXTS, text, text, text, count, count], TIME_INDEX)),
});
export type CredentialsFile = Checked<typeof CREDENTIALS>;

const BOOLEAN = is<boolean>((value) => typeof value === "boolean");
const HEADERS_BUT = closed({}, { all_but: TEXTS, and: TEXTS });
const HEADERS: Check = (value, limits) => {
  if (Array.isArray(value)) TEXTS(value, limits);
  else if (value !== "all" && value !== "none") HEADERS_BUT(value, limits);
};
const VISIBLE: Check = closed({}, {
  ...{ path_parameters: BOOLEAN, query: BOOLEAN, request_headers: HEADERS, request_body: BOOLEAN },
  ...{ response_headers: HEADERS, response_body: BOOLEAN },
});

const UNMATCHED: Check = object({
  total: count,
  requests: list(object({
    ...{ method: text, host: text, path: text, reason: text, count },
    first_at: is((value) => value === null || Number.isFinite(value)),
  })),
});
const HINTS: Check = list(object({ prefix: text, requests: count, templates: count }));

/** The description: its location as the command line named it, and a fingerprint (`x-covtool-ignore` makes no difference). */
const DESCRIPTION = object({ location: text, title: text, version: text, fingerprint: text });
export type HitsDescription = Checked<typeof DESCRIPTION> & {
  /** The name of the API, where several were measured together. */
  readonly api?: string;
};

const FILE = closed({
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
  /** The version of covtool that wrote it; for people. */
  covtool: unchecked<string>(),
  /** What the traffic could show, as far as it differs from `DEFAULT_VISIBLE`. */
  visible: VISIBLE as Check<Partial<Visible>>,
  /** Times at which something was first seen. */
  times: list(TIME),
  /** The times of the first and the last request. */
  seen: pair(TIME, TIME),
  /** The names of the tests that sent something. */
  tests: TEXTS,
  /** There were more tests than a map keeps. */
  tests_left_out: is<true>((value) => value === true),
  /** Classes of values were counted for all of it. */
  values: is<true>((value) => value === true),
  unmatched: UNMATCHED as Check<UnmatchedState>,
  hints: HINTS as Check<readonly PrefixCount[]>,
  /** What recordings that may go on in other hits show of credentials. */
  credentials: list(CREDENTIALS),
  /** Answers to credentials of nobody who is known, and to senders that recordings don't show. */
  access: closed({}, { unknown: count, hidden: count }),
  checksum: unchecked<string>(),
});
export type HitsFile = Checked<typeof FILE>;

/** Throws a HitsProblem where parsed content isn't that of a hits file, so that adding it can't fail half-way. */
export function checkHits(value: unknown): asserts value is HitsFile {
  const file = readMembers(value);
  FILE(file, {
    times: listLength(file["times"]),
    tests: listLength(file["tests"]),
    schemas: listLength(file["schemas"]),
    parameters: 0,
    matched: file["matched"] as number, // it is checked before it is compared
  });
  checkAtMost(file, "matched", file["recorded"]);
  checkAtMost(file, "answered", file["recorded"]);
}

function checkAtMost(
  counts: Readonly<Record<string, unknown>>,
  name: string,
  most: unknown,
  ofWhat = "recorded",
): void {
  if ((counts[name] as number) <= (most as number)) return; // both were counts
  const operation = counts["operation"];
  const where = typeof operation === "string" ? ` for ${JSON.stringify(operation)}` : "";
  const what = `counts ${counts[name]} ${name}${where}, which is more than the ${most} ${ofWhat}`;
  throw new HitsProblem(what, "count");
}
