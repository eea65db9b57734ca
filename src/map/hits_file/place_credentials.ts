import type { CoveragePlan, OperationPlan } from "../coverage_plan.ts";
import type { ObjectOwner, ObjectTouch } from "../access_hits.ts";
import { pendingOf } from "../credential_hits.ts";
import { securityText } from "../credentials.ts";
import type { Evidence } from "../evidence.ts";
import type { Hits } from "../hits.ts";
import { readEvidence } from "./evidence_entry.ts";
import type { HitsFile } from "./hits_format.ts";
import { Names } from "./names.ts";

/** What one recording of a hits file shows of credentials, with its places in a plan. */
export interface PlacedCredentials {
  /** The name of the recording; empty for what was recorded live. */
  readonly recording: string;
  readonly shown: readonly string[];
  /** Requests without credentials, by the index of the operation. */
  readonly pending: readonly (readonly [operation: number, evidence: readonly Evidence[]])[];
  readonly owners: readonly ObjectOwner[];
  readonly touches: readonly ObjectTouch[];
}

/** Finds the places of what a file shows of credentials; what operations don't need any more is left out. */
export function placeCredentials(plan: CoveragePlan, file: HitsFile): PlacedCredentials[] {
  const { credentials = [], times } = file;
  const timeAt = (index: number | undefined): number =>
    index === undefined ? Infinity : times?.[index] ?? Infinity;
  const { operations } = Names.of(plan);
  return credentials.map(({ recording = "", shown, pending = [], owners = [], touches = [] }) => ({
    recording,
    shown,
    owners: owners.map(([objects, test, identity]) => ({ objects, test, identity })),
    touches: touches.flatMap(([objects, test, name, identity, status, count, first]) => {
      const operation = operations.get(name)?.index;
      const firstAt = timeAt(first);
      return operation === undefined
        ? []
        : [{ objects, test, operation, identity, status, count, firstAt }];
    }),
    pending: pending.flatMap(([name, evidence]) => {
      const operation = operations.get(name);
      if (operation === undefined) return [];
      const saved = { operation: name, hits: 0, evidence };
      const read = [...readEvidence(saved, () => undefined, timeAt)];
      const needed = read.filter(({ detail }) => isNeeded(operation, detail));
      return [[operation.index, needed.map((one) => ({ ...one, parameter: -1 }))] as const];
    }),
  }));
}

export function isNeeded({ model: { security } }: OperationPlan, detail: string): boolean {
  return security !== undefined && securityText(security) === detail;
}

/** Adds what recordings of a file show of credentials. */
export function addCredentials(
  { credentials, access }: Hits,
  placed: readonly PlacedCredentials[],
): void {
  for (const { recording: name, shown, pending, owners, touches } of placed) {
    const recording = credentials.recording(name);
    for (const place of shown) recording.shown.add(place);
    for (const [index, evidence] of pending) {
      if (evidence.length > 0) pendingOf(recording, index).merge(evidence);
    }
    for (const dropped of recording.objects.merge(owners, touches)) {
      access.add({ ...dropped, owner: "" });
    }
  }
}
