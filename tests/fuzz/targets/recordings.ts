import assert from "node:assert/strict";
import { CoverageMap, type Interaction, RecordingError } from "../../../mod.ts";
import { readRecording } from "../../../src/traffic/read/read_recording.ts";
import { RICH_DESCRIPTION } from "../../property/rich_description.ts";
import { decode, encode, type FuzzTarget } from "../fuzz_target.ts";
import { mutateBytes } from "../mutate_bytes.ts";
import { mutateJson } from "../mutate_json.ts";

const FOLDER = new URL("../../fixtures/recordings/", import.meta.url);
/** Larger recordings allow fewer cases. */
const MAX_SIZE = 200_000;

/** The recordings in the fixtures, sorted by path. */
function recordingsIn(folder: URL): Uint8Array[] {
  const found: Uint8Array[] = [];
  const entries = [...Deno.readDirSync(folder)].sort((one, other) =>
    one.name < other.name ? -1 : 1
  );
  for (const { name, isDirectory } of entries) {
    if (isDirectory) found.push(...recordingsIn(new URL(`${name}/`, folder)));
    else if (!/\.(?:md|py|sh|cjs|conf|cfg)$|Caddyfile/.test(name)) {
      const bytes = Deno.readFileSync(new URL(name, folder));
      if (bytes.length <= MAX_SIZE) found.push(bytes);
    }
  }
  return found;
}

let known: readonly Uint8Array[] | undefined;

/** Changed recordings of every format: refused with a message, or recorded without losses. */
export const recordings: FuzzTarget = {
  name: "recordings",
  make(random) {
    known ??= recordingsIn(FOLDER);
    const bytes = random.pick(known);
    if (random.oneIn(2)) {
      try {
        return encode(JSON.stringify(mutateJson(JSON.parse(decode(bytes)), random)) ?? "");
      } catch {
        // YAML, lines or an archive
      }
    }
    return mutateBytes(bytes, random);
  },
  async check(input) {
    const whole = await readAll(input, "a recording");
    const map = CoverageMap.fromDict(RICH_DESCRIPTION);
    const other = CoverageMap.fromDict(RICH_DESCRIPTION);
    for (const { request, response, timestamp } of whole.interactions) {
      map.record(request, response, timestamp);
    }
    // The result doesn't depend on how the bytes are split.
    const pieces = await readAll(inPieces(input), "a recording");
    assert.equal(pieces.error, whole.error);
    for (const { request, response, timestamp } of pieces.interactions) {
      other.record(request, response, timestamp);
    }
    assert.equal(map.traffic().recorded, whole.interactions.length);
    assert.deepEqual(decode(other.exportHits()), decode(map.exportHits()));
    for (const warning of whole.warnings) {
      assert.doesNotMatch(warning, /undefined|\[object|\n\s+at /);
    }
  },
};

interface Read {
  readonly interactions: readonly Interaction[];
  readonly warnings: readonly string[];
  readonly error: string | undefined;
}

async function readAll(source: Parameters<typeof readRecording>[0], name: string): Promise<Read> {
  const reader = readRecording(source, name);
  const interactions: Interaction[] = [];
  let error: string | undefined;
  try {
    for await (const interaction of reader) interactions.push(interaction);
  } catch (thrown) {
    if (!(thrown instanceof RecordingError)) throw thrown;
    error = thrown.message;
    assert.doesNotMatch(error, /undefined|\[object|\n\s+at /);
  }
  return { interactions, warnings: reader.warnings, error };
}

async function* inPieces(input: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < input.length; at += 997) {
    yield await Promise.resolve(input.slice(at, at + 997));
  }
}
