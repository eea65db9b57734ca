import type { HttpRequest, HttpResponse, Interaction } from "../../mod.ts";
import { RICH_DESCRIPTION, withResponses } from "../property/rich_description.ts";

/** The description for the traffic. */
export const VARYING_DESCRIPTION = withResponses(RICH_DESCRIPTION);

const JSON_TYPE = { "content-type": "application/json" };

/** Makes the interaction with a number; different numbers give different values. */
type Make = (n: string, number: number) => readonly [HttpRequest, HttpResponse];

const ok = (body?: string): HttpResponse => ({
  status_code: 200,
  ...(body !== undefined && { headers: JSON_TYPE, body }),
});
const get = (url: string, headers: Record<string, string> = {}): HttpRequest => ({
  ...{ method: "GET", url: `https://api.example.com/v1${url}`, headers },
});
const post = (type: string, body: string): HttpRequest => ({
  ...{ method: "POST", url: "https://api.example.com/v1/items", body },
  headers: { "content-type": type },
});

/** Kinds of interactions. In each, clients can vary something without limit. */
const KINDS: Readonly<Record<string, Make>> = {
  "values of parameters": (n, i) => [get(`/items?limit=${i}&tags=a|${n}`), ok()],
  "ids": (n) => [get(`/items/${n}`), ok(`{"id":"${n}"}`)],
  "names of undocumented parameters": (n) => [get(`/items?x${n}=1`), ok()],
  "names in brackets": (n) => [get(`/items?filter[${n}]=1&filter%5B%5D${n}=2`), ok()],
  "headers and cookies": (n) => [
    get("/items", { [`x-${n}`]: n, "x-trace": n, cookie: `${n}=1; session=${n}` }),
    ok(),
  ],
  "credentials": (n) => [get("/items", { authorization: `Bearer ${n}`, "x-key": n }), ok()],
  "texts": (n) => [post("application/json", `{"name":"text${n}","x-${n}":"${n}"}`), {
    ...ok(`{"id":1,"name":"${n}"}`),
    status_code: 201,
  }],
  "undeclared properties": (n) => [post("application/json", `{"${n}":{"${n}":[${n.length}]}}`), {
    ...ok(`{"${n}":1,"inner":{"${n}":true}}`),
    status_code: 201,
  }],
  "trees": (n, i) => [
    {
      ...post("application/json", tree(i % 8, n)),
      method: "PATCH",
      url: `https://api.example.com/v1/items/${i}`,
    },
    { status_code: i % 3 === 0 ? 404 : 204 },
  ],
  "fields of forms": (n) => [
    post("application/x-www-form-urlencoded", `ids=1+${n.length}&${n}=${n}&since=2026-01-31`),
    ok(),
  ],
  "parts": (n) => [
    post(
      `multipart/form-data; boundary=${n}`,
      `--${n}\r\nContent-Disposition: form-data; name="${n}"\r\n\r\n1\r\n--${n}--\r\n`,
    ),
    ok(),
  ],
  "media types": (n) => [post(`application/${n}+json; v=${n}`, "{}"), {
    status_code: 200,
    headers: { "content-type": `text/${n}` },
    body: n,
  }],
  "statuses": (n, i) => [get(`/items/${n}`), { status_code: 100 + i % 900 }],
  "paths": (n) => [get(`/${n}/${n}`), { status_code: 404 }],
  "base paths": (n) => [
    { method: "GET", url: `https://${n}.example/${n}/items` },
    { status_code: 404 },
  ],
  "hosts": (n) => [{ method: "GET", url: `http://${n}.example:8080/v1/items` }, ok()],
  "methods": (n) => [{ method: `M${n}`, url: "/v1/items" }, { status_code: 405 }],
  "invalid URLs": (n) => [{ method: "GET", url: `http://[${n}/items` }, ok()],
  "files": (n, i) => [get(`/items/.${i}/files/${n}.txt`), { status_code: 200 }],
  "invalid bodies": (n) => [post("application/json", `{"${n}`), {
    ...ok(`<${n}>`),
    status_code: 500,
  }],
};

/** Kinds that take a few microseconds: nine in ten interactions, so that many fit into an hour. */
const QUICK = [
  ...["names of undocumented parameters", "statuses", "hosts", "methods", "credentials"],
  ...["paths", "media types", "files"],
];
const ALL = Object.values(KINDS);
/** This many fill all that a map keeps: twice the 1,000 unmatched requests, and fewer of everything else. */
export const FILLING = 2_500 * ALL.length;
const QUICK_MAKERS = QUICK.map((name) => KINDS[name] as Make); // the names are listed above

/** The interaction with a number: reproducible and unique. Times increase. */
export function varyingInteraction(number: number, isFilling = false): Interaction {
  const n = scrambled(number);
  const round = Math.floor(number / 10);
  const make = isFilling
    ? ALL[number % ALL.length] as Make // an index below its length
    : number % 10 === 0
    ? ALL[round % ALL.length] as Make // an index below its length
    : QUICK_MAKERS[(round + number) % QUICK_MAKERS.length] as Make; // an index below its length
  const [request, response] = make(n, number);
  const timestamp = 1_700_000_000 + number / 1_000;
  return { request, response: { ...response, elapsed: number % 977 / 1_000 }, timestamp };
}

/** A text for a number that is unique for 32 bits, in scrambled order. */
export function scrambled(number: number): string {
  return (Math.imul(number, 0x9e3779b1) >>> 0).toString(36);
}

function tree(depth: number, text: string): string {
  let body = `{"value":"${text}"}`;
  for (let level = 0; level < depth; level++) body = `{"${text}":1,"children":[${body}]}`;
  return body;
}
