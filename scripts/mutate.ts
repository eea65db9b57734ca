/**
 * Mutation testing: changes the sources in one place at a time, and sees whether a test notices. Stryker's instrumenter
 * says which changes there are; which tests reach a change is seen in one run without any, and only those are run.
 *
 *     deno task mutate                                100 mutants of each part
 *     deno task mutate src/http src/schema            of these
 *     deno task mutate src/http/body.ts               of one file
 *     deno task mutate --sample 200 --seed 7          more, and others
 *     deno task mutate --only 1f0c2a7b9d3e            one of the sample, by the id that survivors are listed with
 *     deno task mutate --also tests/cli,tests/report  with more tests; each file runs once to see what it reaches
 *     deno task mutate --jobs 2                       two at a time
 *     deno task mutate --fresh                        without results of runs before this one
 *
 * Results are kept in `.cache/mutate`, so that an interrupted run can continue. Survivors are tried again when a test
 * has changed, other mutants when their file has. `scripts/mutate/equivalent.json` lists mutants that behave like the
 * original. Exits with 1 if less than 90 % of the others are noticed.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { print } from "./print.ts";
import { ROOT } from "./source_files.ts";
import { copyProject, projectFiles } from "./mutate/copy.ts";
import equivalent from "./mutate/equivalent.json" with { type: "json" };
import { findMutants, type SourceFile } from "./mutate/instrument.ts";
import { type Equivalent, findEquivalent, type Mutant, shortHash } from "./mutate/mutant.ts";
import { findReached, readJson } from "./mutate/reached.ts";
import { findRoom, type Room, ROOMS } from "./mutate/rooms.ts";
import { drawMutants } from "./mutate/sample.ts";
import { type Judged, showMutant, summarize, table } from "./mutate/summary.ts";
import { isNoticed, type MutantResult, tryMutant } from "./mutate/try_mutant.ts";

/** The share of a room's mutants that must be noticed. */
const LEAST = 0.9;

const CACHE = `${ROOT}/.cache/mutate`;
const RESULTS = `${CACHE}/results.json`;

const EQUIVALENT: readonly Equivalent[] = equivalent;

/** A result, with hashes of the source file and the tests that gave it. */
interface Kept extends MutantResult {
  readonly source: string;
  readonly tests: string;
}

/** A mutant of the sample. */
interface Drawn {
  readonly room: Room;
  readonly mutant: Mutant;
}

function wholeNumber(option: string, given: string): number {
  if (/^\d+$/.test(given) && Number(given) > 0) return Number(given);
  throw new RangeError(`--${option} needs a whole number from 1, not "${given}".`);
}

function read(path: string): SourceFile {
  return { path, text: Deno.readTextFileSync(`${ROOT}/${path}`) };
}

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seed: { type: "string", default: "1" },
      sample: { type: "string", default: "100" },
      jobs: { type: "string", default: "1" },
      also: { type: "string", default: "" },
      only: { type: "string", multiple: true, default: [] },
      fresh: { type: "boolean", default: false },
    },
  });
  const seed = wholeNumber("seed", values.seed);
  const size = wholeNumber("sample", values.sample);
  const rooms = positionals.length === 0 ? ROOMS : positionals.map(findRoom);
  const also = values.also.split(",").filter((name) => name !== "");
  const files = await projectFiles();

  const sources = new Map<string, SourceFile>();
  const drawn: Drawn[] = [];
  for (const room of rooms) {
    const own = files.filter((file) =>
      /\.tsx?$/.test(file) && room.files.some((path) => file.startsWith(path))
    ).map(read);
    if (own.length === 0) throw new RangeError(`${room.name} has no TypeScript.`);
    const mutants = await findMutants(own);
    const sample = drawMutants(mutants, seed, size);
    print(`${room.name}: ${sample.length} of ${mutants.length} mutants`);
    for (const mutant of sample) drawn.push({ room, mutant });
    for (const file of own) {
      if (sample.some((mutant) => mutant.file === file.path)) sources.set(file.path, file);
    }
  }

  const folders = Array.from({ length: wholeNumber("jobs", values.jobs) }, (_, index) => {
    const folder = `${CACHE}/copy-${index + 1}`;
    Deno.mkdirSync(folder, { recursive: true });
    copyProject(folder, files);
    return folder;
  });
  const kept = new Map(
    Object.entries(
      (values.fresh ? undefined : readJson(RESULTS) as Record<string, Kept> | undefined) ?? {},
    ),
  );

  const isTried = ({ mutant }: Drawn) =>
    values.only.length === 0 || values.only.includes(mutant.id);
  const sourceText = ({ file }: Mutant) => sources.get(file)?.text ?? "";
  const readTests = (room: Room) =>
    files.filter((file) =>
      /_test\.tsx?$/.test(file) && [...room.tests, ...also].some((path) => file.startsWith(path))
    ).map(read);
  const tests = new Map(rooms.map((room) => [room, readTests(room)]));
  const hashes = new Map(
    rooms.map((room) => [room, shortHash(...readTests(room).map(({ path, text }) => path + text))]),
  );
  const isOpen = ({ room, mutant }: Drawn) => {
    const known = kept.get(mutant.id);
    if (known?.source !== shortHash(sourceText(mutant)) || values.only.length > 0) return true;
    return !isNoticed(known.status) && known.tests !== hashes.get(room);
  };
  const open = drawn.filter((entry) => isTried(entry) && isOpen(entry));
  print(`${open.length} to try`);
  if (open.length > 0) {
    const needed = new Map(
      open.flatMap(({ room }) => (tests.get(room) ?? []).map((test) => [test.path, test])),
    );
    const reached = await findReached(
      drawn.map(({ mutant }) => mutant),
      [...sources.values()],
      [...needed.values()],
      folders,
      `${CACHE}/reached`,
      print,
    );
    for (const { file, failure } of reached) {
      if (failure !== undefined) print(`left out, fails without a mutant: ${file}\n${failure}`);
    }
    const queue = open.entries();
    const work = async (folder: string) => {
      for (const [index, { room, mutant }] of queue) {
        const source = { path: mutant.file, text: sourceText(mutant) };
        const own = new Set(tests.get(room)?.map(({ path }) => path));
        const candidates = reached.filter(({ file }) => own.has(file));
        const result = await tryMutant(mutant, source, candidates, folder);
        kept.set(mutant.id, {
          ...result,
          source: shortHash(source.text),
          tests: hashes.get(room) ?? "",
        });
        const draft = `${RESULTS}.draft`;
        Deno.writeTextFileSync(draft, JSON.stringify(Object.fromEntries(kept), null, 1));
        Deno.renameSync(draft, RESULTS);
        const place = `${mutant.file}:${mutant.start.line + 1} ${mutant.kind}`;
        print(`${index + 1}/${open.length} ${result.status} ${place} ${result.by ?? ""}`);
      }
    };
    await Promise.all(folders.map(work));
  }
  const judged: Judged[] = drawn.filter(isTried).map(({ room, mutant }) => {
    const { status, by } = kept.get(mutant.id) ?? { status: "unreached" };
    const result: MutantResult = by === undefined ? { status } : { status, by };
    const isEquivalent = findEquivalent(mutant, sourceText(mutant), EQUIVALENT) !== undefined;
    return { room: room.name, mutant, result, isEquivalent };
  });
  return report(rooms, judged, sources);
}

/** Prints survivors and numbers; returns the exit code, 1 if too many survive. */
function report(
  rooms: readonly Room[],
  judged: readonly Judged[],
  sources: ReadonlyMap<string, SourceFile>,
): number {
  for (const { mutant, result: { status, by }, isEquivalent } of judged) {
    const text = sources.get(mutant.file)?.text ?? "";
    if (isNoticed(status) && isEquivalent) {
      print(`\n${showMutant(mutant, text, `listed as equivalent, but ${status} by ${by}`)}`);
    } else if (!isNoticed(status) && !isEquivalent) {
      print(`\n${showMutant(mutant, text, status)}`);
    }
  }
  const summaries = rooms.map(({ name }) => summarize(name, judged));
  print(`\n${table(summaries)}`);
  const low = summaries.filter(({ score }) => score < LEAST);
  for (const { room } of low) print(`${room}: less than ${LEAST * 100} % are noticed.`);
  return low.length > 0 ? 1 : 0;
}

if (import.meta.main) {
  try {
    Deno.exit(await main(Deno.args));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    print(error.message);
    Deno.exit(2);
  }
}
