import { escapeToken } from "../../values/json_pointer.ts";
import { isFields } from "../../traffic/decode/fields.ts";
import { type Option, optionKeys } from "../options/option.ts";
import { checkedText, integer, type OptionKind, path, text } from "../options/option_kind.ts";
import { HOST_PATTERN } from "../options/option_kinds.ts";
import { parseScopePattern } from "../../map/scope_pattern.ts";
import { type GroupName, GROUPS, type NamedOption, optionsIn } from "../options/options.ts";

/** The content allowed at a place of the config file; its check, JSON Schema and documentation derive from this. */
export type Shape = OptionShape | MappingShape | ListShape | RecordShape;

export interface OptionShape {
  readonly type: "option";
  readonly option: Pick<Option, "kind" | "isList" | "help" | "keyHelp">;
}

export interface MappingShape {
  readonly type: "mapping";
  /** The name of its definition in the JSON Schema, if it is used at several places. */
  readonly name?: string;
  readonly description: string;
  readonly members: Readonly<Record<string, Shape>>;
  readonly required: readonly string[];
  /** The member that a plain text stands for; also a list, if the member takes one. */
  readonly shorthand?: string;
}

export interface ListShape {
  readonly type: "list";
  readonly description: string;
  readonly item: Shape;
  /** The member of an item that becomes the key if the list is written as a mapping. */
  readonly key?: string;
}

/** A mapping with arbitrary keys. */
export interface RecordShape {
  readonly type: "record";
  readonly description: string;
  /** The placeholder for a key in the documentation: `PATTERN`. */
  readonly key: string;
  readonly item: Shape;
}

/** Returns the items of a list, which files can write as a list, as a single item, or as a mapping. */
export function shapedItems(
  { item, key }: ListShape,
  value: unknown,
  pointer: string,
): readonly { readonly pointer: string; readonly item: unknown }[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) {
    return value.map((item, index) => ({ pointer: `${pointer}/${index}`, item }));
  }
  const isOne = key === undefined || item.type !== "mapping" || typeof value !== "object" ||
    value === null || item.required.some((name) => typeof Object(value)[name] === "string");
  if (isOne) return [{ pointer, item: value }];
  return Object.entries(value).map(([name, item]) => ({
    pointer: `${pointer}/${escapeToken(name)}`,
    item: isFields(item) ? { [key]: name, ...item } : item,
  }));
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const DATE: OptionKind = {
  ...text("DATE"),
  requirement: "a date such as 2027-01-31",
  accepts: (value) => typeof value === "string" && DAY.test(value) && isDay(value),
  schema: { type: "string", format: "date" },
};

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function describe(kind: OptionKind, keyHelp: string, isList = false): OptionShape {
  return { type: "option", option: { kind, isList, help: keyHelp, keyHelp } };
}

const OPTIONS: readonly NamedOption[] = optionsIn(Object.keys(GROUPS) as GroupName[]);

/** Returns the shapes of options in a section of the file, by key; several commands may share a key. */
function optionShapes(section: "proxy" | "compare" | undefined): Record<string, OptionShape> {
  const shapes: Record<string, OptionShape> = {};
  for (const { name, option, group } of OPTIONS) {
    if (group.section !== section) continue;
    for (const key of optionKeys(name, option)) {
      const { alias, ...own } = option;
      shapes[key] ??= {
        type: "option",
        option: key === alias ? { ...own, keyHelp: `Another name of ${name}.` } : own,
      };
    }
  }
  return shapes;
}

const SCOPE_ENTRY: MappingShape = {
  type: "mapping",
  name: "scopeEntry",
  description: "A pattern, with the reason for it.",
  shorthand: "pattern",
  required: ["pattern"],
  members: {
    pattern: describe(
      checkedText("PATTERN", parseScopePattern),
      "What it is about: `GET /books/*`, `tag:internal`, `operation:getBook`, `deprecated`, `response:5XX`, `parameter:X-Request-Id` or `keyword:format`.",
    ),
    reason: describe(text("TEXT"), "The reason, which reports show."),
    until: describe(DATE, "The last day on which it holds: `2027-01-31`."),
  },
};

const SCOPE: Readonly<Record<string, ListShape>> = {
  include: { type: "list", description: GROUPS.scope.options.include.help, item: SCOPE_ENTRY },
  exclude: { type: "list", description: GROUPS.scope.options.exclude.help, item: SCOPE_ENTRY },
};

const IDENTITY: MappingShape = {
  type: "mapping",
  name: "identity",
  description: "Somebody who sends requests, and how requests show it.",
  required: ["name"],
  members: {
    name: describe(text("NAME"), "Its name, which is all that reports show."),
    header: describe(
      text("NAME"),
      "The header that has its credential (for jwt by default Authorization).",
    ),
    cookie: describe(text("NAME"), "The cookie that has its credential instead."),
    query: describe(text("NAME"), "The query parameter that has its credential instead."),
    valueFromEnv: describe(text("VARIABLE"), "The environment variable with its credential."),
    valueFromFile: describe(path("PATH"), "The file with its credential, instead."),
    jwt: {
      type: "record",
      description: "Claims that its token has, such as `sub: alice`. The token isn't verified.",
      key: "CLAIM",
      item: describe(text("TEXT"), "The value of the claim."),
    },
    tag: describe(
      text("TEXT"),
      "The tag that its requests have, from a recorder or a header covtool-identity (default: its name).",
    ),
    scopes: describe(
      text("SCOPE"),
      "The scopes of its tokens, to compare with those that the description requires.",
      true,
    ),
  },
};

const ACCESS_ENTRY: MappingShape = {
  type: "mapping",
  name: "accessEntry",
  description: "Who may call operations.",
  shorthand: "allow",
  required: ["allow"],
  members: {
    allow: describe(
      text("NAME"),
      "Identities that are let in, `anonymous` among them, and `alice:own` for those with objects of their own only. All others are to be refused.",
      true,
    ),
    refusesWith: describe(
      integer("STATUS", 400, 499),
      "Statuses that refuse besides 401 and 403, such as 404.",
      true,
    ),
  },
};

export const IDENTITIES: ListShape = {
  type: "list",
  description: "Those who send requests: a list, or a mapping by their names.",
  item: IDENTITY,
  key: "name",
};

export const ACCESS: RecordShape = {
  type: "record",
  description:
    "Who may do what: patterns of operations, each with the identities that are let in. Of several that match, the last decides.",
  key: "PATTERN",
  item: ACCESS_ENTRY,
};

/** The keys of options that each of several APIs can have; values at the top level are their defaults. */
export const API_OPTIONS: readonly string[] = OPTIONS.filter(({ option }) => option.perApi)
  .flatMap(({ name, option }) => optionKeys(name, option));

const SHARED = optionShapes(undefined);

const API: MappingShape = {
  type: "mapping",
  name: "api",
  description: "One of several APIs.",
  required: ["schema"],
  members: {
    name: describe(text("TEXT"), "Its name in reports (default: the title)."),
    schema: describe({ ...path("SCHEMA"), path: "unless_url" }, GROUPS.schema.options.schema.help),
    hosts: describe(
      HOST_PATTERN,
      "Hosts whose traffic belongs to it, such as `api.example`, `*.example` or `localhost:8080` (default: all).",
      true,
    ),
    ...Object.fromEntries(Object.entries(SHARED).filter(([name]) => API_OPTIONS.includes(name))),
    ...SCOPE,
    access: ACCESS,
  },
};

export const APIS: ListShape = {
  type: "list",
  description:
    "Several APIs in one run, instead of `schema`: a list, or a mapping by their names. Each request belongs to the API with its host and the longest base path.",
  item: API,
  key: "name",
};

export const CONFIG_SHAPE: MappingShape = {
  type: "mapping",
  description:
    "Settings of covtool. The command line comes before them; paths are relative to the file.",
  required: [],
  members: {
    $schema: describe(text("TEXT"), "The JSON Schema of this file, for editors."),
    ...SHARED,
    ...SCOPE,
    identities: IDENTITIES,
    access: ACCESS,
    proxy: {
      type: "mapping",
      description: "Options of `covtool proxy`.",
      required: [],
      members: optionShapes("proxy"),
    },
    compare: {
      type: "mapping",
      description: "Options of `covtool compare`.",
      required: [],
      members: optionShapes("compare"),
    },
    apis: APIS,
  },
};
