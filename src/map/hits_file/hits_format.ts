import type { ResponsePartKind, UntriedReason } from "../noticed_hits.ts";
import type { PrefixCount } from "../base_path.ts";
import type { EvidenceKind } from "../evidence.ts";
import type { ScalarValue } from "../parameter_plan.ts";
import type { UnmatchedState } from "../unmatched.ts";
import type { Visible } from "../visible_parts.ts";

/** A new member that old readers may ignore doesn't change it; one that they can't do without does. */
export const HITS_FORMAT = 3;

/** The last member: a checksum of all bytes before the comma. */
export const CHECKSUM_START = ',"checksum":"';

/** Stands for a time that is not known. */
export const NO_TIME = -1;

/** A time, as an index into {@linkcode HitsFile.times}, or {@linkcode NO_TIME}. */
export type TimeIndex = number;

/** Tests by their index in {@linkcode HitsFile.tests}, in ascending order. */
export type TestIndexes = readonly number[];

/**
 * Hits as they are saved: one line of UTF-8 JSON. Everything is named as the description names it (operations by method
 * and path, parameters by location and name, responses by status, schemas by pointer, keywords by name and a hash of
 * their value), so that another version of covtool, or another state of the description, can tell what was counted. What
 * is zero, unknown or empty is left out.
 */
export interface HitsFile {
  readonly covtool_hits: typeof HITS_FORMAT;
  /** The version of covtool that wrote it; for people. */
  readonly covtool: string;
  readonly description: HitsDescription;
  readonly recorded: number;
  readonly matched: number;
  readonly answered: number;
  /** What the traffic could show, as far as it differs from {@linkcode DEFAULT_VISIBLE}. */
  readonly visible?: Partial<Visible>;
  /** The times of the first and the last request, in seconds since 1970. */
  readonly seen?: readonly [first: number, last: number];
  /** Times at which something was first seen, in seconds since 1970. */
  readonly times?: readonly number[];
  /** The names of the tests that sent something. */
  readonly tests?: readonly string[];
  /** True if there were more tests than a map keeps. */
  readonly tests_left_out?: true;
  readonly schemas: readonly SchemaFile[];
  readonly operations: readonly OperationFile[];
  readonly unmatched?: UnmatchedState;
  readonly hints?: readonly PrefixCount[];
  /** What recordings that may go on in other hits show of credentials. */
  readonly credentials?: readonly CredentialsFile[];
  /** Answers to credentials of nobody who is known, and to senders that recordings don't show. */
  readonly access?: { readonly unknown?: number; readonly hidden?: number };
}

export interface CredentialsFile {
  /** The name of the recording; absent for what is recorded live, which all is one. */
  readonly recording?: string;
  /** Places where its requests show credentials: `authorization`, `header x-api-key`. */
  readonly shown: readonly string[];
  /** Requests without credentials, by operation; what they prove depends on the places. */
  readonly pending?: readonly (readonly [operation: string, evidence: EvidenceFiles])[];
  /** Objects, as hashes, with the test and the identity that created them. */
  readonly owners?: readonly (readonly [
    objects: readonly string[],
    test: string,
    identity: string,
  ])[];
  /** Answers to requests that name objects. */
  readonly touches?: readonly (readonly [
    objects: readonly string[],
    test: string,
    operation: string,
    identity: string,
    status: number,
    count: number,
    first?: TimeIndex,
  ])[];
}

/** Answers to an identity. */
export type AccessFile = readonly [
  identity: string,
  status: number,
  /** Who created the object; empty where nobody knows. */
  owner: string,
  count: number,
  first?: TimeIndex,
];

export type EvidenceFiles = Readonly<Partial<Record<EvidenceKind, readonly EvidenceFile[]>>>;

export interface HitsDescription {
  /** The path or URL of the description, as the command line named it. */
  readonly location: string;
  readonly title: string;
  readonly version: string;
  /** Differs for descriptions that differ; `x-covtool-ignore` aside. */
  readonly fingerprint: string;
  /** The name of the API, where several were measured together. */
  readonly api?: string;
}

/** A schema with counters: its place, what they mean, and which schemas of this list it refers to and where. */
export type SchemaFile = readonly [
  /** A pointer; `schema` and `itemSchema` refer to the parameter that has the counts. */
  pointer: string,
  /** See `UnitLayouts`. */
  layout: string,
  references?: readonly (readonly [pointer: string, schema: number])[],
];

export interface OperationFile {
  /** Method and path: `GET /books/{id}`. */
  readonly operation: string;
  readonly hits: number;
  /** Answers of 2xx or 3xx. */
  readonly succeeded?: number;
  /** Answers of 4xx. */
  readonly refused?: number;
  readonly seen?: readonly [first: TimeIndex, last: TimeIndex];
  readonly parameters?: readonly ParameterFile[];
  readonly responses?: readonly ResponseFile[];
  /** Statuses that the description does not have. */
  readonly undocumented?: readonly (readonly [status: string, hits: number])[];
  readonly undocumented_bodies?: readonly (readonly [
    mediaType: string,
    hits: number,
    example?: number | RequestFile,
  ])[];
  readonly answered_bodies?: number;
  /** Requests that followed a link, by its name and the status of the response that documents it. */
  readonly links?: readonly (readonly [status_and_name: string, hits: number])[];
  /** The media types (`body application/json`) and headers (`header X-Total`) of responses that came. */
  readonly response_parts?: readonly (readonly [status: string, parts: readonly ParameterFile[]])[];
  /** Bodies of answers that the description does not have. */
  readonly undocumented_answers?: readonly UndocumentedAnswerFile[];
  /** Properties of answers that the description does not declare, where they were asked for. */
  readonly undocumented_properties?: readonly UndocumentedPropertyFile[];
  /** Names in queries that are no documented parameters. */
  readonly undocumented_parameters?: readonly (readonly [name: string, hits: number])[];
  readonly evidence?: EvidenceFiles;
  /** Parts of responses that were changed towards tests. */
  readonly noticed?: readonly NoticedFile[];
  /** Who called it, and how it answered. */
  readonly access?: readonly AccessFile[];
  readonly tests?: TestIndexes;
  readonly response_tests?: readonly (readonly [status: string, tests: TestIndexes])[];
  readonly undocumented_tests?: readonly (readonly [status: string, tests: TestIndexes])[];
}

/** A part of responses, and the results of its changes. */
export type NoticedFile = readonly [
  status: string,
  part: ResponsePartKind,
  path: string,
  /** The pointer of its place in the description. */
  schema_path: string,
  reached: number,
  changes: readonly (readonly [
    change: string,
    runs: number,
    noticed: number,
    passed: number,
    timed_out: number,
  ])[],
  reason?: UntriedReason | null,
  reached_by?: readonly string[],
  noticed_by?: readonly string[],
];

/** A property of answers that the description does not declare. */
export type UndocumentedPropertyFile = readonly [
  status: string,
  media_type: string,
  pointer: string,
  hits: number,
  first?: TimeIndex,
];

export type ParameterFile = readonly [
  /** Location and name: `query limit`. */
  name: string,
  hits: number,
  schemas?: readonly CountsFile[],
  first?: TimeIndex,
  more?: ParameterDetails,
];

/** Members that few parameters need. */
export interface ParameterDetails {
  readonly malformed?: number;
  readonly not_recorded?: number;
  readonly nested_too_deep?: true;
  readonly replaced?: true;
  readonly pattern_unjudged?: true;
  readonly too_long?: true;
  /** The examples of the parameter itself that were sent. */
  readonly examples?: readonly ExampleFile[];
  /** The values that its schema lists and that were sent. */
  readonly values?: readonly (readonly [value: ScalarValue, hits: number])[];
  readonly tests?: TestIndexes;
  readonly example_tests?: readonly (readonly [index: number, tests: TestIndexes])[];
  readonly schema_tests?: readonly SchemaTestsFile[];
  /** Of a response: a value came that covtool does not decode. */
  readonly undecoded?: true;
  /** Of a response: the declared properties that its bodies had, after the pointer of `properties` that declares them. */
  readonly properties?: readonly (readonly [pointer: string, ...names: readonly string[]])[];
  /** Of a response: the keywords that it broke. */
  readonly violations?: readonly ViolationFile[];
}

/** The counters of a schema, in the order of its layout: two for a keyword (valid, invalid), one for an example. */
export type CountsFile = readonly [
  schema: number,
  counts: readonly number[],
  /** When each nonzero counter was first counted: one time for all (default: the parameter's), or a list. */
  first?: TimeIndex | readonly TimeIndex[],
];

/** An example of the parameter itself, outside its schema. */
export type ExampleFile = readonly [index: number, hash: string, hits: number, first?: TimeIndex];

/** The smallest of some interactions, with its request. */
export type RequestFile = readonly [
  status: number,
  at: TimeIndex,
  /** The length of its URL and its body as they were recorded. */
  size: number,
  url: string,
  mediaType?: string,
  /** Its body as JSON, with the types of values in their place. */
  shape?: string,
];

/** Interactions that show the same of an operation. */
export type EvidenceFile = readonly [
  count: number,
  /** The smallest of them: its status, or that and its request. */
  example: number | RequestFile,
  /** A status, or the pointer of the rule that it is about: with a dot, from the schema of the parameter. */
  detail: string,
  first?: TimeIndex,
  /** The parameter whose rule it is: its index in the operation's list, or its name if it isn't there. */
  parameter?: number | string,
  /** A hash of the value of the keyword, empty for the `required` of a parameter. */
  hash?: string,
  /** The part of the value that the smallest of them refuses (default: the one that the pointer tells). */
  instance?: string,
];

/** Responses that broke a keyword of a media type or header. */
export type ViolationFile = readonly [
  count: number,
  /** The smallest of them: its status, or that and its request. */
  example: number | RequestFile,
  /** The pointer of the keyword: with a dot from the schema, with a tilde from the media type or header. */
  detail: string,
  first: TimeIndex,
  /** A hash of the value of the keyword; empty after a tilde. */
  hash: string,
  /** The part of the value that the smallest of them has wrong (default: the one that the pointer tells). */
  instance?: string,
];

/** Bodies of answers that the description does not have. */
export type UndocumentedAnswerFile = readonly [
  status: string,
  mediaType: string,
  hits: number,
  first?: TimeIndex,
  /** The request of the smallest of them. */
  example?: number | RequestFile,
];

/** A documented response that came; durations in microseconds. */
export type ResponseFile = readonly [
  status: string,
  hits: number,
  first?: TimeIndex,
  timed?: number,
  elapsed?: number,
  slowest?: number,
];

export type SchemaTestsFile = readonly [
  schema: number,
  counters: readonly (readonly [counter: number, tests: TestIndexes])[],
];
