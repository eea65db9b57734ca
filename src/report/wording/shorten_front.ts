/** The characters after which a name may begin: separators of namespaces, steps and words. */
const SEPARATORS = /[./\s[_-]/g;

/**
 * A name of which the front is left out where it is too long: what tells names apart is mostly at their end.
 *
 * @param most The most characters that it may have, `…` included.
 *
 * @example
 * ```ts
 * import { shortenFront } from "./shorten_front.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(shortenFront("io.k8s.api.core.v1.PodSpec.hostname", 20), "…v1.PodSpec.hostname");
 * assert.equal(shortenFront("User.name", 20), "User.name");
 * ```
 */
export function shortenFront(name: string, most: number): string {
  if (name.length <= most) return name;
  const least = name.length - most + 1;
  for (const { index } of name.matchAll(SEPARATORS)) {
    const start = name[index] === "[" ? index : index + 1;
    if (start >= least && start < name.length) return `…${name.slice(start)}`;
  }
  return `…${name.slice(least).toWellFormed()}`;
}
