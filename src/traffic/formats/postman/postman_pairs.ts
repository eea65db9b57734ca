import { isFields } from "../../decode/fields.ts";
import type { PostmanAuth, PostmanPair } from "./postman_request.ts";

/** True if something in a collection is switched off: `disabled` since version 2, `enabled: false` in version 1. */
export function isDisabled(value: unknown): boolean {
  return isFields(value) && (value["disabled"] === true || value["enabled"] === false);
}

/** The text of a value that ought to be one; undefined for null and for nothing. */
export function postmanText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The names and values of a list of headers, fields or query parameters that are not switched off. */
export function postmanPairs(list: unknown): PostmanPair[] {
  const pairs: PostmanPair[] = [];
  for (const pair of Array.isArray(list) ? list : []) {
    if (!isFields(pair) || isDisabled(pair)) continue;
    pairs.push({ key: postmanText(pair["key"]) ?? "", value: postmanText(pair["value"]) });
  }
  return pairs;
}

/** Headers: such a list, or lines of text, in which `//` switches off. */
export function postmanHeaders(headers: unknown): PostmanPair[] {
  if (typeof headers !== "string") return postmanPairs(headers).filter(({ key }) => key !== "");
  const pairs: PostmanPair[] = [];
  for (const line of headers.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon <= 0 || line.trimStart().startsWith("//")) continue;
    pairs.push({ key: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() });
  }
  return pairs;
}

/**
 * The authorization that a collection, folder or request has; undefined if it has none of its own. The attributes
 * are an object in version 2.0 and a list of names and values in the others.
 */
export function postmanAuth(auth: unknown): PostmanAuth | undefined {
  if (!isFields(auth) || typeof auth["type"] !== "string") return undefined;
  const type = auth["type"];
  const attributes = new Map<string, string>();
  const own = auth[type];
  const pairs = Array.isArray(own)
    ? postmanPairs(own).map(({ key, value }) => [key, value] as const)
    : Object.entries(isFields(own) ? own : {});
  for (const [key, value] of pairs) {
    const text = postmanText(value);
    if (text !== undefined) attributes.set(key, text);
  }
  return { type, attributes };
}
