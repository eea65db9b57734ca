import type { CoveragePlan, OperationPlan } from "../coverage_plan.ts";
import { type CredentialHits, pendingOf } from "../credential_hits.ts";
import { securityText } from "../credentials.ts";
import type { Evidence } from "../evidence.ts";
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
}

/** Finds the places of what a file shows of credentials; what operations don't need any more is left out. */
export function placeCredentials(plan: CoveragePlan, file: HitsFile): PlacedCredentials[] {
  const { credentials = [], times } = file;
  const timeAt = (index: number | undefined): number =>
    index === undefined ? Infinity : times?.[index] ?? Infinity;
  return credentials.map(({ recording = "", shown, pending = [] }) => ({
    recording,
    shown,
    pending: pending.flatMap(([name, evidence]) => {
      const operation = Names.of(plan).operations.get(name);
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
export function addCredentials(hits: CredentialHits, placed: readonly PlacedCredentials[]): void {
  for (const { recording: name, shown, pending } of placed) {
    const recording = hits.recording(name);
    for (const place of shown) recording.shown.add(place);
    for (const [index, evidence] of pending) {
      if (evidence.length > 0) pendingOf(recording, index).merge(evidence);
    }
  }
}
