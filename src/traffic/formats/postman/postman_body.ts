import { decodeBase64 } from "../../../http/body_text.ts";
import { parseMediaType } from "../../../http/media_type.ts";
import { encodePercent } from "../../../http/percent.ts";
import { type BytesPart, freeBoundary, multipartBytes } from "../../../http/write_multipart.ts";
import { appendTo } from "../../../values/collections.ts";
import { asFields, asList, isFields } from "../../decode/fields.ts";
import { isDisabled, type PostmanPair, postmanPairs, postmanText } from "./postman_request.ts";

export interface SentBody {
  /** Undefined if it is not known: a file of which there is only the name. */
  readonly content: Uint8Array | undefined;
  readonly contentType: string | undefined;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ["html", "text/html"],
  ["javascript", "application/javascript"],
  ["json", "application/json"],
  ["text", "text/plain"],
  ["xml", "application/xml"],
]);

const encoder = new TextEncoder();

/** What Postman sends for a body as version 2 has it, with variables resolved; undefined if that is none. */
export function postmanBody(
  body: unknown,
  contentType: string | undefined,
  resolve: (text: string) => string,
): SentBody | undefined {
  if (!isFields(body) || isDisabled(body)) return undefined;
  switch (body["mode"]) {
    case "raw": {
      const text = postmanText(body["raw"]) ?? "";
      if (text === "") return undefined;
      const language = postmanText(asFields(asFields(body["options"])["raw"])["language"]);
      return {
        content: encoder.encode(resolve(text)),
        contentType: contentType ?? TYPES.get(language ?? "text") ?? "text/plain",
      };
    }
    case "urlencoded": {
      const type = "application/x-www-form-urlencoded";
      const fields = postmanPairs(body["urlencoded"]);
      if (fields.length === 0) return undefined;
      return {
        content: encoder.encode(formText(fields, resolve)),
        contentType: contentType?.trim().toLowerCase().startsWith(type) ? contentType : type,
      };
    }
    case "formdata":
      return multipart(body["formdata"], contentType, resolve);
    case "file": {
      const { src, content } = asFields(body["file"]);
      const isKnown = !postmanText(src) && typeof content === "string";
      return { content: isKnown ? decodeBase64(content) : undefined, contentType };
    }
    case "graphql": {
      const { query, operationName, variables } = asFields(body["graphql"]);
      const write = (text: string): string => JSON.stringify(resolve(text));
      const parts = [
        ["query", query, write] as const,
        ["operationName", operationName, write] as const,
        // They are JSON already.
        ["variables", variables, resolve] as const,
      ].flatMap(([name, value, write]) => {
        const text = postmanText(value);
        return text ? [`"${name}":${write(text)}`] : [];
      });
      return {
        content: encoder.encode(`{${parts.join(",")}}`),
        contentType: contentType ?? "application/json",
      };
    }
    default:
      return undefined;
  }
}

/** Fields of the same name stand together, where the first of them stood. */
function formText(fields: readonly PostmanPair[], resolve: (text: string) => string): string {
  const byName = new Map<string, string[]>();
  for (const { key, value } of fields) {
    const name = formEscape(resolve(key));
    appendTo(byName, name, `${name}=${formEscape(resolve(value ?? ""))}`);
  }
  return [...byName.values()].flat().join("&");
}

function formEscape(text: string): string {
  return encodePercent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function multipart(
  list: unknown,
  contentType: string | undefined,
  resolve: (text: string) => string,
): SentBody | undefined {
  const own = contentType === undefined ? undefined : parseMediaType(contentType);
  const isOwn = contentType !== undefined && own?.essence.startsWith("multipart/") === true;
  const given = isOwn ? own.parameters.get("boundary") : undefined;
  const type = isOwn ? contentType : "multipart/form-data";
  const fields: BytesPart[] = [];
  for (const part of asList(list)) {
    if (!isFields(part) || isDisabled(part)) continue;
    const { value, src = null } = part;
    const isFile = part["type"] === "file";
    // Without a name of a file, the value is its content.
    const file = isFile && src === null && typeof value === "string"
      ? decodeBase64(value)
      : undefined;
    if (isFile && file === undefined) return { content: undefined, contentType: type };
    const fileName = postmanText(part["fileName"]) ?? (isFile ? "" : undefined);
    fields.push({
      name: resolve(postmanText(part["key"]) ?? ""),
      value: file ?? encoder.encode(resolve(postmanText(value) ?? "")),
      fileName: fileName === undefined ? undefined : resolve(fileName),
      mediaType: postmanText(part["contentType"]) ||
        (fileName === undefined ? undefined : "application/octet-stream"),
    });
  }
  if (fields.length === 0) return undefined;
  // As long as the boundaries that Postman makes, so that the Content-Length is the same; random ones are not.
  const boundary = given ??
    freeBoundary(fields, (attempt) => "-".repeat(26) + String(attempt).padStart(24, "0"));
  return {
    content: multipartBytes(fields, boundary),
    contentType: given === undefined ? `${type}; boundary=${boundary}` : type,
  };
}
