import { isJson } from "../../values/parse_json.ts";
import { isEvidenceKind } from "../evidence.ts";
import { isPartKind } from "../noticed_hits.ts";
import { type HitsFile, NO_TIME } from "./hits_format.ts";

/** Content of a hits file that can't be added: its message is the end of a sentence. */
export class HitsProblem extends Error {
  /** The error's code: `damaged`, `unknown_member`, `count`. */
  readonly code: string;

  /** @param what The end of a sentence that begins with "It". */
  constructor(what: string, code: string) {
    super(what);
    this.code = code;
  }
}

/** Throws where a value isn't what it has to be. */
type Check = (value: unknown, limits: Limits) => void;

/** The lengths of the lists that others refer to, and the most that an operation may count. */
interface Limits {
  readonly times: number;
  readonly tests: number;
  readonly schemas: number;
  /** Of the operation that has the evidence. */
  readonly parameters: number;
  readonly matched: number;
}

const text: Check = (value) => {
  if (typeof value !== "string") throw damaged();
};
const time: Check = (value) => {
  if (typeof value !== "number" || !Number.isFinite(value)) throw damaged();
};
const flag: Check = (value) => {
  if (typeof value !== "boolean") throw damaged();
};
const anything: Check = () => {};

const count: Check = (value) => {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return;
  throw typeof value === "number"
    ? new HitsProblem(
      `has the count ${value}; counts are whole numbers from 0 to ${
        Number.MAX_SAFE_INTEGER.toLocaleString("en-US")
      }`,
      "count",
    )
    : damaged();
};

function indexOf(name: keyof Limits): Check {
  return (value, limits) => {
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) >= limits[name]) {
      throw damaged();
    }
  };
}

const knownTime = indexOf("times");
const timeIndex: Check = (value, limits) => {
  if (value !== undefined && value !== NO_TIME) knownTime(value, limits);
};

function optional(check: Check): Check {
  return (value, limits) => {
    if (value !== undefined) check(value, limits);
  };
}

/** A list; absent ones are empty. */
function list(check: Check): Check {
  return (value, limits) => {
    const items = itemsOf(value);
    for (let at = 0; at < items.length; at++) check(items[at], limits);
  };
}

/** A list whose items mean something by their place; what is behind them is not looked at. */
function tuple(...checks: readonly Check[]): Check {
  return (value, limits) => {
    const items = itemsOf(value);
    for (let at = 0; at < checks.length; at++) checks[at]?.(items[at], limits);
  };
}

function pair(first: Check, second: Check): Check {
  const check = tuple(first, second);
  return (value, limits) => {
    if (itemsOf(value).length !== 2) throw damaged();
    check(value, limits);
  };
}

function object(checks: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(checks);
  return (value, limits) => {
    const members = membersOf(value);
    for (const [name, check] of entries) check(members[name], limits);
  };
}

/** Checks for an object without unknown members: to ignore what was counted would be to lose it. */
function closed(
  needed: Readonly<Record<string, Check>>,
  others: Readonly<Record<string, Check>>,
): Check {
  const names = Object.keys(needed);
  const checks = new Map(Object.entries({ ...needed, ...others }));
  return (value, limits) => {
    const members = membersOf(value);
    if (!names.every((name) => Object.hasOwn(members, name))) throw damaged();
    for (const name in members) {
      const check = checks.get(name);
      if (check === undefined) throw unknownMember(name);
      check(members[name], limits);
    }
  };
}

const TESTS = list(indexOf("tests"));
const TESTS_BY_NAME = list(tuple(text, TESTS));
const TESTS_BY_INDEX = list(tuple(count, TESTS));

const shape: Check = (value) => {
  if (typeof value !== "string" || !isJson(value)) throw damaged();
};
const REQUEST = tuple(
  ...[count, (value, limits) => timeIndex(value ?? null, limits), count, text] as Check[],
  ...[optional(text), optional(shape)],
);
const EXAMPLE: Check = (value, limits) =>
  Array.isArray(value) ? REQUEST(value, limits) : count(value, limits);

const parameterIndex = optional(indexOf("parameters"));
const EVIDENCE = list(tuple(
  ...[count, EXAMPLE, text, timeIndex],
  (value, limits) => typeof value === "string" || parameterIndex(value, limits),
  ...[optional(text), optional(text)],
));
const EVIDENCES: Check = (value, limits) => {
  for (const [kind, entries] of Object.entries(membersOf(value))) {
    if (!isEvidenceKind(kind)) throw unknownMember(kind);
    EVIDENCE(entries, limits);
  }
};

const DETAILS = closed({}, {
  malformed: count,
  not_recorded: count,
  nested_too_deep: anything,
  replaced: anything,
  pattern_unjudged: anything,
  too_long: anything,
  examples: list(tuple(count, text, count, timeIndex)),
  values: list(tuple((value) => {
    if (typeof value === "object" && value !== null) throw damaged();
  }, count)),
  undecoded: anything,
  properties: list(list(text)),
  violations: list(tuple(count, EXAMPLE, text, timeIndex, text, optional(text))),
  tests: TESTS,
  example_tests: TESTS_BY_INDEX,
  schema_tests: list(tuple(indexOf("schemas"), TESTS_BY_INDEX)),
});

// Parameters and their counters are most of a file: taking lists apart, or a call for each number, takes longer.
const knownSchema = indexOf("schemas");
const COUNTS: Check = (value, limits) => {
  const counts = itemsOf(value);
  knownSchema(counts[0], limits);
  const numbers = itemsOf(counts[1]);
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at];
    if (!Number.isSafeInteger(number) || (number as number) < 0) count(number, limits);
  }
  const firsts = counts[2];
  if (!Array.isArray(firsts)) return timeIndex(firsts, limits);
  for (let at = 0; at < firsts.length; at++) timeIndex(firsts[at], limits);
};
const ALL_COUNTS = list(COUNTS);
const PARAMETERS = list((value, limits) => {
  const parameter = itemsOf(value);
  text(parameter[0], limits);
  count(parameter[1], limits);
  ALL_COUNTS(parameter[2], limits);
  timeIndex(parameter[3], limits);
  if (parameter[4] !== undefined) DETAILS(parameter[4], limits);
});

const partKind: Check = (value) => {
  if (!isPartKind(value)) throw damaged();
};
const untriedReason: Check = (value) => {
  if ((value ?? "flaky") !== "flaky" && value !== "one_run") throw damaged();
};
const UNDOCUMENTED = list(tuple(text, count, optional(EXAMPLE)));
const OPERATION = closed({ operation: text, hits: count }, {
  succeeded: count,
  refused: count,
  answered_bodies: count,
  seen: pair(knownTime, knownTime),
  parameters: PARAMETERS,
  responses: list(tuple(text, count, timeIndex, optional(count), optional(count), optional(count))),
  undocumented: UNDOCUMENTED,
  undocumented_bodies: UNDOCUMENTED,
  links: UNDOCUMENTED,
  response_parts: list(tuple(text, PARAMETERS)),
  undocumented_answers: list(tuple(text, text, count, timeIndex, optional(EXAMPLE))),
  undocumented_parameters: UNDOCUMENTED,
  undocumented_properties: list(tuple(text, text, text, count, timeIndex)),
  evidence: EVIDENCES,
  noticed: list(
    tuple(
      ...[text, partKind, text, text, count],
      list(tuple(text, count, count, count, count)),
      ...[untriedReason, list(text), list(text)],
    ),
  ),
  access: list(tuple(text, count, text, count, timeIndex)),
  tests: TESTS,
  response_tests: TESTS_BY_NAME,
  undocumented_tests: TESTS_BY_NAME,
});

const TEXTS = list(text);
const HEADERS_BUT = closed({}, { all_but: TEXTS, and: TEXTS });
const HEADERS: Check = (value, limits) => {
  if (Array.isArray(value)) TEXTS(value, limits);
  else if (value !== "all" && value !== "none") HEADERS_BUT(value, limits);
};

const FILE = closed({
  description: object({ location: text, title: text, version: text, fingerprint: text }),
  recorded: count,
  matched: count,
  answered: count,
}, {
  covtool_hits: anything,
  covtool: anything,
  visible: closed({}, {
    ...{ path_parameters: flag, query: flag, request_headers: HEADERS, request_body: flag },
    ...{ response_headers: HEADERS, response_body: flag },
  }),
  times: list(time),
  seen: pair(time, time),
  tests: TEXTS,
  tests_left_out: (value) => {
    if (value !== true) throw damaged();
  },
  schemas: list(tuple(text, text, list(tuple(text, knownSchema)))),
  operations: list((value, limits) => {
    const operation = membersOf(value);
    OPERATION(operation, { ...limits, parameters: lengthOf(operation["parameters"]) });
    atMost(operation, "hits", limits.matched, "matched");
  }),
  unmatched: object({
    total: count,
    requests: list(object({
      ...{ method: text, host: text, path: text, reason: text, count },
      first_at: (value, limits) => value === null || time(value, limits),
    })),
  }),
  hints: list(object({ prefix: text, requests: count, templates: count })),
  credentials: list(closed({}, {
    recording: text,
    shown: TEXTS,
    pending: list(pair(text, EVIDENCES)),
    owners: list(tuple(TEXTS, text, text)),
    touches: list(tuple(TEXTS, text, text, text, count, count, timeIndex)),
  })),
  access: closed({}, { unknown: optional(count), hidden: optional(count) }),
  checksum: anything,
});

/** Throws a HitsProblem where parsed content isn't that of a hits file, so that adding it can't fail half-way. */
export function checkHits(value: unknown): asserts value is HitsFile {
  const file = membersOf(value);
  FILE(file, {
    times: lengthOf(file["times"]),
    tests: lengthOf(file["tests"]),
    schemas: lengthOf(file["schemas"]),
    parameters: 0,
    matched: file["matched"] as number, // it is checked before it is compared
  });
  atMost(file, "matched", file["recorded"]);
  atMost(file, "answered", file["recorded"]);
}

function itemsOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw damaged();
  return value;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw damaged();
  return value as Record<string, unknown>;
}

function unknownMember(name: string): HitsProblem {
  return new HitsProblem(
    `has counts of a kind that this version doesn't know (\`${name}\`)`,
    "unknown_member",
  );
}

function atMost(
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

function damaged(): HitsProblem {
  return new HitsProblem("has content that no hits file has", "damaged");
}
