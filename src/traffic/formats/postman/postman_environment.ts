import { RecordingError } from "../../../values/errors.ts";
import { asFields, type Fields, isFields } from "../../decode/fields.ts";
import { NEWMAN } from "../newman/newman.ts";
import { POSTMAN } from "./postman.ts";
import type { PostmanValues } from "../recording.ts";
import { postmanText } from "./postman_request.ts";
import { readSecretValues } from "./postman_variables.ts";
import { fileErrorSentence, readTextFile } from "../../../files/files.ts";
import { JsonSyntaxError, parseJson } from "../../../values/parse_json.ts";

/** Reads environments and globals, exported or as plain objects. The last value counts, and environments first. */
export function readPostmanEnvironments(
  files: readonly (readonly [value: unknown, location: string])[],
): PostmanValues {
  const values = { environment: new Map<string, string>(), globals: new Map<string, string>() };
  const secrets: string[] = [];
  for (const [value, location] of files) {
    if (POSTMAN.recognize(value) || NEWMAN.recognize(value)) {
      throw notEnvironmentError(value, location);
    }
    const wrapped = isFields(value) ? value["environment"] ?? value["globals"] : undefined;
    const inner = isFields(wrapped) ? wrapped : value;
    const isGlobal = isFields(inner) && inner["_postman_variable_scope"] === "globals" ||
      isFields(value) && inner === value["globals"];
    const into = isGlobal ? values.globals : values.environment;
    const pairs = readPairs(inner, location);
    for (const [name, text] of pairs) into.set(name, text);
    const list = Array.isArray(inner) ? inner : asFields(inner)["values"];
    secrets.push(
      ...readSecretValues(
        Array.isArray(list) ? list : pairs.map(([key, value]) => ({ key, value })),
      ),
    );
  }
  return {
    environment: Object.fromEntries(values.environment),
    globals: Object.fromEntries(values.globals),
    ...(secrets.length > 0 && { secrets }),
  };
}

function readPairs(value: unknown, location: string): [string, string][] {
  const list = isFields(value) ? value["values"] : value;
  if (Array.isArray(list)) {
    return list.flatMap((entry: unknown, index) => readListEntry(entry, index, location));
  }
  if (!isFields(value) || !isPlain(value)) throw notEnvironmentError(value, location);
  return Object.entries(value).flatMap(([name, text]) => namedPair(name, text));
}

function readListEntry(entry: unknown, index: number, location: string): [string, string][] {
  if (!isFields(entry) || typeof entry["key"] !== "string") {
    throw new RecordingError(
      `The variable ${
        index + 1
      } of this environment has no name: expected an object with \`key\` and \`value\`.`,
      { code: "not_environment", location },
    );
  }
  const isOff = entry["enabled"] === false || entry["disabled"] === true;
  return isOff ? [] : namedPair(entry["key"], entry["value"]);
}

function namedPair(name: string, value: unknown): [string, string][] {
  const text = postmanText(value);
  return text === undefined ? [] : [[name, text]];
}

function isPlain(value: Fields): boolean {
  return Object.values(value).every((member) => typeof member !== "object" || member === null);
}

function notEnvironmentError(value: unknown, location: string): RecordingError {
  const sentence = POSTMAN.recognize(value) || NEWMAN.recognize(value)
    ? "This is a recording, not an environment: name it with the recordings."
    : "This is not a Postman environment: expected a list `values`, each with `key` and `value`, or an object with a value for each name.";
  return new RecordingError(sentence, { code: "not_environment", location });
}

/** An environment or globals of Postman: a file, its parsed content, or an object with a value for each name. */
export type PostmanEnvironment = string | URL | Readonly<Record<string, unknown>>;

/** Reads environments and globals of Postman from files or values. Of values with the same name, the last counts. */
export async function readEnvironments(
  env: PostmanEnvironment | readonly PostmanEnvironment[],
): Promise<PostmanValues> {
  const files: (readonly [unknown, string])[] = [];
  for (const one of asList(env)) {
    files.push(
      typeof one === "string" || one instanceof URL
        ? [await readJsonFile(one), String(one)]
        : [one, "the environment"],
    );
  }
  return readPostmanEnvironments(files);
}

export function asList<Item>(items: Item | readonly Item[]): readonly Item[] {
  return Array.isArray(items) ? items : [items as Item];
}

async function readJsonFile(path: string | URL): Promise<unknown> {
  const location = String(path);
  let text: string;
  try {
    text = await readTextFile(path);
  } catch (cause) {
    throw new RecordingError(fileErrorSentence(cause), { code: "unreadable", location, cause });
  }
  try {
    return parseJson(text);
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    const { line, column } = cause;
    throw new RecordingError(
      `This is not JSON: ${cause.message} Export the environment from Postman.`,
      { code: "syntax", location, line, column, cause },
    );
  }
}
