import type { ParameterPlan } from "../../map/parameter_plan.ts";
import type { CollectionFormat } from "../../http/encoding.ts";
import { collectionFormats, encodingOf } from "../../map/parameter_encoding.ts";
import type { Json } from "../../values/json.ts";
import { inLocation, writeStyle } from "./write_style.ts";
import { isWhole, scalarText } from "./scalar_text.ts";
import { ANY_FILE } from "./file_parts.ts";
import { contentText } from "./write_body.ts";
import { asFile } from "./write_form.ts";
import type { WrittenParameter } from "./written_parameter.ts";

/** Writes a parameter as it is read; undefined for what its style or a request can't hold. */
export function writeParameter(plan: ParameterPlan, value: Json): WrittenParameter | undefined {
  try {
    return write(plan, value);
  } catch (error) {
    if (error instanceof URIError) return undefined; // a half of a surrogate pair
    throw error;
  }
}

function write({ model, shape }: ParameterPlan, value: Json): WrittenParameter | undefined {
  const { name } = model;
  if (model.location === "form_data") {
    const formats = collectionFormats(model);
    const texts = collectionTexts(value, formats, true, (text) => text);
    const escaped = collectionTexts(value, formats, true, encodeURIComponent);
    const isFile = (model.place.value as { type?: unknown }).type === "file";
    const isMultipart = isFile || model.consumes?.includes("multipart/form-data") === true;
    const fields = texts?.map((text, index) => {
      const field = { name, text, escaped: escaped?.[index] };
      return isFile ? asFile(field, ANY_FILE) : field;
    });
    return fields && { kind: "fields", fields, isMultipart };
  }
  const encoding = encodingOf(model, shape);
  const { location } = encoding;
  switch (encoding.kind) {
    case "style":
      return writeStyle(encoding, value);
    case "collection": {
      const escape = location === "header" ? (text: string) => text : encodeURIComponent;
      const texts = collectionTexts(value, encoding.formats, location === "query", escape);
      return texts && inLocation(location, name, texts);
    }
    case "content":
    case "querystring": {
      const { mediaType, properties = {} } = encoding;
      const text = contentText({ shape, properties }, mediaType, value);
      if (text === undefined) return undefined;
      if (encoding.kind === "querystring") {
        const isForm = mediaType.includes("x-www-form-urlencoded");
        return { kind: "query", pairs: [isForm ? text : encodeURIComponent(text)] };
      }
      return inLocation(location, name, [location === "header" ? text : encodeURIComponent(text)]);
    }
  }
}

const SEPARATORS: Readonly<Record<CollectionFormat, string>> = {
  csv: ",",
  ssv: " ",
  tsv: "\t",
  pipes: "|",
  multi: ",",
};

/**
 * The texts of a value by `collectionFormat`, outermost first; several where names can repeat; undefined for objects.
 */
function collectionTexts(
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
