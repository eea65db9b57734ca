import { RecordingError } from "../../../values/errors.ts";
import { type Fields, isFields } from "../../decode/fields.ts";
import { isNewman } from "../newman/newman.ts";
import { isPostman } from "./postman.ts";
import { type PostmanValues, secretValuesOf } from "./postman_variables.ts";

/**
 * Reads environments and globals of Postman: as it exports them, as its API gives them, or plain objects with a value
 * for each name. Where several have a name, the last one counts; globals come after everything else.
 *
 * @param files Each parsed, with what errors call it.
 * @throws {RecordingError} if one of them isn't an environment.
 *
 * @example
 * ```ts
 * import { readPostmanEnvironments } from "./postman_environment.ts";
 * import assert from "node:assert/strict";
 *
 * const exported = { name: "local", values: [{ key: "baseUrl", value: "http://localhost", enabled: true }] };
 * assert.deepEqual(
 *   readPostmanEnvironments([[exported, "local.json"], [{ id: 7 }, "ids.json"]]),
 *   { environment: { baseUrl: "http://localhost", id: "7" }, globals: {} },
 * );
 * ```
 */
export function readPostmanEnvironments(
  files: readonly (readonly [value: unknown, location: string])[],
): PostmanValues {
  const values = { environment: new Map<string, string>(), globals: new Map<string, string>() };
  const secrets: string[] = [];
  for (const [value, location] of files) {
    if (isPostman(value) || isNewman(value)) throw noEnvironment(value, location);
    const wrapped = isFields(value) ? value["environment"] ?? value["globals"] : undefined;
    const inner = isFields(wrapped) ? wrapped : value;
    const isGlobal = isFields(inner) && inner["_postman_variable_scope"] === "globals" ||
      isFields(value) && inner === value["globals"];
    const into = isGlobal ? values.globals : values.environment;
    const pairs = pairsOf(inner, location);
    for (const [name, text] of pairs) into.set(name, text);
    const list = Array.isArray(inner) ? inner : isFields(inner) ? inner["values"] : undefined;
    secrets.push(
      ...secretValuesOf(
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

function pairsOf(value: unknown, location: string): [string, string][] {
  const list = isFields(value) ? value["values"] : value;
  if (Array.isArray(list)) {
    return list.flatMap((entry: unknown, index) => listed(entry, index, location));
  }
  if (!isFields(value) || !isPlain(value)) {
    throw noEnvironment(value, location);
  }
  return Object.entries(value).flatMap(([name, text]) => named(name, text));
}

function listed(entry: unknown, index: number, location: string): [string, string][] {
  if (!isFields(entry) || typeof entry["key"] !== "string") {
    throw new RecordingError(
      `The variable ${
        index + 1
      } of this environment has no name: expected an object with \`key\` and \`value\`.`,
      { code: "not_environment", location },
    );
  }
  const isOff = entry["enabled"] === false || entry["disabled"] === true;
  return isOff ? [] : named(entry["key"], entry["value"]);
}

function named(name: string, value: unknown): [string, string][] {
  if (value === null || value === undefined) return [];
  return [[name, typeof value === "string" ? value : JSON.stringify(value)]];
}

function isPlain(value: Fields): boolean {
  return Object.values(value).every((member) => typeof member !== "object" || member === null);
}

function noEnvironment(value: unknown, location: string): RecordingError {
  const sentence = isPostman(value) || isNewman(value)
    ? "This is a recording, not an environment: name it with the recordings."
    : "This is not a Postman environment: expected a list `values`, each with `key` and `value`, or an object with a value for each name.";
  return new RecordingError(sentence, { code: "not_environment", location });
}
