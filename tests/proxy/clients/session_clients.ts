import { runOrThrow } from "../../../scripts/run.ts";
import { WITH_DEV_CONFIG } from "../../../scripts/source_files.ts";
import { createHash, X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { needsPython, PYTHON } from "../../recorders/python_project.ts";
import { CHROMIUM, commandWorks, NEEDS_CHROMIUM, type Requirement } from "../../requirement.ts";
import { fetchSession } from "./fetch_session.ts";
import type { SessionAnswer, SessionRequest } from "./session_requests.ts";

/** Where and how a client sends the session. */
export interface ClientRun {
  /** `http://localhost:1234` or `https://localhost:1235`. */
  readonly base: string;
  readonly requests: readonly SessionRequest[];
  /** A file with the requests. */
  readonly requestsFile: string;
  /** A folder for what clients write. */
  readonly folder: string;
  /** Proxy and certificates, for clients that read them from variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** The proxy's URL, for clients that don't read variables; undefined without a proxy. */
  readonly proxy: string | undefined;
  /** Certificates of the authorities of the servers and the proxy, for clients that don't read variables. */
  readonly authorities: readonly string[];
}

/** A client that sends the session. */
export interface SessionClient {
  readonly name: string;
  readonly requirement: Requirement;
  /** Both, except for clients of HTTP/2, which need TLS. */
  readonly schemes: readonly ("http" | "https")[];
  /** Number of requests that the client sends in addition. */
  readonly more?: number;
  run(run: ClientRun): Promise<SessionAnswer[]>;
  /** Ends what the client's runs share. */
  close?(): Promise<void>;
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

async function json(
  command: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<SessionAnswer[]> {
  return JSON.parse(await runOrThrow(command, args, { env: variables }));
}

/** Calls curl once per request. */
async function curl(version: string, run: ClientRun): Promise<SessionAnswer[]> {
  const answers: SessionAnswer[] = [];
  for (const { method, path, headers, body } of run.requests) {
    const files = { head: `${run.folder}/curl-head`, body: `${run.folder}/curl-body` };
    const args = ["-sSL", version, "--max-time", "60", "-D", files.head, "-o", files.body];
    args.push("-w", "%{http_version}");
    if (method === "HEAD") args.push("--head");
    else args.push("-X", method);
    for (const [name, value] of Object.entries(headers ?? {})) args.push("-H", `${name}: ${value}`);
    if (body !== undefined) {
      const sent = `${run.folder}/curl-sent`;
      await Deno.writeFile(sent, Uint8Array.from(atob(body), (unit) => unit.charCodeAt(0)));
      args.push("--data-binary", `@${sent}`);
    }
    await Deno.writeFile(files.body, new Uint8Array());
    const used = await runOrThrow("curl", [...args, run.base + path], { env: run.variables });
    const heads = new TextDecoder("latin1").decode(await Deno.readFile(files.head));
    // Proxies, redirects and 100 Continue have their own heads before the last one.
    const [line = "", ...fields] = heads.trimEnd().split("\r\n\r\n").at(-1)?.split("\r\n") ?? [];
    const bytes = await Deno.readFile(files.body);
    answers.push({
      version: used,
      status: Number(line.split(" ")[1]),
      headers: fields.map((field) => {
        const colon = field.indexOf(":");
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const;
      }),
      length: method === "HEAD" ? 0 : bytes.length,
      sha: createHash("sha256").update(method === "HEAD" ? new Uint8Array() : bytes).digest("hex"),
    });
  }
  return answers;
}

async function nodeFetch(version: string, run: ClientRun): Promise<SessionAnswer[]> {
  const program = `${run.folder}/node_client.mjs`;
  if (!existsSync(program)) {
    const bundle = ["bundle", ...WITH_DEV_CONFIG, "--quiet", "--platform", "deno"];
    await runOrThrow(Deno.execPath(), [...bundle, "--output", program, here("node_client.ts")]);
  }
  return await json("node", [program, version, run.base, run.requestsFile], run.variables);
}

/** The browser of a client's runs with its contexts with and without a proxy, because starting them takes a second. */
let launched: Browser | undefined;
const profiles = new Map<string | undefined, BrowserContext>();

async function closeBrowser(): Promise<void> {
  profiles.clear();
  await launched?.close();
  launched = undefined;
}

/** Calls `fetch` in a page of the server. */
async function browser(version: string, run: ClientRun): Promise<SessionAnswer[]> {
  const trusted = run.authorities.map((authority) => {
    const key = new X509Certificate(authority).publicKey.export({ type: "spki", format: "der" });
    return createHash("sha256").update(key).digest("base64");
  });
  launched ??= await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      `--ignore-certificate-errors-spki-list=${trusted}`,
      ...(version === "h1" ? ["--disable-http2"] : []),
    ],
  });
  const profile = profiles.get(run.proxy) ?? await launched.newContext({
    // Otherwise, requests to localhost bypass proxies.
    ...(run.proxy !== undefined && { proxy: { server: run.proxy, bypass: "<-loopback>" } }),
  });
  profiles.set(run.proxy, profile);
  const page = profile.pages()[0] ?? await profile.newPage();
  await page.goto(`${run.base}/page`);
  const call = `(${fetchSession})("", ${JSON.stringify(run.requests)})`;
  const answers = await page.evaluate(call) as SessionAnswer[];
  const used = "performance.getEntriesByType('navigation')[0].nextHopProtocol";
  const first = { ...answers[0], version: await page.evaluate(used) } as SessionAnswer;
  return [first, ...answers.slice(1)];
}

function python(library: string, run: ClientRun): Promise<SessionAnswer[]> {
  const args = [here("python_client.py"), library, run.base, run.requestsFile];
  return json(PYTHON, args, run.variables);
}

function denoFetch(version: string, run: ClientRun): Promise<SessionAnswer[]> {
  const environment = { ...run.variables, DENO_NO_UPDATE_CHECK: "1" };
  const args = ["run", "-A", here("deno_client.ts"), version, run.base, run.requestsFile];
  return json(Deno.execPath(), args, environment);
}

/** A client with HTTP/1.1 and, over TLS, HTTP/2. */
function inBothVersions(
  name: string,
  requirement: Requirement,
  send: (version: "h1" | "h2", run: ClientRun) => Promise<SessionAnswer[]>,
  own: Pick<SessionClient, "more" | "close"> = {},
): SessionClient[] {
  const facts = { requirement, ...own };
  return [
    {
      ...facts,
      name: `${name} over HTTP/1.1`,
      schemes: ["http", "https"],
      run: (run) => send("h1", run),
    },
    { ...facts, name: `${name} over HTTP/2`, schemes: ["https"], run: (run) => send("h2", run) },
  ];
}

/** Clients that people test with; those that aren't installed are skipped. */
export const SESSION_CLIENTS: readonly SessionClient[] = [
  ...inBothVersions("curl", {
    isMet: await commandWorks("curl", ["--http2", "--version"]),
    reason: "no curl with HTTP/2; install it",
  }, (version, run) => curl(version === "h1" ? "--http1.1" : "--http2", run)),
  {
    name: "Python requests",
    requirement: needsPython("requests"),
    schemes: ["http", "https"],
    run: (run) => python("requests", run),
  },
  ...inBothVersions(
    "Python httpx",
    needsPython("httpx, h2"),
    (version, run) => python(version === "h1" ? "httpx" : "httpx2", run),
  ),
  ...inBothVersions("fetch of Node.js", {
    isMet: await commandWorks("node", ["--version"]),
    reason: "no Node.js; install it",
  }, nodeFetch),
  ...inBothVersions("fetch of Deno", { isMet: true, reason: "" }, denoFetch),
  ...inBothVersions("Chromium", NEEDS_CHROMIUM, browser, { more: 1, close: closeBrowser }),
];
