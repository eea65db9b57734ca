import { type Diagnostic, diagnostic } from "../values/diagnostic.ts";
import { documentPath, escapeToken } from "../values/json_pointer.ts";
import type { LoadedDocument, Place } from "../schema/part_positions.ts";
import type { References } from "../schema/references.ts";
import type { OpenApiVersion } from "./description_version.ts";
import type { ParameterModel } from "./model.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** State shared by all parts of a description while it is read. */
export interface Reading {
  readonly version: OpenApiVersion;
  readonly references: References;
  readonly diagnostics: Diagnostic[];
  /** The diagnostics reported so far, as code and pointer: shared parts are read many times. */
  readonly reported: Set<string>;
  /** Parameters that were already read, by the path of their place; null for unusable ones. */
  readonly parameters: Map<string, ParameterModel | null>;
  /** Media types of request bodies that were already read, by the path of their place. */
  readonly bodies: Map<string, readonly ParameterModel[]>;
  readonly basePaths: Set<string>;
  /** The paths of server URLs that were already read, null if invalid: some descriptions repeat them in every operation. */
  readonly serverPaths: Map<string, string | null>;
  readonly serverHosts: Set<string>;
}

/** A place of a description that is being read. Unusable values become diagnostics. */
export class Part implements Place {
  readonly reading: Reading;
  readonly value: unknown;
  readonly document: LoadedDocument;
  readonly pointer: string;

  constructor(reading: Reading, { value, document, pointer }: Place) {
    this.reading = reading;
    this.value = value;
    this.document = document;
    this.pointer = pointer;
  }

  /** The pointer as shown to users: with the label of the file, unless it is the entry document. */
  get path(): string {
    return documentPath(this.document.label, this.pointer);
  }

  get(token: string): unknown {
    const { value } = this;
    return typeof value === "object" && value !== null && Object.hasOwn(value, token)
      ? (value as Fields)[token]
      : undefined;
  }

  /** Returns the place of a member; its value is undefined if there is no such member. */
  member(token: string): Part {
    return this.#child(token, this.get(token));
  }

  #child(token: string, value: unknown): Part {
    const pointer = `${this.pointer}/${escapeToken(token)}`;
    return new Part(this.reading, { value, document: this.document, pointer });
  }

  /** Adds a diagnostic, unless this place already has one with the same code. */
  addDiagnostic(severity: Diagnostic["severity"], code: string, message: string): void {
    const { path, reading: { reported, diagnostics } } = this;
    const key = `${code} ${path}`;
    if (reported.has(key)) return;
    reported.add(key);
    diagnostics.push(diagnostic(severity, code, path, message));
  }

  warn(code: string, message: string): void {
    this.addDiagnostic("warning", code, message);
  }

  warnWrongType(name: string, expected: string): void {
    const subject = name.startsWith("`") ? `The field ${name}` : name;
    const kind = typeInWords(this.value);
    this.warn("wrong_type", `${subject} must be ${expected}, not ${kind}, so it is ignored.`);
  }

  /** Returns the fields of an object; undefined for other values, with a diagnostic if there is one. */
  fields(name: string): Fields | undefined {
    const { value } = this;
    if (isFields(value)) return value;
    if (value !== undefined) this.warnWrongType(name, "an object");
    return undefined;
  }

  /** Returns the places of an object's members by name; empty, with a diagnostic, for other values. */
  members(subject: string): (readonly [name: string, member: Part])[] {
    return Object.entries(this.fields(subject) ?? {})
      .map(([name, value]) => [name, this.#child(name, value)]);
  }

  /** Returns the items of a list; empty for other values, with a diagnostic if there is one. */
  items(name: string): Part[] {
    const { value } = this;
    if (Array.isArray(value)) return value.map((item, index) => this.#child(String(index), item));
    if (value !== undefined) this.warnWrongType(name, "a list");
    return [];
  }

  /** Reads a boolean field. Another value gives the default and a diagnostic. */
  boolean(token: string, fallback = false): boolean {
    const value = this.get(token);
    if (typeof value === "boolean") return value;
    if (value !== undefined) this.member(token).warnWrongType(`\`${token}\``, "true or false");
    return fallback;
  }

  /** Reads a text field. Another value gives undefined and a diagnostic. */
  text(token: string): string | undefined {
    const value = this.get(token);
    if (typeof value === "string") return value;
    if (value !== undefined) this.member(token).warnWrongType(`\`${token}\``, "text");
    return undefined;
  }

  /** Reads a list of texts, with a diagnostic for each item that isn't text; undefined if the field is absent. */
  texts(token: string): string[] | undefined {
    if (this.get(token) === undefined) return undefined;
    const texts: string[] = [];
    for (const item of this.member(token).items(`\`${token}\``)) {
      if (typeof item.value === "string") texts.push(item.value);
      else item.warnWrongType(`An entry of \`${token}\``, "text");
    }
    return texts;
  }

  /** Returns the place of a schema; undefined if there is none, with a diagnostic for another value. */
  schema(token: string): Part | undefined {
    const place = this.member(token);
    const { value, reading: { version } } = place;
    if (isFields(value)) return place;
    if (typeof value === "boolean" && version !== "2.0" && version !== "3.0") return place;
    if (value !== undefined) place.warnWrongType(`\`${token}\``, "a schema");
    return undefined;
  }

  /** The places in a chain of references, this one first. A broken chain ends in undefined and has a diagnostic. */
  followAll(): (Part | undefined)[] {
    const chain: (Part | undefined)[] = [this];
    const visited = new Set<unknown>();
    for (const part of chain) { // grows while it is read
      const reference = isFields(part?.value) ? part.value["$ref"] : undefined;
      if (part === undefined || reference === undefined) break;
      visited.add(part.value);
      chain.push(part.#followOnce(reference, visited));
    }
    return chain;
  }

  /** Returns the end of a chain of references; undefined, with a diagnostic, if the chain is broken. */
  follow(): Part | undefined {
    const isReference = isFields(this.value) && this.value["$ref"] !== undefined;
    return isReference ? this.followAll().at(-1) : this;
  }

  #followOnce(reference: unknown, visited: ReadonlySet<unknown>): Part | undefined {
    const place = this.member("$ref");
    if (typeof reference !== "string") {
      const hint = reference === null ? " In YAML, `#` begins a comment: put it into quotes." : "";
      const message = `\`$ref\` must be text, not ${typeInWords(reference)}.${hint}`;
      place.addDiagnostic("error", "invalid_reference", message);
      return undefined;
    }
    const target = this.reading.references.resolve(this, reference);
    if (target === undefined) {
      const message = `The reference \`${reference}\` cannot be resolved.`;
      place.addDiagnostic("error", "unresolved_reference", message);
    } else if (visited.has(target.value)) {
      place.addDiagnostic(
        "error",
        "reference_cycle",
        `The reference \`${reference}\` refers to itself.`,
      );
      return undefined;
    }
    return target && new Part(this.reading, target);
  }
}

export function typeInWords(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : TYPES_IN_WORDS[typeof value] ?? "nothing";
}

const TYPES_IN_WORDS: Partial<Readonly<Record<string, string>>> = {
  object: "an object",
  string: "text",
  number: "a number",
  boolean: "a boolean",
};

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
