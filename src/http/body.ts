import type { Json, RawText } from "../values/json.ts";
import { ARRAY, STRING } from "../values/json_type.ts";
import { bodyText, textOrByteString } from "./body_text.ts";
import type { FormEncoding } from "./encoding.ts";
import { compileFormBody } from "./form_body.ts";
import { readForm } from "./form_plan.ts";
import { parseSequence } from "./complete_records.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import { contentTypeKind, mediaEssence, parseMediaType } from "./media_type.ts";
import type { Shape } from "./shape.ts";
import { decodeXml, xmlEncoding } from "./xml_body.ts";

/** The result of decoding a body: `"unsupported"` if covtool does not decode its media type. */
export type DecodedBody = DecodedContent | "malformed" | "unsupported";

interface DecodedContent {
  readonly value: Json;
  /** The texts of forms (if needed), of XML, and of bodies that are one string; undefined for JSON. */
  readonly raw: RawText | undefined;
  /** For sequential JSON, the items, for `itemSchema`; `value` is the same items as an array. */
  readonly items?: readonly Json[];
  /** For sequential JSON, what `schema` describes: the array, or each item. */
  readonly described?: readonly Json[];
}

export type BodyDecoder = (body: Uint8Array | string, contentType: string) => DecodedBody;

/** XML media types whose documents usually declare a document type, whose entities covtool doesn't know. */
const MARKUP_TYPES: ReadonlySet<string> = new Set(["application/xhtml+xml", "image/svg+xml"]);
const DOCTYPE = /^[^<]*(?:<(?:\?|!--)[^>]*>[^<]*)*<!doctype\s/i;

export function decodeJson(body: Uint8Array | string): DecodedBody {
  let text = "";
  try {
    text = bodyText(body);
    return { value: JSON.parse(text), raw: undefined };
  } catch {
    return unreadableBody(text);
  }
}

/** Returns the body that can't be read by its media type: a text if it is the placeholder of a recorder. */
function unreadableBody(text: string): DecodedBody {
  return isReplacedText(text) ? stringBody(text) : "malformed";
}

export function sequenceBody(items: readonly Json[], shape: Shape): DecodedBody {
  const described = describesItems(shape) ? items : [items];
  return { value: items, raw: undefined, items, described };
}

function decodeSequence(body: Uint8Array | string, shape: Shape): DecodedBody {
  const text = bodyText(body);
  const items = parseSequence(text);
  return items === undefined ? unreadableBody(text) : sequenceBody(items, shape);
}

/** True if a schema of sequential JSON allows no list: before `itemSchema`, such schemas were written for the items. */
export function describesItems({ types }: Shape): boolean {
  return types !== 0 && (types & (ARRAY | STRING)) === 0;
}

function xmlText(body: Uint8Array | string, contentType: string): string {
  const charset = parseMediaType(contentType).parameters.get("charset");
  return bodyText(body, charset ?? (typeof body === "string" ? undefined : xmlEncoding(body)));
}

function stringBody(text: string): DecodedBody {
  return { value: text, raw: { text, parts: undefined } };
}

/** True if a schema describes the data of server-sent events instead of the stream, which is a text. */
export function isStreamOfData(essence: string, { types }: Shape): boolean {
  return essence === "text/event-stream" && types !== 0 && (types & STRING) === 0;
}

/** Compiles a decoder for bodies, without content encoding, of one documented media type (semantics, section 3). */
export function compileBody(
  encoding: FormEncoding,
  needsText: () => boolean = () => true,
): BodyDecoder {
  const form = compileFormBody(encoding);
  return (body, contentType) => {
    switch (contentTypeKind(contentType)) {
      case "json":
        return decodeJson(body);
      case "sequence":
        return encoding.shape.types === STRING
          ? stringBody(textOrByteString(body))
          : decodeSequence(body, encoding.shape);
      case "xml": {
        if (encoding.shape.types === STRING) return stringBody(textOrByteString(body));
        const text = xmlText(body, contentType);
        const decoded = decodeXml(text, encoding.shape);
        if (decoded !== undefined) return decoded;
        return MARKUP_TYPES.has(mediaEssence(contentType)) && DOCTYPE.test(text)
          ? "unsupported"
          : unreadableBody(text);
      }
      case "text":
        if (isStreamOfData(mediaEssence(contentType), encoding.shape)) return "unsupported";
        return stringBody(bodyText(body, parseMediaType(contentType).parameters.get("charset")));
      case "form":
      case "multipart": {
        const fields = readForm(body, contentType);
        if (fields === "malformed" || fields === undefined) return "malformed";
        if (fields === "replaced") return stringBody(bodyText(body));
        return needsText()
          ? form.decode(fields)
          : { value: form.decodeValue(fields), raw: undefined };
      }
      default:
        return encoding.shape.types === STRING ? stringBody(textOrByteString(body)) : "unsupported";
    }
  };
}
