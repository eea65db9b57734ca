import { parseMediaType } from "../../../http/media_type.ts";
import { encodePercent } from "../../../http/percent.ts";
import { concatBytes } from "../../../values/concat_bytes.ts";
import type { PostmanBody, PostmanPair, PostmanPart } from "./postman_request.ts";

/** The part of a body that was sent. */
export interface SentBody {
  /** Undefined if it is not known: a file of which there is only the name. */
  readonly content: Uint8Array | undefined;
  /** The Content-Type that goes with it; undefined if Postman adds none. */
  readonly contentType: string | undefined;
}

/** The Content-Type that Postman sends for the language of a raw body. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["html", "text/html"],
  ["javascript", "application/javascript"],
  ["json", "application/json"],
  ["text", "text/plain"],
  ["xml", "application/xml"],
]);

const encoder = new TextEncoder();

/**
 * The bytes that Postman makes of a body; undefined if it sends none.
 *
 * @param contentType The Content-Type of the request's own headers.
 * @param resolve Puts the values of variables into a text.
 *
 * @example
 * ```ts
 * import { postmanBody } from "./postman_body.ts";
 * import assert from "node:assert/strict";
 *
 * const fields = [{ key: "name", value: "a b" }, { key: "n", value: "{{n}}" }];
 * const sent = postmanBody({ mode: "urlencoded", fields }, undefined, (text) => text.replace("{{n}}", "1"));
 * assert.equal(sent?.contentType, "application/x-www-form-urlencoded");
 * assert.equal(new TextDecoder().decode(sent?.content), "name=a%20b&n=1");
 * ```
 */
export function postmanBody(
  body: PostmanBody,
  contentType: string | undefined,
  resolve: (text: string) => string,
): SentBody | undefined {
  switch (body.mode) {
    case "raw":
      if (body.text === "") return undefined;
      return {
        content: encoder.encode(resolve(body.text)),
        contentType: contentType ?? TYPES.get(body.language ?? "text") ?? "text/plain",
      };
    case "urlencoded": {
      const type = "application/x-www-form-urlencoded";
      if (body.fields.length === 0) return undefined;
      return {
        content: encoder.encode(formText(body.fields, resolve)),
        contentType: contentType?.trim().toLowerCase().startsWith(type) ? contentType : type,
      };
    }
    case "formdata":
      return body.parts.length === 0 ? undefined : multipart(body.parts, contentType, resolve);
    case "file":
      return { content: body.content, contentType };
    case "graphql": {
      const parts = [
        ["query", body.query && JSON.stringify(resolve(body.query))],
        ["operationName", body.operationName && JSON.stringify(resolve(body.operationName))],
        ["variables", body.variables && resolve(body.variables)],
      ].flatMap(([name, json]) => json ? [`"${name}":${json}`] : []);
      return {
        content: encoder.encode(`{${parts.join(",")}}`),
        contentType: contentType ?? "application/json",
      };
    }
  }
}

/** Fields of the same name stand together, where the first of them stood. */
function formText(fields: readonly PostmanPair[], resolve: (text: string) => string): string {
  const byName = new Map<string, string[]>();
  for (const { key, value } of fields) {
    const name = formEscape(resolve(key));
    const pair = `${name}=${formEscape(resolve(value ?? ""))}`;
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [pair]);
    else same.push(pair);
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
  parts: readonly PostmanPart[],
  contentType: string | undefined,
  resolve: (text: string) => string,
): SentBody {
  const own = contentType === undefined ? undefined : parseMediaType(contentType);
  const isOwn = contentType !== undefined && own?.essence.startsWith("multipart/") === true;
  const given = isOwn ? own.parameters.get("boundary") : undefined;
  const type = isOwn ? contentType : "multipart/form-data";
  const sections: Uint8Array[] = [];
  for (const { key, value, fileName, contentType } of parts) {
    if (value === undefined) return { content: undefined, contentType: type };
    const file = fileName === undefined ? "" : `; filename="${quoted(resolve(fileName))}"`;
    const mediaType = contentType ?? (fileName === undefined ? "" : "application/octet-stream");
    const head = `\r\nContent-Disposition: form-data; name="${quoted(resolve(key))}"${file}\r\n` +
      (mediaType === "" ? "\r\n" : `Content-Type: ${mediaType}\r\n\r\n`);
    const content = typeof value === "string" ? encoder.encode(resolve(value)) : value;
    sections.push(concatBytes([encoder.encode(head), content, encoder.encode("\r\n")]));
  }
  const boundary = given ?? freeBoundary(sections);
  const delimiter = encoder.encode(`--${boundary}`);
  return {
    content: concatBytes([
      ...sections.flatMap((section) => [delimiter, section]),
      delimiter,
      encoder.encode("--\r\n"),
    ]),
    contentType: given === undefined ? `${type}; boundary=${boundary}` : type,
  };
}

function quoted(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** As long as the boundaries that Postman makes, so that the Content-Length is the same; random ones are not. */
function freeBoundary(sections: readonly Uint8Array[]): string {
  const decoder = new TextDecoder("latin1");
  const texts = sections.map((section) => decoder.decode(section));
  for (let number = 0;; number++) {
    const boundary = "-".repeat(26) + String(number).padStart(24, "0");
    if (!texts.some((text) => text.includes(boundary))) return boundary;
  }
}
