/**
 * Writes what follows from the options of covtool: the JSON Schema of the config file for editors, the keys in
 * `docs/config.md`, and the comments of the options of test runners. A test checks that all are current.
 *
 *     deno run -A scripts/config_schema.ts
 *
 * @module
 */
import {
  CONFIG_SHAPE,
  type ListShape,
  type MappingShape,
  type OptionShape,
  type Shape,
} from "../src/run/config/config_shape.ts";
import { listWording } from "../src/run/options/option_kind.ts";
import type { Json } from "../src/values/json.ts";
import { print } from "./print.ts";
import { keyText, RUN_OPTIONS_PATH, withOptionDocs } from "./run_option_docs.ts";
import { ROOT } from "./source_files.ts";

type JsonObject = Readonly<Record<string, Json>>;

export const SCHEMA_PATH = "src/run/config/config.schema.json";
/** The page of the documentation that lists the keys. */
export const PAGE_PATH = "docs/config.md";

const KEYS_START = "<!-- keys: written by scripts/config_schema.ts -->\n";
const KEYS_END = "<!-- /keys -->\n";

/** Returns the JSON Schema of the config file, in draft-07, which editors support best. */
export function configSchema(): JsonObject {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "urn:covtool:config:1",
    title: "covtool.yaml",
    ...toSchema(CONFIG_SHAPE),
    not: { required: ["schema", "apis"] },
    definitions: Object.fromEntries(
      namedShapes(CONFIG_SHAPE).map((shape) => [shape.name ?? "", mappingSchema(shape)]),
    ),
  };
}

/** Returns the mappings that are definitions in the schema, since several places refer to them. */
function namedShapes(shape: Shape): MappingShape[] {
  if (shape.type === "option") return [];
  const inside = shape.type === "mapping" ? Object.values(shape.members) : [shape.item];
  return [
    ...(shape.type === "mapping" && shape.name ? [shape] : []),
    ...inside.flatMap(namedShapes),
  ];
}

function toSchema(shape: Shape): JsonObject {
  switch (shape.type) {
    case "option": {
      const { kind, isList } = shape.option;
      const schema = isList ? listOrOne(kind.schema) : kind.schema;
      return { description: optionDescription(shape), ...schema };
    }
    case "record":
      return {
        description: shape.description,
        type: "object",
        additionalProperties: toSchema(shape.item),
      };
    case "list":
      return { description: listDescription(shape), ...listOrOne(toSchema(shape.item), shape.key) };
    case "mapping":
      return shape.name === undefined
        ? mappingSchema(shape)
        : { $ref: `#/definitions/${shape.name}` };
  }
}

function mappingSchema(shape: MappingShape): JsonObject {
  const { description, members, required, shorthand } = shape;
  const mapping = {
    type: "object",
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      Object.entries(members).map(([key, member]) => [
        key,
        // Options that both an API and the whole file can have share one schema.
        shape !== CONFIG_SHAPE && CONFIG_SHAPE.members[key] === member
          ? { $ref: `#/properties/${key}` }
          : toSchema(member),
      ]),
    ),
    additionalProperties: false,
  };
  return shorthand === undefined
    ? { description, ...mapping }
    : { description, anyOf: [...shortForms(members[shorthand]), mapping] };
}

/** Returns schemas for the short form of a mapping: the value of one of its members. */
function shortForms(member: Shape | undefined): Json[] {
  const text = { type: "string", minLength: 1 };
  const isList = member?.type === "option" && member.option.isList;
  return isList ? [text, { type: "array", items: text }] : [text];
}

function listOrOne(item: JsonObject, key?: string): JsonObject {
  const mapping = key === undefined ? [] : [{ type: "object", additionalProperties: item }];
  return { anyOf: [item, { type: "array", items: item }, ...mapping] };
}

/** Returns the keys with their values as a Markdown list, where a new key changes no other line. */
export function configKeys(): string {
  return Object.entries(CONFIG_SHAPE.members).flatMap(([key, member]) => keyLines(key, member))
    .join("\n") + "\n";
}

function keyLines(key: string, shape: Shape): string[] {
  switch (shape.type) {
    case "option": {
      return [`- \`${key}\` (${valueWording(shape.option)}): ${optionDescription(shape)}`];
    }
    case "list": {
      const kind = shape.key === undefined ? "a list" : "a list or a mapping";
      const own = `- \`${key}\` (${kind}): ${listDescription(shape)}`;
      const { item } = shape;
      return item.type !== "mapping" ? [own] : [
        own,
        // The members of an API are described at the top level.
        ...(key === "apis" ? [] : keyLines(`${key}[]`, item).slice(1)),
      ];
    }
    case "record":
      return [
        `- \`${key}\` (a mapping): ${shape.description}`,
        ...keyLines(`${key}.${shape.key}`, shape.item),
      ];
    case "mapping":
      return [
        `- \`${key}\` (a mapping): ${shape.description}`,
        ...Object.entries(shape.members).flatMap(([name, member]) =>
          keyLines(`${key}.${name}`, member)
        ),
      ];
  }
}

/** Describes the values of an option in a few words. */
function valueWording({ kind, isList }: OptionShape["option"]): string {
  const { requirement, schema, path } = kind;
  const choices = schema["enum"];
  if (Array.isArray(choices)) {
    return `${choices.map((choice) => `\`${choice}\``).join(", ")}${isList ? "; or a list" : ""}`;
  }
  if (path === "all") return isList ? "a path or a list of paths" : "a path";
  if (path === "unless_url") return "a path or URL";
  return isList ? listWording(kind) : requirement;
}

/** Returns the command-line help of an option, in the terms of a config file. */
function optionDescription({ option }: OptionShape): string {
  return option.keyHelp ?? keyText(option.help);
}

function listDescription({ description }: ListShape): string {
  return keyText(description);
}

/** Returns the page with its list of keys replaced. */
export function withKeys(page: string): string {
  const start = page.indexOf(KEYS_START) + KEYS_START.length;
  const end = page.indexOf(KEYS_END);
  if (end < start || start < KEYS_START.length) throw new Error(`${PAGE_PATH} lacks its marks.`);
  return `${page.slice(0, start)}\n${configKeys()}\n${page.slice(end)}`;
}

if (import.meta.main) {
  const json = JSON.stringify(configSchema(), undefined, 2) + "\n";
  await Deno.writeTextFile(`${ROOT}/${SCHEMA_PATH}`, json);
  const page = await Deno.readTextFile(`${ROOT}/${PAGE_PATH}`);
  await Deno.writeTextFile(`${ROOT}/${PAGE_PATH}`, withKeys(page));
  const source = await Deno.readTextFile(`${ROOT}/${RUN_OPTIONS_PATH}`);
  await Deno.writeTextFile(`${ROOT}/${RUN_OPTIONS_PATH}`, withOptionDocs(source));
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["fmt", "-q", SCHEMA_PATH, PAGE_PATH],
    cwd: ROOT,
  }).output();
  if (!success) throw new Error("deno fmt failed.");
  print(`wrote ${SCHEMA_PATH}, the keys of ${PAGE_PATH} and the comments of ${RUN_OPTIONS_PATH}`);
}
