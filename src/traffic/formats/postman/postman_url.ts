import { asFields, isFields } from "../../decode/fields.ts";
import { isDisabled, postmanText } from "./postman_request.ts";

/** A variable in braces is not escaped: it has no value and stays as written. */
const VARIABLE = /(\{\{[^{}]*\}\})/;

const encoder = new TextEncoder();

/** Returns the URL of a request as text, built from its enabled parts if it has parts; undefined if there is none. */
export function postmanUrlTemplate(url: unknown): string | undefined {
  if (typeof url === "string") return url;
  if (!isFields(url)) return undefined;
  const base = originAndPath(url) ?? postmanText(url["raw"])?.split(/[?#]/, 1)[0];
  if (base === undefined) return undefined;
  if (!Array.isArray(url["query"])) {
    const raw = postmanText(url["raw"]) ?? "";
    return raw.includes("?") ? base + raw.slice(raw.indexOf("?")) : base;
  }
  const query = url["query"].filter((pair: unknown) => !isDisabled(pair)).map(queryPair);
  return query.length === 0 ? base : `${base}?${query.join("&")}`;
}

function originAndPath(url: Readonly<Record<string, unknown>>): string | undefined {
  const host = Array.isArray(url["host"]) ? url["host"].join(".") : postmanText(url["host"]);
  if (host === undefined || host === "") return undefined;
  const protocol = postmanText(url["protocol"])?.replace(/:?\/*$/, "");
  const port = postmanText(url["port"]) ?? "";
  const path = Array.isArray(url["path"])
    ? url["path"].map((one: unknown) => postmanText(isFields(one) ? one["value"] : one) ?? "")
      .join("/")
    : postmanText(url["path"])?.replace(/^\//, "");
  return (protocol === undefined || protocol === "" ? "" : `${protocol}://`) + host +
    (port === "" ? "" : `:${port}`) + (path === undefined ? "" : `/${path}`);
}

function queryPair(pair: unknown): string {
  if (typeof pair === "string") return pair;
  const { key, value } = asFields(pair);
  const name = outsideVariables(postmanText(key) ?? "", (text) => encodeOnly(text, /[&#=]/g));
  const text = postmanText(value);
  return text === undefined
    ? name
    : `${name}=${outsideVariables(text, (part) => encodeOnly(part, /[&#]/g))}`;
}

export interface UrlVariables {
  resolve(text: string): string;
  resolveUrl(text: string): string;
  readonly pathVariables: ReadonlyMap<string, string>;
  onUnresolved(written: string): void;
}

/** Resolves variables and escapes characters like Postman. Variables without a value stay as written. */
export function resolvePostmanUrl(template: string, variables: UrlVariables): string {
  const text = variables.resolveUrl(template.trim()).replace(/#.*$/s, "");
  const isComplete = /^[a-z][a-z\d+.-]*:\/\//i.test(text) || /^(?:\{\{|\/)/.test(text);
  const url = isComplete ? text : `http://${text}`;
  const question = url.indexOf("?");
  const base = question < 0 ? url : url.slice(0, question);
  const query = question < 0 ? "" : `?${encodeQuery(url.slice(question + 1))}`;
  const scheme = base.indexOf("://");
  const slash = base.indexOf("/", scheme < 0 ? 0 : scheme + 3);
  if (slash < 0) return base + query;
  const path = base.slice(slash).split("/").map((segment) => resolveSegment(segment, variables));
  return base.slice(0, slash) + path.join("/") + query;
}

/** Resolves a segment. After a colon, a variable ends at the first dot (`:id.json`). */
function resolveSegment(segment: string, variables: UrlVariables): string {
  const name = /^:([^.]+)/.exec(segment)?.[1];
  if (name === undefined) return encodePath(segment);
  const value = variables.resolve(variables.pathVariables.get(name) ?? "");
  if (value === "") {
    variables.onUnresolved(`:${name}`);
    return encodePath(segment);
  }
  return encodePath(value + segment.slice(name.length + 1));
}

function encodePath(text: string): string {
  return outsideVariables(text, (part) => encodeOnly(part, /[^!-~]|["<>`#?{}]/gu));
}

function encodeQuery(text: string): string {
  return outsideVariables(text, (part) => encodeOnly(part, /[^!-~]|["'<>]/gu));
}

export function withQueryParameter(url: string, key: string, value: string): string {
  const name = encodeQuery(encodeOnly(key, /[&#=]/g));
  const question = url.indexOf("?");
  const others = question < 0
    ? []
    : url.slice(question + 1).split("&").filter((pair) => pair.split("=", 1)[0] !== name);
  const base = question < 0 ? url : url.slice(0, question);
  return `${base}?${[...others, `${name}=${encodeQuery(encodeOnly(value, /[&#]/g))}`].join("&")}`;
}

function outsideVariables(text: string, change: (part: string) => string): string {
  if (!text.includes("{{")) return change(text);
  return text.split(VARIABLE).map((part, index) => index % 2 === 1 ? part : change(part)).join("");
}

function encodeOnly(text: string, characters: RegExp): string {
  return text.replace(
    characters,
    (character) =>
      [...encoder.encode(character)].map((byte) =>
        `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
      ).join(""),
  );
}
