import { bodyText } from "./body_text.ts";
import { kindOfContentType, parseMediaType } from "./media_type.ts";
import { type Part, readMultipart } from "./multipart.ts";
import { splitQuery, type TextPair } from "./query_string.ts";

/** The fields of a form, before they are decoded. */
export type FormFields =
  | UrlencodedFields
  | { readonly kind: "multipart"; readonly pairs: readonly Part[] };

/** The fields of an urlencoded form; split by who needs them, since names are looked up as they were sent. */
export class UrlencodedFields {
  /** Distinguishes them from the fields of other forms. */
  readonly kind = "urlencoded";
  /** The form as it was sent. */
  readonly text: string;
  #pairs: readonly TextPair[] | undefined;

  /** Takes the text of a form. */
  constructor(text: string) {
    this.text = text;
  }

  /** The pairs with their names decoded. */
  get pairs(): readonly TextPair[] {
    return this.#pairs ??= splitQuery(this.text);
  }
}

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
      return new UrlencodedFields(bodyText(body));
    case "multipart": {
      const { parameters } = parseMediaType(contentType);
      const pairs = readMultipart(body, parameters.get("boundary"));
      return pairs === undefined ? "malformed" : { kind: "multipart", pairs };
    }
    default:
      return undefined;
  }
}
