import { isHeaderText } from "../http/headers.ts";
import type { TextPart } from "../http/write_multipart.ts";
import type { OperationModel } from "../openapi/model.ts";
import { keywordValues } from "../report/build/build_description_view.ts";
import { sentenceList } from "../report/wording/amounts.ts";
import { asClause, keywordAdvice, keywordText } from "../report/wording/gap_wording.ts";
import { schemaSteps } from "../report/wording/place_name.ts";
import { SERVER_PLACEHOLDER } from "../suggest/formats/placeholder_names.ts";
import { oneLine } from "../suggest/formats/request_title.ts";
import type {
  ExpectedStatuses,
  SuggestedTest,
  TestBody,
  TestVariable,
} from "../suggest/formats/tests/test_format.ts";
import { TEST_FORMATS } from "../suggest/formats/tests/test_formats.ts";
import { requiredProperties } from "../suggest/required_properties.ts";
import type { CopiedTests, SuggestedBreach, Suggestion } from "../suggest/suggestion.ts";
import type { Json } from "../values/json.ts";
import { isJsonMediaType } from "../values/json_type.ts";
import { findMember, pointerTokens, unescapeToken } from "../values/json_pointer.ts";
import { keywordTable } from "../values/keyword_table.ts";
import type { MeasuredApi } from "./measured_api.ts";

/** The maximum length of values in a title, in characters. */
const MAX_VALUE = 40;
const MAX_NAMES = 3;

export function describeTests(
  api: MeasuredApi,
  suggestions: readonly Suggestion[],
): SuggestedTest[] {
  const plans = new Map(
    api.plan.operations.map((plan) => [`${plan.model.method} ${plan.model.path}`, plan]),
  );
  const keywordValue = keywordValues(api.plan);
  const servers = new Map<string, TestVariable>();
  const titles = new Set<string>();
  return sortByOperation(suggestions, [...plans.keys()]).map((suggestion) => {
    const { request: { method, url, headers, body }, server, path, placeholders } = suggestion;
    const plan = plans.get(`${method} ${path}`);
    const operation = plan?.model;
    const base = servers.get(server) ?? {
      name: servers.size === 0 ? "API_URL" : `API_URL_${servers.size + 1}`,
      value: server.includes(SERVER_PLACEHOLDER) ? undefined : server,
    };
    servers.set(server, base);
    const target = url.slice(server.length);
    const content = body === undefined ? undefined : testBody(body, headers["Content-Type"] ?? "");
    const group = testGroup(operation);
    const fullTitle = `${method} ${path} ${
      suggestion.breaks === null
        ? acceptanceTitle(suggestion, target, content)
        : refusalTitle(suggestion.breaks, suggestion, content, keywordValue)
    }`;
    const mediaTypes = expectedTypes(suggestion, operation);
    const title = uniqueTitle(oneLine(fullTitle), group, titles);
    return {
      title,
      group,
      method,
      base,
      target,
      headers: content !== undefined && "parts" in content
        ? Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "Content-Type"))
        : headers,
      ...(content !== undefined && { body: content }),
      placeholders: placeholders.filter((name) => name !== SERVER_PLACEHOLDER),
      statuses: expectedStatuses(suggestion),
      mediaTypes,
      required: mediaTypes.length > 0 && mediaTypes.every(isJsonMediaType)
        ? requiredProperties(suggestion, plan)
        : [],
      suggestion,
    };
  });
}

/** Writes each request as a separate test in the named format; undefined if the format is unknown. */
export function copiedTests(
  api: MeasuredApi,
  requests: readonly Suggestion[],
  name: string,
): CopiedTests | undefined {
  const format = TEST_FORMATS.find((one) => one.name === name);
  if (format === undefined) return undefined;
  const texts = new Map<Suggestion, string>();
  for (const test of describeTests(api, requests)) {
    if (format.refuses?.(test) !== true) {
      texts.set(test.suggestion, format.write([test], test.group));
    }
  }
  return { format: name, texts: requests.map((suggestion) => texts.get(suggestion)) };
}

/** Sorts by operation. Requests that delete come last, as other tests may need what they delete. */
function sortByOperation(
  suggestions: readonly Suggestion[],
  operations: readonly string[],
): Suggestion[] {
  const rank = ({ request: { method }, path, breaks }: Suggestion) =>
    operations.indexOf(`${method} ${path}`) +
    (method === "DELETE" && breaks === null ? operations.length : 0);
  return suggestions.toSorted((one, other) => rank(one) - rank(other));
}

function uniqueTitle(title: string, group: string, titles: Set<string>): string {
  let chosen = title;
  for (let number = 2; titles.has(`${group} ${chosen}`); number++) chosen = `${title} (${number})`;
  titles.add(`${group} ${chosen}`);
  return chosen;
}

/** File names are limited to 255 bytes, and a letter takes up to four. */
const LONG_SLUG = /^(.{60}).+$/u;

/** Returns part of a file name: the first tag, the first path segment without templates, or `api`. */
function testGroup(operation: OperationModel | undefined): string {
  const segments = operation?.path.split(/[/?#]/).filter((part) => !/[{}]/.test(part)) ?? [];
  const names = [operation?.tags[0] ?? "", ...segments];
  const slugs = names.map((name) =>
    name.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1-$2").toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, "-").replace(/^-/, "").replace(LONG_SLUG, "$1")
      .replace(/-$/, "")
  );
  return slugs.find((slug) => slug !== "") ?? "api";
}

/** Returns JSON if a literal of it results in the same body, or the parts of a form; otherwise text. */
function testBody(text: string, mediaType: string): TestBody {
  const parts = /^multipart\/form-data;/i.test(mediaType) ? formParts(text) : [];
  if (parts.length > 0) return { parts };
  if (!isJsonMediaType(mediaType) || text.includes('"__proto__"')) return { text };
  try {
    const json = JSON.parse(text) as Json;
    const isExact = typeof json === "object" && json !== null && JSON.stringify(json) === text;
    return isExact ? { json } : { text };
  } catch {
    return { text };
  }
}

/** Parses a form as written by suggestions; empty for a form without fields. */
function formParts(text: string): TextPart[] {
  const boundary = text.slice(0, text.indexOf("\r\n"));
  if (boundary.endsWith("--")) return [];
  return text.split(`${boundary}\r\n`).slice(1).map((part) => {
    const [head = "", ...rest] = part.split("\r\n\r\n");
    const content = rest.join("\r\n\r\n").replace(`${boundary}--\r\n`, "");
    const [, name = "", fileName] = /; name="([^"]*)"(?:; filename="([^"]*)")?/.exec(head) ?? [];
    const mediaType = /\r\nContent-Type: (.*)/.exec(head)?.[1];
    return {
      name: unescapeName(name),
      text: content.replace(/\r\n$/, ""),
      ...(fileName !== undefined && { fileName: unescapeName(fileName) }),
      ...(mediaType !== undefined && { mediaType }),
    };
  });
}

function unescapeName(name: string): string {
  return name.replaceAll(/%(?:22|0D|0A)/g, decodeURIComponent);
}

function expectedStatuses({ expects, breaks }: Suggestion): ExpectedStatuses {
  const fallback = breaks === null ? 2 : 4;
  const named = expects.filter((status) => status !== "default");
  const classes = named.filter((status) => /^\dXX$/i.test(status)).map((status) =>
    Number(status[0])
  );
  if (named.length < expects.length || named.length === 0) classes.push(fallback);
  const exact = named.map(Number).filter((status) => !classes.includes(Math.floor(status / 100)));
  return { exact: exact.filter(Number.isInteger), classes: [...new Set(classes)] };
}

function expectedTypes(
  { expects, request: { method } }: Suggestion,
  operation: OperationModel | undefined,
): readonly string[] {
  const mediaTypes = new Set<string>();
  for (const status of expects) {
    const response = operation?.responses.find((one) => one.status_code === status);
    const types = response?.mediaTypes ?? response?.produces ?? [];
    if (
      types.length === 0 || types.some((type) => type.includes("*") || !isHeaderText(type.trim()))
    ) {
      return [];
    }
    for (const type of types) mediaTypes.add(type.replace(/;.*/s, "").trim());
  }
  return method === "HEAD" ? [] : [...mediaTypes];
}

/** Returns the end of the title of a request that breaks a rule: `refuses less than 0 for price`. */
function refusalTitle(
  { location, parameter, schema_path, instance }: SuggestedBreach,
  { request, server }: Suggestion,
  body: TestBody | undefined,
  keywordValue: (schema_path: string) => unknown,
): string {
  const isBody = location === "body";
  const field = location === "header" || location === "cookie" ? `the ${location} ` : "";
  const subject = isBody ? THE_BODY : `${field}${parameter}`;
  if (instance === undefined) return `refuses a request without ${isBody ? "a body" : subject}`;
  const keyword = unescapeToken(schema_path.slice(schema_path.lastIndexOf("/") + 1));
  const facts = keywordTable.get(keyword);
  const steps = pointerTokens(instance);
  const tokens = facts?.isRest === true && steps.at(-1) === "*" ? steps.slice(0, -1) : steps;
  const place = placeText(subject, tokens);
  const value = sentValue(request.url.slice(server.length), body, location, parameter, tokens);
  const rule = keywordValue(schema_path);
  if (keyword === "required" && Array.isArray(rule)) {
    const isKnown = typeof value === "object" && value !== null;
    const missing = rule.map(String).filter((name) => findMember(value, name) === undefined);
    return `refuses ${place === THE_BODY ? "a body" : place} without ${
      sentenceList(abbreviate(missing), isKnown ? "and" : "or")
    }`;
  }
  const shown = value === undefined ? "" : JSON.stringify(value);
  const isShort = shown !== "" && shown.length <= MAX_VALUE;
  const clause = asClause(keywordAdvice(keyword, keywordText(rule) ?? null, "invalid"))
    .replace(/^send /, "");
  if (isShort && (facts?.kind !== "assertion" || clause.length > 2 * MAX_VALUE)) {
    return `refuses ${shown} for ${place}`;
  }
  const countsParts = /\b(?:characters?|items?|propert(?:y|ies)|twice)$/.test(clause);
  return `refuses ${clause} ${countsParts ? "in" : "for"} ${place}`;
}

/** Returns a place such as `authors[0].born`. A value with an undeclared name is "a property of" its object. */
function placeText(root: string, tokens: readonly string[]): string {
  const undeclared = tokens.indexOf("*");
  const steps = (undeclared < 0 ? tokens : tokens.slice(0, undeclared))
    .map((token) => /^\d+$/.test(token) ? `[${token}]` : `.${token}`).join("");
  const place = root !== THE_BODY ? root + steps : steps.replace(/^\./, "") || root;
  return undeclared < 0 ? place : `a property of ${place}`;
}

const THE_BODY = "the body";

function sentValue(
  target: string,
  body: TestBody | undefined,
  location: string,
  parameter: string,
  tokens: readonly string[],
): unknown {
  if (location === "query" && tokens.length === 0) {
    const values = new URLSearchParams(target.replace(/^[^?]*/, "")).getAll(parameter);
    return values.length === 1 ? values[0] : undefined;
  }
  if (location !== "body" || body === undefined) return undefined;
  const value = "json" in body
    ? body.json
    : "parts" in body
    ? Object.fromEntries(body.parts.map(({ name, text }) => [name, text]))
    : /^(?:[^\s=&]+=[^\s=&]*(?:&|$))+$/.test(body.text)
    ? Object.fromEntries(new URLSearchParams(body.text))
    : undefined;
  return tokens.reduce<unknown>(findMember, value);
}

/** Returns the end of the title of a valid request: `accepts limit=10`. */
function acceptanceTitle(
  { closes, expects, request: { headers } }: Suggestion,
  target: string,
  body: TestBody | undefined,
): string {
  const names = new Set<string>();
  const properties = new Set<string>();
  const omitted = new Set<string>();
  const query = new URLSearchParams(target.replace(/^[^?]*/, ""));
  for (const gap of closes) {
    if (!("parameter" in gap)) continue;
    const { location, parameter } = gap;
    if ("class" in gap && (gap.class === "absent" || gap.class === "default_left_out")) {
      omitted.add(gap.class === "absent" ? lastProperty(gap.schema_path) ?? parameter : parameter);
    } else if (location === "query") {
      const value = query.get(parameter);
      names.add(value === null || value.length > MAX_VALUE ? parameter : `${parameter}=${value}`);
    } else if (location === "header" || location === "cookie") {
      names.add(`the ${location} ${parameter}`);
    } else if (location === "form_data") properties.add(parameter);
    else if (location === "body" && "schema_path" in gap) {
      const name = lastProperty(gap.schema_path);
      if (name !== undefined) properties.add(name);
    }
  }
  const allMembers = body === undefined || !("json" in body) ? [] : bodyMembers(body.json, []);
  const members = allMembers.filter(({ name }) => properties.has(name));
  if (names.size + members.length === 0 && omitted.size > 0) {
    return `accepts a request without ${sentenceList(abbreviate([...omitted]), "or")}`;
  }
  const parts = [
    ...abbreviate([...names]),
    ...body === undefined
      ? []
      : "json" in body
      ? describeBody(body.json, members, names.size === 0)
      : properties.size > 0
      ? [`a body with ${sentenceList(abbreviate([...properties]))}`]
      : names.size > 0
      ? []
      : [`a body of ${headers["Content-Type"]?.replace(/;.*/s, "")}`],
  ];
  if (parts.length > 0) return `accepts ${sentenceList(parts)}`;
  const [status = "default", ...more] = expects;
  return more.length === 0 && status !== "default" ? `answers with ${status}` : "succeeds";
}

function abbreviate(names: readonly string[]): string[] {
  return names.length <= MAX_NAMES
    ? [...names]
    : [...names.slice(0, MAX_NAMES - 1), `${names.length - MAX_NAMES + 1} more`];
}

function lastProperty(schemaPath: string): string | undefined {
  const steps = schemaSteps(pointerTokens(schemaPath.slice(schemaPath.indexOf("/"))));
  return steps.findLast((step) => /^\.[^*/]/.test(step))?.slice(1);
}

interface BodyMember {
  readonly name: string;
  /** The path from the root of the body: `format.pages`. */
  readonly place: string;
  readonly value: Json;
}

/** Returns properties at any depth, only the first with each name. */
function bodyMembers(value: Json, tokens: readonly string[]): BodyMember[] {
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value).map(([name, value]) => ({
    name,
    tokens: [...tokens, name],
    value: value as Json,
  }));
  const members = Array.isArray(value) ? [] : entries.map(({ name, tokens, value }) => ({
    name,
    place: placeText(THE_BODY, tokens),
    value,
  }));
  const flat = [...members, ...entries.flatMap(({ value, tokens }) => bodyMembers(value, tokens))];
  return [...new Map(flat.toReversed().map((member) => [member.name, member])).values()]
    .reverse();
}

function describeBody(body: Json, members: readonly BodyMember[], isOnlyPart: boolean): string[] {
  const [first, ...more] = members;
  if (first === undefined) {
    const text = JSON.stringify(body);
    if (text.length <= MAX_VALUE) return [text];
    const names = Array.isArray(body) ? ["several items"] : abbreviate(Object.keys(body as object));
    return isOnlyPart ? [`a body with ${sentenceList(names)}`] : [];
  }
  const value = JSON.stringify(first.value);
  const isSame = more.every((member) => JSON.stringify(member.value) === value);
  return isSame && value.length <= MAX_VALUE
    ? [`${value} for ${sentenceList(abbreviate(members.map(({ place }) => place)))}`]
    : [`a body with ${sentenceList(abbreviate(members.map(({ place }) => place)))}`];
}
