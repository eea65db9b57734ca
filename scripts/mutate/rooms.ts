/** A part of the sources that is judged as a whole. */
export interface Room {
  /** The name in arguments and results. */
  readonly name: string;
  /** Path prefixes of the source files. */
  readonly files: readonly string[];
  /** Path prefixes of the tests to run on the mutants. */
  readonly tests: readonly string[];
}

/** Tests that compare covtool's numbers with test suites and fixtures. */
const OVERALL = ["tests/conformance/", "tests/worked/", "tests/coverage_map/"];

const COUNTING = ["tests/map/", "tests/record/", ...OVERALL];

const CORE = ["tests/schema/", "tests/http/", ...COUNTING];

/** Files that make and keep the proxy's certificates. */
const AUTHORITY = ["authority", "certificates", "client_trust", "private_folder"];

/** The parts that are measured if no argument names one. */
export const ROOMS: readonly Room[] = [
  { name: "src/schema", files: ["src/schema/"], tests: CORE },
  { name: "src/http", files: ["src/http/"], tests: CORE },
  { name: "src/map", files: ["src/map/"], tests: COUNTING },
  { name: "src/record", files: ["src/record/"], tests: COUNTING },
  {
    name: "src/traffic",
    files: ["src/traffic/"],
    tests: ["tests/traffic/", "tests/redact/", "tests/coverage_map/"],
  },
  { name: "src/files", files: ["src/files/"], tests: ["tests/files/", "tests/run/output"] },
  {
    name: "src/proxy/authority",
    files: AUTHORITY.map((name) => `src/proxy/${name}`),
    tests: AUTHORITY.map((name) => `tests/proxy/${name}`),
  },
];

/** Returns the room of that name; for any other source folder or file, a room with the tests that mirror it. */
export function findRoom(name: string): Room {
  const path = name.replace(/^\.\//, "").replace(/\/+$/, "");
  const known = ROOMS.find((room) => room.name === path);
  if (known !== undefined) return known;
  if (!path.startsWith("src/")) {
    throw new RangeError(
      `Cannot mutate ${name}: it isn't in src. Name a folder or file, such as src/http.`,
    );
  }
  const around = ROOMS.find(({ files }) => files.some((file) => path.startsWith(file)));
  const folder = `tests/${path.split("/")[1]}/`;
  const file = path.endsWith(".ts") ? path : `${path}/`;
  return { name: path, files: [file], tests: around?.tests ?? [folder, ...OVERALL] };
}

/** Rates how far a test file is from a source file: 0 if it mirrors the file, 1 in the same folder, 2 elsewhere. */
export function distance(source: string, test: string): number {
  const mirror = source.replace(/^src\//, "tests/").replace(/\.ts$/, "_test.ts");
  if (test === mirror) return 0;
  const [, folder] = source.split("/");
  return test.startsWith(`tests/${folder}/`) ? 1 : 2;
}
