import { keywordsHolding, keywordsWith } from "../../values/keyword_table.ts";
import { schemaFileName } from "./schema_file_name.ts";

/** A schema with a name. */
const COMPONENT = /^\/(?:components\/schemas|definitions)\/(.+)$/;
/** The schema of a parameter, a header or a media type; not a property that is called so. */
const SCHEMA = new RegExp(
  `^(?:(?!/(?:${
    keywordsWith(({ kind }) => kind === "applicator").join("|")
  })/).)*?/(?:schema|itemSchema)/(.+)$`,
);
/** A schema in a list: its index is written in brackets, as on the page. */
const IN_LIST = new RegExp(`(^|/)(${keywordsHolding("schema_list").join("|")})/(\\d+)(?=/)`, "g");
/** A parameter of Swagger 2.0, or a header of a response, which is its own schema. */
const PARAMETER =
  /^(?:\/paths\/[^/]+(?:\/[^/]+)?)?\/(?:parameters|responses\/[^/]+\/headers)\/[^/]+\/(.+)$/;

/**
 * The part of a keyword's schema path that a reader needs.
 *
 * @param path RFC 6901; preceded by the name of a file and `#` if the keyword is in another one.
 *
 * @example
 * ```ts
 * import { keywordPlace } from "./keyword_place.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(keywordPlace("/paths/~1users/get/parameters/0/schema/maximum"), "maximum");
 * assert.equal(keywordPlace("/components/schemas/User/required"), "User/required");
 * assert.equal(keywordPlace("models/NewPet.yaml#/properties/name/type"), "NewPet/properties/name/type");
 * ```
 */
export function keywordPlace(path: string): string {
  const pointer = path.startsWith("/") ? path : path.slice(path.indexOf("#") + 1);
  const file = schemaFileName(path);
  const place = COMPONENT.exec(pointer)?.[1] ??
    (file === undefined ? undefined : `${escaped(file)}${pointer}`) ??
    (SCHEMA.exec(pointer) ?? PARAMETER.exec(pointer))?.[1] ?? pointer.slice(1);
  return place.replace(IN_LIST, "$1$2[$3]").replaceAll("~1", "/").replaceAll("~0", "~");
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0");
}
