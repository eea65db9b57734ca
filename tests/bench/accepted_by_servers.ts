/**
 * Sends what is suggested from no traffic to servers of four frameworks, each with its own description, and prints how
 * many valid requests they accept and how many broken ones they refuse, as a table in Markdown. On standard error is each
 * answer that isn't of the kind that its request calls for.
 *
 *     deno run -A tests/bench/accepted_by_servers.ts
 *
 * It needs Python with fastapi, uvicorn, python-multipart and email-validator (`PYTHON` may name it), Node.js with npm,
 * Maven with a JDK, and Go. A server that can't be started is left out, and said to be.
 *
 * @module
 */
import { print } from "../../scripts/print.ts";
import { runOrThrow } from "../../scripts/run.ts";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import { suggestFor } from "../../src/coverage_map/suggest_for.ts";
import { PYTHON } from "../recorders/python_project.ts";
import { installed } from "../runners/npm_project.ts";
import { type Row, table } from "./markdown_table.ts";

const SERVERS = decodeURIComponent(new URL("./servers", import.meta.url).pathname);
const REPOSITORY = decodeURIComponent(new URL("../../.cache/m2", import.meta.url).pathname);

interface Server {
  readonly name: string;
  /** The folder of its code, which is copied. */
  readonly folder: string;
  readonly description: string;
  /** What the paths of its description are appended to. */
  readonly path?: string;
  /** Builds it in a folder; the command that starts it there. */
  prepare(folder: string): Promise<readonly [program: string, ...args: string[]]>;
  /** Its first group is the URL, or the port. */
  readonly started: RegExp;
}

const ALL: readonly Server[] = [
  {
    name: "FastAPI (Pydantic)",
    folder: "fastapi",
    description: "/openapi.json",
    prepare: () =>
      Promise.resolve([PYTHON, "-m", "uvicorn", "server:app", "--port", "0", "--no-access-log"]),
    started: /running on (http:\/\/[\d.:]+)/,
  },
  {
    name: "Spring Boot (Bean Validation, springdoc)",
    folder: "spring",
    description: "/v3/api-docs",
    async prepare(cwd) {
      await runOrThrow("mvn", ["-q", "-B", `-Dmaven.repo.local=${REPOSITORY}`, "package"], { cwd });
      return ["java", "-jar", "target/shop-1.0.0.jar", "--server.port=0"];
    },
    started: /Tomcat started on port (\d+)/,
  },
  {
    name: "Express (express-openapi-validator)",
    folder: "express",
    description: "/openapi.json",
    path: "/v1",
    async prepare(folder) {
      const packages = ["express@^5", "express-openapi-validator@^5", "multer@^2"];
      await Deno.symlink(await installed(packages), `${folder}/node_modules`);
      return ["node", "--preserve-symlinks", "app.js"];
    },
    started: /listening on (\S+)/,
  },
  {
    name: "Go (Huma)",
    folder: "huma",
    description: "/openapi.json",
    async prepare(cwd) {
      await runOrThrow("go", ["build", "-o", "parcels", "."], { cwd });
      return [`${cwd}/parcels`];
    },
    started: /listening on (\S+)/,
  },
];

/** Statuses that depend on what the server holds, or on credentials. */
const BY_DATA: ReadonlySet<number> = new Set([401, 403, 404, 409]);

function complain(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** Starts a server, waits for its URL, and has it measured. */
async function measure(server: Server): Promise<Row> {
  const folder = Deno.makeTempDirSync({ prefix: "covtool-server-" });
  try {
    await runOrThrow("cp", ["-R", `${SERVERS}/${server.folder}/.`, folder]);
    const [program, ...args] = await server.prepare(folder);
    const child = new Deno.Command(program, {
      args,
      cwd: folder,
      env: { PYTHONDONTWRITEBYTECODE: "1" },
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const address = Promise.withResolvers<string>();
    let said = "";
    const readings = [child.stdout, child.stderr].map((stream) =>
      stream.pipeThrough(new TextDecoderStream()).pipeTo(
        new WritableStream({
          write(text) {
            said += text;
            const [, found] = server.started.exec(said) ?? [];
            if (found !== undefined) address.resolve(found);
          },
        }),
      )
    );
    let isRunning = true;
    const ended = child.status.then(() => {
      isRunning = false;
      address.reject(new Error(said.trim().split("\n").at(-1)));
    });
    try {
      const found = await address.promise;
      return await sendAll(server, /^\d+$/.test(found) ? `http://127.0.0.1:${found}` : found);
    } finally {
      if (isRunning) child.kill();
      await Promise.all([...readings, ended]);
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

async function sendAll({ name, description, path = "" }: Server, origin: string): Promise<Row> {
  const document = await (await fetch(origin + description)).json();
  const { requests } = suggestFor(MeasuredApi.fromDict(document), {
    server: origin + path,
    seed: "1",
  });
  let [valid, accepted, byData, broken, refused] = [0, 0, 0, 0, 0];
  for (const { request: { method, url, headers, body }, breaks } of requests) {
    const init = { method, headers, redirect: "manual" } as const;
    const answer = await fetch(url, body === undefined ? init : { ...init, body });
    const text = await answer.text();
    const { status } = answer;
    const isRight = breaks === null ? status < 400 : status >= 400 && status < 500;
    if (breaks === null && BY_DATA.has(status)) byData++;
    else if (breaks === null) valid++;
    else broken++;
    if (breaks === null && isRight) accepted++;
    if (breaks !== null && isRight) refused++;
    if (!isRight) {
      const what = breaks === null ? "valid" : `breaks ${breaks.schema_path}`;
      complain(`${name}: ${status} for ${method} ${url}, ${what}\n  ${body ?? ""}\n  ${text}`);
    }
  }
  const share = `${Math.floor(100 * accepted / valid)}%`;
  return [name, valid, accepted, share, byData, broken, refused];
}

const rows: Row[] = [];
for (const server of ALL) {
  try {
    rows.push(await measure(server));
  } catch (error) {
    print(`Without ${server.name}: ${error instanceof Error ? error.message : error}\n`);
  }
}
print(table(
  "Suggestions sent to servers of four frameworks",
  ["Server", "valid", "accepted", "share", "401, 403, 404, 409", "broken", "refused"],
  rows,
));
