import type { PlantedRecording } from "./planted_recordings.ts";

/** Every authorization type of Postman with its values; the secret ones begin with `planted`. */
const AUTHS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  basic: { username: "ann", password: "planted-basic-1" },
  bearer: { token: "planted-bearer-2" },
  apikey: { key: "X-Shop", value: "planted-apikey-3", in: "header" },
  "apikey in the query": { key: "shop", value: "planted-apikey-4", in: "query" },
  "apikey in a variable": { key: "X-Door", value: "{{door}}" },
  oauth2: { accessToken: "planted-oauth2-5", clientSecret: "planted-oauth2-6" },
  "oauth2 in the query": { accessToken: "planted-oauth2-7", addTokenTo: "queryParams" },
  "oauth2 with a prefix": { accessToken: "planted-oauth2-8", headerPrefix: "Shop" },
  "oauth2 without a prefix": { accessToken: "planted-oauth2-9", headerPrefix: "" },
  oauth1: {
    consumerSecret: "planted-oauth1-10",
    token: "planted-oauth1-11",
    tokenSecret: "planted-12",
  },
  digest: { username: "ann", password: "planted-digest-13", opaque: "planted-digest-14" },
  hawk: { authId: "a", authKey: "planted-hawk-15" },
  awsv4: { accessKey: "planted-aws-16", secretKey: "planted-aws-17", sessionToken: "planted-18" },
  ntlm: { username: "ann", password: "planted-ntlm-19" },
  edgegrid: {
    accessToken: "planted-edge-20",
    clientToken: "planted-edge-21",
    clientSecret: "planted-22",
  },
  jwt: { secret: "planted-jwt-23", privateKey: "planted-jwt-24" },
  asap: { privateKey: "planted-asap-25" },
};

/** The collection's environment: `--env env.json`. */
export const ENVIRONMENT = {
  name: "shop",
  _postman_variable_scope: "environment",
  values: [
    { key: "door", value: "planted-door-30", type: "secret", enabled: true },
    { key: "word", value: "planted-word-31", type: "secret", enabled: true },
    { key: "page", value: "7", type: "default", enabled: true },
  ],
};

function makeAuth(name: string, given: Readonly<Record<string, string>>): unknown {
  const type = name.split(" ", 1)[0] ?? "";
  return { type, [type]: Object.entries(given).map(([key, value]) => ({ key, value })) };
}

const requestTo = (url: string, more: Readonly<Record<string, unknown>> = {}) => ({
  method: "GET",
  url: `http://localhost:8901${url}`,
  header: [{ key: "Accept", value: "*/*" }],
  ...more,
});

const COLLECTION = {
  info: {
    name: "Shop",
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  },
  auth: makeAuth("bearer", { token: "planted-whole-26" }),
  variable: [{ key: "apiSecret", value: "planted-variable-27" }],
  item: [
    ...Object.entries(AUTHS).map(([name, given]) => ({
      name,
      request: requestTo("/books", { auth: makeAuth(name, given) }),
    })),
    {
      name: "a folder",
      auth: makeAuth("apikey", { key: "X-Folder", value: "planted-folder-28" }),
      item: [{ name: "in it", request: requestTo("/books?page={{page}}") }],
    },
    { name: "whole", request: requestTo("/books?q=1") },
    {
      name: "variables",
      request: requestTo("/orders?key={{apiSecret}}", {
        method: "POST",
        header: [{ key: "Content-Type", value: "application/json" }, {
          key: "X-Note",
          value: "{{word}}",
        }],
        body: { mode: "raw", raw: '{"note":"{{word}}","more":"say {{word}} at the {{door}}"}' },
      }),
    },
    {
      name: "answered",
      request: requestTo("/books?q={{word}}"),
      response: [{
        code: 200,
        header: [{ key: "Content-Type", value: "application/json" }, {
          key: "X-Seen",
          value: "{{no}}",
        }],
        body: '{"seen":"planted-word-31","at":"/x?d=planted-door-30"}',
      }],
    },
    {
      name: "parts",
      request: requestTo("/orders", {
        method: "POST",
        body: { mode: "formdata", formdata: [{ key: "note", value: "by {{word}}", type: "text" }] },
      }),
    },
    { name: "unmatched", request: requestTo("/nowhere/{{word}}/{{missing}}") },
  ],
};

/** Newman's export of a run: variables are filled in, and the authorization is beside the request. */
const NEWMAN = {
  run: {
    executions: [{
      request: {
        ...requestTo("/books?q=1"),
        url: { protocol: "http", host: ["localhost"], port: "8901", path: ["books"], query: [] },
        header: [{ key: "X-Door", value: "planted-newman-40" }],
        auth: makeAuth("apikey", { key: "X-Door", value: "planted-newman-40" }),
      },
      response: { code: 200, header: [], body: "" },
    }],
  },
};

/** Postman recordings with environments, where the place shows what is secret. */
export const PLANTED_COLLECTIONS: readonly PlantedRecording[] = [
  {
    format: "authorizations and variables of Postman",
    name: "shop.json",
    content: JSON.stringify(COLLECTION),
    options: ["--env", "env.json"],
    requests: COLLECTION.item.length,
  },
  {
    format: "an authorization of Newman",
    name: "newman.json",
    content: JSON.stringify(NEWMAN),
    requests: 1,
  },
];
