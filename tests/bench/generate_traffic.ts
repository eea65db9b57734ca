// Seeded traffic for any description: every operation in turn, bodies of about a kilobyte, a third of the values
// invalid. It reads the raw document and doesn't use covtool.
import { readFileSync } from "node:fs";
import { chance } from "../corpus/random.ts";

type Fields = Record<string, unknown>;

/** A generated interaction, as in a traffic file. */
export interface GeneratedInteraction {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
  };
  readonly response: { readonly status_code: number; readonly elapsed: number };
  readonly timestamp: number;
}

/** A value in an interaction, with its schema in the description. */
export interface SentValue {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Minimum size of a body. */
const BODY_BYTES = 1024;
/** Fills up shorter bodies. */
const FILLER = "x".repeat(100);

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Generates interactions for a parsed description, reproducibly for a seed. */
export class TrafficGenerator {
  readonly #document: Fields;
  readonly #random: () => number;
  readonly #operations: { method: string; path: string; operation: Fields; parameters: Fields[] }[];
  readonly #withBody: number[] = [];
  readonly #withoutBody: number[] = [];

  constructor(document: unknown, seed = 1) {
    this.#document = document as Fields;
    this.#random = chance(seed);
    this.#operations = [];
    const paths = this.#fields(this.#document["paths"]);
    for (const path in paths) {
      if (/[#?]/.test(path)) continue;
      const item = this.#fields(paths[path]);
      for (const method of METHODS) {
        if (!isFields(item[method])) continue;
        const operation = item[method];
        const parameters = [...list(item["parameters"]), ...list(operation["parameters"])].map(
          (parameter) => this.#fields(parameter),
        );
        const hasBody = this.#jsonSchema(operation, parameters) !== undefined;
        (hasBody ? this.#withBody : this.#withoutBody).push(this.#operations.length);
        this.#operations.push({ method, path, operation, parameters });
      }
    }
  }

  /** Number of operations. */
  get operations(): number {
    return this.#operations.length;
  }

  /** The interaction with this number. Two thirds call operations with JSON bodies, if there are any. */
  interaction(index: number, sent: SentValue[] = []): GeneratedInteraction {
    const pool = this.#withBody.length > 0 && (index % 3 !== 0 || this.#withoutBody.length === 0)
      ? this.#withBody
      : this.#withoutBody;
    const { method, path, operation, parameters } = this
      .#operations[pool[Math.floor(this.#random() * pool.length)] as number]!;
    const headers: Record<string, string> = {};
    const query: string[] = [];
    let filled = path;
    for (const parameter of parameters) {
      const schema = this.#fields(parameter["schema"] ?? parameter);
      const name = String(parameter["name"]);
      const value = this.#value(schema, 3, false);
      const text = parameterText(value);
      const carried = sent.push({ schema, value });
      switch (parameter["in"]) {
        case "path":
          filled = filled.replace(`{${name}}`, encodeURIComponent(text) || "x");
          break;
        case "query":
          if (this.#random() < 0.7) {
            query.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
          } else sent.length = carried - 1;
          break;
        case "header":
          headers[name] = text.replace(/[^ -~]/g, "");
          break;
        default:
          sent.length = carried - 1; // a body is added when it is written
      }
    }
    filled = filled.replace(/\{[^}]*\}/g, "x");
    const body = this.#body(operation, parameters, headers, sent);
    const suffix = query.length > 0 ? `?${query.join("&")}` : "";
    return {
      request: {
        method: method.toUpperCase(),
        url: `http://localhost:8080${filled}${suffix}`,
        headers,
        ...(body !== undefined && { body }),
      },
      response: { status_code: this.#random() < 0.8 ? 200 : 404, elapsed: this.#random() },
      timestamp: 1700000000 + index / 100,
    };
  }

  #jsonSchema(operation: Fields, parameters: readonly Fields[]): Fields | undefined {
    const content = this.#fields(this.#fields(operation["requestBody"])["content"]);
    const key = Object.keys(content).find((type) => /json|^\*\/\*$/.test(type));
    if (key !== undefined) return this.#fields(this.#fields(content[key])["schema"]);
    const body = parameters.find((parameter) => parameter["in"] === "body");
    return body && this.#fields(body["schema"]);
  }

  #body(
    operation: Fields,
    parameters: readonly Fields[],
    headers: Record<string, string>,
    sent: SentValue[],
  ): string | undefined {
    const schema = this.#jsonSchema(operation, parameters);
    if (schema !== undefined) {
      headers["Content-Type"] = "application/json";
      let value = this.#value(schema, 0, false);
      let text = JSON.stringify(value);
      for (let tries = 0; text.length < BODY_BYTES && tries < 4; tries++) {
        value = this.#value(schema, 0, true);
        if (isFields(value)) {
          for (let extra = 0; JSON.stringify(value).length < BODY_BYTES; extra++) {
            value[`extra_${extra}`] = FILLER;
          }
        }
        text = JSON.stringify(value);
      }
      sent.push({ schema, value });
      return text;
    }
    const content = this.#fields(this.#fields(operation["requestBody"])["content"]);
    const form = content["application/x-www-form-urlencoded"];
    if (form === undefined) return undefined;
    headers["Content-Type"] = "application/x-www-form-urlencoded";
    const fields = new URLSearchParams();
    const formSchema = this.#fields(this.#fields(form)["schema"]);
    const value = this.#value(formSchema, 0, true);
    sent.push({ schema: formSchema, value });
    const add = (name: string, member: unknown) => {
      if (Array.isArray(member)) member.forEach((item, index) => add(`${name}[${index}]`, item));
      else if (isFields(member)) { for (const key in member) add(`${name}[${key}]`, member[key]); }
      else fields.append(name, String(member));
    };
    if (isFields(value)) { for (const key in value) add(key, value[key]); }
    let length = fields.toString().length;
    for (let extra = 0; length < BODY_BYTES; extra++, length += FILLER.length) {
      fields.append(`extra_${extra}`, FILLER);
    }
    return fields.toString();
  }

  /** A value for a schema; a third are invalid. */
  #value(schema: Fields, depth: number, full: boolean): unknown {
    const target = this.#fields(schema);
    if (this.#random() < 1 / 3 && depth > 0) return this.#broken(target);
    if (Array.isArray(target["enum"]) && target["enum"].length > 0) {
      return target["enum"][Math.floor(this.#random() * target["enum"].length)];
    }
    for (const keyword of ["allOf", "anyOf", "oneOf"]) {
      const members = list(target[keyword]);
      if (members.length === 0) continue;
      if (keyword !== "allOf") return this.#value(this.#fields(members[0]), depth, full);
      const parts = members.map((member) => this.#value(this.#fields(member), depth, full));
      return parts.some(isFields) ? Object.assign({}, ...parts.filter(isFields)) : parts[0];
    }
    const type = Array.isArray(target["type"]) ? target["type"][0] : target["type"];
    if (type === "array") {
      if (depth > 5) return [];
      const count = 1 + Math.floor(this.#random() * (full ? 4 : 2));
      const items = this.#fields(target["items"]);
      return Array.from({ length: count }, () => this.#value(items, depth + 1, full));
    }
    if (type === "object" || isFields(target["properties"])) {
      const object: Fields = {};
      if (depth > 5) return object;
      const properties = this.#fields(target["properties"]);
      for (const name in properties) {
        if (!full && this.#random() < 0.3) continue;
        object[name] = this.#value(this.#fields(properties[name]), depth + 1, full);
      }
      return object;
    }
    if (type === "integer") return Math.floor(this.#random() * 100);
    if (type === "number") return Math.round(this.#random() * 10000) / 100;
    if (type === "boolean") return this.#random() < 0.5;
    const format = target["format"];
    if (format === "date-time") return "2024-05-06T07:08:09Z";
    if (format === "date") return "2024-05-06";
    if (format === "uuid") return "123e4567-e89b-42d3-a456-426614174000";
    const length = Math.min(Number(target["maxLength"] ?? 40), 40);
    return "lorem ipsum dolor sit amet consectetur ad".slice(0, Math.max(length, 1));
  }

  #broken(schema: Fields): unknown {
    const type = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
    if (type === "string" || type === undefined) {
      return this.#random() < 0.5 ? "" : Math.floor(this.#random() * 1000);
    }
    return this.#random() < 0.5 ? "not what was asked for" : null;
  }

  #fields(value: unknown, depth = 0): Fields {
    if (!isFields(value)) return {};
    const reference = value["$ref"];
    if (typeof reference !== "string" || depth > 8) return value;
    let target: unknown = this.#document;
    for (const token of reference.slice(2).split("/")) {
      const key = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
      target = (target as Fields | undefined)?.[key];
    }
    return this.#fields(target, depth + 1);
  }
}

/** This many interactions for the description in a file. */
export function generateTraffic(
  description: string,
  count: number,
): readonly GeneratedInteraction[] {
  const generator = new TrafficGenerator(JSON.parse(readFileSync(description, "utf8")));
  return Array.from({ length: count }, (_, index) => generator.interaction(index));
}

/** The text of a value as a parameter. */
function parameterText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(String).join(",");
  return typeof value === "object" ? "x" : String(value);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
