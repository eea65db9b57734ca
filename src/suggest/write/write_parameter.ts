import type { ParameterPlan } from "../../map/parameter_plan.ts";
import { type CollectionLayout, collectionLayout } from "../../http/delimited.ts";
import { collectionFormats, parameterEncoding } from "../../map/parameter_encoding.ts";
import type { Json } from "../../values/json.ts";
import { asIs, toWritten, writeDelimited, writeStyle } from "./write_style.ts";
import { ANY_FILE } from "./file_parts.ts";
import { contentText } from "./write_body.ts";
import { asFile } from "./write_form.ts";
import type { WrittenParameter } from "./written_parameter.ts";

/** Writes a parameter so that it is read back; undefined for values that its style or a request can't carry. */
export function writeParameter(plan: ParameterPlan, value: Json): WrittenParameter | undefined {
  try {
    return write(plan, value);
  } catch (error) {
    if (error instanceof URIError) return undefined; // a lone surrogate
    throw error;
  }
}

function write({ model, shape }: ParameterPlan, value: Json): WrittenParameter | undefined {
  const { name } = model;
  if (model.location === "form_data") {
    const layout = collectionLayout(collectionFormats(model), true);
    const texts = collectionTexts(value, layout, asIs);
    const escaped = collectionTexts(value, layout, encodeURIComponent);
    const isFile = (model.place.value as { type?: unknown }).type === "file";
    const isMultipart = isFile || model.consumes?.includes("multipart/form-data") === true;
    const fields = texts?.map((text, index) => {
      const field = { name, text, escaped: escaped?.[index] };
      return isFile ? asFile(field, ANY_FILE) : field;
    });
    return fields && { kind: "fields", fields, isMultipart };
  }
  const encoding = parameterEncoding(model, shape);
  const { location } = encoding;
  switch (encoding.kind) {
    case "style":
      return writeStyle(encoding, value);
    case "collection": {
      const layout = collectionLayout(encoding.formats, location === "query");
      const escape = location === "header" ? asIs : encodeURIComponent;
      const texts = collectionTexts(value, layout, escape);
      return texts && toWritten(location, name, texts);
    }
    case "content": {
      const { mediaType, properties = {} } = encoding;
      const text = contentText({ shape, properties }, mediaType, value);
      if (text === undefined) return undefined;
      if (encoding.isWholeQuery === true) {
        const isForm = mediaType.includes("x-www-form-urlencoded");
        return { kind: "query", pairs: [isForm ? text : encodeURIComponent(text)] };
      }
      return toWritten(location, name, [location === "header" ? text : encodeURIComponent(text)]);
    }
  }
}

/** Writes a value by `collectionFormat`, as several texts if its name repeats; undefined for objects. */
function collectionTexts(
  value: Json,
  { repeated, layout }: CollectionLayout,
  escape: (text: string) => string,
): readonly string[] | undefined {
  const texts = (repeated && Array.isArray(value) ? value : [value])
    .map((item) => writeDelimited(item, layout, escape));
  const written = texts.filter((text) => text !== undefined);
  return written.length === 0 || written.length < texts.length ? undefined : written;
}
