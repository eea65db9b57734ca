/**
 * Builds the package for Python in `dist/python`: its sources, a wheel without the program, and one with it for each
 * machine whose program is in `dist` or `dist/release`. Then it tries the wheel for this machine in an empty environment.
 *
 *     deno task build && deno task python      for this machine
 *
 * PYTHON names the interpreter (default: python3). It needs only venv and pip, which installs the builder, flit_core.
 *
 * @module
 */
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { createHash } from "node:crypto";
import { VERSION } from "../src/values/version.ts";
import { TARGETS } from "./build_release.ts";
import { print } from "./print.ts";
import { runOrThrow } from "./run.ts";
import { ROOT } from "./source_files.ts";
import { inFolder } from "../tests/in_folder.ts";

const SOURCE = `${ROOT}/integrations/python`;
const FOLDER = `${ROOT}/dist/python`;
const PYTHON = Deno.env.get("PYTHON") ?? "python3";

/** Platform tags of wheels, by Rust target triple. Deno needs these versions of the C library and of macOS. */
const PLATFORMS: Readonly<Record<string, string>> = {
  "x86_64-unknown-linux-gnu": "manylinux_2_27_x86_64",
  "aarch64-unknown-linux-gnu": "manylinux_2_27_aarch64",
  "x86_64-apple-darwin": "macosx_11_0_x86_64",
  "aarch64-apple-darwin": "macosx_11_0_arm64",
  "x86_64-pc-windows-msvc": "win_amd64",
};

/** Zip attributes of a file that everybody may execute on Unix. */
const EXECUTABLE = { os: 3, attrs: (0o100755 << 16) >>> 0 };
/** The earliest time that a zip file can hold, so that builds are reproducible. */
const MTIME = new Date(1980, 0, 1);

/** Makes the wheel for a target: adds the program to the scripts of the wheel that has none. */
export function addProgram(
  wheel: Uint8Array,
  program: Uint8Array<ArrayBuffer>,
  target: string,
): Uint8Array {
  const files = unzipSync(wheel);
  const info = `covtool-${VERSION}.dist-info`;
  const settings = strFromU8(files[`${info}/WHEEL`] ?? new Uint8Array());
  const platform = PLATFORMS[target];
  files[`${info}/WHEEL`] = strToU8(
    settings.replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
      .replace("Tag: py3-none-any", `Tag: py3-none-${platform}`),
  );
  const name = target.includes("windows") ? "covtool.exe" : "covtool";
  files[`covtool-${VERSION}.data/scripts/${name}`] = program;
  delete files[`${info}/RECORD`];
  const lines = Object.entries(files).map(([path, bytes]) => {
    const hash = createHash("sha256").update(bytes).digest("base64url");
    return `${path},sha256=${hash},${bytes.length}\n`;
  });
  files[`${info}/RECORD`] = strToU8(`${lines.join("")}${info}/RECORD,,\n`);
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([path, bytes]) => [
        path,
        [bytes, path.includes("/scripts/") ? { ...EXECUTABLE, level: 6 } : { level: 6 }],
      ]),
    ),
    { mtime: MTIME },
  );
}

/** Returns the path of the wheel for this machine; throws if it hasn't been built. */
export async function findWheel(): Promise<string> {
  const path = wheelPath(PLATFORMS[Deno.build.target] ?? "");
  await Deno.stat(path).catch(() => {
    throw new Error(`There is no ${path}. Run deno task build && deno task python.`);
  });
  return path;
}

function wheelPath(platform: string): string {
  return `${FOLDER}/covtool-${VERSION}-py3-none-${platform}.whl`;
}

/** Builds the source distribution and the wheel without a program, in a virtual environment of its own. */
async function buildPure(temporary: string): Promise<Uint8Array> {
  const python = await makeEnvironment(`${temporary}/builder`);
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  await runOrThrow(python, [...install, "flit_core>=3.9,<5"]);
  const code = "import sys; from flit_core import buildapi as api; " +
    "api.build_sdist(sys.argv[1]); api.build_wheel(sys.argv[1])";
  const env = { SOURCE_DATE_EPOCH: "315532800" };
  await runOrThrow(python, ["-c", code, FOLDER], { cwd: SOURCE, env });
  return await Deno.readFile(wheelPath("any"));
}

async function makeEnvironment(folder: string): Promise<string> {
  await runOrThrow(PYTHON, ["-m", "venv", folder]);
  return Deno.build.os === "windows" ? `${folder}/Scripts/python.exe` : `${folder}/bin/python`;
}

async function builtPrograms(): Promise<[target: string, program: Uint8Array<ArrayBuffer>][]> {
  const programs: [string, Uint8Array<ArrayBuffer>][] = [];
  for (const [target, name] of Object.entries(TARGETS)) {
    const own = target === Deno.build.target ? [`dist/covtool${/\.exe$/.exec(name) ?? ""}`] : [];
    for (const path of [`dist/release/${name}`, ...own]) {
      const program = await Deno.readFile(`${ROOT}/${path}`).catch(() => undefined);
      if (program === undefined) continue;
      programs.push([target, program]);
      break;
    }
  }
  return programs;
}

/** Installs a wheel into an empty virtual environment and runs the program in it. */
async function tryWheel(path: string, temporary: string): Promise<void> {
  const python = await makeEnvironment(`${temporary}/user`);
  await runOrThrow(python, ["-m", "pip", "install", "--quiet", "--no-index", path]);
  const code = "import subprocess; from covtool._program import find_program; " +
    "print(subprocess.check_output([find_program(), '--version'], text=True))";
  const said = await runOrThrow(python, ["-c", code], { env: { PATH: "" } });
  if (!said.includes(VERSION)) throw new Error(`covtool --version of the wheel says ${said}`);
}

if (import.meta.main) {
  await inFolder({}, async (temporary) => {
    await Deno.remove(FOLDER, { recursive: true }).catch(() => {});
    await Deno.mkdir(FOLDER, { recursive: true });
    const pure = await buildPure(temporary);
    for (const [target, program] of await builtPrograms()) {
      await Deno.writeFile(wheelPath(PLATFORMS[target] ?? ""), addProgram(pure, program, target));
    }
    await tryWheel(await findWheel(), temporary);
    for await (const { name } of Deno.readDir(FOLDER)) {
      print(`dist/python/${name}: ${(await Deno.stat(`${FOLDER}/${name}`)).size} bytes`);
    }
  });
}
