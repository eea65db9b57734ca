import { nameKind } from "../../../redact/secret_names.ts";
import { isFields } from "../../decode/fields.ts";
import { postmanDynamicVariable } from "./postman_dynamic_variables.ts";
import { unresolvedUrl } from "./postman_origin.ts";
import type { Problems } from "../problems.ts";

type Values = ReadonlyMap<string, string>;

/** Values of variables that come with no collection. */
export interface PostmanValues {
  /** They hide those of the collection. */
  readonly environment: Readonly<Record<string, string>>;
  /** Those of the collection hide them. */
  readonly globals?: Readonly<Record<string, string>>;
  /** The values that are to be kept secret. */
  readonly secrets?: readonly string[];
}

const VARIABLE = /\{\{([^{}]*)\}\}/g;

/** The values of variables may have variables themselves, as deep as Postman follows them. */
const MAXIMUM_ROUNDS = 19;

/** Variables can double each other, so that a text is followed only until it grew by this many UTF-16 units. */
const MAXIMUM_GROWTH = 1 << 20;

/** A variable inside the name of another one. */
const NESTED = /\{\{[^}]*\{\{/;

/** The state while the variables in a text are replaced. */
interface Filling {
  /** The variables whose values are being filled. */
  readonly open: Set<string>;
  /** The number of UTF-16 units that values may still add. */
  room: number;
}

/** The most names that a warning lists. */
const NAMES_LISTED = 12;

/** The state of a collection's variables after its requests were resolved. */
class Tally {
  readonly secrets = new Set<string>();
  readonly names = new Set<string>();
  readonly places: string[] = [];
  /** Those that stand for scheme and host. */
  readonly origins = new Set<string>();
  readonly originPlaces: string[] = [];
  dynamic = 0;
}

/**
 * The variables in scope somewhere in a Postman collection. Those of a folder or a request hide those around them;
 * values of an environment hide all, and all hide the globals.
 *
 * @example
 * ```ts
 * import { PostmanVariables } from "./postman_variables.ts";
 * import assert from "node:assert/strict";
 *
 * const collection = new PostmanVariables({ environment: { host: "a.example" } });
 * const folder = collection.extend([{ key: "base", value: "http://{{host}}/v1" }]);
 * assert.equal(folder.resolve("{{base}}/users", "item[0]"), "http://a.example/v1/users");
 * assert.equal(collection.resolve("{{base}}/users", "item[1]"), "{{base}}/users");
 * ```
 */
export class PostmanVariables {
  readonly #overrides: Values;
  readonly #scopes: readonly Values[];
  readonly #tally: Tally;

  /** Begins with the values given from outside, or goes on inside of something that has a list of its own. */
  constructor(
    values: PostmanValues = { environment: {} },
    within?: { readonly outer: PostmanVariables; readonly list: unknown },
  ) {
    if (within === undefined) {
      this.#overrides = new Map(Object.entries(values.environment));
      this.#scopes = [new Map(Object.entries(values.globals ?? {}))];
      this.#tally = new Tally();
      for (const secret of values.secrets ?? []) this.addSecret(secret);
    } else {
      this.#overrides = within.outer.#overrides;
      this.#scopes = [valuesOf(within.list), ...within.outer.#scopes];
      this.#tally = within.outer.#tally;
      for (const secret of secretValuesOf(within.list)) this.addSecret(secret);
    }
  }

  /** The variables inside of a folder or request with a list of its own, in the shape of the collection's. */
  extend(list: unknown): PostmanVariables {
    if (!Array.isArray(list) || list.length === 0) return this;
    return new PostmanVariables(undefined, { outer: this, list });
  }

  /**
   * Puts in the values of variables. Those without one stay as they are written, as Postman sends them.
   *
   * @param place Where the text stands, for the warning.
   */
  resolve(text: string, place: string): string {
    const resolved = this.#filled(text);
    this.#noteUnresolved(resolved, place);
    return resolved;
  }

  /**
   * The same for a URL. Where scheme and host are a variable without a value, it stands for them, and the path is given
   * alone.
   */
  resolveUrl(text: string, place: string): string {
    const resolved = this.#filled(text);
    const parts = unresolvedUrl(resolved);
    if (parts !== undefined) {
      this.#tally.origins.add(parts.origin);
      this.#tally.originPlaces.push(place);
    }
    this.#noteUnresolved(parts?.path ?? resolved, place);
    return parts?.path ?? resolved;
  }

  #filled(text: string): string {
    const state: Filling = { open: new Set(), room: text.length + MAXIMUM_GROWTH };
    let resolved = text;
    for (let round = 0; round < MAXIMUM_ROUNDS && state.room > 0; round++) {
      const next = this.#fill(resolved, state);
      // Only a name that is put together of other variables, `{{{{name}}}}`, is found in a second round.
      if (next === resolved || !NESTED.test(resolved)) return next;
      resolved = next;
    }
    return resolved;
  }

  /** Puts in values, and the values of the variables in these; a variable in its own value stays as it is written. */
  #fill(text: string, state: Filling): string {
    return text.replace(VARIABLE, (written, name: string) => {
      const { open } = state;
      if (open.has(name) || open.size >= MAXIMUM_ROUNDS || state.room <= 0) return written;
      const value = this.#find(name);
      if (value === undefined) return written;
      state.room -= value.length;
      open.add(name);
      const filled = value.includes("{{") ? this.#fill(value, state) : value;
      open.delete(name);
      return filled;
    });
  }

  #noteUnresolved(resolved: string, place: string): void {
    for (const [written, name = ""] of resolved.matchAll(VARIABLE)) {
      if (name.trim() !== "") this.addUnresolved(written, place);
    }
  }

  /** Counts a variable that has no value. */
  addUnresolved(written: string, place: string): void {
    this.#tally.names.add(written);
    this.#tally.places.push(place);
  }

  /** The values that are to be kept secret, of all that was resolved. */
  secrets(): string[] {
    return [...this.#tally.secrets];
  }

  /** Adds a value that is to be kept secret. */
  addSecret(value: string): void {
    // One that is put together of others is as secret as these.
    if (value !== "" && !value.includes("{{")) this.#tally.secrets.add(value);
  }

  /** Reports the variables without a value as one problem. */
  report(problems: Problems): void {
    const { names, places, origins, originPlaces } = this.#tally;
    for (const place of originPlaces) {
      problems.add(
        `a URL begins with a variable that has no value, which is read as scheme and host: ${
          listOf(origins)
        }. An environment (\`--env\`) gives it one`,
        place,
      );
    }
    const stay = names.size === 1
      ? "the variable has no value in the collection and stays as written"
      : "variables have no value in the collection and stay as written";
    for (const place of places) problems.add(`${stay}: ${listOf(names)}`, place);
  }

  #find(name: string): string | undefined {
    for (const key of [name, name.trim()]) {
      const value = this.#overrides.get(key) ??
        this.#scopes.find((scope) => scope.has(key))?.get(key);
      if (value !== undefined) return value;
    }
    const dynamic = postmanDynamicVariable(name.trim(), this.#tally.dynamic + 1);
    if (dynamic !== undefined) this.#tally.dynamic++;
    return dynamic;
  }
}

function listOf(names: ReadonlySet<string>): string {
  const listed = [...names].slice(0, NAMES_LISTED).join(", ");
  const more = names.size > NAMES_LISTED ? ` and ${names.size - NAMES_LISTED} more` : "";
  return listed + more;
}

function valuesOf(list: unknown): Values {
  const values = new Map<string, string>();
  for (const variable of Array.isArray(list) ? list : []) {
    if (!isFields(variable) || variable["disabled"] === true) continue;
    const name = variable["key"] ?? variable["id"];
    const value = variable["value"];
    if (typeof name !== "string" || value === null || value === undefined) continue;
    values.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return values;
}

/**
 * The values of a list of variables that are to be kept secret: those whose type says so, and those that are named like a
 * password or a key.
 */
export function secretValuesOf(list: unknown): string[] {
  const values: string[] = [];
  for (const variable of Array.isArray(list) ? list : []) {
    if (!isFields(variable)) continue;
    const value = variable["value"];
    const name = variable["key"] ?? variable["id"];
    const isSecret = variable["type"] === "secret" ||
      typeof name === "string" && nameKind(name) === "secret";
    if (isSecret && typeof value === "string") values.push(value);
  }
  return values;
}
