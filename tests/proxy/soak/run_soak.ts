import { median } from "../../bench/measured.ts";
import { readErr } from "../../cli/running_command.ts";
import { randomFrom } from "../../corpus/random.ts";
import { COVTOOL_MODULE } from "../../covtool_module.ts";
import { type Balance, balance } from "./ledger.ts";
import { SCENARIOS } from "./scenarios.ts";
import { CLOSING_MODES, Sights, STEADY_MODES } from "./sights.ts";
import { pause } from "../raw_client.ts";
import { type SoakContext, soon } from "./soak_context.ts";
import { type SoakServers, startSoakServers } from "./soak_servers.ts";
import { writeJson } from "../../in_folder.ts";
import { shopApi } from "../../shop_api.ts";

/** Options of a soak test. */
export interface SoakOptions {
  readonly requests: number;
  readonly seed: string;
  /** Minimum duration. */
  readonly minutes?: number;
  /** The built program, or a module such as the program's bundle; by default the sources. */
  readonly program?: string | undefined;
  /** Number of parallel connections. */
  readonly connections?: number;
  /** Runs only scenarios with this name. */
  readonly only?: string | undefined;
  /** Compares memory and descriptors in the first and last quarter after a warm-up; not possible for programs. */
  readonly isMeasured?: boolean;
  /** Called regularly with a progress line. */
  readonly onProgress?: (line: string) => void;
}

/** Resources of a Linux process at a moment. */
export interface ProcessState {
  readonly megabytes: number;
  /** Open file descriptors. */
  readonly descriptors: number;
}

/** Result of a soak test. */
export interface SoakResult {
  readonly balance: Balance;
  readonly problems: readonly string[];
  readonly seconds: number;
  /** Medians of the first and last quarter after the warm-up. */
  readonly first: ProcessState;
  readonly last: ProcessState;
  /** Descriptors before the first client and after the last. */
  readonly before: ProcessState;
  readonly after: ProcessState;
  readonly stderr: string;
}

/** Memory may grow by an eighth and 24 MB, and descriptors by an eighth and 32. */
const GROWTH = { share: 1.125, megabytes: 24, descriptors: 32 };
/** Megabytes for JavaScript if memory is measured. */
const HEAP = 160;
/** Share of the requests before memory and descriptors are measured. */
const WARM_UP = 0.2;
/** Seconds for the proxy to close connections after its clients are gone; it keeps idle ones for up to 75. */
const CLOSES = 90;

/** True for a module, which Deno runs; false for a program. */
export function isModule(path: string): boolean {
  return /\.[jt]s$/.test(path);
}

/** Runs the proxy in its own process between faulty clients and servers, and compares their records. */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const sights = new Sights();
  await using servers = await startSoakServers(sights);
  const folder = await Deno.makeTempDir({ prefix: "covtool-soak" });
  try {
    return await soak(options, sights, servers, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function soak(
  options: SoakOptions,
  sights: Sights,
  servers: SoakServers,
  folder: string,
): Promise<SoakResult> {
  const proxy = await startProxyProcess(options, folder);
  const { pid } = proxy.child;
  const idle = openConnections(pid);
  const before = processState(pid);
  const samples: { readonly at: number; readonly state: ProcessState }[] = [];
  const started = performance.now();
  const timer = setInterval(() => {
    try {
      samples.push({ at: performance.now(), state: processState(pid) });
    } catch {
      sights.fail("The proxy has ended.");
      clearInterval(timer);
    }
  }, 1000);
  await driveClients(options, sights, servers, proxy, started, () => samples.at(-1)?.state);
  clearInterval(timer);
  const seconds = (performance.now() - started) / 1000;
  let open = 0;
  for (let left = CLOSES * 4; left > 0; left--) {
    open = openConnections(pid);
    if (open <= idle && servers.connections === 0) break;
    await pause(250);
  }
  if (open > idle) sights.fail(`${open - idle} connections of the proxy are still open.`);
  if (servers.connections > 0) sights.fail(`${servers.connections} connections to servers stay.`);
  const after = processState(pid);
  proxy.child.kill("SIGINT");
  const code = await soon(proxy.ended(), { sights }, "the proxy's end");
  const stderr = proxy.err();
  if (code !== 0) sights.fail(`The proxy exited with ${code}.`);
  if (/^\s+at .*:\d+|panicked|uncaught|covtool itself failed/mi.test(stderr)) {
    sights.fail(`The proxy says: ${stderr.slice(0, 2000)}`);
  }
  const [first, last] = quarters(
    samples.filter(({ at }) => at > started + seconds * WARM_UP * 1000),
  );
  if (options.isMeasured === true) checkGrowth(sights, first, last);
  const report = JSON.parse(await Deno.readTextFile(`${folder}/report.json`));
  const result = await balance(sights, readLines(`${folder}/traffic.jsonl`), report);
  const { problems } = sights;
  return { balance: result, problems, seconds, first, last, before, after, stderr };
}

/** Reads the lines of a file that may be longer than a string. */
async function* readLines(path: string): AsyncGenerator<string> {
  const file = await Deno.open(path);
  let rest = "";
  for await (const text of file.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** Runs scenarios in parallel until there were enough requests. */
async function driveClients(
  options: SoakOptions,
  sights: Sights,
  servers: SoakServers,
  proxy: ProxyProcess,
  started: number,
  state: () => ProcessState | undefined,
): Promise<void> {
  const { requests, seed, minutes = 0, connections = 32, onProgress } = options;
  const all = SCENARIOS.filter(({ name }) => options.only === undefined || name === options.only);
  if (all.length === 0) {
    const names = SCENARIOS.map(({ name }) => name).join(", ");
    throw new RangeError(`There are no clients named "${options.only}". There are: ${names}.`);
  }
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  let scenarios = 0;
  let told = 0;
  const isOver = (): boolean =>
    sights.all.size >= requests && performance.now() - started >= minutes * 60_000 ||
    sights.problems.length >= 200;
  const work = async (): Promise<void> => {
    while (!isOver()) {
      const number = scenarios++;
      const random = randomFrom(`${seed}/${number}`);
      let chosen = random.below(total);
      const scenario = all.find(({ weight }) => (chosen -= weight) < 0);
      if (scenario === undefined) return;
      let count = 0;
      const context: SoakContext = {
        ...{ sights, random, client: scenario.name },
        ...{ proxyPort: proxy.port, ca: proxy.ca, addresses: servers.addresses },
        newId: () => `q${number}-${count++}`,
      };
      try {
        await scenario.run(context);
      } catch (error) {
        sights.fail(`Scenario ${number}, ${scenario.name}: ${error}`);
      }
      const tenth = Math.floor(sights.all.size / requests * 10);
      if (tenth > told) {
        told = tenth;
        const { megabytes = 0, descriptors = 0 } = state() ?? {};
        const taken = ((performance.now() - started) / 1000).toFixed(0);
        onProgress?.(
          `${sights.all.size} requests, ${taken} s, ${megabytes.toFixed(0)} MB, ` +
            `${descriptors} descriptors, ${sights.problems.length} problems`,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
}

function quarters(
  samples: readonly { readonly state: ProcessState }[],
): [ProcessState, ProcessState] {
  const length = Math.max(1, samples.length >> 2);
  const middle = (part: typeof samples): ProcessState => ({
    megabytes: median(part.map(({ state }) => state.megabytes)),
    descriptors: median(part.map(({ state }) => state.descriptors)),
  });
  return [middle(samples.slice(0, length)), middle(samples.slice(-length))];
}

function checkGrowth(sights: Sights, first: ProcessState, last: ProcessState): void {
  for (const what of ["megabytes", "descriptors"] as const) {
    if (last[what] > first[what] * GROWTH.share + GROWTH[what]) {
      sights.fail(`From ${first[what].toFixed(0)} to ${last[what].toFixed(0)} ${what}.`);
    }
  }
}

interface ProxyProcess {
  readonly child: Deno.ChildProcess;
  readonly port: number;
  readonly ca: string;
  err(): string;
  ended(): Promise<number>;
}

async function startProxyProcess(
  { program, isMeasured = false }: SoakOptions,
  folder: string,
): Promise<ProxyProcess> {
  await writeJson(`${folder}/openapi.json`, description());
  const args = [
    ...["proxy", "openapi.json", "-p", "0", "--insecure", "--save-traffic", "traffic.jsonl"],
    ...["--format", "json=report.json", "--export-ca", `${folder}/ca.pem`],
  ];
  const heap = isMeasured ? [`--v8-flags=--max-old-space-size=${HEAP}`] : [];
  const [command, ...before] = startCommand(program, heap);
  const child = new Deno.Command(command, {
    args: [...before, ...args],
    cwd: folder,
    env: {
      XDG_DATA_HOME: `${folder}/data`,
      ...{ NO_COLOR: "1", FORCE_COLOR: "" },
    },
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const { err, said, reading } = readErr(child);
  const port = Number(await said(/listens on http:\/\/[^:]+:(\d+)/));
  return {
    ...{ child, port, ca: await Deno.readTextFile(`${folder}/ca.pem`), err },
    async ended() {
      const { code } = await child.status;
      await reading;
      return code;
    },
  };
}

/** The command to start covtool: a program, or Deno with a module. */
function startCommand(program: string | undefined, heap: string[]): [string, ...string[]] {
  if (program !== undefined && !isModule(program)) return [program];
  return [Deno.execPath(), "run", "-A", ...heap, program ?? COVTOOL_MODULE];
}

/** A description with an operation for each method and fault. */
function description(): unknown {
  const modes = new Set([...STEADY_MODES, ...CLOSING_MODES, "hang"]);
  const operation = {
    parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
    responses: { 200: { description: "Fine" } },
  };
  const methods = ["get", "head", "post", "put", "delete", "options"];
  const paths = [...modes].map((mode) => [
    `/${mode}/{id}`,
    Object.fromEntries(methods.map((method) => [method, operation])),
  ]);
  return shopApi(Object.fromEntries(paths));
}

/** Measures a process. */
function processState(pid: number): ProcessState {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return {
    megabytes: Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024,
    descriptors: [...Deno.readDirSync(`/proc/${pid}/fd`)].length,
  };
}

/** Open connections of a process: TCP in any state but listening, and connected local sockets. */
function openConnections(pid: number): number {
  const own = new Set<string>();
  for (const { name } of Deno.readDirSync(`/proc/${pid}/fd`)) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(Deno.readLinkSync(`/proc/${pid}/fd/${name}`))?.[1];
      if (inode !== undefined) own.add(inode);
    } catch {
      // The descriptor was closed in the meantime.
    }
  }
  let count = 0;
  for (const table of ["tcp", "tcp6"]) {
    for (const line of Deno.readTextFileSync(`/proc/${pid}/net/${table}`).split("\n").slice(1)) {
      const [, , , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      if (state !== "0A" && own.has(inode)) count++;
    }
  }
  for (const line of Deno.readTextFileSync(`/proc/${pid}/net/unix`).split("\n").slice(1)) {
    const [, , , , , state, inode = ""] = line.trim().split(/\s+/);
    if (state === "03" && own.has(inode)) count++;
  }
  return count;
}
