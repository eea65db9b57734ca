import { listOf, LOCATION, type OptionKind, TEXT, textOf } from "../options/option_kind.ts";
import { hostPatternValue } from "../values/host_pattern_value.ts";
import { scopePatternValue } from "../values/scope_pattern_value.ts";
import {
  COMMAND_OPTIONS,
  COMPARE_OPTIONS,
  flagOf,
  type Option,
  PROXY_OPTIONS,
  RUN_OPTIONS,
} from "../options/options.ts";

/**
 * The contents that a place of the config file can have: its check, its JSON Schema and its documentation follow from
 * it.
 */
export type Shape = OptionShape | MappingShape | ListShape;

/** The value of an option. */
export interface OptionShape {
  readonly type: "option";
  readonly option: Option;
  /** The option on the command line, whose help describes it; undefined where {@linkcode Option.description} does. */
  readonly flag?: string;
}

/** A mapping with fixed keys. */
export interface MappingShape {
  readonly type: "mapping";
  readonly description: string;
  readonly members: Readonly<Record<string, Shape>>;
  readonly required: readonly string[];
  /** The member that a plain text is short for. */
  readonly shorthand?: string;
}

/** A list, or one of its items alone. */
export interface ListShape {
  readonly type: "list";
  /** Undefined where the help of the command line describes it. */
  readonly description?: string;
  /** The option on the command line. */
  readonly flag?: string;
  readonly item: Shape;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const DATE: OptionKind = {
  what: "a date such as 2027-01-31",
  isRight: (value) => typeof value === "string" && DAY.test(value) && isDay(value),
  schema: { type: "string", format: "date" },
};

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function described(kind: OptionKind, description: string): OptionShape {
  return { type: "option", option: { kind, description } };
}

function optionShapes(table: Readonly<Record<string, Option>>): Record<string, OptionShape> {
  return Object.fromEntries(
    Object.entries(table).map(([name, option]) => [
      name,
      { type: "option", option, flag: flagOf(name, option) },
    ]),
  );
}

/** One pattern of a scope, alone or with its reason. */
const SCOPE_ENTRY: MappingShape = {
  type: "mapping",
  description: "A pattern, with the reason for it.",
  shorthand: "pattern",
  required: ["pattern"],
  members: {
    pattern: described(
      textOf(scopePatternValue),
      "What it is about: `GET /books/*`, `tag:internal`, `operation:getBook`, `deprecated`, `response:5XX`, `parameter:X-Request-Id` or `keyword:format`.",
    ),
    reason: described(TEXT, "The reason, which reports show."),
    until: described(DATE, "The last day on which it holds: `2027-01-31`."),
  },
};

const SCOPE: Readonly<Record<string, ListShape>> = {
  include: { type: "list", flag: "--include", item: SCOPE_ENTRY },
  exclude: { type: "list", flag: "--exclude", item: SCOPE_ENTRY },
};

/** Options that each of several APIs can have; the values at the top are their defaults. */
export const API_OPTIONS: readonly string[] = Object.keys(RUN_OPTIONS).filter((name) =>
  /^(?:basePath|allowRemoteRefs|allowRefsOutside|title|baseReport|baseline|minTcl|fail.*)$/.test(
    name,
  )
);

const RUN_SHAPES = optionShapes(RUN_OPTIONS);

const API: MappingShape = {
  type: "mapping",
  description: "One of several APIs.",
  required: ["schema"],
  members: {
    name: described(TEXT, "Its name in reports (default: the title)."),
    schema: {
      type: "option",
      option: {
        kind: LOCATION,
        description: "OpenAPI description (2.0 to 3.2, JSON or YAML): a file or an http(s) URL.",
      },
    },
    hosts: described(
      listOf(textOf(hostPatternValue)),
      "Hosts whose traffic belongs to it, such as `api.example`, `*.example` or `localhost:8080` (default: all).",
    ),
    ...Object.fromEntries(
      Object.entries(RUN_SHAPES).filter(([name]) => API_OPTIONS.includes(name)),
    ),
    ...SCOPE,
  },
};

/** The config file. */
export const CONFIG_SHAPE: MappingShape = {
  type: "mapping",
  description:
    "Settings of covtool. The command line comes before them; paths are relative to the file.",
  required: [],
  members: {
    $schema: described(TEXT, "The JSON Schema of this file, for editors."),
    ...RUN_SHAPES,
    ...optionShapes(COMMAND_OPTIONS),
    ...SCOPE,
    proxy: {
      type: "mapping",
      description: "Options of `covtool proxy`.",
      required: [],
      members: optionShapes(PROXY_OPTIONS),
    },
    compare: {
      type: "mapping",
      description: "Options of `covtool compare`.",
      required: [],
      members: optionShapes(COMPARE_OPTIONS),
    },
    apis: {
      type: "list",
      description:
        "Several APIs in one run, instead of `schema`. Each request belongs to the API with its host and the longest base path.",
      item: API,
    },
  },
};
