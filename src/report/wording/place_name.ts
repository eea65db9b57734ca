import { pointerTokens, schemaSteps } from "./schema_steps.ts";
import { shortenFront } from "./shorten_front.ts";
import { schemaFileName } from "./schema_file_name.ts";

/** The most characters of a place. */
const LONGEST = 60;

/** The most characters of a component's name with its namespace. */
const LONGEST_COMPONENT = 24;

function segmentsOf(pointer: string): string[] {
  return pointerTokens(pointer.slice(pointer.indexOf("#") + 1)).slice(1);
}

/** The name of the schema that a pointer begins in, and the index of the first segment within it. */
function root(segments: readonly string[], own: readonly string[], name: string): [string, number] {
  if (own.length > 0 && own.every((segment, index) => segment === segments[index])) {
    let at = own.length;
    if (segments[at] === "content") at += 2;
    if (segments[at] === "schema") at += 1;
    return [name, at];
  }
  if (segments[0] === "components") return [segments[2] ?? "", 3];
  if (segments[0] === "definitions" || segments[0] === "parameters") return [segments[1] ?? "", 2];
  return [segments[0] ?? "", 1];
}

/**
 * A schema's pointer as a person would say it: `User.address.city`, `items[].sku`. The front of a long one is left out:
 * `…ObjectMeta.labels`.
 *
 * @param pointer RFC 6901, of a schema; may begin with a file.
 * @param own The pointer of the parameter that reaches the schema.
 * @param name What the parameter is called.
 *
 * @example
 * ```ts
 * import { placeName } from "./place_name.ts";
 * import assert from "node:assert/strict";
 *
 * const place = "/components/schemas/User/properties/tags/items";
 * assert.equal(placeName(place, "/paths/~1users/post/requestBody", "body"), "User.tags[]");
 * ```
 */
export function placeName(pointer: string, own: string, name: string): string {
  const segments = segmentsOf(pointer);
  const file = schemaFileName(`${pointer}/type`);
  const [start, first] = file === undefined ? root(segments, segmentsOf(own), name) : [file, 0];
  const steps = schemaSteps(segments.slice(first)).join("");
  return shortenFront(withoutNamespace(start) + steps, LONGEST);
}

/** The name of a component, without the namespace of a long one such as `io.k8s.api.core.v1.PodSpec`. */
function withoutNamespace(component: string): string {
  if (component.length <= LONGEST_COMPONENT) return component;
  const last = /[./][^./]{4,}$/.exec(component);
  return last === null ? component : `…${component.slice(last.index + 1)}`;
}

/**
 * The steps to a schema from that of its parameter or from a named one: the same wherever that is.
 *
 * @param pointer RFC 6901, of a schema; may begin with a file.
 * @param own The pointer of the parameter that reaches the schema.
 *
 * @example
 * ```ts
 * import { schemaPlace } from "./place_name.ts";
 * import assert from "node:assert/strict";
 *
 * const own = "/paths/~1users/post/requestBody";
 * assert.equal(schemaPlace("/components/schemas/User/properties/tags/items", own), ".tags[]");
 * assert.equal(schemaPlace(`${own}/content/a~1b/schema/properties/tags/items`, own), ".tags[]");
 * ```
 */
export function schemaPlace(pointer: string, own: string): string {
  const segments = segmentsOf(pointer);
  const isFile = schemaFileName(`${pointer}/type`) !== undefined;
  const first = isFile ? 0 : root(segments, segmentsOf(own), "")[1];
  return schemaSteps(segments.slice(first)).join("");
}
