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
  type OptionShape,
  type Shape,
} from "../src/run/config/config_shape.ts";
import type { OptionKind } from "../src/run/options/option_kind.ts";
import type { Json } from "../src/values/json.ts";
import { helpOf } from "./option_help.ts";
import { print } from "./print.ts";
import { RUN_OPTIONS_PATH, withOptionDocs } from "./run_option_docs.ts";
import { ROOT } from "./source_files.ts";

type JsonObject = Readonly<Record<string, Json>>;

/** The path of the JSON Schema in the project. */
export const SCHEMA_PATH = "src/run/config/config.schema.json";
/** The path of the page with the keys. */
export const PAGE_PATH = "docs/config.md";

const KEYS_START = "<!-- keys: written by scripts/config_schema.ts -->\n";
const KEYS_END = "<!-- /keys -->\n";

/** The JSON Schema of the config file. Editors know draft-07 best. */
export function configSchema(): JsonObject {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "urn:covtool:config:1",
    title: "covtool.yaml",
    ...schemaOf(CONFIG_SHAPE),
    not: { required: ["schema", "apis"] },
  };
}

function schemaOf(shape: Shape): JsonObject {
  switch (shape.type) {
    case "option": {
      const { kind } = shape.option;
      const schema = kind.isList === true ? listOrOne(kind.schema) : kind.schema;
      return { description: descriptionOf(shape), ...schema };
    }
    case "list":
      return { description: listDescription(shape), ...listOrOne(schemaOf(shape.item)) };
    case "mapping": {
      const { description, members, required, shorthand } = shape;
      const mapping = {
        type: "object",
        ...(required.length > 0 && { required }),
        properties: Object.fromEntries(
          Object.entries(members).map(([key, member]) => [key, schemaOf(member)]),
        ),
        additionalProperties: false,
      };
      return shorthand === undefined
        ? { description, ...mapping }
        : { description, anyOf: [{ type: "string", minLength: 1 }, mapping] };
    }
  }
}

function listOrOne(item: JsonObject): JsonObject {
  return { anyOf: [item, { type: "array", items: item }] };
}

/** The keys with their values: a list in Markdown, so that a new key changes no other line. */
export function configKeys(): string {
  return Object.entries(CONFIG_SHAPE.members).flatMap(([key, member]) => keysOf(key, member))
    .join("\n") + "\n";
}

function keysOf(key: string, shape: Shape): string[] {
  switch (shape.type) {
    case "option": {
      return [
        `- \`${key}\` (${valuesOf(shape.option.kind)}): ${descriptionOf(shape)}`,
      ];
    }
    case "list": {
      const own = `- \`${key}\` (a list): ${listDescription(shape)}`;
      const { item } = shape;
      return item.type !== "mapping" ? [own] : [
        own,
        // The members of an API are described where they are at the top.
        ...(key === "apis" ? [] : keysOf(`${key}[]`, item).slice(1)),
      ];
    }
    case "mapping":
      return [
        `- \`${key}\` (a mapping): ${shape.description}`,
        ...Object.entries(shape.members).flatMap(([name, member]) =>
          keysOf(`${key}.${name}`, member)
        ),
      ];
  }
}

/** The values of an option, in a few words. */
function valuesOf({ what, schema, path, isList }: OptionKind): string {
  const choices = schema["enum"];
  if (Array.isArray(choices)) {
    return `${choices.map((choice) => `\`${choice}\``).join(", ")}${isList ? "; or a list" : ""}`;
  }
  if (path === "all") return isList ? "a path or a list of paths" : "a path";
  return path === "unless_url" ? "a path or URL" : what;
}

/** What the help of the command line says about an option, in the words of a config file. */
function descriptionOf({ option, flag }: OptionShape): string {
  return option.description ?? helpOf(flag);
}

function listDescription({ description, flag }: ListShape): string {
  return description ?? helpOf(flag);
}

/** The page with new keys. */
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
