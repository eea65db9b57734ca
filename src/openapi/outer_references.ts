import { escapeToken } from "../values/json_pointer.ts";
import { keywordsHolding } from "../values/keyword_table.ts";
import type { Syntax } from "./document_set.ts";

/** A `$ref` that does not lead into its own resource. */
export interface OuterReference {
  /** RFC 6901 pointer of the `$ref` in its document. */
  readonly pointer: string;
  readonly reference: string;
  /** Absolute URI of the target, without fragment; undefined if the reference isn't a URI. */
  readonly target: string | undefined;
  /** True if no one may ever follow it (in an extension), so that a missing target isn't a problem. */
  readonly optional: boolean;
}

export interface OuterReferences {
  /** In document order. */
  readonly references: readonly OuterReference[];
  /** Absolute URIs that `$id`s in the document define. */
  readonly identifiers: ReadonlySet<string>;
}

/** Keywords, and fields of OpenAPI, that hold data, in which a `$ref` refers to nothing. */
const DATA = new Set([...keywordsHolding("values"), "value", "dataValue"]);

/** Fields whose members go by names that the author chose. */
const NAMED = new Set([
  ...keywordsHolding("schemas_by_name"),
  "schemas",
  "responses",
  "parameters",
  "examples",
  "requestBodies",
  "headers",
  "securitySchemes",
  "links",
  "callbacks",
  "pathItems",
  "mediaTypes",
  "paths",
  "webhooks",
  "content",
  "encoding",
  "additionalOperations",
]);

/** A quick check for references that lead out of a document, so that most need no walk. */
export function mayLeadOut(text: string, syntax: Syntax): boolean {
  if (text.includes("\\u0024")) return true; // an escaped `$`
  if (syntax === "yaml" && text.includes("\\x24")) return true;
  // A `$ref` that holds an object is a property of that name.
  const inside = syntax === "json" ? /\$ref"\s*:\s*(?:"#|[{[])/y : /\$ref["']?[ \t]*:[ \t]*["']#/y;
  for (let at = text.indexOf("$ref"); at >= 0; at = text.indexOf("$ref", at + 4)) {
    inside.lastIndex = at;
    if (!inside.test(text)) return true;
  }
  return false;
}

/** The references that lead out of a document with this absolute URI, and the identifiers that it defines. */
export function outerReferences(value: unknown, base: string): OuterReferences {
  const references: OuterReference[] = [];
  const identifiers = new Set<string>();

  function visit(node: unknown, base: string, named: boolean, optional: boolean, at: string): void {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) {
      node.forEach((item, index) => visit(item, base, false, optional, `${at}/${index}`));
      return;
    }
    const object = node as Record<string, unknown>;
    let inner = base;
    if (!named) {
      const { $id, $ref } = object;
      if (typeof $id === "string" && !$id.startsWith("#")) {
        inner = absolute($id, base) ?? base;
        identifiers.add(inner);
      }
      if (typeof $ref === "string" && !$ref.startsWith("#")) {
        references.push({
          pointer: `${at}/$ref`,
          reference: $ref,
          target: absolute($ref, inner),
          optional,
        });
      }
    }
    for (const key of Object.keys(object)) {
      const member = object[key];
      if (typeof member !== "object" || member === null) continue;
      // OpenAPI's `examples` are objects by name, which may be references; JSON Schema's are a list of values.
      const isData = DATA.has(key) && (key !== "examples" || Array.isArray(member));
      if (!named && isData) continue;
      visit(
        member,
        inner,
        !named && NAMED.has(key),
        optional || (!named && (key.startsWith("x-") || key === "info")),
        `${at}/${escapeToken(key)}`,
      );
    }
  }

  visit(value, base, false, false, "");
  return { references, identifiers };
}

/** An absolute URI without its fragment; undefined for what is no URI reference. */
export function absolute(reference: string | URL, base?: string | URL): string | undefined {
  if (!URL.canParse(reference, base)) return undefined;
  const url = new URL(reference, base);
  url.hash = "";
  return url.href;
}
