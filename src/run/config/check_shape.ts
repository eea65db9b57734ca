import { escapeToken, unescapeToken } from "../../values/json_pointer.ts";
import { isFields } from "../../traffic/decode/fields.ts";
import { unknownChoice } from "../options/option.ts";
import { optionProblem } from "../options/option_kind.ts";
import { type MappingShape, type Shape, shapedItems } from "./config_shape.ts";

export interface ShapeProblem {
  /** RFC 6901 pointer of the entry. */
  readonly pointer: string;
  readonly message: string;
}

/** Names of keys in other tools, in lower case, with covtool's names. */
const MEANINGS: Readonly<Record<string, string>> = {
  api: "apis",
  base: "basePath",
  baseurl: "basePath",
  formats: "format",
  ignore: "exclude",
  include_only: "include",
  omit: "exclude",
  only: "include",
  openapi: "schema",
  recordings: "traffic",
  reporter: "format",
  reporters: "format",
  reports: "format",
  spec: "schema",
  swagger: "schema",
  threshold: "failUnder",
  thresholds: "failUnder",
};

/** Finds all problems in a value, in the order of the file: unknown or missing keys, and values of the wrong kind. */
export function shapeProblems(shape: Shape, value: unknown, pointer = ""): ShapeProblem[] {
  const name = placeName(pointer);
  switch (shape.type) {
    case "option": {
      const message = optionProblem(name, shape.option, value);
      return message === undefined ? [] : [{ pointer, message }];
    }
    case "list":
      return shapedItems(shape, value, pointer).flatMap(({ pointer, item }) =>
        shapeProblems(shape.item, item, pointer)
      );
    case "mapping":
      return mappingProblems(shape, value, pointer, name);
    case "record":
      return isFields(value)
        ? Object.entries(value).flatMap(([key, member]) =>
          shapeProblems(shape.item, member, `${pointer}/${escapeToken(key)}`)
        )
        : [{ pointer, message: `${name} must be a mapping of ${shape.key} to values.` }];
  }
}

function mappingProblems(
  shape: MappingShape,
  value: unknown,
  pointer: string,
  name: string,
): ShapeProblem[] {
  const { members, required, shorthand } = shape;
  const short = shorthand === undefined ? undefined : members[shorthand];
  const isShort = typeof value === "string" && value !== "" ||
    Array.isArray(value) && short?.type === "option" && short.option.isList;
  if (short !== undefined && isShort) {
    return shapeProblems(short, value, pointer);
  }
  if (!isFields(value)) {
    const kinds = `${shorthand === undefined ? "" : "a non-empty string or "}a mapping`;
    return [{ pointer, message: `${name} must be ${kinds} with ${keysText(required, members)}.` }];
  }
  const problems = Object.entries(value).flatMap(([key, member]) => {
    const at = `${pointer}/${escapeToken(key)}`;
    const known = Object.hasOwn(members, key) ? members[key] : undefined;
    return known === undefined
      ? [{ pointer: at, message: unknownKey(key, members) }]
      : shapeProblems(known, member, at);
  });
  const missing = required.filter((key) => !Object.hasOwn(value, key));
  return [
    ...problems,
    ...missing.map((key) => ({ pointer, message: `${name} has no ${key}. Add it.` })),
  ];
}

function unknownKey(key: string, members: MappingShape["members"]): string {
  const keys = Object.keys(members);
  const owner = keys.find((name) => {
    const member = members[name];
    return member?.type === "mapping" && Object.hasOwn(member.members, key);
  });
  if (owner !== undefined) return `Unknown key "${key}". Did you mean ${owner}.${key}?`;
  const flat = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, "");
  const same = keys.find((known) => flat(known) === flat(key));
  const meanings = Object.fromEntries(
    Object.entries(MEANINGS).filter(([, name]) => keys.includes(name)),
  );
  const sentence = same === undefined
    ? unknownChoice("key", key, keys, meanings)
    : `Unknown key "${key}". Did you mean ${same}?`;
  // Without the list of all keys, some fifty, which would hide the key that was meant.
  return sentence.replace(/(Did you mean [^?]+\?) Choose .*$/s, "$1");
}

function keysText(required: readonly string[], members: Readonly<Record<string, unknown>>): string {
  const names = required.length > 0 ? required : Object.keys(members).slice(0, 3);
  return required.length > 0 ? names.join(" and ") : `keys such as ${names.join(", ")}`;
}

/** Returns the name of a place for messages: `proxy.port`, `exclude[1].until` (from 1); `The file` for the root. */
function placeName(pointer: string): string {
  if (pointer === "") return "The file";
  return pointer.slice(1).split("/").map((token) =>
    /^\d+$/.test(token) ? `[${Number(token) + 1}]` : `.${unescapeToken(token)}`
  ).join("").replace(/^\./, "");
}
