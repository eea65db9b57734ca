import { encodePercent } from "../../http/percent.ts";
import type { PathToken } from "../../map/path_template.ts";
import type { RouteCondition } from "../../map/route_conditions.ts";
import type { OperationModel, ParameterModel } from "../../openapi/model.ts";
import type { SuggestedHttpRequest } from "../suggestion.ts";
import { multipartForm, urlencodedForm } from "../write/write_form.ts";
import type { Field, WrittenParameter } from "../write/written_parameter.ts";
import { isHeaderText, isToken } from "../../http/headers.ts";

/** The parts that all requests of an operation have in common. */
export interface RequestFrame {
  readonly method: string;
  readonly server: string;
  /** The path template, without `?` or `#` and what follows. */
  readonly path: string;
  /** Conditions that distinguish its requests from those of operations with the same path. */
  readonly conditions: readonly RouteCondition[];
  /** The parameters in the query of the path template whose values are templates. */
  readonly queryTemplates: readonly PathToken[];
  readonly credentials: Credentials;
}

/** The value of path templates that the description doesn't declare. */
const UNDECLARED = "1";

/** Composes a request of written parameters, which take precedence over credential placeholders of the same name. */
export function composeRequest(
  frame: RequestFrame,
  parameters: readonly WrittenParameter[],
): SuggestedHttpRequest {
  const texts = new Map<string, string>();
  const query: string[] = [];
  const cookies: string[] = [];
  const headers: Record<string, string> = {};
  const form: Field[] = [];
  let isMultipart = false;
  let isForm = true;
  let contentType = "application/x-www-form-urlencoded";
  let body: string | undefined;
  for (const written of parameters) {
    switch (written.kind) {
      case "path":
        texts.set(written.name, written.text);
        break;
      case "query":
        query.push(...written.pairs);
        break;
      case "header":
        headers[written.name] = written.value;
        break;
      case "cookie":
        cookies.push(...written.pairs);
        break;
      case "body":
        ({ contentType, body } = written);
        headers["Content-Type"] = contentType;
        isForm = written.form !== undefined;
        isMultipart ||= isForm && contentType.startsWith("multipart/");
        form.push(...written.form ?? []);
        break;
      case "fields":
        form.push(...written.fields);
        isMultipart ||= written.isMultipart;
    }
  }
  const { credentials, conditions, queryTemplates } = frame;
  for (const { name, template } of queryTemplates) {
    const text = (texts.get(template ?? "") ?? UNDECLARED).replaceAll(/[&+#]/g, encodeURIComponent);
    setPair(query, name, text);
  }
  for (const { in: place, name, value } of conditions) {
    if (place === "query") setPair(query, name, value && encodeURIComponent(value));
    else if (place === "header") setHeader(headers, name, value);
    else if (isForm) setField(form, name, value);
  }
  if (form.length > 0) {
    const multipart = isMultipart ? multipartForm(form) : undefined;
    headers["Content-Type"] = multipart?.contentType ?? contentType;
    body = multipart?.body ?? urlencodedForm(form);
  }
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  for (const [name, value] of Object.entries(credentials.headers)) {
    if (!names.has(name.toLowerCase())) headers[name] = value;
  }
  addMissing(query, credentials.query);
  addMissing(cookies, credentials.cookies);
  if (cookies.length > 0) headers["Cookie"] = cookies.join("; ");
  const path = frame.path.replaceAll(
    /\{([^{}]*)\}|[^!-~]|["<>\\^`{|}]/gu,
    (text, name?: string) =>
      name === undefined ? encodePercent(text) : texts.get(name) ?? UNDECLARED,
  );
  const url = `${frame.server}${path}${query.length === 0 ? "" : `?${query.join("&")}`}`;
  const { method } = frame;
  return body === undefined ? { method, url, headers } : { method, url, headers, body };
}

/** True if an HTTP client can send a request: a description may have names that HTTP doesn't allow. */
export function isSendable({ method, headers }: SuggestedHttpRequest): boolean {
  return isToken(method) &&
    Object.entries(headers).every(([name, value]) => isToken(name) && isHeaderText(value));
}

/** Sets a pair of a query; without a value, adds the name if it is missing. */
function setPair(query: string[], name: string, value: string | undefined): void {
  const encoded = encodeURIComponent(name);
  const at = query.findIndex((pair) => pair === encoded || pair.startsWith(`${encoded}=`));
  if (at < 0) query.push(`${encoded}=${value ?? ""}`);
  else if (value !== undefined) query[at] = `${encoded}=${value}`;
}

function setHeader(headers: Record<string, string>, name: string, value: string | undefined): void {
  const existing = Object.keys(headers).find((key) => key.toLowerCase() === name.toLowerCase());
  if (existing === undefined) headers[name] = value ?? UNDECLARED;
  else if (value !== undefined) headers[existing] = value;
}

function setField(form: Field[], name: string, value: string | undefined): void {
  const at = form.findIndex((field) => field.name === name);
  if (at < 0) form.push({ name, text: value ?? UNDECLARED });
  else if (value !== undefined) form[at] = { name, text: value };
}

function addMissing(pairs: string[], added: readonly string[]): void {
  const pairName = (pair: string) => pair.slice(0, pair.indexOf("="));
  for (const pair of added) {
    if (!pairs.some((present) => pairName(present) === pairName(pair))) pairs.push(pair);
  }
}

/** Placeholders for the credentials that an operation requires, never their values. */
interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly string[];
  readonly cookies: readonly string[];
  /** The placeholders in all of these: `$TOKEN`. */
  readonly placeholders: readonly string[];
}

/**
 * The placeholder of a security scheme: `$COVTOOL_AUTH_BEARER_AUTH` for `bearerAuth`. Other programs don't use
 * variables with this prefix, so that a scheme called `path` doesn't send `$PATH`.
 */
function schemePlaceholder(scheme: string): string {
  const words = scheme.replaceAll(/([a-z\d])([A-Z])/g, "$1_$2").replaceAll(/[^A-Za-z\d]+/g, "_");
  const name = words.replaceAll(/^_+|_+$/g, "").toUpperCase();
  return name === "" ? "$COVTOOL_AUTH" : `$COVTOOL_AUTH_${name}`;
}

export function requestCredentials(
  { credentials }: Pick<OperationModel, "credentials">,
): Credentials {
  const headers: Record<string, string> = {};
  const query: string[] = [];
  const cookies: string[] = [];
  const placeholders: string[] = [];
  for (const { scheme, place, name } of credentials ?? []) {
    const placeholder = schemePlaceholder(scheme);
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

/** Returns the placeholder for a parameter that is also a credential, as a value and as it is written. */
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
