import { describesItems } from "../../http/body.ts";
import type { FormEncoding } from "../../http/encoding.ts";
import { mediaEssence, mediaKind, selectMediaType } from "../../http/media_type.ts";
import { STRING } from "../../values/json_type.ts";
import type { Json } from "../../values/json.ts";
import type { FileTypes } from "./file_parts.ts";
import { formFields, multipartForm, urlencodedForm } from "./write_form.ts";
import { writeXml } from "./write_xml.ts";
import type { WrittenParameter } from "./written_parameter.ts";

/** Media types to send for a range of media types, the plainest first. */
const TYPES_IN_RANGES: Readonly<Record<string, readonly string[]>> = {
  "*/*": ["application/json", "text/json", "text/plain", "application/octet-stream"],
  "application/*": ["application/json", "application/octet-stream"],
  "text/*": ["text/plain", "text/html"],
  "multipart/*": ["multipart/form-data"],
  "image/*": ["image/png", "image/jpeg"],
  "audio/*": ["audio/mpeg", "audio/ogg"],
  "video/*": ["video/mp4", "video/webm"],
};

/** Returns a media type that a request can name; for a range, one for which no other documented one is selected. */
export function concreteMediaType(mediaType: string, documented: readonly string[]): string {
  const essence = mediaEssence(mediaType);
  if (!essence.includes("*")) return mediaType;
  const any = essence.replace("*/", "application/").replaceAll("*", "x-any");
  const index = documented.indexOf(mediaType);
  return [...TYPES_IN_RANGES[essence] ?? [], any].find((one) =>
    selectMediaType(one, documented) === index
  ) ?? any;
}

/**
 * Writes a body of a media type so that `compileBody` reads it back.
 *
 * @param contentType The media type, not a range.
 * @param findFileType Finds the properties of a multipart form that are files.
 * @returns undefined for values that the media type can't express. With a media type that covtool doesn't read, these
 * are all values but strings.
 */
export function writeBody(
  encoding: FormEncoding,
  contentType: string,
  value: Json,
  findFileType?: FileTypes,
): WrittenParameter | undefined {
  try {
    const kind = mediaKind(mediaEssence(contentType));
    if (kind === "multipart" || kind === "form") {
      const isMultipart = kind === "multipart";
      const form = formFields(encoding, value, isMultipart, isMultipart ? findFileType : undefined);
      if (form === undefined) return undefined;
      return isMultipart
        ? { kind: "body", ...multipartForm(form), form }
        : { kind: "body", contentType, body: urlencodedForm(form), form };
    }
    const isXml = kind === "xml" && encoding.shape.types !== STRING;
    const body = isXml
      ? writeXml(encoding.shape, value)
      : contentText(encoding, contentType, value);
    return body === undefined || body === "" ? undefined : { kind: "body", contentType, body };
  } catch (error) {
    if (error instanceof URIError) return undefined; // a lone surrogate
    throw error;
  }
}

/** Writes a value as text of a media type; undefined for values that the media type can't express. */
export function contentText(
  encoding: FormEncoding,
  mediaType: string,
  value: Json,
): string | undefined {
  switch (mediaKind(mediaEssence(mediaType))) {
    case "json":
      return JSON.stringify(value);
    case "sequence":
      if (Array.isArray(value)) return writeSequence(value, mediaEssence(mediaType));
      if (describesItems(encoding.shape)) return writeSequence([value], mediaEssence(mediaType));
      return typeof value === "string" ? value : undefined;
    case "form": {
      const fields = formFields(encoding, value, false);
      return fields && urlencodedForm(fields);
    }
    case "text":
      return typeof value === "string" ? value : JSON.stringify(value);
    default:
      return encoding.shape.types === STRING && typeof value === "string" ? value : undefined;
  }
}

/** JSON Lines; RFC 7464 puts a record separator before each text. */
function writeSequence(items: readonly Json[], essence: string): string {
  const start = essence.endsWith("json-seq") ? "\u001e" : "";
  return items.map((item) => `${start}${JSON.stringify(item)}\n`).join("");
}
