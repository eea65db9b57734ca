import type { CollectionFormat } from "../../http/encoding.ts";
import type { Json } from "../../values/json.ts";
import { isWhole, scalarText } from "./scalar_text.ts";

const SEPARATORS: Readonly<Record<CollectionFormat, string>> = {
  csv: ",",
  ssv: " ",
  tsv: "\t",
  pipes: "|",
  multi: ",",
};

/**
 * The texts of a value by the `collectionFormat` of Swagger 2.0, outermost first; several where items repeat the name.
 *
 * @param repeatable True where names can repeat: in queries and forms.
 * @param escape Escapes text between separators.
 * @returns undefined for what cannot be expressed, such as objects.
 */
export function collectionTexts(
  value: Json,
  formats: readonly CollectionFormat[],
  repeatable: boolean,
  escape: (text: string) => string,
): readonly string[] | undefined {
  if (!Array.isArray(value)) {
    const text = scalarText(value);
    return text === undefined ? undefined : [escape(text)];
  }
  const isRepeated = repeatable && formats[0] === "multi";
  if (!isRepeated) {
    const text = joined(value, formats, escape);
    return text === undefined ? undefined : [text];
  }
  const texts = value.map((item) => joined(item, formats.slice(1), escape));
  return texts.some((text) => text === undefined) || texts.length === 0
    ? undefined
    : texts as string[];
}

function joined(
  value: Json,
  formats: readonly CollectionFormat[],
  escape: (text: string) => string,
): string | undefined {
  if (!Array.isArray(value)) {
    const text = scalarText(value);
    return text === undefined ? undefined : escape(text);
  }
  const [format = "csv", ...inner] = formats;
  const separator = SEPARATORS[format];
  const isEscaped = escape === encodeURIComponent;
  const texts: string[] = [];
  for (const item of value) {
    const text = joined(item, inner, escape);
    const own = scalarText(item);
    if (text === undefined) return undefined;
    if (own !== undefined && !isWhole(own, separator, isEscaped)) return undefined;
    texts.push(text);
  }
  return texts.join(isEscaped && separator !== "," ? escape(separator) : separator);
}
