import { type Fields, isFields } from "../decode/fields.ts";

/**
 * What keeps a document from being of a format that it resembles, as a clause: "`log` has no list `entries`".
 * Undefined where it does not resemble the format, or is of it.
 */
export type Resemblance = (value: unknown) => string | undefined;

/** Why a document that looks like an HTTP Archive is none. */
export function resemblesHar(value: unknown): string | undefined {
  if (!isFields(value)) return undefined;
  if (isFields(value["log"])) return "`log` has no list `entries`";
  return Array.isArray(value["entries"]) ? "`entries` has to stand in an object `log`" : undefined;
}

/** Why a document that looks like a Postman collection is none. */
export function resemblesPostman(value: unknown): string | undefined {
  if (!isFields(value) || isDescription(value)) return undefined;
  if (Array.isArray(value["values"]) && Object.hasOwn(value, "_postman_variable_scope")) {
    return "this is an environment; export the collection";
  }
  if (isFields(value["info"])) return "there is no list `item` beside `info`";
  if (Array.isArray(value["item"])) return "there is no object `info` beside `item`";
  return Array.isArray(value["requests"])
    ? "beside `requests` there is no `name` with an `order` or `id`"
    : undefined;
}

/** Why a document that looks like an export of Newman is none. */
export function resemblesNewman(value: unknown): string | undefined {
  if (!isFields(value)) return undefined;
  if (isFields(value["run"])) return "`run` has no list `executions`";
  return Array.isArray(value["executions"])
    ? "`executions` has to stand in an object `run`"
    : undefined;
}

/** Why a document that looks like a cassette of VCR or Schemathesis is none. */
export function resemblesCassette(value: unknown): string | undefined {
  return isFields(value) && Object.hasOwn(value, "http_interactions")
    ? "`http_interactions` is not a list"
    : undefined;
}

/** Why a document that looks like a recording of nock is none. */
export function resemblesNock(value: unknown): string | undefined {
  const first = firstOf(value);
  if (first === undefined) return undefined;
  const [scope, path] = ["scope", "path"].map((name) => Object.hasOwn(first, name));
  if (scope !== true) return path === true ? "its first entry has no text `scope`" : undefined;
  return path === true
    ? "the `scope` of its first entry is not a text"
    : "its first entry has no `path`";
}

/** Why a document that looks like a traffic file is none. */
export function resemblesTraffic(value: unknown): string | undefined {
  if (isFields(value) && Object.hasOwn(value, "interactions")) {
    return Array.isArray(value["interactions"])
      ? "its first interaction has no object `request`"
      : "`interactions` is not a list";
  }
  const entry = firstOf(value) ?? (isFields(value) ? value : undefined);
  if (entry === undefined) return undefined;
  if (Object.hasOwn(entry, "request")) return "`request` is not an object";
  return Object.hasOwn(entry, "url")
    ? "`method` and `url` have to stand in an object `request`"
    : undefined;
}

function firstOf(value: unknown): Fields | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return isFields(first) ? first : undefined;
}

function isDescription(value: Fields): boolean {
  return Object.hasOwn(value, "openapi") || Object.hasOwn(value, "swagger");
}
