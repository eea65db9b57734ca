import { readFileSync } from "node:fs";
import type { Interaction } from "../../src/http/interaction.ts";
import { PLANTED, PLANTED_IN_RESPONSES } from "./planted_secrets.ts";

/** A recording in one format, with the planted secrets that the format can contain. */
export interface PlantedRecording {
  readonly format: string;
  /** The file name. */
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Options to read it. */
  readonly options?: readonly string[];
  /** Number of requests. */
  readonly requests: number;
}

type Headers = Readonly<Record<string, string | readonly string[]>>;

/** An interaction as in most formats: with text bodies, and headers with one or several values. */
interface Plain {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  readonly answer: { readonly headers: Headers; readonly body: string };
}

const JSON_TYPE = { "Content-Type": "application/json" };
const LOGS = new URL("../fixtures/recordings/access-logs/", import.meta.url);

/** All planted requests and responses. */
export const PLANTED_INTERACTIONS: readonly Interaction[] = [
  ...PLANTED.map(({ request }) => ({ request, response: { status_code: 200 } })),
  ...PLANTED_IN_RESPONSES.map(({ response }) => ({
    request: { method: "GET", url: "http://localhost:8901/books" },
    response,
  })),
];

const PLAIN: readonly Plain[] = PLANTED_INTERACTIONS.map(({ request, response }) => ({
  method: request.method,
  url: request.url,
  headers: (request.headers ?? {}) as Headers,
  body: String(request.body ?? ""),
  answer: {
    headers: (response?.headers ?? JSON_TYPE) as Headers,
    body: String(response?.body ?? "[]"),
  },
}));

/** Targets as servers log them: a path with a query, because clients send neither fragments nor users of URLs. */
const TARGETS = PLAIN.filter(({ url, body }) =>
  body === "" && url.startsWith("http://localhost:8901/") && !/#|\/\/[^/]*@/.test(url.slice(7))
).map(({ url }) => url.slice("http://localhost:8901".length));

const pairs = (headers: Headers): [string, string][] =>
  Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value])
  );
const lists = (headers: Headers): Record<string, string[]> =>
  Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, [values].flat()]));
const single = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [name, [values].flat().join(", ")]),
  );
const contentType = (headers: Headers): string => String(headers["Content-Type"] ?? "");
const base64 = (text: string): string => btoa(text);

const TIME = "2026-11-20T22:43:36.123076+00:00";

function har(): unknown {
  const list = (headers: Headers) => pairs(headers).map(([name, value]) => ({ name, value }));
  return {
    log: {
      version: "1.2",
      creator: { name: "test", version: "1" },
      entries: PLAIN.map(({ method, url, headers, body, answer }) => ({
        startedDateTime: TIME,
        time: 3,
        request: {
          ...{ method, url, httpVersion: "HTTP/1.1", cookies: [], headers: list(headers) },
          queryString: [],
          ...(body !== "" && { postData: { mimeType: contentType(headers), text: body } }),
        },
        response: {
          ...{ status: 200, statusText: "OK", cookies: [], headers: list(answer.headers) },
          content: { size: 1, mimeType: contentType(answer.headers), text: answer.body },
        },
      })),
    },
  };
}

const postmanHeaders = (headers: Headers) => pairs(headers).map(([key, value]) => ({ key, value }));
const postmanRequest = ({ method, url, headers, body }: Plain) => ({
  ...{ method, url: { raw: url }, header: postmanHeaders(headers) },
  ...(body !== "" && { body: { mode: "raw", raw: body } }),
});

function postman(): unknown {
  const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
  const item = PLAIN.map((plain) => ({
    name: "a",
    request: postmanRequest(plain),
    response: [{
      code: 200,
      header: postmanHeaders(plain.answer.headers),
      body: plain.answer.body,
    }],
  }));
  return { info: { name: "Shop", schema }, item };
}

function newman(): unknown {
  return {
    run: {
      executions: PLAIN.map((plain) => ({
        request: postmanRequest(plain),
        response: {
          ...{ code: 200, responseTime: 3, header: postmanHeaders(plain.answer.headers) },
          stream: { type: "Buffer", data: [...new TextEncoder().encode(plain.answer.body)] },
        },
      })),
    },
  };
}

function rubyVcr(): unknown {
  const body = (text: string) => ({ encoding: "UTF-8", string: text });
  return {
    http_interactions: PLAIN.map(({ method, url, headers, body: sent, answer }) => ({
      request: {
        ...{ method: method.toLowerCase(), uri: url, body: body(sent), headers: lists(headers) },
      },
      response: {
        status: { code: 200, message: "OK" },
        ...{ headers: lists(answer.headers), body: body(answer.body) },
      },
      recorded_at: "Fri, 20 Nov 2026 22:46:20 GMT",
    })),
    recorded_with: "VCR 6.4.0",
  };
}

function vcrpy(): unknown {
  return {
    interactions: PLAIN.map(({ method, url, headers, body, answer }) => ({
      request: { method, uri: url, body: body === "" ? null : body, headers: lists(headers) },
      response: {
        status: { code: 200, message: "OK" },
        ...{ headers: lists(answer.headers), body: { string: answer.body } },
      },
    })),
    version: 1,
  };
}

function nock(): unknown {
  return PLAIN.map(({ method, url, headers, body, answer }) => {
    const [scope = ""] = /^http:\/\/[^/?#]*/.exec(url) ?? [];
    return {
      ...{ scope, method, path: url.slice(scope.length), body, status: 200 },
      ...{ response: answer.body, rawHeaders: single(answer.headers), reqheaders: single(headers) },
    };
  });
}

function schemathesis(): unknown {
  const body = (text: string) => ({ encoding: "utf-8", base64_string: base64(text) });
  return {
    ...{ command: "st run openapi.json", recorded_with: "Schemathesis 4.32.5", seed: 1 },
    http_interactions: PLAIN.map(({ method, url, headers, body: sent, answer }, index) => ({
      ...{ id: `u${index}`, status: "SUCCESS", recorded_at: TIME, checks: [] },
      request: {
        ...{ uri: url, method, headers: lists(headers) },
        ...(sent !== "" && { body: body(sent) }),
      },
      response: {
        status: { code: "200", message: "OK" },
        ...{ headers: lists(answer.headers), body: body(answer.body) },
      },
    })),
  };
}

function goreplay(): string {
  const payload = (kind: number, index: number, lines: readonly string[], body: string) =>
    `${kind} ${(0xbf546f36 + index).toString(16)}7f0000012984a82e 1795369555321697572 0\n${
      [...lines, `Content-Length: ${new TextEncoder().encode(body).length}`, "", body].join("\r\n")
    }\n🐵🙈🙉\n`;
  return PLAIN.filter(({ url }) => url.startsWith("http://localhost:8901/") && !url.includes("#"))
    .map(({ method, url, headers, body, answer }, index) =>
      payload(1, index, [
        `${method} ${url.slice("http://localhost:8901".length)} HTTP/1.1`,
        "Host: localhost:8901",
        ...pairs(headers).map(([name, value]) => `${name}: ${value}`),
      ], body) + payload(2, index, [
        "HTTP/1.1 200 OK",
        ...pairs(answer.headers).map(([name, value]) => `${name}: ${value}`),
      ], answer.body)
    ).join("");
}

/** A value as mitmproxy serializes it, in Latin-1. */
function netstring(value: unknown): string {
  const tagged = (content: string, tag: string): string => `${content.length}:${content}${tag}`;
  if (typeof value === "string") return tagged(value, ",");
  if (typeof value === "number") {
    return tagged(String(value), Number.isInteger(value) ? "#" : "^");
  }
  if (Array.isArray(value)) return tagged(value.map(netstring).join(""), "]");
  return tagged(
    Object.entries(value as object).map(([name, member]) =>
      tagged(name, ";") + (name === "type" ? tagged(String(member), ";") : netstring(member))
    ).join(""),
    "}",
  );
}

function mitmproxy(): Uint8Array {
  const text = PLAIN.filter(({ url }) => url.startsWith("http://localhost:8901"))
    .map(({ method, url, headers, body, answer }) =>
      netstring({
        response: {
          ...{ status_code: 200, timestamp_end: 1795370371.5 },
          ...{ content: answer.body, headers: pairs(answer.headers) },
        },
        request: {
          ...{ path: url.slice("http://localhost:8901".length), authority: "", scheme: "http" },
          ...{ method, port: 8901, host: "localhost", timestamp_start: 1795370371.25 },
          ...{ content: body, headers: pairs(headers), http_version: "HTTP/1.1" },
        },
        type: "http",
        version: 21,
      })
    ).join("");
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** A real or documented log, with the planted paths instead of its own. */
function log(
  name: string,
  own: string | readonly [string, string],
  options: readonly string[] = [],
): PlantedRecording {
  const text = readFileSync(new URL(name, LOGS), "utf8");
  const [path, query] = [own].flat() as [string, string?];
  const lines = text.split("\n");
  const first = lines.find((each) => each.includes(path) && each.includes(query ?? path)) ?? "";
  if (first === "") throw new TypeError(`${name} has no ${path}.`);
  const head = lines.filter((each) => each.startsWith("#"));
  const planted = TARGETS.map((target, index) => {
    // Repeated spans count once.
    const id = String(1000 + index);
    const line = first.replaceAll(/("(?:traceId|spanId|auditID)": ?")\w{4}/g, `$1${id}`);
    const written = line.startsWith("{") ? JSON.stringify(target).slice(1, -1) : target;
    if (query === undefined) return line.replaceAll(path, () => written);
    const [stem = "", search = "-"] = written.split(/\?(.*)/s);
    return line.replaceAll(query, () => search).replace(path, () => stem);
  });
  const content = [...head, ...planted, ""].join("\n");
  return { format: name, name, content, options, requests: planted.length };
}

const document = (format: string, name: string, value: unknown): PlantedRecording => ({
  ...{ format, name, content: JSON.stringify(value), requests: PLAIN.length },
});

const LOGGED = "/books?limit=5&offset=10";
const TOKEN = "token=t0ken-s3cret-99&limit=6";
const DOCUMENTED = `/books?${TOKEN}`;

/** The planted secrets in every format that covtool reads. */
export const PLANTED_RECORDINGS: readonly PlantedRecording[] = [
  document("traffic", "traffic.json", { interactions: PLANTED_INTERACTIONS }),
  {
    ...document("traffic, lines", "traffic.jsonl", null),
    content: PLANTED_INTERACTIONS.map((each) => `${JSON.stringify(each)}\n`).join(""),
  },
  document("HAR", "a.har", har()),
  document("Postman", "postman.json", postman()),
  document("Newman", "newman.json", newman()),
  document("Ruby VCR", "vcr.json", rubyVcr()),
  document("vcrpy", "vcrpy.json", vcrpy()),
  document("nock", "nock.json", nock()),
  document("Schemathesis", "cassette.json", schemathesis()),
  { format: "goreplay", name: "a.gor", content: goreplay(), requests: 1 },
  { format: "mitmproxy", name: "flows.mitm", content: mitmproxy(), requests: 1 },
  log("nginx_combined.log", LOGGED),
  log("nginx_custom.log", LOGGED, [
    "--log-format",
    '$remote_addr - $remote_user [$time_iso8601] $request_time "$request" $status $http_host',
  ]),
  log("nginx.jsonl", LOGGED),
  log("apache_combined.log", LOGGED),
  log("apache_common.log", LOGGED),
  log("apache_vhost_combined.log", LOGGED),
  log("caddy.jsonl", LOGGED),
  log("haproxy.log", LOGGED),
  log("documented_apisix.jsonl", DOCUMENTED),
  log("documented_aws_alb.log", DOCUMENTED),
  log("documented_cloudflare.jsonl", DOCUMENTED),
  log("documented_cloudfront.jsonl", ["/books", TOKEN]),
  log("documented_cloudfront.log", ["/books", TOKEN]),
  log("documented_envoy.jsonl", DOCUMENTED),
  log("documented_envoy.log", DOCUMENTED),
  log("documented_iis.log", ["/books", TOKEN]),
  log("documented_kong.jsonl", DOCUMENTED),
  log(
    "documented_kubernetes_audit.jsonl",
    "/apis/shop.example/v1/books?limit=500&token=t0ken-s3cret-99",
  ),
  log("otel_python.jsonl", DOCUMENTED),
];
