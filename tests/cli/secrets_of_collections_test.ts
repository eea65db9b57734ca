import assert from "node:assert/strict";
import { main } from "../../src/cli/main.ts";
import { REPORT_FORMATS } from "../../src/report/reporters.ts";
import { SUGGESTION_FORMATS } from "../../src/suggest/formats/suggestion_formats.ts";
import { OPEN_DESCRIPTION } from "../redact/planted_secrets.ts";
import { type Ended, fakeHost } from "./fake_host.ts";
import { inFolder, writeJson } from "../in_folder.ts";

/** Every authorization that Postman has, each with what it keeps; all that is secret begins with `planted`. */
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

const ENVIRONMENT = {
  name: "shop",
  _postman_variable_scope: "environment",
  values: [
    { key: "door", value: "planted-door-30", type: "secret", enabled: true },
    { key: "word", value: "planted-word-31", type: "secret", enabled: true },
    { key: "page", value: "7", type: "default", enabled: true },
  ],
};

function authOf(name: string, given: Readonly<Record<string, string>>): unknown {
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
  auth: authOf("bearer", { token: "planted-whole-26" }),
  variable: [{ key: "apiSecret", value: "planted-variable-27" }],
  item: [
    ...Object.entries(AUTHS).map(([name, given]) => ({
      name,
      request: requestTo("/books", { auth: authOf(name, given) }),
    })),
    {
      name: "a folder",
      auth: authOf("apikey", { key: "X-Folder", value: "planted-folder-28" }),
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

async function run(args: readonly string[]): Promise<Ended> {
  const host = fakeHost({ variables: { COLUMNS: "1000" } });
  const code = await main(args, host);
  assert.equal(code, 0, `${args.join(" ")}\n${host.err()}`);
  return { code, out: host.out(), err: host.err() };
}

/** Everything secret that can be read in a text, in Base64 and with the escapes of URLs too. */
function plantedIn(text: string): string[] {
  const decoded = [...text.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g)].map(([found]) => {
    try {
      return atob(found);
    } catch {
      return "";
    }
  });
  return [...new Set([text, ...decoded].join("\n").match(/planted-[\w-]+/g) ?? [])].sort();
}

async function withCollection(
  test: (folder: string, inputs: readonly string[]) => Promise<void>,
): Promise<void> {
  await inFolder(
    { "openapi.json": OPEN_DESCRIPTION, "shop.json": COLLECTION, "env.json": ENVIRONMENT },
    (folder) => test(folder, [`${folder}/shop.json`, "--env", `${folder}/env.json`]),
  );
}

Deno.test("what a Postman collection calls an authorization or a secret is in no converted traffic", () =>
  withCollection(async (_folder, inputs) => {
    const { out, err } = await run(["convert", ...inputs]);
    assert.deepEqual(plantedIn(out + err), []);
    const kept = await run(["convert", ...inputs, "--no-redact"]);
    assert.ok(plantedIn(kept.out).length > 8, plantedIn(kept.out).join());
  }));

/** What Newman exports of a run: everything is put in, and the authorization is told beside the request. */
const NEWMAN = {
  run: {
    executions: [{
      request: {
        ...requestTo("/books?q=1"),
        url: { protocol: "http", host: ["localhost"], port: "8901", path: ["books"], query: [] },
        header: [{ key: "X-Door", value: "planted-newman-40" }],
        auth: authOf("apikey", { key: "X-Door", value: "planted-newman-40" }),
      },
      response: { code: 200, header: [], body: "" },
    }],
  },
};

Deno.test("the key that a request of Newman was authorized with is in no converted traffic", () =>
  withCollection(async (folder) => {
    await writeJson(`${folder}/newman.json`, NEWMAN);
    const { out, err } = await run(["convert", `${folder}/newman.json`]);
    assert.deepEqual(plantedIn(out + err), []);
    const kept = await run(["convert", `${folder}/newman.json`, "--no-redact"]);
    assert.deepEqual(plantedIn(kept.out), ["planted-newman-40"]);
  }));

Deno.test("it is in no report, suggestion, comparison or sum either", () =>
  withCollection(async (folder, inputs) => {
    const schema = `${folder}/openapi.json`;
    const files = REPORT_FORMATS.map((format) => `${folder}/out.${format}`);
    const formats = REPORT_FORMATS.flatMap((
      format,
    ) => ["--format", `${format}=${folder}/out.${format}`]);
    const texts: string[] = [];
    const said = async (args: readonly string[]): Promise<void> => {
      const { out, err } = await run(args);
      texts.push(out, err);
    };
    await said(["report", schema, ...inputs, ...formats]);
    texts.push(...files.map((file) => Deno.readTextFileSync(file)));
    await said([
      "merge",
      schema,
      `${folder}/out.hits`,
      "--format",
      "json",
      "--format",
      `hits=${folder}/sum.hits`,
    ]);
    texts.push(Deno.readTextFileSync(`${folder}/sum.hits`));
    for (const { name } of SUGGESTION_FORMATS) {
      await said([
        "suggest",
        schema,
        ...inputs,
        "--server",
        "http://localhost:8901",
        "--format",
        name,
      ]);
    }
    for (const format of ["html", "json", "text", "markdown"]) {
      const [path = "", ...env] = inputs;
      const output = `${folder}/compared.${format}`;
      await said([
        "compare",
        schema,
        "--tests",
        path,
        "--production",
        path,
        ...env,
        "--format",
        format,
        "-o",
        output,
      ]);
      texts.push(Deno.readTextFileSync(output));
    }
    assert.deepEqual(plantedIn(texts.join("\n")), []);
  }));
