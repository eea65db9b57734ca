import { groupItems } from "../../values/collections.ts";
import type { Json } from "../../values/json.ts";
import { pointerTokens } from "../../values/json_pointer.ts";
import { formatAmount, formatNumber, sentenceList, shortened } from "./amounts.ts";
import type { Report, ReportValue } from "../report.ts";
import { dottedPath } from "./noticed_wording.ts";

const MAX_VALUE = 40;

/** What to send for a class: `"novel"`, `the minimum 1`, `one item`. Undefined for classes of omitted parts. */
function sentText(
  { class: name, value, schema_path }: Pick<ReportValue, "class" | "schema_path"> & {
    readonly value?: Json | undefined;
  },
): string | undefined {
  const quoted = shortened(JSON.stringify(value) ?? "", MAX_VALUE);
  switch (name) {
    case "absent":
    case "default_left_out":
      return undefined;
    case "enum":
    case "boolean":
      return quoted;
    case "null":
    case "zero":
      return name;
    case "minimum":
    case "maximum":
      return `the ${name} ${quoted}`;
    case "between":
      return value === undefined ? "a text that isn't empty" : rangeText(value);
    case "several_items":
      return value === undefined ? "several items" : rangeText(value);
    case "negative":
    case "positive":
      return `a ${name} number`;
    case "min_length":
      return `${formatAmount(Number(value), "character")} (the least)`;
    case "max_length":
      return `${formatAmount(Number(value), "character")} (the most)`;
    case "empty":
      return "an empty text";
    case "non_ascii":
      return "characters outside ASCII";
    case "no_items":
      return "an empty list";
    case "one_item":
      return "one item";
    case "max_items":
      return `${quoted} items (the most)`;
    case "present":
      return "any value";
    case "alternative":
      return `${pointerTokens(schema_path).slice(-2).join("/")} alone`;
  }
}

/** Describes the values between limits, which are given as keywords: `a number above 1`, `3 to 39 characters`. */
function rangeText(limits: Json): string {
  const keywords = limits as Readonly<Record<string, number | undefined>>;
  const { exclusiveMinimum: low, exclusiveMaximum: high, minLength } = keywords;
  if (low !== undefined) {
    return `a number ${high === undefined ? `above ${low}` : `between ${low} and ${high}`}`;
  }
  if (high !== undefined) return `a number below ${high}`;
  const least = minLength ?? keywords["minItems"] ?? 0;
  const most = keywords["maxLength"] ?? keywords["maxItems"];
  const unit = minLength === undefined ? "item" : "character";
  if (most === undefined) return `${formatAmount(least, unit)} or more`;
  return `${most === least ? "" : `${formatNumber(least)} to `}${formatAmount(most, unit)}`;
}

/** The value that was sent for a class: `the minimum 1`, `left out`. */
export function classText(one: Parameters<typeof sentText>[0]): string {
  return sentText(one) ?? "left out";
}

/** A class as the end of a sentence: `sent as the minimum 1`, `sent with one item`, `left out`. */
export function classFate(one: Parameters<typeof sentText>[0]): string {
  const text = sentText(one);
  if (text === undefined) return "left out";
  if (one.class === "present") return "sent";
  const isWith = one.class === "between"
    ? !text.startsWith("a ")
    : /_items?$|_length$|^non_ascii$/.test(one.class) && one.class !== "no_items";
  return `sent ${isWith ? "with" : "as"} ${text}`;
}

/** The place of a class in requests: `body note`, `query tags[]`. */
export function classPlace(
  { location = "", parameter = "", instance_path }: {
    readonly location?: string;
    readonly parameter?: string;
    readonly instance_path: string;
  },
): string {
  const inside = dottedPath(instance_path);
  const dot = inside === "" || inside.startsWith("[") ? "" : ".";
  const name = location === "body" ? inside : `${parameter}${dot}${inside}`;
  return `${location.replace("_", " ")} ${name}`.trim();
}

interface MissingClasses {
  readonly method: string;
  readonly path: string;
  /** The place and what to send there: `body price: send the minimum 0; leave it out`. */
  readonly text: string;
  readonly count: number;
}

/** The number of classes to list for a place. Further ones are counted. */
const MAX_CLASSES = 6;

/** The classes that were never sent, grouped by place. Only places that valid values have reached. */
export function missingClasses({ operations }: Pick<Report, "operations">): MissingClasses[] {
  return operations.flatMap(({ method, path, parameters }) =>
    parameters.flatMap(({ location, parameter, values = [] }) => {
      const missing = values.filter(({ hits }) => hits === 0);
      const places = groupItems(missing, ({ instance_path }) => instance_path);
      return Array.from(places, ([instance_path, classes]) => ({
        method,
        path,
        text: `${classPlace({ location, parameter, instance_path })}: ${sendText(classes)}`,
        count: classes.length,
      }));
    })
  );
}

function sendText(classes: readonly ReportValue[]): string {
  const sent = classes.map(sentText).filter((text) => text !== undefined);
  const more = sent.length - MAX_CLASSES;
  const listed = more > 0 ? [...sent.slice(0, MAX_CLASSES), `${formatNumber(more)} more`] : sent;
  if (listed.length === 0) return "leave it out";
  return `send ${sentenceList(listed)}${sent.length < classes.length ? "; leave it out" : ""}`;
}
