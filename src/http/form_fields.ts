import { bodyText } from "./body_text.ts";
import { kindOfContentType, parseMediaType } from "./media_type.ts";
import { type Part, readMultipart } from "./multipart.ts";
import { splitQuery, type TextPair } from "./query_string.ts";

/** The fields of a form, before they are decoded. */
export type FormFields =
  | { readonly kind: "urlencoded"; readonly pairs: readonly TextPair[] }
  | { readonly kind: "multipart"; readonly pairs: readonly Part[] };

/**
 * Reads the fields of a form body.
 *
 * @param contentType The Content-Type with its parameters: a multipart body needs its boundary.
 * @returns `undefined` where the Content-Type is neither `application/x-www-form-urlencoded` nor
 * `multipart/form-data`; `"malformed"` for a broken multipart body.
 */
export function readForm(
  body: Uint8Array | string,
  contentType: string,
): FormFields | "malformed" | undefined {
  switch (kindOfContentType(contentType)) {
    case "form":
      return { kind: "urlencoded", pairs: splitQuery(bodyText(body)) };
    case "multipart": {
      const { parameters } = parseMediaType(contentType);
      const pairs = readMultipart(body, parameters.get("boundary"));
      return pairs === undefined ? "malformed" : { kind: "multipart", pairs };
    }
    default:
      return undefined;
  }
}
