import type { Diagnostic } from "../values/diagnostic.ts";
import { escapeToken } from "../values/json_pointer.ts";
import type { Place } from "../schema/position.ts";
import type { References } from "../schema/reference.ts";
import type { OpenApiVersion } from "./description_version.ts";
import type { ParameterModel } from "./model.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** State shared by all functions that read a description. */
export interface Reading {
  readonly version: OpenApiVersion;
  /** Resolves references within the documents. */
  readonly references: References;
  readonly diagnostics: Diagnostic[];
  /** The diagnostics reported so far, as code and pointer: shared parts are read many times. */
  readonly said: Set<string>;
  /** Parameters that were read already, by the path of their place; undefined for unusable ones. */
  readonly parameters: Map<string, ParameterModel | undefined>;
  /** Media types of request bodies that were read already, by the path of their place. */
  readonly bodies: Map<string, readonly ParameterModel[]>;
  readonly basePaths: Set<string>;
  /** The paths of server URLs that were read already: some descriptions repeat them in every operation. */
  readonly serverPaths: Map<string, string | undefined>;
  /** The hosts of all servers so far, with ports. */
  readonly serverHosts: Set<string>;
}

/** The pointer of a place as users see it: with the label of its file, unless that is the entry document. */
export function pathOf(place: Place): string {
  return place.document.label === "" ? place.pointer : `${place.document.label}#${place.pointer}`;
}

/** The place of a member; its value is undefined if there is none. */
export function memberPlace(place: Place, token: string): Place {
  const { value } = place;
  const member = typeof value === "object" && value !== null && Object.hasOwn(value, token)
    ? (value as Fields)[token]
    : undefined;
  return {
    value: member,
    document: place.document,
    pointer: `${place.pointer}/${escapeToken(token)}`,
  };
}

/** Adds a diagnostic, unless that place already has the same one. */
export function say(
  reading: Reading,
  severity: Diagnostic["severity"],
  code: string,
  place: Place,
  message: string,
): void {
  const path = pathOf(place);
  const key = `${code} ${path}`;
  if (reading.said.has(key)) return;
  reading.said.add(key);
  reading.diagnostics.push({
    severity,
    code,
    message,
    schema_path: path,
    line: null,
    column: null,
  });
}

export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "object":
      return "an object";
    case "string":
      return "text";
    case "number":
      return "a number";
    case "boolean":
      return "a boolean";
    default:
      return "nothing";
  }
}

/** True if a value is an object of the description, and no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of an object; a diagnostic and undefined for anything else, silently so where it is absent. */
export function fieldsAt(reading: Reading, place: Place, what: string): Fields | undefined {
  const { value } = place;
  if (isFields(value)) return value;
  if (value !== undefined) wrongType(reading, place, what, "an object");
  return undefined;
}

/** The items of a list as places; a diagnostic and none for anything else, silently so where it is absent. */
export function itemsAt(reading: Reading, place: Place, what: string): Place[] {
  const { value } = place;
  if (Array.isArray(value)) {
    return value.map((item, index) => ({
      value: item as unknown,
      document: place.document,
      pointer: `${place.pointer}/${index}`,
    }));
  }
  if (value !== undefined) wrongType(reading, place, what, "a list");
  return [];
}

/** A boolean field; a diagnostic where it is something else, and the default. */
export function booleanAt(
  reading: Reading,
  place: Place,
  token: string,
  fallback: boolean,
): boolean {
  const value = (place.value as Fields)[token];
  if (typeof value === "boolean") return value;
  if (value !== undefined) {
    wrongType(reading, memberPlace(place, token), `\`${token}\``, "true or false");
  }
  return fallback;
}

/** A text field; a diagnostic where it is something else, and undefined. */
export function textAt(reading: Reading, place: Place, token: string): string | undefined {
  const value = (place.value as Fields)[token];
  if (typeof value === "string") return value;
  if (value !== undefined) wrongType(reading, memberPlace(place, token), `\`${token}\``, "text");
  return undefined;
}

/** The texts of a list; a diagnostic for what is something else. */
export function textsAt(reading: Reading, place: Place, what: string): string[] {
  const texts: string[] = [];
  for (const item of itemsAt(reading, place, what)) {
    if (typeof item.value === "string") texts.push(item.value);
    else wrongType(reading, item, `An entry of ${what}`, "text");
  }
  return texts;
}

export function wrongType(reading: Reading, place: Place, what: string, expected: string): void {
  const subject = what.startsWith("`") ? `The field ${what}` : what;
  say(
    reading,
    "warning",
    "wrong_type",
    place,
    `${subject} must be ${expected}, not ${kindOf(place.value)}, so it is ignored.`,
  );
}

/** The places of a chain of references, ends included; where it leads nowhere, a diagnostic, and undefined at last. */
export function followAll(reading: Reading, place: Place): (Place | undefined)[] {
  const chain: (Place | undefined)[] = [];
  const passed = new Set<unknown>();
  for (let current: Place | undefined = place; current !== undefined;) {
    chain.push(current);
    if (!isFields(current.value) || current.value["$ref"] === undefined) return chain;
    passed.add(current.value);
    current = followOnce(reading, current, current.value["$ref"], passed);
  }
  chain.push(undefined);
  return chain;
}

/** The end of a chain of Reference Objects; a diagnostic and undefined if there is none. */
export function follow(reading: Reading, place: Place): Place | undefined {
  const isReference = isFields(place.value) && place.value["$ref"] !== undefined;
  return isReference ? followAll(reading, place).at(-1) : place;
}

function followOnce(
  reading: Reading,
  place: Place,
  reference: unknown,
  passed: ReadonlySet<unknown>,
): Place | undefined {
  const at = memberPlace(place, "$ref");
  if (typeof reference !== "string") {
    const hint = reference === null ? " In YAML, `#` begins a comment: put it into quotes." : "";
    say(
      reading,
      "error",
      "invalid_reference",
      at,
      `\`$ref\` must be text, not ${kindOf(reference)}.${hint}`,
    );
    return undefined;
  }
  const target = reading.references.resolve(place, reference);
  if (target === undefined) {
    const message = `The reference \`${reference}\` cannot be resolved.`;
    say(reading, "error", "unresolved_reference", at, message);
  } else if (passed.has(target.value)) {
    const message = `The reference \`${reference}\` refers to itself.`;
    say(reading, "error", "reference_cycle", at, message);
    return undefined;
  }
  return target;
}
