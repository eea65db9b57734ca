import type { WrittenParameter } from "../write/written_parameter.ts";
import { multipartForm, urlencodedForm } from "../write/write_form.ts";
import type { SuggestedHttpRequest } from "../suggestion.ts";
import type { Credentials } from "./credentials.ts";

/** The parts of the requests of one operation that are the same in all of them. */
export interface RequestFrame {
  readonly method: string;
  /** The URL that the path is appended to. */
  readonly server: string;
  /** The template of the path. */
  readonly path: string;
  readonly credentials: Credentials;
}

/** The value of templates in a path that the description doesn't declare. */
const UNDECLARED = "1";

/** Puts written parameters together to a request. A placeholder of a credential gives way to a parameter of its name. */
export function composeRequest(
  frame: RequestFrame,
  parameters: readonly WrittenParameter[],
): SuggestedHttpRequest {
  const texts = new Map<string, string>();
  const query: string[] = [];
  const cookies: string[] = [];
  const headers: Record<string, string> = {};
  const form = [];
  let isMultipart = false;
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
        headers["Content-Type"] = written.contentType;
        body = written.body;
        break;
      case "fields":
        form.push(...written.fields);
        isMultipart ||= written.isMultipart;
    }
  }
  if (form.length > 0) {
    const multipart = isMultipart ? multipartForm(form) : undefined;
    headers["Content-Type"] = multipart?.contentType ?? "application/x-www-form-urlencoded";
    body = multipart?.body ?? urlencodedForm(form);
  }
  const { credentials } = frame;
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  for (const [name, value] of Object.entries(credentials.headers)) {
    if (!names.has(name.toLowerCase())) headers[name] = value;
  }
  addMissing(query, credentials.query);
  addMissing(cookies, credentials.cookies);
  if (cookies.length > 0) headers["Cookie"] = cookies.join("; ");
  const path = frame.path.replaceAll(
    /\{([^{}]*)\}/g,
    (_, name: string) => texts.get(name) ?? UNDECLARED,
  );
  const url = `${frame.server}${path}${query.length === 0 ? "" : `?${query.join("&")}`}`;
  const { method } = frame;
  return body === undefined ? { method, url, headers } : { method, url, headers, body };
}

function addMissing(pairs: string[], more: readonly string[]): void {
  const nameOf = (pair: string) => pair.slice(0, pair.indexOf("="));
  for (const pair of more) {
    if (!pairs.some((known) => nameOf(known) === nameOf(pair))) pairs.push(pair);
  }
}
