import type { RawText } from "../values/raw_text.ts";
import type { Json } from "../values/json.ts";
import { STRING } from "../values/json_type.ts";
import { bodyText, textOrByteString } from "./body_text.ts";
import type { FormEncoding } from "./encoding.ts";
import { compileFormBody } from "./form_body.ts";
import { readForm } from "./form_fields.ts";
import { parseSequence } from "./json_sequence.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import { kindOfContentType, parseMediaType } from "./media_type.ts";

/** The content of a body. */
export type DecodedBody =
  | {
    readonly kind: "value";
    readonly value: Json;
    /** The texts of forms, where they are needed, and of bodies that are one string; JSON has none. */
    readonly raw: RawText | undefined;
  }
  | {
    /** Sequential JSON: `itemSchema` is evaluated on each item, `schema` on the array of them. */
    readonly kind: "sequence";
    readonly items: readonly Json[];
  }
  | { readonly kind: "malformed" }
  | { readonly kind: "unsupported" };

/** Decodes a body by the Content-Type that it came with. */
export type BodyDecoder = (body: Uint8Array | string, contentType: string) => DecodedBody;

const MALFORMED: DecodedBody = { kind: "malformed" };
const UNSUPPORTED: DecodedBody = { kind: "unsupported" };

/** Decodes a body of JSON, which needs no preparation. */
export function decodeJson(body: Uint8Array | string): DecodedBody {
  let text = "";
  try {
    text = bodyText(body);
    return { kind: "value", value: JSON.parse(text), raw: undefined };
  } catch {
    return isReplacedText(text) ? stringBody(text) : MALFORMED;
  }
}

function decodeSequence(body: Uint8Array | string): DecodedBody {
  const items = parseSequence(bodyText(body));
  return items === undefined ? MALFORMED : { kind: "sequence", items };
}

function stringBody(text: string): DecodedBody {
  return { kind: "value", value: text, raw: { text, parts: undefined } };
}

/**
 * Prepares decoding the bodies of one documented media type (semantics, section 3): JSON, sequential
 * JSON, forms, `text/*`; a body of another type is one string where the schema's only type is `string`
 * (its text where it is UTF-8, else one character per byte). Contents must be undone before
 * (`Content-Encoding`), and a body of zero bytes is none.
 *
 * The decoder takes the Content-Type of the request, or the documented media type where that has none.
 *
 * @param needsText Asked with every form: whether the texts matter that its values were read from.
 * @example
 * ```ts
 * import { compileBody } from "./body.ts";
 * import assert from "node:assert/strict";
 * import { OBJECT } from "../values/json_type.ts";
 * import type { Shape } from "./shape.ts";
 *
 * const shape: Shape = {
 *   types: OBJECT,
 *   propertyNames: new Set(),
 *   patterns: [],
 *   open: true,
 *   describesOthers: false,
 *   tupleLength: 0,
 *   property: () => shape,
 *   undeclared: () => shape,
 *   item: () => shape,
 * };
 * const decode = compileBody({ shape, properties: {} });
 * assert.deepEqual(decode('{"a":1}', "application/json"), {
 *   kind: "value",
 *   value: { a: 1 },
 *   raw: undefined,
 * });
 * assert.equal(decode("{", "application/json").kind, "malformed");
 * assert.equal(decode("<a/>", "application/xml").kind, "unsupported");
 * ```
 */
export function compileBody(
  encoding: FormEncoding,
  needsText: () => boolean = () => true,
): BodyDecoder {
  const form = compileFormBody(encoding);
  return (body, contentType) => {
    switch (kindOfContentType(contentType)) {
      case "json":
        return decodeJson(body);
      case "sequence":
        return decodeSequence(body);
      case "text":
        return stringBody(bodyText(body, parseMediaType(contentType).parameters.get("charset")));
      case "form":
      case "multipart": {
        const fields = readForm(body, contentType);
        if (fields === "malformed" || fields === undefined) return MALFORMED;
        return needsText()
          ? { kind: "value", ...form.decode(fields) }
          : { kind: "value", value: form.decodeValue(fields), raw: undefined };
      }
      default:
        return encoding.shape.types === STRING ? stringBody(textOrByteString(body)) : UNSUPPORTED;
    }
  };
}
