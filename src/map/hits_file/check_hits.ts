import { isEvidenceKind } from "../evidence.ts";
import type { HitsFile } from "./hits_format.ts";

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

const FILE = members(
  "covtool_hits covtool description recorded matched answered visible seen times tests tests_left_out schemas operations unmatched hints credentials checksum",
);
const OPERATION = members(
  "operation hits succeeded refused seen parameters responses undocumented undocumented_bodies answered_bodies response_parts undocumented_answers undocumented_properties evidence tests response_tests undocumented_tests",
);
const VISIBLE = members(
  "path_parameters query request_headers request_body response_headers response_body",
);
const HEADERS_BUT = members("all_but and");
const CREDENTIALS = members("recording shown pending");
const DETAILS = members(
  "malformed not_recorded nested_too_deep replaced pattern_unjudged examples values tests example_tests schema_tests undecoded violations",
);

function members(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

/**
 * Checks that parsed content is that of a hits file, so that adding it can't fail half-way.
 *
 * @throws {HitsProblem} where it is not.
 */
export function checkHits(value: unknown): asserts value is HitsFile {
  const file = known(value, FILE);
  const description = fields(file["description"]);
  for (const name of ["location", "title", "version", "fingerprint"]) text(description[name]);
  for (const name of ["recorded", "matched", "answered"]) count(file[name]);
  if (file["visible"] !== undefined) checkVisible(known(file["visible"], VISIBLE));
  const times = list(file["times"]);
  times.forEach(time);
  if (file["seen"] !== undefined) tuple(file["seen"], 2).forEach(time);
  const tests = list(file["tests"]);
  tests.forEach(text);
  if (![undefined, true].includes(file["tests_left_out"] as true)) throw damaged();
  const schemas = list(file["schemas"]);
  for (const schema of schemas) {
    const [pointer, layout, references] = list(schema);
    text(pointer);
    text(layout);
    for (const reference of list(references)) {
      const [from, to] = list(reference);
      text(from);
      index(to, schemas.length);
    }
  }
  const limits: Limits = { times: times.length, tests: tests.length, schemas: schemas.length };
  for (const operation of list(file["operations"])) checkOperation(operation, limits);
  checkUnmatched(file["unmatched"]);
  for (const hint of list(file["hints"])) {
    const { prefix, requests, templates } = fields(hint);
    text(prefix);
    count(requests);
    count(templates);
  }
  for (const recording of list(file["credentials"])) {
    const { recording: name = "", shown, pending } = known(recording, CREDENTIALS);
    text(name);
    list(shown).forEach(text);
    for (const entry of list(pending)) {
      const [operation, evidence] = tuple(entry, 2);
      text(operation);
      checkEvidences(evidence, 0, limits);
    }
  }
}

function checkVisible(visible: Readonly<Record<string, unknown>>): void {
  for (const [name, shown] of Object.entries(visible)) {
    if (!name.endsWith("_headers")) {
      if (typeof shown !== "boolean") throw damaged();
    } else if (Array.isArray(shown)) shown.forEach(text);
    else if (shown !== "all" && shown !== "none") {
      const { all_but, and } = known(shown, HEADERS_BUT);
      list(all_but).forEach(text);
      list(and).forEach(text);
    }
  }
}

/** The lengths of the lists that others refer to. */
interface Limits {
  readonly times: number;
  readonly tests: number;
  readonly schemas: number;
}

function checkOperation(value: unknown, limits: Limits): void {
  const operation = known(value, OPERATION);
  text(operation["operation"]);
  count(operation["hits"]);
  for (const name of ["succeeded", "refused", "answered_bodies"]) optionalCount(operation[name]);
  if (operation["seen"] !== undefined) {
    for (const at of tuple(operation["seen"], 2)) index(at, limits.times);
  }
  for (const parameter of list(operation["parameters"])) checkParameter(parameter, limits);
  for (const response of list(operation["responses"])) {
    const [status, hits, first, timed, elapsed, slowest] = list(response);
    text(status);
    count(hits);
    timeIndex(first, limits);
    for (const number of [timed, elapsed, slowest]) optionalCount(number);
  }
  for (const name of ["undocumented", "undocumented_bodies"]) {
    for (const entry of list(operation[name])) {
      const [key, hits] = list(entry);
      text(key);
      count(hits);
    }
  }
  for (const response of list(operation["response_parts"])) {
    const [status, parts] = list(response);
    text(status);
    for (const part of list(parts)) checkParameter(part, limits);
  }
  for (const answer of list(operation["undocumented_answers"])) {
    const [status, mediaType, hits, first] = list(answer);
    text(status);
    text(mediaType);
    count(hits);
    timeIndex(first, limits);
  }
  for (const property of list(operation["undocumented_properties"])) {
    const [status, mediaType, pointer, hits, first] = list(property);
    for (const part of [status, mediaType, pointer]) text(part);
    count(hits);
    timeIndex(first, limits);
  }
  if (operation["evidence"] !== undefined) {
    checkEvidences(operation["evidence"], list(operation["parameters"]).length, limits);
  }
  checkTests(operation["tests"], limits);
  for (const name of ["response_tests", "undocumented_tests"]) {
    for (const entry of list(operation[name])) {
      const [status, tests] = list(entry);
      text(status);
      checkTests(tests, limits);
    }
  }
}

/** @param parameters The number of parameters that it may refer to. */
function checkEvidences(value: unknown, parameters: number, limits: Limits): void {
  for (const [kind, entries] of Object.entries(fields(value))) {
    if (!isEvidenceKind(kind)) throw unknownMember(kind);
    for (const entry of list(entries)) checkEvidence(entry, parameters, limits);
  }
}

function checkEvidence(value: unknown, parameters: number, limits: Limits): void {
  const [hits, status, detail, first, parameter, ...rule] = list(value);
  count(hits);
  count(status);
  text(detail);
  timeIndex(first, limits);
  if (typeof parameter === "number") index(parameter, parameters);
  else if (parameter !== undefined) text(parameter);
  rule.forEach(text);
}

function checkParameter(value: unknown, limits: Limits): void {
  // By index, as this is most of a file, and taking lists apart takes longer.
  const parameter = list(value);
  text(parameter[0]);
  count(parameter[1]);
  timeIndex(parameter[3], limits);
  const schemas = list(parameter[2]);
  for (let at = 0; at < schemas.length; at++) checkCounts(list(schemas[at]), limits);
  const more = parameter[4];
  if (more !== undefined) checkDetails(known(more, DETAILS), limits);
}

function checkCounts(counts: readonly unknown[], limits: Limits): void {
  index(counts[0], limits.schemas);
  const numbers = list(counts[1]);
  for (let slot = 0; slot < numbers.length; slot++) count(numbers[slot]);
  const firsts = counts[2];
  if (!Array.isArray(firsts)) return timeIndex(firsts, limits);
  for (let at = 0; at < firsts.length; at++) timeIndex(firsts[at], limits);
}

function checkViolation(value: unknown, limits: Limits): void {
  const [hits, status, detail, first, hash, instance] = list(value);
  count(hits);
  count(status);
  text(detail);
  timeIndex(first, limits);
  text(hash);
  if (instance !== undefined) text(instance);
}

function checkDetails(details: Readonly<Record<string, unknown>>, limits: Limits): void {
  for (const name of ["malformed", "not_recorded"]) optionalCount(details[name]);
  for (const example of list(details["examples"])) {
    const [at, hash, hits, first] = list(example);
    count(at);
    text(hash);
    count(hits);
    timeIndex(first, limits);
  }
  for (const entry of list(details["values"])) {
    const [value, hits] = list(entry);
    if (typeof value === "object" && value !== null) throw damaged();
    count(hits);
  }
  for (const violation of list(details["violations"])) checkViolation(violation, limits);
  checkTests(details["tests"], limits);
  for (const entry of list(details["example_tests"])) {
    const [at, tests] = list(entry);
    count(at);
    checkTests(tests, limits);
  }
  for (const entry of list(details["schema_tests"])) {
    const [schema, counters] = list(entry);
    index(schema, limits.schemas);
    for (const counter of list(counters)) {
      const [slot, tests] = list(counter);
      count(slot);
      checkTests(tests, limits);
    }
  }
}

function checkUnmatched(value: unknown): void {
  if (value === undefined) return;
  const { total, requests } = fields(value);
  count(total);
  for (const request of list(requests)) {
    const { method, host, path, reason, count: hits, first_at } = fields(request);
    for (const part of [method, host, path, reason]) text(part);
    count(hits);
    if (first_at !== null) time(first_at);
  }
}

function checkTests(value: unknown, limits: Limits): void {
  for (const test of list(value)) index(test, limits.tests);
}

function timeIndex(value: unknown, { times }: Limits): void {
  if (value !== undefined && value !== -1) index(value, times);
}

/** A list; absent ones are empty. */
function list(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw damaged();
  return value;
}

function tuple(value: unknown, length: number): readonly unknown[] {
  const items = list(value);
  if (items.length !== length) throw damaged();
  return items;
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw damaged();
  return value as Record<string, unknown>;
}

/** An object without members that this version of covtool doesn't know: to ignore what was counted would be to lose it. */
function known(value: unknown, names: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  const object = fields(value);
  for (const name in object) if (!names.has(name)) throw unknownMember(name);
  return object;
}

function unknownMember(name: string): HitsProblem {
  return new HitsProblem(
    `has counts of a kind that this version doesn't know (\`${name}\`)`,
    "unknown_member",
  );
}

function text(value: unknown): void {
  if (typeof value !== "string") throw damaged();
}

function time(value: unknown): void {
  if (typeof value !== "number" || !Number.isFinite(value)) throw damaged();
}

function index(value: unknown, length: number): void {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) >= length) {
    throw damaged();
  }
}

function optionalCount(value: unknown): void {
  if (value !== undefined) count(value);
}

function count(value: unknown): void {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return;
  throw typeof value === "number"
    ? new HitsProblem(
      `has the count ${value}; counts are whole numbers from 0 to ${
        Number.MAX_SAFE_INTEGER.toLocaleString("en-US")
      }`,
      "count",
    )
    : damaged();
}

function damaged(): HitsProblem {
  return new HitsProblem("has content that no hits file has", "damaged");
}
