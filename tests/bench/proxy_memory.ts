/**
 * What the proxy holds in memory while a million interactions pass: prints its resident memory after each tenth of
 * them, over HTTP and then over HTTPS, each with a proxy of its own. Needs `/proc`, so it runs on Linux.
 *
 *     deno run -A tests/bench/proxy_memory.ts                           covtool from source
 *     deno run -A tests/bench/proxy_memory.ts 1000000 dist/covtool      the program
 *     deno run -A tests/bench/proxy_memory.ts 1000000 "" https          one of the two
 *
 * Of ten requests, seven are for a documented operation, two send JSON, and one goes to a path that nothing describes
 * and that is never the same, as lists of such things are what could grow.
 *
 * @module
 */
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { print } from "../../scripts/print.ts";
import { firstMatch } from "./first_match.ts";
import { apiOf } from "../api_of.ts";

const CONNECTIONS = 16;
const SAMPLES = 10;

const here = (name: string): string => decodeURIComponent(new URL(name, import.meta.url).pathname);

const SCHEMA = { type: "integer", minimum: 1, maximum: 100 };
const DESCRIPTION = apiOf({
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

/** The request of a number, as it goes over the wire. */
function requestOf(index: number, base: string, host: string): string {
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

/** Keeps connections busy until all requests are answered. */
async function drive(
  port: number,
  target: URL,
  total: number,
  onAnswered: (count: number) => void,
): Promise<void> {
  const isSecure = target.protocol === "https:";
  let sent = 0;
  let answered = 0;
  const base = isSecure ? "" : target.origin;
  const use = (socket: Socket): Promise<void> =>
    new Promise((resolve, reject) => {
      let head = "";
      let left = -1;
      const send = (): void => {
        if (sent >= total) {
          socket.destroy();
          resolve();
        } else socket.write(requestOf(sent++, base, target.host));
      };
      socket.on("error", reject);
      socket.on("data", (chunk: Uint8Array) => {
        if (left >= 0) left -= chunk.length;
        else {
          const before = head.length;
          head += String.fromCharCode(...chunk);
          const stop = head.indexOf("\r\n\r\n");
          if (stop < 0) return;
          if (!head.startsWith("HTTP/1.1 200")) reject(new Error(head.slice(0, stop)));
          const length = Number(/content-length: *(\d+)/i.exec(head)?.[1]);
          left = length - (before + chunk.length - stop - 4);
          head = "";
        }
        if (left > 0) return;
        left = -1;
        onAnswered(++answered);
        send();
      });
      send();
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    const socket = connect(port, "127.0.0.1");
    socket.setNoDelay(true);
    if (!isSecure) return await use(socket);
    socket.write(`CONNECT ${target.host} HTTP/1.1\r\nHost: ${target.host}\r\n\r\n`);
    await new Promise((resolve) => socket.once("data", resolve));
    const secure = connectTls({ socket, servername: "localhost", rejectUnauthorized: false });
    await new Promise((resolve, reject) => {
      secure.once("secureConnect", resolve);
      secure.once("error", reject);
    });
    await use(secure);
  }));
}

/** Megabytes that a process has in memory. */
function residentMegabytes(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024;
}

const [count = "1000000", program = "", only] = Deno.args;
const total = Number(count);
const server = new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", here("proxy_server.ts")],
  stdout: "piped",
}).spawn();
const ports = JSON.parse(await firstMatch(server.stdout, /\{.*\}/));

for (const scheme of ["http", "https"]) {
  if (only !== undefined && only !== scheme) continue;
  const folder = await Deno.makeTempDir({ prefix: "covtool-bench" });
  await Deno.writeTextFile(`${folder}/openapi.json`, JSON.stringify(DESCRIPTION));
  const options = ["proxy", `${folder}/openapi.json`, "-p", "0", "--insecure"];
  options.push("--export-ca", `${folder}/ca.pem`, "-o", `${folder}/coverage.html`);
  const covtool = new Deno.Command(program === "" ? Deno.execPath() : program, {
    args: program === "" ? ["run", "-A", here("../../cli.ts"), ...options] : options,
    env: { XDG_DATA_HOME: folder },
    stderr: "piped",
  }).spawn();
  const port = Number(await firstMatch(covtool.stderr, /listens on http:\/\/[^:]+:(\d+)/));
  const target = new URL(`${scheme}://localhost:${scheme === "http" ? ports.plain : ports.secure}`);
  print(`${scheme}: ${residentMegabytes(covtool.pid).toFixed(0)} MB at the start`);
  const started = performance.now();
  await drive(port, target, total, (answered) => {
    if (answered % (total / SAMPLES) !== 0) return;
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    const megabytes = residentMegabytes(covtool.pid).toFixed(0);
    print(`${scheme}: ${answered} interactions, ${megabytes} MB, ${seconds} s`);
  });
  covtool.kill("SIGINT");
  await covtool.status;
  await Deno.remove(folder, { recursive: true });
}
server.kill();
Deno.exit(0);
