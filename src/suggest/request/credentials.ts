import type { WrittenParameter } from "../write/written_parameter.ts";
import type { OperationModel, ParameterModel } from "../../openapi/model.ts";
import type { DocumentSet } from "../../openapi/document_set.ts";
import { isObject } from "../../schema/schema_node.ts";
import { memberOf } from "../../values/json_pointer.ts";

/** Placeholders for the credentials that an operation asks for; they never hold a value. */
export interface Credentials {
  /** By the name of the header field. */
  readonly headers: Readonly<Record<string, string>>;
  /** Pairs of the query. */
  readonly query: readonly string[];
  /** Pairs of the Cookie header. */
  readonly cookies: readonly string[];
  /** The placeholders in them: `$TOKEN`. */
  readonly placeholders: readonly string[];
}

const NO_CREDENTIALS: Credentials = { headers: {}, query: [], cookies: [], placeholders: [] };

/** The placeholder of a security scheme: `$BEARER_AUTH` for `bearerAuth`. */
export function placeholderOf(scheme: string): string {
  const words = scheme.replaceAll(/([a-z\d])([A-Z])/g, "$1_$2").replaceAll(/[^A-Za-z\d]+/g, "_");
  const name = words.replaceAll(/^_+|_+$/g, "").toUpperCase();
  return `$${/^[A-Z]/.test(name) ? name : `TOKEN${name === "" ? "" : `_${name}`}`}`;
}

/**
 * The credentials of an operation: those of the first alternative of its `security`, or that of the description
 * (OpenAPI 3.2, section 4.30). None where one of the alternatives asks for none.
 */
export function credentialsOf(
  { path, method }: Pick<OperationModel, "path" | "method">,
  { entry }: DocumentSet,
): Credentials {
  const root = entry.value;
  const operation = memberOf(memberOf(memberOf(root, "paths"), path), method.toLowerCase());
  const alternatives = memberOf(operation, "security") ?? memberOf(root, "security");
  if (!Array.isArray(alternatives)) return NO_CREDENTIALS;
  const usable = alternatives.filter(isObject);
  if (usable.some((one) => Object.keys(one).length === 0)) return NO_CREDENTIALS;
  const [first] = usable;
  if (first === undefined) return NO_CREDENTIALS;
  const schemes = memberOf(memberOf(root, "components"), "securitySchemes") ??
    memberOf(root, "securityDefinitions");
  const headers: Record<string, string> = {};
  const query: string[] = [];
  const cookies: string[] = [];
  const placeholders: string[] = [];
  for (const name of Object.keys(first)) {
    const scheme = memberOf(schemes, name);
    if (!isObject(scheme)) continue;
    const placeholder = placeholderOf(name);
    placeholders.push(placeholder);
    const key = typeof scheme["name"] === "string" ? scheme["name"] : name;
    if (scheme["type"] !== "apiKey") {
      const kind = kindOf(scheme);
      if (kind !== undefined) headers["Authorization"] = `${kind} ${placeholder}`;
    } else if (scheme["in"] === "header") headers[key] = placeholder;
    else if (scheme["in"] === "query") query.push(`${encodeURIComponent(key)}=${placeholder}`);
    else if (scheme["in"] === "cookie") cookies.push(`${key}=${placeholder}`);
  }
  return { headers, query, cookies, placeholders };
}

/** The placeholder for a parameter that is a credential at the same time: its value, and how it is written. */
export function placeholderFor(
  { location, name }: Pick<ParameterModel, "location" | "name">,
  { headers, query, cookies }: Credentials,
): { readonly value: string; readonly written: WrittenParameter } | undefined {
  if (location === "header") {
    const field = Object.keys(headers).find((key) => key.toLowerCase() === name.toLowerCase());
    const value = field === undefined ? undefined : headers[field];
    return value === undefined ? undefined : { value, written: { kind: "header", name, value } };
  }
  if (location !== "query" && location !== "cookie") return undefined;
  const key = location === "query" ? encodeURIComponent(name) : name;
  const pair = (location === "query" ? query : cookies).find((one) => one.startsWith(`${key}=`));
  if (pair === undefined) return undefined;
  return { value: pair.slice(key.length + 1), written: { kind: location, pairs: [pair] } };
}

/** The word before the credentials in an Authorization field; undefined where that isn't used. */
function kindOf(scheme: { readonly [field: string]: unknown }): string | undefined {
  switch (scheme["type"]) {
    case "basic":
      return "Basic";
    case "http": {
      const name = typeof scheme["scheme"] === "string" ? scheme["scheme"] : "bearer";
      return name.slice(0, 1).toUpperCase() + name.slice(1);
    }
    case "oauth2":
    case "openIdConnect":
      return "Bearer";
    default:
      return undefined;
  }
}
