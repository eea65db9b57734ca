import { REPORT_FORMATS } from "../../mod.ts";
import { sourceFiles } from "../source_files.ts";

/** Arguments for which the program and the sources must give the same result. */
export interface ProgramCase {
  /** A description of the result. */
  readonly name: string;
  /** The arguments; `OUT` in them stands for a folder for output files. */
  readonly args: readonly string[];
  /** The file to read as standard input. */
  readonly stdin?: string;
  /** True if the sources give the same result in a process that runs other code too. */
  readonly isInProcess?: true;
}

const SHOP = "examples/bookshop/openapi.yaml";
const TRAFFIC = "examples/bookshop/traffic.json";
const WORKED = "tests/fixtures/worked";
const RECORDINGS = "tests/fixtures/recordings";
const DESCRIPTION = /^(?:openapi|swagger)\.(?:yaml|json)$/;

/** A test that calls its own server, and fails. */
const CLIENT_AND_SERVER = `
  const server = Deno.serve({ port: 0, onListen: () => {} }, () => new Response("[]"));
  const response = await fetch("http://127.0.0.1:" + server.addr.port + "/api/v1/books?page=2");
  await response.text();
  await server.shutdown();
  Deno.exit(response.status === 200 ? 3 : 4);
`;

async function foldersIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) if (isDirectory) found.push(name);
  return found.sort();
}

/** Reports of each worked fixture, in every format at once. */
async function workedCases(root: string): Promise<ProgramCase[]> {
  const cases: ProgramCase[] = [];
  const formats = REPORT_FORMATS.flatMap((format) => ["--format", `${format}=OUT/${format}`]);
  for (const fixture of await foldersIn(`${root}/${WORKED}`)) {
    const folder = `${WORKED}/${fixture}`;
    const files = await sourceFiles(`${root}/${folder}`, [".yaml", ".json"]);
    const description = files.find((path) => DESCRIPTION.test(path));
    if (description === undefined) throw new Error(`${folder} has no description.`);
    cases.push({
      name: `the reports of ${fixture}`,
      args: ["report", `${folder}/${description}`, `${folder}/traffic.json`, ...formats],
      isInProcess: true,
    });
  }
  return cases;
}

async function recordingCases(root: string): Promise<ProgramCase[]> {
  return (await foldersIn(`${root}/${RECORDINGS}`)).map((kind) => ({
    name: `what recordings by ${kind} are converted to`,
    args: ["convert", `${RECORDINGS}/${kind}`, "-o", "OUT/traffic.jsonl"],
    isInProcess: true,
  }));
}

/** Returns all cases: every command, with its failures. */
export async function programCases(root: string): Promise<ProgramCase[]> {
  const missing = ["--show-missing", "all", "--format", "text"];
  return [
    { name: "the version", args: ["--version"] },
    ...["report", "proxy", "convert"].map((command) => ({
      name: `the help of ${command}`,
      args: [command, "--help"],
    })),
    { name: "completion", args: ["completion", "bash"] },
    { name: "the help", args: [] },
    { name: "what is no command", args: ["repotr"] },
    { name: "what is no option", args: ["report", SHOP, TRAFFIC, "--formt", "json"] },
    { name: "a description that is missing", args: ["report", "nowhere.yaml", TRAFFIC] },
    { name: "a recording that is missing", args: ["report", SHOP, "nowhere.json"] },
    { name: "what is missing in the demo", args: ["report", SHOP, TRAFFIC, ...missing] },
    {
      name: "the demo on standard input",
      args: ["report", SHOP, "-", "--format", "json"],
      stdin: TRAFFIC,
    },
    {
      name: "what two threads read",
      args: [
        "report",
        SHOP,
        `${RECORDINGS}/har-browser`,
        TRAFFIC,
        "--format",
        "json",
        "--jobs",
        "2",
      ],
    },
    {
      name: "thresholds that are not met",
      args: ["report", SHOP, TRAFFIC, "--format", "badge", "--fail-under", "99"],
    },
    {
      name: "what a command did behind the proxy, and its code",
      args: [
        ...["proxy", SHOP, "--port", "0", "--export-ca", "DATA/ca.pem"],
        ...["--format", "badge=OUT/badge.svg", "--", Deno.execPath(), "eval", CLIENT_AND_SERVER],
      ],
    },
    ...await workedCases(root),
    ...await recordingCases(root),
  ];
}

/** Calls `what` for each case with a folder of its own, as many cases at a time as there are cores. */
export async function tryCases(
  cases: readonly ProgramCase[],
  temporary: string,
  what: (one: ProgramCase, folder: string) => Promise<void>,
): Promise<void> {
  const waiting = [...cases];
  const work = async (_: unknown, index: number) => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      await what(one, `${temporary}/out-${index}`);
    }
  };
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, work));
}
