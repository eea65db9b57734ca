import type { Json } from "../values/json.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import { STRING } from "../values/json_type.ts";
import type { Decoded } from "./decoded.ts";
import type { PropertyEncodings } from "./encoding.ts";
import { compileFormBody } from "./form_body.ts";
import { UrlencodedFields } from "./form_fields.ts";
import { parseSequence } from "./json_sequence.ts";
import { essenceOf, kindOf } from "./media_type.ts";
import type { Shape } from "./shape.ts";

/** Decodes text by its media type; `"malformed"` if the text doesn't match it. */
export type TextDecoding = (text: string) => Decoded | "malformed";

function decodedWhole(text: string, value: Json): Decoded {
  return { value, raw: { text, parts: undefined } };
}

function decodeJson(text: string): Decoded | "malformed" {
  try {
    return decodedWhole(text, JSON.parse(text));
  } catch {
    return isReplacedText(text) ? decodedWhole(text, text) : "malformed";
  }
}

function decodeSequence(text: string): Decoded | "malformed" {
  const items = parseSequence(text);
  return items === undefined ? "malformed" : decodedWhole(text, items);
}

/**
 * Prepares decoding the text of a parameter with `content` by its media type.
 *
 * @returns `undefined` for media types that are not decoded: what is neither JSON, a urlencoded form nor
 * text, unless the schema's only type is `string`.
 */
export function compileContent(
  mediaType: string,
  shape: Shape,
  properties: PropertyEncodings,
): TextDecoding | undefined {
  switch (kindOf(essenceOf(mediaType))) {
    case "json":
      return decodeJson;
    case "sequence":
      return decodeSequence;
    case "form": {
      const { decode } = compileFormBody({ shape, properties });
      return (text) => decode(new UrlencodedFields(text));
    }
    case "text":
      return (text) => decodedWhole(text, text);
    default:
      return shape.types === STRING ? (text) => decodedWhole(text, text) : undefined;
  }
}
