import { encodePercent } from "../../http/percent.ts";
import type { WrittenParameter } from "../write/written_parameter.ts";
import type { OperationModel, ParameterModel } from "../../openapi/model.ts";

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

/** Placeholders for the credentials to send with requests of an operation. */
export function credentialsOf({ credentials }: Pick<OperationModel, "credentials">): Credentials {
  if (credentials === undefined) return NO_CREDENTIALS;
  const headers: Record<string, string> = {};
  const query: string[] = [];
  const cookies: string[] = [];
  const placeholders: string[] = [];
  for (const { scheme, place, name } of credentials) {
    const placeholder = placeholderOf(scheme);
    placeholders.push(placeholder);
    switch (place.in) {
      case "authorization":
        headers["Authorization"] = place.name === ""
          ? placeholder
          : `${name.slice(0, 1).toUpperCase()}${name.slice(1)} ${placeholder}`;
        break;
      case "header":
        headers[name] = placeholder;
        break;
      case "query":
        query.push(`${encodePercent(name)}=${placeholder}`);
        break;
      case "cookie":
        cookies.push(`${name}=${placeholder}`);
    }
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
  const key = location === "query" ? encodePercent(name) : name;
  const pair = (location === "query" ? query : cookies).find((one) => one.startsWith(`${key}=`));
  if (pair === undefined) return undefined;
  return { value: pair.slice(key.length + 1), written: { kind: location, pairs: [pair] } };
}
