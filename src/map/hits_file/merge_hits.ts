import { countOverflowError, RecordingError } from "../../values/errors.ts";
import { VERSION } from "../../values/version.ts";
import type { CoveragePlan } from "../coverage_plan.ts";
import { pendingHits } from "../credential_hits.ts";
import { hasSecurityText } from "../credentials.ts";
import { Hits } from "../hits.ts";
import type { DroppedHits } from "../results.ts";
import { HitsAdder } from "./add_hits.ts";
import type { HitsFile, ParameterFile } from "./hits_format.ts";
import { describePlan } from "./plan_names.ts";
import { readEvidence } from "./evidence_entry.ts";
import { readHits } from "./read_hits.ts";

/** Options of {@linkcode CoverageMap.mergeHits}. */
export interface MergeHitsOptions {
  /** The name of the file for errors (default: `the hits`). */
  readonly location?: string | undefined;
  /**
   * True to accept hits of another description (default: false). Counts move to the same operation, parameter and
   * keyword with the same value, examples with the same value, and responses with the same status.
   */
  readonly carry?: boolean | undefined;
}

/** Options for hits that are merged as a baseline, too. */
export interface BaselineHitsOptions extends MergeHitsOptions {
  /** True to carry over findings about requests that may be invalid by now, as comparing with them needs (default: false). */
  readonly keepsFindings?: boolean;
}

/** Adds all hits or none. Returns hits that couldn't be carried over; throws a RecordingError for unusable hits. */
export function mergeHits(
  plan: CoveragePlan,
  hits: Hits,
  bytes: Uint8Array,
  { location = "the hits", carry = false, keepsFindings = false }: BaselineHitsOptions = {},
): DroppedHits[] {
  const files = readHits(bytes, location);
  const largestAdded = files.reduce((sum, file) => sum + largestInFile(file), 0);
  const limit = Number.MAX_SAFE_INTEGER - largestAdded;
  if (largestInHits(hits, limit) > limit) throw countOverflowError(location);
  const adders = files.map((file) => {
    const adder = new HitsAdder(plan, file, keepsFindings);
    if (file.description.fingerprint !== plan.fingerprint) {
      if (!carry) throw otherDescriptionError(plan, file, location);
    } else if (!adder.isCompatible) {
      // Nothing may fail once hits are added, so this tries it on counts that are thrown away.
      const [droppedHits] = adder.addTo(new Hits());
      if (droppedHits !== undefined) throw unknownCountsError(file, droppedHits, location);
    }
    return adder;
  });
  const dropped = adders.flatMap((adder) => adder.addTo(hits));
  files.forEach((file, index) => addCredentials(adders[index] as HitsAdder, hits, file)); // there is one for each file
  return dropped;
}

/** Adds recordings with evidence about credentials, except what isn't about the current security requirements. */
function addCredentials(
  adder: HitsAdder,
  { credentials, access }: Hits,
  { credentials: saved = [] }: HitsFile,
): void {
  const { timeAt } = adder;
  const operations = adder.operations();
  for (const { recording: name = "", shown, pending = [], owners = [], touches = [] } of saved) {
    const recording = credentials.recording(name);
    for (const place of shown) recording.shownPlaces.add(place);
    for (const [name, evidence] of pending) {
      const operation = operations.get(name);
      if (operation === undefined) continue;
      const entries = readEvidence({ operation: name, hits: 0, evidence }, () => undefined, timeAt);
      for (const entry of entries) {
        if (!hasSecurityText(operation, entry.detail)) continue;
        pendingHits(recording, operation.index).merge([{ ...entry, parameter: -1 }]);
      }
    }
    const dropped = recording.objects.merge(
      owners.map(([objects, test, identity]) => ({ objects, test, identity })),
      touches.flatMap(([objects, test, name, identity, status, count, first]) => {
        const operation = operations.get(name)?.index;
        const firstAt = timeAt(first);
        return operation === undefined
          ? []
          : [{ objects, test, operation, identity, status, count, firstAt }];
      }),
    );
    for (const touch of dropped) access.add({ ...touch, owner: "" });
  }
}

function otherDescriptionError(
  plan: CoveragePlan,
  file: HitsFile,
  location: string,
): RecordingError {
  const [theirs, ours] = [file.description, describePlan(plan)];
  const hasSameName = theirs.title === ours.title && theirs.version === ours.version &&
    theirs.location === ours.location;
  const sentence = hasSameName
    ? `It has hits of a different description: ${ours.location} has changed since they were recorded.`
    : `It has hits of a different description: ${nameDescription(theirs)}, not ${
      nameDescription(ours)
    }.`;
  return new RecordingError(
    `${sentence} Use the description that they were recorded with, or add --carry to keep the counts of what is the same in both.`,
    { code: "other_description", location },
  );
}

function nameDescription({ title, version, location }: HitsFile["description"]): string {
  return `"${title}" ${version} (${location})`;
}

function unknownCountsError(
  { covtool }: HitsFile,
  dropped: DroppedHits,
  location: string,
): RecordingError {
  const names = [dropped.operation, dropped.parameter, dropped.schema_path, dropped.status_code]
    .filter(Boolean);
  return new RecordingError(
    `It has counts that this version doesn't know (${
      names.join(", ")
    }). covtool ${covtool} wrote it, and this is ${VERSION}. Use the same version to write and to merge hits.`,
    { code: "unknown_counts", location },
  );
}

/** Returns the largest number that a file adds to any count. Durations don't matter, as their sums are limited. */
function largestInFile({ recorded, operations }: HitsFile): number {
  let largest = recorded;
  for (const { parameters = [], response_parts = [] } of operations) {
    largest = largestCount(parameters, largest);
    for (const [, parts] of response_parts) largest = largestCount(parts, largest);
  }
  return largest;
}

function largestCount(parameters: readonly ParameterFile[], minimum: number): number {
  let largest = minimum;
  for (const [, , schemas = []] of parameters) {
    for (const [, counts] of schemas) {
      for (const count of counts) if (count > largest) largest = count;
    }
  }
  return largest;
}

/** Returns the largest count of anything but times; or any larger number, if that is at most `enough`. */
function largestInHits(hits: Hits, enough: number): number {
  const { recorded, operations, store: { counts } } = hits;
  let largest = recorded;
  // Unknown times are Infinity.
  for (let index = 0; index < counts.length; index++) {
    const count = counts[index] as number; // the index is within the array
    if (count > largest && count !== Infinity) largest = count;
  }
  if (largest <= enough) return largest;
  const times = new Set(
    operations.flatMap((operation) => [
      ...operation?.timesAt ?? [],
      ...operation?.responses.flatMap((response) => response?.durationsAt ?? []) ?? [],
    ]),
  );
  largest = recorded;
  counts.forEach((count: number, index: number) => {
    if (count > largest && count !== Infinity && !times.has(index)) largest = count;
  });
  return largest;
}
