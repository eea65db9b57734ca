import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import process from "node:process";
import type { ScopeEntry } from "../../map/scope_entry.ts";
import { fileErrorSentence } from "../../files/files.ts";
import { locatePointers, type Syntax } from "../../openapi/locate.ts";
import type { Location } from "../../openapi/location.ts";
import { parseDocument } from "../../openapi/parse_document.ts";
import { DescriptionError } from "../../values/errors.ts";
import { CommandError } from "../command_error.ts";
import type { OptionKind } from "../options/option_kind.ts";
import { shapeProblems } from "./check_shape.ts";
import type { ApiConfig, Config } from "./config.ts";
import { API_OPTIONS, CONFIG_SHAPE, type MappingShape } from "./config_shape.ts";

/** Something wrong with a config file, and where. */
export interface ConfigProblem {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
  /** A sentence. */
  readonly message: string;
}

/** A config file that has been read, and what is wrong with it. */
export interface CheckedConfig {
  /** The positions of entries, by their pointers; undefined if the file has none. */
  readonly locate: (pointer: string) => Location | undefined;
  /** Undefined where something is wrong. */
  readonly config: Config | undefined;
  /** In the order of the file. */
  readonly problems: readonly ConfigProblem[];
}

/**
 * Reads a config file.
 *
 * @param path The file.
 * @param root The folder that a test runner takes paths relative to (default: the working directory).
 * @throws {CommandError} with line, column and sentence of the first thing that is wrong.
 */
export function readConfig(path: string, root?: string): Config {
  const { config, problems } = checkConfig(path, root);
  const [first, ...others] = problems;
  if (config !== undefined && first === undefined) return config;
  const more = others.length === 0
    ? ""
    : ` (${others.length} more: see covtool check${isFound(path) ? "" : ` --config ${path}`})`;
  throw new CommandError(
    `Cannot use ${path}: line ${first?.line}, column ${first?.column}: ${first?.message}${more}`,
  );
}

function isFound(path: string): boolean {
  return /^(?:.*[\\/])?covtool\.(?:ya?ml|json)$/.test(path);
}

/**
 * Reads a config file and finds all that is wrong with it.
 *
 * @throws {CommandError} if it cannot be read, or is neither YAML nor JSON.
 */
export function checkConfig(path: string, root?: string): CheckedConfig {
  const { text, value, syntax, repeated } = parseConfig(path);
  const found = [...shapeProblems(CONFIG_SHAPE, value), ...contradictions(value)];
  const locations = locatePointers(text, syntax, [
    ...found.map(({ pointer }) => pointer),
    ...entryPointers(value),
  ]);
  const problems = [
    ...found.map(({ pointer, message }) => {
      const { line, column } = locations.get(pointer) ?? { line: 1, column: 1 };
      return { line, column, message };
    }),
    ...repeated,
  ].sort((a, b) => a.line - b.line || a.column - b.column);
  const config = problems.length > 0
    ? undefined
    : new ConfigReader(path, root, locations).read(value);
  const locate = (pointer: string): Location | undefined =>
    locatePointers(text, syntax, [pointer]).get(pointer);
  return { config, problems, locate };
}

interface ParsedConfig {
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly syntax: Syntax;
  readonly repeated: readonly ConfigProblem[];
}

function parseConfig(path: string): ParsedConfig {
  let text: string;
  try {
    text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new CommandError(`Cannot read ${path}: ${fileErrorSentence(error)}`, error);
  }
  try {
    const { value, syntax, repeatedKeys } = parseDocument(text, path);
    const repeated = repeatedKeys.map(({ key, line, column }) => ({
      line,
      column,
      message: `The key "${key}" is there twice. Keep one.`,
    }));
    // A file of comments alone sets nothing.
    return { text, value: (value ?? {}) as ParsedConfig["value"], syntax, repeated };
  } catch (error) {
    if (!(error instanceof DescriptionError)) throw error;
    if (error.code === "empty") return { text, value: {}, syntax: "yaml", repeated: [] };
    if (error.line === undefined) {
      throw new CommandError(`Cannot use ${path}: It is neither YAML nor JSON.`, error);
    }
    throw new CommandError(error.message.replace(/^Cannot load /, "Cannot use "), error);
  }
}

/** The mistakes in keys that are valid each by itself. */
function contradictions(value: Readonly<Record<string, unknown>>) {
  return [
    ...(value["schema"] !== undefined && value["apis"] !== undefined
      ? [{
        pointer: "/apis",
        message: "schema and apis exclude each other. Make the schema one of the apis.",
      }]
      : []),
    ...apiTwins(listed(value["apis"])),
  ];
}

/** APIs that cannot be told apart: two of one name, or of one description at one place. */
function apiTwins(apis: readonly unknown[]): { pointer: string; message: string }[] {
  const members = (index: number): Readonly<Record<string, unknown>> =>
    Object(apis[index]) as Readonly<Record<string, unknown>>;
  const placeOf = (index: number): string => {
    const { schema, hosts, basePath } = members(index);
    return JSON.stringify([schema, listed(hosts).toSorted(), basePath ?? null]);
  };
  const names = new Set<unknown>();
  const places = new Set<string>();
  const isSecond = <T>(known: Set<T>, one: T): boolean => known.size === known.add(one).size;
  return apis.flatMap((_, index) => {
    const { name } = members(index);
    const isTwin = isSecond(places, placeOf(index));
    if (isSecond(names, name) && name !== undefined) {
      return [{
        pointer: `/apis/${index}/name`,
        message: `Another API is called "${name}" too. Give each a name of its own.`,
      }];
    }
    return isTwin
      ? [{
        pointer: `/apis/${index}`,
        message:
          "Another API has the same schema, hosts and basePath, so this one would get no request. Change one of these, or remove the API.",
      }]
      : [];
  });
}

/** The entries whose lines reports show. */
function entryPointers(value: Readonly<Record<string, unknown>>): string[] {
  const scope = (owner: unknown, pointer: string): string[] =>
    ["include", "exclude"].flatMap((key) => {
      const entries = (owner as Record<string, unknown> | null)?.[key];
      return Array.isArray(entries)
        ? entries.map((_entry, index) => `${pointer}/${key}/${index}`)
        : [`${pointer}/${key}`];
    });
  const apis = listed(value?.["apis"]);
  return [
    ...scope(value, ""),
    ...apis.flatMap((api, index) => {
      const pointer = Array.isArray(value["apis"]) ? `/apis/${index}` : "/apis";
      return [pointer, ...scope(api, pointer)];
    }),
  ];
}

function listed(value: unknown): readonly unknown[] {
  return value === undefined ? [] : [value].flat();
}

type Mapping = Readonly<Record<string, unknown>>;

/** Reads the values of a file in which nothing is wrong. */
class ConfigReader {
  readonly #path: string;
  readonly #folder: string;
  readonly #isHere: boolean;
  readonly #locations: ReadonlyMap<string, Location>;

  constructor(path: string, root: string | undefined, locations: ReadonlyMap<string, Location>) {
    this.#path = path;
    this.#folder = dirname(resolve(path));
    this.#isHere = [this.#folder, resolve(root ?? ".")].every((folder) => folder === process.cwd());
    this.#locations = locations;
  }

  read(value: Mapping): Config {
    const { proxy, compare, apis } = value;
    return {
      path: this.#path,
      folder: this.#folder,
      options: this.#options(value, CONFIG_SHAPE),
      proxy: this.#options((proxy ?? {}) as Mapping, CONFIG_SHAPE.members["proxy"] as MappingShape),
      compare: this.#options(
        (compare ?? {}) as Mapping,
        CONFIG_SHAPE.members["compare"] as MappingShape,
      ),
      ...this.#scope(value, ""),
      apis: listed(apis).map((api, index) =>
        this.#api(api as Mapping, Array.isArray(apis) ? `/apis/${index}` : "/apis")
      ),
    };
  }

  #api(value: Mapping, pointer: string): ApiConfig {
    const options = Object.fromEntries(
      Object.entries(this.#options(value, CONFIG_SHAPE)).filter(([name]) =>
        API_OPTIONS.includes(name)
      ),
    );
    return {
      name: value["name"] as string | undefined,
      schema: this.#pathIn(String(value["schema"]), "unless_url"),
      hosts: listed(value["hosts"]) as readonly string[],
      options,
      ...this.#scope(value, pointer),
      source: this.#source(pointer),
    };
  }

  #options(value: Mapping, { members }: MappingShape): Mapping {
    const options: Record<string, unknown> = {};
    for (const [name, given] of Object.entries(value)) {
      const shape = members[name];
      if (shape?.type !== "option" || name === "$schema") continue;
      options[name] = this.#resolved(shape.option.kind, given);
    }
    return options;
  }

  #resolved({ path }: OptionKind, value: unknown): unknown {
    if (path === undefined) return value;
    return Array.isArray(value)
      ? value.map((item) => this.#pathIn(String(item), path))
      : this.#pathIn(String(value), path);
  }

  #pathIn(text: string, part: NonNullable<OptionKind["path"]>): string {
    if (this.#isHere || text === "-") return text;
    if (part === "unless_url" && /^(?:https?|file):/i.test(text)) return text;
    if (part !== "after_equals") return resolve(this.#folder, text);
    const equals = text.indexOf("=");
    const path = text.slice(equals + 1);
    return equals < 0 || path === "-"
      ? text
      : text.slice(0, equals + 1) + resolve(this.#folder, path);
  }

  #scope(value: Mapping, pointer: string): Pick<Config, "include" | "exclude"> {
    return {
      include: this.#entries(value["include"], `${pointer}/include`),
      exclude: this.#entries(value["exclude"], `${pointer}/exclude`),
    };
  }

  #entries(value: unknown, pointer: string): ScopeEntry[] {
    return listed(value).map((item, index) => {
      const source = this.#source(Array.isArray(value) ? `${pointer}/${index}` : pointer);
      return typeof item === "string"
        ? { pattern: item, source }
        : { ...item as Omit<ScopeEntry, "source">, source };
    });
  }

  #source(pointer: string): string {
    const shown = relative(process.cwd(), resolve(this.#path)).replaceAll("\\", "/");
    return `${shown}:${this.#locations.get(pointer)?.line ?? 1}`;
  }
}
