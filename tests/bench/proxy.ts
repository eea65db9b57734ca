/**
 * How fast the proxy is beside mitmdump writing HAR, taken in turns in one run, since machines differ and other work
 * disturbs both alike. On Linux it also says what a request costs each in processor time, which depends less on what
 * else runs.
 *
 *     deno run -A tests/bench/proxy.ts                         covtool from source
 *     deno run -A tests/bench/proxy.ts dist/covtool            the program
 *
 * MITMDUMP names mitmdump where it is not on the path; without one only covtool is measured.
 *
 * @module
 */
import { print } from "../../scripts/print.ts";
import { firstMatch } from "./first_match.ts";
import { median } from "./measured.ts";
import { freePort } from "../proxy/raw_client.ts";
import { apiOf } from "../api_of.ts";

const ROUNDS = 5;
const SECONDS = 3;
const BULK = 100_000_000;

interface Load {
  readonly perSecond: number;
  readonly median: number | null;
  readonly megabytes: number;
  readonly errors: number;
  /** Milliseconds of processor time that a request cost the proxy. */
  readonly cost?: number;
}

const here = (name: string): string => decodeURIComponent(new URL(name, import.meta.url).pathname);

async function load(port: number, url: string, connections: number): Promise<Load> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", here("proxy_load.ts"), String(port), url, `${SECONDS}`, `${connections}`],
    stderr: "inherit",
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Milliseconds of processor time that a process has used; undefined where the system does not tell. */
function processorTime(pid: number | undefined): number {
  try {
    const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
    // Fields 14 and 15, in hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

async function measured(pid: number | undefined, run: () => Promise<Load>): Promise<Load> {
  const before = processorTime(pid);
  const result = await run();
  return { ...result, cost: (processorTime(pid) - before) / (result.perSecond * SECONDS) };
}

const folder = await Deno.makeTempDir({ prefix: "covtool-bench" });
await Deno.writeTextFile(
  `${folder}/openapi.json`,
  JSON.stringify(apiOf({
    "/items": {
      get: {
        parameters: [{
          name: "limit",
          in: "query",
          schema: { type: "integer", minimum: 1, maximum: 100 },
        }],
        responses: { 200: { description: "Items" } },
      },
    },
  })),
);
const server = new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", here("proxy_server.ts")],
  stdout: "piped",
}).spawn();
const ports = JSON.parse(await firstMatch(server.stdout, /\{.*\}/));

const [program] = Deno.args;
const options = [
  "proxy",
  `${folder}/openapi.json`,
  "-p",
  "0",
  "--insecure",
  "--export-ca",
  `${folder}/ca.pem`,
  "-o",
  `${folder}/coverage.html`,
];
const covtool = new Deno.Command(program ?? Deno.execPath(), {
  args: program === undefined ? ["run", "-A", here("../../cli.ts"), ...options] : options,
  env: { XDG_DATA_HOME: folder },
  stderr: "piped",
}).spawn();
const covtoolPort = Number(await firstMatch(covtool.stderr, /listens on http:\/\/[^:]+:(\d+)/));

const mitmPort = freePort();
let mitmdump: Deno.ChildProcess | undefined;
try {
  mitmdump = new Deno.Command(Deno.env.get("MITMDUMP") ?? "mitmdump", {
    args: ["-q", "-p", `${mitmPort}`, "--ssl-insecure", "--set", `hardump=${folder}/mitm.har`],
  }).spawn();
  await new Promise((resolve) => setTimeout(resolve, 5000));
} catch {
  print("There is no mitmdump: only covtool is measured.");
}

for (
  const [name, path, connections] of [["1 KB", "limit=7", 16], [
    "1 KB, one connection",
    "limit=7",
    1,
  ], ["100 MB", `bytes=${BULK}`, 1]] as const
) {
  for (const scheme of ["http", "https"]) {
    const port = scheme === "http" ? ports.plain : ports.secure;
    const url = `${scheme}://localhost:${port}/items?${path}`;
    const results: { direct: Load; own: Load; other: Load | undefined }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      results.push({
        direct: await load(0, url, connections),
        own: await measured(covtool.pid, () => load(covtoolPort, url, connections)),
        other: mitmdump === undefined
          ? undefined
          : await measured(mitmdump.pid, () => load(mitmPort, url, connections)),
      });
    }
    const isBulk = path.startsWith("bytes");
    const speed = (one: Load | undefined): number =>
      (isBulk ? one?.megabytes : one?.perSecond) ?? Number.NaN;
    const unit = isBulk ? "MB/s" : "requests/s";
    const own = median(results.map((result) => speed(result.own)));
    const other = median(results.map((result) => speed(result.other)));
    const ratio = median(results.map((result) => speed(result.own) / speed(result.other)));
    const cost = median(
      results.map((result) => (result.other?.cost ?? Number.NaN) / (result.own.cost ?? Number.NaN)),
    );
    const added = median(
      results.map(({ own, direct }) => (own.median ?? 0) - (direct.median ?? 0)),
    );
    print(
      `${scheme}, ${name}: ${own.toFixed(0)} ${unit}, mitmdump ${other.toFixed(0)}, ratio ${
        ratio.toFixed(1)
      } (processor time ${cost.toFixed(1)})${
        isBulk ? "" : `, added latency ${added.toFixed(2)} ms`
      }`,
    );
  }
}

covtool.kill("SIGINT");
server.kill();
mitmdump?.kill();
await covtool.status;
await mitmdump?.status;
await Deno.remove(folder, { recursive: true }).catch(() => {});
Deno.exit(0);
