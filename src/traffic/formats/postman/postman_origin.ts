const SCHEME = /^(?:[a-z][a-z\d+.-]*|\{\{[^{}]*\}\}):\/\//i;
/** A variable, or two of which the first is by its name a scheme, with `://` in its value or without. */
const VARIABLE = /^(?:\{\{\s*(?:proto|protocol|scheme)\s*\}\})?\{\{[^{}]*\}\}/i;
/** Scheme, host and port, whatever of them is a variable; a variable may have any character in its name. */
const ORIGIN = /^(?:(?:[a-z][a-z\d+.-]*|\{\{[^{}]*\}\}):\/\/)?(?:\{\{[^{}]*\}\}|[^/?#])*/i;

/** A URL whose scheme and host are not known, in two parts. */
export interface UnresolvedUrl {
  /** The text that stands for scheme and host. */
  readonly origin: string;
  /** The rest: a path with its query. */
  readonly path: string;
}

/**
 * Divides a URL in which a variable without a value stands for scheme and host, or for a part of them.
 *
 * @param text A URL in which all variables that have a value have it.
 * @returns undefined if scheme and host are known.
 *
 * @example
 * ```ts
 * import { unresolvedUrl } from "./postman_origin.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(unresolvedUrl("{{baseUrl}}/tags?q=1"), { origin: "{{baseUrl}}", path: "/tags?q=1" });
 * assert.deepEqual(unresolvedUrl("https://{{host}}:81/a"), { origin: "https://{{host}}:81", path: "/a" });
 * assert.equal(unresolvedUrl("http://localhost/{{version}}"), undefined);
 * ```
 */
export function unresolvedUrl(text: string): UnresolvedUrl | undefined {
  let origin = ORIGIN.exec(text)?.[0] ?? "";
  const first = VARIABLE.exec(text)?.[0];
  // After a variable alone, a port or more of the host may follow; anything else is the path.
  if (first !== undefined && !SCHEME.test(text) && !/^[.:@-]/.test(text.slice(first.length))) {
    origin = first;
  }
  if (!/\{\{[^{}]*\}\}/.test(origin)) return undefined;
  const rest = text.slice(origin.length);
  return { origin, path: rest.startsWith("/") ? rest : `/${rest}` };
}
