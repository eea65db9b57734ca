import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import process from "node:process";
import type { AccessEntry } from "../../map/access.ts";
import type { ScopeEntry } from "../../map/scope_pattern.ts";
import { decodeText, fileErrorSentence } from "../../files/files.ts";
import type { Identity } from "../../redact/identities.ts";
import { locatePointers } from "../../openapi/locate.ts";
import { parseDocument } from "../../openapi/parse_document.ts";
import { escapeToken } from "../../values/json_pointer.ts";
import { DescriptionError } from "../../values/errors.ts";
import { CommandError } from "../command_error.ts";
import type { OptionKind } from "../options/option_kind.ts";
import { shapeProblems } from "./check_shape.ts";
import {
  API_OPTIONS,
  APIS,
  CONFIG_SHAPE,
  IDENTITIES,
  type MappingShape,
  shapedItems,
} from "./config_shape.ts";
import type { Location, Syntax } from "../../openapi/document_set.ts";

/** Options by name, from config files and test runners. Paths are resolved. */
export type NamedOptions = Readonly<Record<string, unknown>>;

interface ScopeConfig {
  /** Patterns of the things to measure; empty for everything. */
  readonly include: readonly ScopeEntry[];
  readonly exclude: readonly ScopeEntry[];
  /** Rules of access, in the order of the file. */
  readonly access: readonly AccessEntry[];
}

export interface ApiConfig extends ScopeConfig {
  /** The name in reports; undefined for the description's title. */
  readonly name: string | undefined;
  readonly schema: string;
  /** Patterns of the hosts whose traffic belongs to the API; empty for all hosts. */
  readonly hosts: readonly string[];
  /** The API's own options, which override those of the file: `basePath`, `title`, thresholds. */
  readonly options: NamedOptions;
  /** The line of the entry: `covtool.yaml:12`. */
  readonly source: string;
}

export interface Config extends ScopeConfig {
  readonly path: string;
  /** The folder of the file, to which its paths are relative, as an absolute path. */
  readonly folder: string;
  readonly options: NamedOptions;
  readonly proxy: NamedOptions;
  readonly compare: NamedOptions;
  readonly identities: readonly Identity[];
  /** Several APIs; empty if there is just the API in the options. */
  readonly apis: readonly ApiConfig[];
}

export interface ConfigProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface CheckedConfig {
  readonly path: string;
  /** The positions of all values, by RFC 6901 pointer. */
  readonly locations: ReadonlyMap<string, Location>;
  /** Undefined if there are problems. */
  readonly config: Config | undefined;
  readonly problems: readonly ConfigProblem[];
}

/** Reads a config file; throws a {@linkcode CommandError} about its first problem. */
export function readConfig(path: string, root?: string): Config {
  const { config, problems } = checkConfig(path, root);
  const [first, ...others] = problems;
  if (config !== undefined && first === undefined) return config;
  const more = others.length === 0
    ? ""
    : ` (${others.length} more: see covtool check${isDefault(path) ? "" : ` --config ${path}`})`;
  throw new CommandError(
    `Cannot use ${path}: line ${first?.line}, column ${first?.column}: ${first?.message}${more}`,
    undefined,
    { code: "config", location: path, line: first?.line, column: first?.column },
  );
}

function isDefault(path: string): boolean {
  return /^(?:.*[\\/])?covtool\.(?:ya?ml|json)$/.test(path);
}

export function checkConfig(path: string, root?: string): CheckedConfig {
  const { text, value, syntax, repeated } = parseConfig(path);
  const found = [...shapeProblems(CONFIG_SHAPE, value), ...contradictions(value)];
  const locations = locatePointers(text, syntax, pointersIn(value));
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
  return { path, config, problems, locations };
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
    text = decodeText(readFileSync(path));
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
    // The value is null in a file with only comments.
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

function contradictions(value: Readonly<Record<string, unknown>>) {
  return [
    ...(value["schema"] !== undefined && value["apis"] !== undefined
      ? [{
        pointer: "/apis",
        message: "schema and apis exclude each other. Make the schema one of the apis.",
      }]
      : []),
    ...apiTwins(value["apis"]),
  ];
}

function apiTwins(apis: unknown): { pointer: string; message: string }[] {
  const names = new Set<unknown>();
  const places = new Set<string>();
  const isRepeated = <T>(known: Set<T>, one: T): boolean => known.size === known.add(one).size;
  return shapedItems(APIS, apis, "/apis").flatMap(({ pointer, item }) => {
    const { name, schema, hosts, basePath } = Object(item) as Mapping;
    const place = JSON.stringify([schema, toList(hosts).toSorted(), basePath ?? null]);
    const isTwin = schema !== undefined && isRepeated(places, place);
    if (isRepeated(names, name) && name !== undefined) {
      return [{
        pointer: `${pointer}/name`,
        message: `Another API is called "${name}" too. Give each a name of its own.`,
      }];
    }
    return isTwin
      ? [{
        pointer,
        message:
          "Another API has the same schema, hosts and basePath, so this one would get no request. Change one of these, or remove the API.",
      }]
      : [];
  });
}

function pointersIn(value: unknown, pointer = ""): string[] {
  if (typeof value !== "object" || value === null) return [pointer];
  return [
    pointer,
    ...Object.entries(value).flatMap(([key, member]) =>
      pointersIn(member, `${pointer}/${escapeToken(key)}`)
    ),
  ];
}

function toList(value: unknown): readonly unknown[] {
  return value === undefined ? [] : [value].flat();
}

type Mapping = Readonly<Record<string, unknown>>;

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
    const section = (name: "proxy" | "compare"): Mapping =>
      this.#options((value[name] ?? {}) as Mapping, CONFIG_SHAPE.members[name] as MappingShape);
    return {
      path: this.#path,
      folder: this.#folder,
      options: this.#options(value, CONFIG_SHAPE),
      proxy: section("proxy"),
      compare: section("compare"),
      ...this.#scope(value, ""),
      identities: shapedItems(IDENTITIES, value["identities"], "/identities").map(
        ({ pointer, item }) =>
          readIdentity(item as Mapping, this.#source(pointer), (file) => this.#pathIn(file, "all")),
      ),
      apis: shapedItems(APIS, value["apis"], "/apis").map(({ pointer, item }) =>
        this.#api(item as Mapping, pointer)
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
      hosts: toList(value["hosts"]) as readonly string[],
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
      options[name] = this.#resolvePaths(shape.option.kind, given);
    }
    return options;
  }

  #resolvePaths({ path }: OptionKind, value: unknown): unknown {
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

  #scope(value: Mapping, pointer: string): Pick<Config, "include" | "exclude" | "access"> {
    return {
      access: Object.entries(Object(value["access"]) as Mapping).map(([pattern, given]) => {
        const isShort = typeof given === "string" || Array.isArray(given);
        const { allow, refusesWith } = (isShort ? { allow: given } : given) as Mapping;
        return {
          pattern,
          allow: toList(allow).map(String),
          refusesWith: toList(refusesWith).map(Number),
          source: this.#source(`${pointer}/access/${escapeToken(pattern)}`),
        };
      }),
      include: this.#entries(value["include"], `${pointer}/include`),
      exclude: this.#entries(value["exclude"], `${pointer}/exclude`),
    };
  }

  #entries(value: unknown, pointer: string): ScopeEntry[] {
    return toList(value).map((item, index) => {
      const source = this.#source(Array.isArray(value) ? `${pointer}/${index}` : pointer);
      return typeof item === "string"
        ? { pattern: item, source }
        : { ...item as Omit<ScopeEntry, "source">, source };
    });
  }

  #source(pointer: string): string {
    return `${sourceFile(this.#path)}:${this.#locations.get(pointer)?.line ?? 1}`;
  }
}

/** Returns the path of a config file as reports show it, before a line: `covtool.yaml:12`. */
export function sourceFile(path: string): string {
  return relative(process.cwd(), resolve(path)).replaceAll("\\", "/");
}

function readIdentity(
  entry: Readonly<Record<string, unknown>>,
  source: string,
  resolvePath: (file: string) => string,
): Identity {
  const { valueFromEnv, valueFromFile, scopes, ...rest } = entry;
  const given = { ...rest as Omit<Identity, "source">, source };
  const identity: Identity = {
    ...given,
    ...(scopes !== undefined && { scopes: [scopes].flat().map(String) }),
  };
  const name = `The credential of the identity "${identity.name}"`;
  if (typeof valueFromEnv === "string") {
    const value = process.env[valueFromEnv];
    return value
      ? { ...identity, value: value.trim() }
      : { ...identity, missing: `${name} is not known: the variable ${valueFromEnv} is not set.` };
  }
  if (typeof valueFromFile !== "string") return identity;
  try {
    return { ...identity, value: readFileSync(resolvePath(valueFromFile), "utf8").trim() };
  } catch (error) {
    const sentence = fileErrorSentence(error);
    return { ...identity, missing: `${name} cannot be read from ${valueFromFile}: ${sentence}` };
  }
}
