// The classes of values of JSON bodies of OpenAPI 3.0, listed a second time from docs/semantics.md, section 16: slow and plain.
import type { ParameterPlan } from "../../src/map/parameter_plan.ts";
import { findValuePlaces } from "../../src/map/value_places.ts";
import { canonical, ownClasses, token } from "../property/naive_classes.ts";
import { deref, isRaw } from "./raw_description.ts";
import type { Raw } from "./raw_description.ts";
import type { RawKeywords } from "./raw_keywords.ts";

/** A class as text: the pointer of its schema, what names it there, and its name. */
export interface RawClass {
  readonly text: string;
  /** The number of steps into the value, on the shortest way. */
  readonly depth: number;
}

const LISTS = ["allOf", "anyOf", "oneOf"];

/** What is listed for a parameter and not otherwise, and the other way round; undefined if all is the same. */
export function differingClasses(
  parameter: ParameterPlan,
  otherwise: readonly RawClass[],
): string | undefined {
  const listed = findValuePlaces(parameter).flatMap(({ node, instance_path, classes }) =>
    classes.map(({ name, pointer, value }) => {
      const said = value === undefined ? "" : ` ${canonical(value)}`;
      const depth = instance_path.split("/").length - 1;
      return `${depth} ${node.pathOf("")}${pointer} ${name}${said}`;
    })
  );
  const again = otherwise.map(({ text, depth }) => `${depth} ${text}`);
  const known = new Set(again);
  const more = listed.filter((text) => !known.has(text));
  const names = new Set(listed);
  const fewer = again.filter((text) => !names.has(text));
  if (more.length + fewer.length + Math.abs(listed.length - again.length) === 0) return undefined;
  return `${listed.length} and ${again.length}; listed only: ${more.slice(0, 3)}; ` +
    `otherwise only: ${fewer.slice(0, 3)}`;
}

/** What a schema of OpenAPI 3.0 says of requests, in the words of 2020-12. */
function modernised(schema: Raw, keywords: RawKeywords): Raw {
  const { nullable, exclusiveMinimum, exclusiveMaximum, type, minimum, maximum, ...others } =
    schema;
  const sent = entriesOf(schema["properties"])
    .filter(([, member]) => isRaw(member) && !keywords.isReadOnly(member));
  const end = (name: "inimum" | "aximum", value: unknown, isOpen: unknown): Raw =>
    value === undefined ? {} : { [isOpen === true ? `exclusiveM${name}` : `m${name}`]: value };
  return {
    ...others,
    ...(isRaw(schema["properties"]) && { properties: Object.fromEntries(sent) }),
    ...(typeof type === "string" && { type: nullable === true ? [type, "null"] : type }),
    ...end("inimum", minimum, exclusiveMinimum),
    ...end("aximum", maximum, exclusiveMaximum),
  };
}

/** Lists the classes that a body can show: each way through the schemas is a line, the shortest first. */
export function rawClasses(
  root: Raw,
  schema: unknown,
  pointer: string,
  keywords: RawKeywords,
): RawClass[] {
  const found: RawClass[] = [];
  const known = new Set<unknown>();
  let ways = [{ schema, pointer }];
  for (let depth = 0; ways.length > 0; depth++) {
    const next: typeof ways = [];
    const inPlace = [...ways];
    for (const way of inPlace) {
      const [one, at] = follow(root, way.schema, way.pointer);
      if (!isRaw(one) || known.has(one)) continue;
      known.add(one);
      const canPass = (member: unknown): boolean => keywords.canPass(deref(root, member));
      const classes = canPass(one) ? ownClasses(modernised(one, keywords), canPass) : [];
      for (const [suffix, name, value] of classes) {
        const said = value === undefined ? "" : ` ${canonical(value)}`;
        const pointer = suffix.replace(/^\/exclusiveM/, "/m");
        found.push({ text: `${at}${pointer} ${name}${said}`, depth });
      }
      for (const keyword of LISTS) {
        listOf(one[keyword]).forEach((member, index) =>
          inPlace.push({ schema: member, pointer: `${at}/${keyword}/${index}` })
        );
      }
      for (const [name, member] of entriesOf(one["properties"])) {
        if (keywords.isReadOnly(member)) continue;
        next.push({ schema: member, pointer: `${at}/properties/${token(name)}` });
      }
      for (const keyword of ["items", "additionalProperties"]) {
        const member = one[keyword];
        if (!isRaw(member) || (keyword !== "items" && keywords.isReadOnly(member))) continue;
        next.push({ schema: member, pointer: `${at}/${keyword}` });
      }
    }
    ways = next;
  }
  return found;
}

/** The schema that references lead to, and its pointer. */
function follow(root: Raw, schema: unknown, pointer: string): readonly [unknown, string] {
  let [one, at] = [schema, pointer];
  for (let hops = 0; hops < 50 && isRaw(one) && typeof one["$ref"] === "string"; hops++) {
    const tokens = one["$ref"].slice(1).split("/").slice(1).map((token) =>
      decodeURIComponent(token)
    );
    at = tokens.map((token) => `/${token}`).join("");
    one = tokens.reduce<unknown>(
      (value, token) =>
        isRaw(value) || Array.isArray(value)
          ? (value as Raw)[token.replaceAll("~1", "/").replaceAll("~0", "~")]
          : undefined,
      root,
    );
  }
  return [one, at];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRaw(value) ? Object.entries(value) : [];
}
