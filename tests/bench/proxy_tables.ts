// Measures the speed and memory of the proxy. Needs `/proc`, so it runs on Linux.
import { fileURLToPath } from "node:url";
import { print } from "../../scripts/print.ts";
import { runOrThrow } from "../../scripts/run.ts";
import { shopApi } from "../shop_api.ts";
import { freePort } from "../proxy/raw_client.ts";
import { firstMatch } from "./first_match.ts";
import { type Row, table } from "./markdown_table.ts";
import { median } from "./measured.ts";
import { keepBusy, requestBase } from "./proxy_load.ts";
import { covtoolCommand, endProcess } from "./run_command.ts";
import { type BenchRequest, count } from "./tables.ts";

const ROUNDS = 5;
const SECONDS = 3;
const BULK = 100_000_000;
const SCHEMES = ["http", "https"] as const;
const CONNECTIONS = 16;

/** Loads by name: the query, and the number of connections. */
const LOADS: Readonly<Record<string, readonly [query: string, connections: number]>> = {
  "1 KB": ["limit=7", CONNECTIONS],
  "1 KB, one connection": ["limit=7", 1],
  "100 MB": [`bytes=${BULK}`, 1],
};

const SCHEMA = { type: "integer", minimum: 1, maximum: 100 };
const DESCRIPTION = shopApi({
  "/items": {
    get: {
      parameters: [{ name: "limit", in: "query", schema: SCHEMA }],
      responses: { 200: { description: "Items" } },
    },
    post: {
      requestBody: {
        content: {
          "application/json": {
            schema: { type: "object", properties: { amount: SCHEMA, name: { minLength: 1 } } },
          },
        },
      },
      responses: { 200: { description: "Made" } },
    },
  },
});

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Starts the server for the proxies in its own process. */
async function startServer() {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", here("proxy_server.ts")],
    stdout: "piped",
  }).spawn();
  const ports = JSON.parse(await firstMatch(child.stdout, /\{.*\}/));
  const url = (scheme: "http" | "https", path = "") =>
    new URL(`${scheme}://localhost:${ports[scheme]}${path}`);
  return { url, [Symbol.dispose]: () => child.kill() };
}

/** Starts `covtool proxy`, from the sources or the given program. */
async function startCovtool({ option }: BenchRequest) {
  const folder = await Deno.makeTempDir({ prefix: "covtool-bench" });
  await Deno.writeTextFile(`${folder}/openapi.json`, JSON.stringify(DESCRIPTION));
  const [command, ...before] = covtoolCommand(option("program"));
  const child = new Deno.Command(command, {
    args: [
      ...[...before, "proxy", `${folder}/openapi.json`, "-p", "0", "--insecure"],
      ...["--export-ca", `${folder}/ca.pem`, "-o", `${folder}/coverage.html`],
    ],
    env: { XDG_DATA_HOME: folder },
    stderr: "piped",
  }).spawn();
  const port = Number(await firstMatch(child.stderr, /listens on http:\/\/[^:]+:(\d+)/));
  const end = async (): Promise<void> => {
    child.kill("SIGINT");
    await child.status;
    await Deno.remove(folder, { recursive: true });
  };
  return { pid: child.pid, port, folder, [Symbol.asyncDispose]: end };
}

/** Starts mitmdump writing HAR, from PATH or `MITMDUMP`; undefined if there is none. */
async function startMitmdump(folder: string) {
  const port = freePort();
  try {
    const child = new Deno.Command(Deno.env.get("MITMDUMP") ?? "mitmdump", {
      args: ["-q", "-p", `${port}`, "--ssl-insecure", "--set", `hardump=${folder}/mitm.har`],
    }).spawn();
    await new Promise((resolve) => setTimeout(resolve, 5000));
    return { pid: child.pid, port, [Symbol.asyncDispose]: () => endProcess(child) };
  } catch {
    print("There is no mitmdump: only covtool is measured.");
    return undefined;
  }
}

interface Speed {
  readonly perSecond: number;
  readonly median: number;
  readonly megabytes: number;
  /** Milliseconds of processor time per request of the proxy. */
  readonly cost: number;
}

const NONE: Speed = { perSecond: NaN, median: NaN, megabytes: NaN, cost: NaN };

async function load(
  proxy: { readonly pid: number; readonly port: number } | undefined,
  url: URL,
  connections: number,
): Promise<Speed> {
  const before = proxy === undefined ? 0 : processorTime(proxy.pid);
  const args = [`${proxy?.port ?? 0}`, url.href, `${SECONDS}`, `${connections}`];
  const run = ["run", "-A", here("proxy_load.ts"), ...args];
  const speed: Speed = JSON.parse(await runOrThrow(Deno.execPath(), run));
  if (proxy === undefined) return speed;
  return { ...speed, cost: (processorTime(proxy.pid) - before) / (speed.perSecond * SECONDS) };
}

/** Milliseconds of processor time that a process has used. */
function processorTime(pid: number): number {
  const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
  // Fields 14 and 15, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/**
 * The speed of the proxy compared with mitmdump, measured in turns, so that other load affects both. In brackets is the
 * ratio of processor time per request, which depends less on other load.
 */
export async function proxyTable(request: BenchRequest): Promise<string> {
  using server = await startServer();
  await using covtool = await startCovtool(request);
  // mitmdump ends first, because it writes into the folder that is removed with covtool.
  await using mitmdump = await startMitmdump(covtool.folder);
  const rows: Row[] = [];
  for (const [name, [query, connections]] of Object.entries(LOADS)) {
    for (const scheme of SCHEMES) {
      const url = server.url(scheme, `/items?${query}`);
      const rounds: Record<"direct" | "own" | "other", Speed>[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        rounds.push({
          direct: await load(undefined, url, connections),
          own: await load(covtool, url, connections),
          other: mitmdump === undefined ? NONE : await load(mitmdump, url, connections),
        });
      }
      const isBulk = query.startsWith("bytes");
      const speed = (one: Speed): number => isBulk ? one.megabytes : one.perSecond;
      const middle = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of));
      const ratio = middle(({ own, other }) => speed(own) / speed(other)).toFixed(1);
      const cost = middle(({ own, other }) => other.cost / own.cost).toFixed(1);
      rows.push([
        `${scheme}, ${name}`,
        `${middle(({ own }) => speed(own)).toFixed(0)} ${isBulk ? "MB/s" : "requests/s"}`,
        mitmdump === undefined ? "–" : middle(({ other }) => speed(other)).toFixed(0),
        mitmdump === undefined ? "–" : `${ratio} × (${cost} ×)`,
        isBulk ? "–" : `${middle(({ own, direct }) => own.median - direct.median).toFixed(2)} ms`,
      ]);
    }
  }
  return table("The proxy", ["forwarded", "covtool", "mitmdump", "ratio", "added latency"], rows);
}

/**
 * The proxy's memory after each tenth of a million interactions. Of ten requests, seven are for a documented operation,
 * two send JSON, and one goes to an undocumented path that is different each time, because lists of such requests could
 * grow.
 */
export async function memoryTable(request: BenchRequest): Promise<string> {
  const total = Number(request.option("interactions") ?? 1_000_000);
  using server = await startServer();
  const rows: Row[] = [];
  for (const scheme of SCHEMES) {
    await using covtool = await startCovtool(request);
    const url = server.url(scheme);
    const base = requestBase({ proxyPort: covtool.port, url });
    const samples: string[] = [];
    const sample = () => samples.push(`${residentMegabytes(covtool.pid).toFixed(0)} MB`);
    sample();
    let [sent, answered] = [0, 0];
    await keepBusy({
      ...{ proxyPort: covtool.port, url, connections: CONNECTIONS },
      next: () => sent < total ? requestText(sent++, base, url.host) : undefined,
      onAnswer: () => {
        if (++answered % (total / 10) === 0) sample();
      },
    });
    rows.push([scheme, ...samples]);
  }
  const head = Array.from({ length: 11 }, (_, tenth) => count(total / 10 * tenth));
  return table("Memory of the proxy", ["interactions", ...head], rows);
}

/** The raw text of the request with this number. */
function requestText(index: number, base: string, host: string): string {
  const head = (method: string, path: string): string =>
    `${method} ${base}${path} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: memory\r\n`;
  if (index % 10 === 9) return `${head("GET", `/unknown-${index}?key-${index}=1`)}\r\n`;
  if (index % 5 === 1) {
    const body = JSON.stringify({ amount: index % 150, name: `name ${index}`.repeat(20) });
    return `${head("POST", "/items")}Content-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`;
  }
  return `${head("GET", `/items?limit=${index % 150}`)}\r\n`;
}

/** Resident memory of a process in megabytes. */
function residentMegabytes(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024;
}
