import { isHeaderText, isToken } from "../../http/headers.ts";
import { parseHostPattern } from "../../http/host_and_port.ts";
import { parseBasePath } from "../../map/base_path.ts";
import { type Dimension, DIMENSIONS, GAP_KIND_NAMES, type GapKindName } from "../../map/results.ts";
import { parseScopePattern, type ScopeEntry } from "../../map/scope_pattern.ts";
import { formatList, type Reporter, REPORTERS, type ReportFormat } from "../../report/reporters.ts";
import {
  GROUPINGS,
  type OperationGrouping,
  type OperationSorting,
  SORTINGS,
} from "../../report/text/arrange_operations.ts";
import { TEST_FORMAT_NAMES } from "../../suggest/formats/format_names.ts";
import { logFormat } from "../../traffic/log_format/log_format.ts";
import { COMPARE_FAIL_ON_KINDS } from "../compare_fail_on.ts";
import {
  type ConditionKind,
  FAIL_ON_KINDS,
  type FailOnCondition,
  writtenConditions,
} from "../fail_on.ts";
import { unknownChoice } from "./option.ts";
import { checkedText, type OptionKind, readText, shownInput } from "./option_kind.ts";

const NUMBER = /^(\d+(?:\.\d*)?|\.\d+)\s*%?$/;

/** A percentage from 0 to 100: `80`, `99.5`, `80%`. */
export const PERCENTAGE: OptionKind<number> = {
  metavar: "PERCENT",
  read(input) {
    const value = Number(NUMBER.exec(input.trim())?.[1] ?? Number.NaN);
    if (value <= 100) return value;
    throw new TypeError(`Expected a percentage from 0 to 100, but got ${shownInput(input)}.`);
  },
  requirement: "a percentage from 0 to 100",
  accepts: (value) => typeof value === "number" && value >= 0 && value <= 100,
  schema: { type: "number", minimum: 0, maximum: 100 },
  type: "number",
};

const SIZE = /^(\d+)\s*([kmg])?(?:i?b)?$/i;
const FACTORS: Readonly<Record<string, number>> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** A number of bytes: `65536`, `64k`, `10M`, `1GiB`; all units are powers of 1,024. */
export const BYTES: OptionKind<number> = {
  metavar: "BYTES",
  read(input) {
    const [, digits, unit = ""] = SIZE.exec(input.trim()) ?? [];
    const value = Number(digits) * (FACTORS[unit.toLowerCase()] ?? 1);
    if (value <= Number.MAX_SAFE_INTEGER) return value;
    throw new TypeError(
      `Expected a size such as 65536, 512k or 10M, but got ${shownInput(input)}.`,
    );
  },
  requirement: 'a number of bytes, or a size such as "10M"',
  accepts: (value) =>
    typeof value === "string" ? /^\d/.test(value) : Number.isInteger(value) && Number(value) >= 0,
  schema: {
    anyOf: [
      { type: "integer", minimum: 0 },
      { type: "string", pattern: "^\\d+ *([kKmMgG])?([iI]?[bB])?$" },
    ],
  },
};

const DURATION = /^(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?$/i;
const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, min: 60, h: 3600 };

/** A duration in seconds: `90`, `90s`, `10m`, `1.5h`. */
export const DURATION_SECONDS: OptionKind<number> = {
  ...readText("TIME", (input) => {
    const [, digits, unit = "s"] = DURATION.exec(input.trim()) ?? [];
    const value = Number(digits) * (SECONDS[unit.toLowerCase()] ?? 1);
    if (value > 0) return value;
    throw new TypeError(`Expected a time such as 90s, 10m or 1h, but got ${shownInput(input)}.`);
  }),
};

export const TOP: OptionKind<number | "all"> = {
  metavar: "N",
  read(input) {
    const value = input.trim().toLowerCase();
    if (value === "all") return value;
    if (/^\d{1,9}$/.test(value)) return Number(value);
    throw new TypeError(`Expected a number of operations or all, but got ${shownInput(input)}.`);
  },
  complete: (prefix) => "all".startsWith(prefix) ? [{ text: "all" }] : [],
  requirement: 'a number of operations, or "all"',
  accepts: (value) => value === "all" || Number.isInteger(value) && Number(value) >= 0,
  schema: { anyOf: [{ type: "integer", minimum: 0 }, { const: "all" }] },
  type: 'number | "all"',
};

export const BASE_PATH: OptionKind<string> = checkedText("URL_OR_PATH", parseBasePath);

/** A pattern for hosts: `api.example`, `*.example`, `localhost:8080`. */
export const HOST_PATTERN: OptionKind<string> = checkedText("HOST", parseHostPattern);

export const LOG_FORMAT: OptionKind<string> = checkedText("FORMAT", logFormat);

/** A pattern for parts of a description: `GET /books/*`, `tag:internal`; in files also with a reason and a date. */
export const SCOPE: OptionKind<string | ScopeEntry> = {
  ...checkedText("PATTERN", parseScopePattern),
  listRequirement: "a pattern, { pattern, reason, until }, or a list of these",
  // The content of patterns and dates is checked where the config file is read.
  accepts(value) {
    if (typeof value === "string") return value !== "";
    if (typeof value !== "object" || value === null) return false;
    return Object.hasOwn(value, "pattern") &&
      Object.entries(value).every(([name, member]) =>
        typeof member === "string" && ["pattern", "reason", "until", "source"].includes(name)
      );
  },
  type: "string | ScopeEntry",
};

interface Choices<T extends string> {
  /** The kind of thing that the value names: `grouping`. */
  readonly noun: string;
  readonly metavar: string;
  readonly names: readonly T[];
  /** Other words that users may try, with the names that they mean. */
  readonly meanings?: Readonly<Record<string, T>>;
}

/** One of some names, case-insensitive. */
export function choice<T extends string>(
  { noun, metavar, names, meanings = {} }: Choices<T>,
): OptionKind<T> {
  return {
    ...readText(metavar, (input) => {
      const value = names.find((name) => name === input.trim().toLowerCase());
      if (value === undefined) throw new TypeError(unknownChoice(noun, input, names, meanings));
      return value;
    }),
    complete: (prefix) => completions(names, prefix),
    schema: { enum: names },
    type: names.map((name) => JSON.stringify(name)).join(" | "),
  };
}

function completions(names: readonly string[], prefix: string): { readonly text: string }[] {
  return names.filter((name) => name.startsWith(prefix)).map((text) => ({ text }));
}

export const TEST_FORMAT: OptionKind<string> = choice({
  noun: "format",
  metavar: "FORMAT",
  names: TEST_FORMAT_NAMES,
});

export const GROUPING: OptionKind<OperationGrouping> = choice<OperationGrouping>({
  noun: "grouping",
  metavar: "GROUPING",
  names: GROUPINGS,
  meanings: { tags: "tag", paths: "path", resource: "path", segment: "path" },
});

export const SORTING: OptionKind<OperationSorting> = choice<OperationSorting>({
  noun: "order",
  metavar: "ORDER",
  names: SORTINGS,
  meanings: {
    missing: "gaps",
    requests: "hits",
    calls: "hits",
    cover: "coverage",
    percent: "coverage",
    name: "path",
  },
});

/** Lists that reports have only on request. */
export type ShownList = "undocumented-properties";

export const SHOWN_LIST: OptionKind<ShownList> = choice<ShownList>({
  noun: "list",
  metavar: "LIST",
  names: ["undocumented-properties"],
  meanings: {
    drift: "undocumented-properties",
    properties: "undocumented-properties",
    undeclared: "undocumented-properties",
    undocumented: "undocumented-properties",
    undocumented_properties: "undocumented-properties",
  },
});

interface ListItems<T> {
  readonly metavar: string;
  /** Reads an item: trimmed, in lower case; `given` is the original text. */
  readonly read: (item: string, given: string) => readonly T[];
  readonly items: readonly { readonly text: string; readonly description?: string }[];
  readonly usual: readonly string[];
}

function commaList<T>({ metavar, read, items, usual }: ListItems<T>): OptionKind<readonly T[]> {
  return {
    ...readText(
      metavar,
      (input) => input.split(",").flatMap((part) => read(part.trim().toLowerCase(), part)),
    ),
    complete(prefix) {
      const comma = prefix.lastIndexOf(",") + 1;
      const before = prefix.slice(0, comma);
      return items.filter(({ text }) => text.startsWith(prefix.slice(comma)))
        .map((item) => ({ ...item, text: before + item.text }));
    },
    schema: { enum: usual },
  };
}

const DIMENSION_MEANINGS: Readonly<Record<string, string>> = {
  bodies: "parameters",
  codes: "responses",
  endpoints: "operations",
  methods: "operations",
  paths: "operations",
  properties: "keywords",
  routes: "operations",
  schema: "keywords",
  schemas: "keywords",
  status: "responses",
  statuses: "responses",
};

function namesOrAll<Name extends string>(
  metavar: string,
  noun: string,
  names: readonly Name[],
): OptionKind<readonly Name[]> {
  const usual = [...names, "all"];
  return commaList<Name>({
    metavar,
    read(name, given) {
      if (name === "all") return names;
      const found = names.find((known) => known === name);
      if (found !== undefined) return [found];
      throw new TypeError(unknownChoice(noun, given, usual, DIMENSION_MEANINGS));
    },
    items: usual.map((text) => ({ text })),
    usual,
  });
}

export const DIMENSION_LIST: OptionKind<readonly Dimension[]> = {
  ...namesOrAll("DIMENSIONS", "dimension", DIMENSIONS),
  type: '"all" | Dimension',
};

export const GAP_KIND_LIST: OptionKind<readonly GapKindName[]> = namesOrAll(
  "KINDS",
  "kind of gaps",
  GAP_KIND_NAMES,
);

function conditions(kinds: readonly ConditionKind[]): OptionKind<readonly FailOnCondition[]> {
  const names = kinds.map(({ name }) => name);
  const meanings = Object.fromEntries(
    kinds.flatMap(({ name, aliases }) => aliases.map((alias) => [alias, name])),
  );
  return commaList<FailOnCondition>({
    metavar: "KIND",
    read(condition) {
      const [name = "", ...rest] = condition.split("=");
      const kind = kinds.find((known) => known.name === name);
      if (kind === undefined) {
        throw new TypeError(unknownChoice("condition", name, names, meanings));
      }
      return [
        rest.length === 0
          ? { kind: name }
          : { kind: name, argument: readArgument(kind, rest.join("=")) },
      ];
    },
    items: kinds.flatMap((kind) =>
      writtenConditions(kind).map((text) => ({ text, description: kind.description }))
    ),
    usual: kinds.flatMap(writtenConditions),
  });
}

const PLAIN_PERCENT = /^(\d+(?:\.\d*)?|\.\d+)%?$/;

function readArgument({ name, argument }: ConditionKind, given: string): string {
  if (argument === undefined) throw new TypeError(`${name} takes no value, but got ${given}.`);
  const { metavar, choices } = argument;
  if (choices === undefined) {
    const percent = Number(PLAIN_PERCENT.exec(given)?.[1] ?? Number.NaN);
    if (percent <= 100) return `${percent}%`;
    throw new TypeError(`Expected a percentage from 0 to 100 after ${name}=, but got ${given}.`);
  }
  if (choices.includes(given)) return given;
  throw new TypeError(unknownChoice(metavar.toLowerCase(), given, choices));
}

export const FAIL_ON: OptionKind<readonly FailOnCondition[]> = conditions(FAIL_ON_KINDS);

/** The value of `--fail-on` of `covtool compare`. Its schema takes any text, as any percentage may follow a name. */
export const COMPARE_FAIL_ON: OptionKind<readonly FailOnCondition[]> = {
  ...conditions(COMPARE_FAIL_ON_KINDS),
  schema: { type: "string", minLength: 1 },
};

export interface OutputChoice<Format extends string = ReportFormat> {
  readonly format: Format;
  readonly path: string | undefined;
}

type NamedReporter<Format extends string> =
  & Pick<Reporter, "aliases" | "extensions">
  & { readonly name: Format };

/** The value of `--format` for some reporters: `json` or `json=coverage.json`. */
export function output<Format extends string>(
  reporters: readonly NamedReporter<Format>[],
): OptionKind<OutputChoice<Format>> {
  const names = reporters.map(({ name }) => name);
  return {
    ...readText("NAME[=PATH]", (input) => {
      const [name = "", ...rest] = input.split("=");
      const path = rest.length === 0 ? undefined : rest.join("=");
      const format = names.find((known) => known === name.toLowerCase());
      if (format === undefined) {
        throw new TypeError(unknownChoice("format", name, names, formatMeanings(reporters)));
      }
      if (path === "") throw new TypeError(`The path behind ${name}= is empty.`);
      return { format, path };
    }),
    complete(prefix) {
      const equals = prefix.indexOf("=");
      return equals < 0
        ? completions(names, prefix)
        : [{ extensions: undefined, prefix: prefix.slice(0, equals + 1) }];
    },
    schema: {
      anyOf: [{ enum: names }, { type: "string", pattern: `^(${names.join("|")})=.+$` }],
    },
    path: "after_equals",
  };
}

export const OUTPUT: OptionKind<OutputChoice> = output<ReportFormat>(REPORTERS);

function formatMeanings(reporters: readonly NamedReporter<string>[]): Record<string, string> {
  return Object.fromEntries(
    reporters.flatMap(({ name, aliases = [], extensions }) => [
      ...aliases.map((alias) => [alias, name] as const),
      ...extensions.map((extension) => {
        const known = reporters.filter(({ extensions }) => extensions.includes(extension));
        return [extension, formatList(known.map(({ name }) => name))] as const;
      }),
    ]),
  );
}

const RATE = /^(\d+(?:\.\d+)?)(?:\/(s|sec|second|m|min|minute))?$/;

/** Reads a rate as requests per second; throws a TypeError unless it is above 0. */
export function readRate(text: string): number {
  const match = RATE.exec(text.trim());
  const number = Number(match?.[1]);
  if (match === null || !(number > 0)) {
    throw new TypeError(`"${text}" is not a rate. Write requests per second, such as 10/s.`);
  }
  return match[2]?.startsWith("m") ? number / 60 : number;
}

/** The error doesn't repeat the text, since it may contain a secret. */
export function readHeader(text: string): readonly [name: string, value: string] {
  const [name = "", ...rest] = text.split(":");
  const value = rest.join(":");
  if (rest.length === 0 || !isToken(name) || !isHeaderText(value)) {
    throw new TypeError(
      'Write a header field as "Name: value", such as "Authorization: Bearer …".',
    );
  }
  return [name, value.trim()];
}

export function checkServer(text: string): void {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new TypeError(
      "Write the server as a URL with http:// or https://, such as http://localhost:3000.",
    );
  }
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(
      'Leave the credentials out of the server\'s URL. Give them by --header "Authorization: …".',
    );
  }
  if (url.search !== "" || url.hash !== "") {
    throw new TypeError("Leave ? and # and what follows out of the server's URL.");
  }
}
