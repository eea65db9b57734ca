import type { ParameterPlan } from "../../map/parameter_plan.ts";
import { collectionFormats, encodingOf } from "../../map/parameter_encoding.ts";
import type { Json } from "../../values/json.ts";
import { collectionTexts } from "./write_collection.ts";
import { writeStyle } from "./write_style.ts";
import { isHeaderValue } from "./scalar_text.ts";
import { ANY_FILE } from "./file_parts.ts";
import { contentText } from "./write_body.ts";
import { asFile } from "./write_form.ts";
import type { WrittenParameter } from "./written_parameter.ts";

/**
 * Writes a parameter other than a body, in the way in which it is read.
 *
 * @returns undefined for values that the parameter's style cannot express, and for text that no request can hold.
 */
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

function inLocation(
  location: "path" | "query" | "header" | "cookie",
  name: string,
  texts: readonly string[],
): WrittenParameter | undefined {
  const [first] = texts;
  if (first === undefined) return undefined;
  switch (location) {
    case "path":
      return { kind: "path", name, text: first };
    case "header":
      return isHeaderValue(first) ? { kind: "header", name, value: first } : undefined;
    case "query":
      return { kind: "query", pairs: texts.map((text) => `${encodeURIComponent(name)}=${text}`) };
    case "cookie":
      return { kind: "cookie", pairs: texts.map((text) => `${name}=${text}`) };
  }
}
