// Sends suggested requests to servers of four frameworks.
import { print } from "../../scripts/print.ts";
import { runOrThrow } from "../../scripts/run.ts";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import { suggestFor } from "../../src/coverage_map/suggest_for.ts";
import { PYTHON } from "../recorders/python_project.ts";
import { installed } from "../runners/npm_project.ts";
import { firstMatch } from "./first_match.ts";
import { type Row, table } from "./markdown_table.ts";
import { endProcess } from "./run_command.ts";
import { sendSuggestions } from "./send_suggestions.ts";

const SERVERS = decodeURIComponent(new URL("./servers", import.meta.url).pathname);
const REPOSITORY = decodeURIComponent(new URL("../../.cache/m2", import.meta.url).pathname);

interface Server {
  readonly name: string;
  /** The folder of its code, which is copied. */
  readonly folder: string;
  readonly description: string;
  /** Prefix for the paths in its description. */
  readonly path?: string;
  /** Builds the server in a folder. Returns the command to start it there. */
  prepare(folder: string): Promise<readonly [program: string, ...args: string[]]>;
  /** Its output when it has started; the first group is the URL or the port. */
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

/** Statuses that depend on the server's data or on credentials. */
const BY_DATA: ReadonlySet<number> = new Set([401, 403, 404, 409]);

/**
 * Sends the suggestions without traffic to each server, with its own description, and counts the valid requests that
 * it accepts and the invalid ones that it refuses.
 *
 * Needs Python with fastapi, uvicorn, python-multipart and email-validator (`PYTHON` may name it), Node.js with npm,
 * Maven with a JDK, and Go. A server that can't be started is skipped with a message.
 */
export async function serverTable(): Promise<string> {
  const rows: Row[] = [];
  for (const server of ALL) {
    try {
      rows.push(await measure(server));
    } catch (error) {
      print(`Without ${server.name}: ${error instanceof Error ? error.message : error}\n`);
    }
  }
  return table(
    "Suggestions sent to servers of four frameworks",
    ["Server", "valid", "accepted", "share", "401, 403, 404, 409", "broken", "refused"],
    rows,
  );
}

/** Starts a server, waits for its URL, and measures it. */
async function measure(server: Server): Promise<Row> {
  const folder = Deno.makeTempDirSync({ prefix: "covtool-server-" });
  try {
    await runOrThrow("cp", ["-R", `${SERVERS}/${server.folder}/.`, folder]);
    const command = await server.prepare(folder);
    const child = new Deno.Command("sh", {
      args: ["-c", 'exec "$@" 2>&1', "sh", ...command],
      cwd: folder,
      env: { PYTHONDONTWRITEBYTECODE: "1" },
      stdout: "piped",
    }).spawn();
    try {
      const found = await firstMatch(child.stdout, server.started);
      return await sendAll(server, /^\d+$/.test(found) ? `http://127.0.0.1:${found}` : found);
    } finally {
      await endProcess(child);
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

async function sendAll({ name, description, path = "" }: Server, origin: string): Promise<Row> {
  const document = await (await fetch(origin + description)).json();
  const options = { server: origin + path, seed: "1" };
  const { requests } = suggestFor(MeasuredApi.fromDict(document), options);
  const { valid = 0, accepted = 0, byData = 0, broken = 0, refused = 0 } = await sendSuggestions(
    name,
    requests,
    BY_DATA,
  );
  const share = `${Math.floor(100 * accepted / valid)}%`;
  return [name, valid, accepted, share, byData, broken, refused];
}
