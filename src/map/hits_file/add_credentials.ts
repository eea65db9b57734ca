import type { CoveragePlan, OperationPlan } from "../coverage_plan.ts";
import { pendingOf } from "../credential_hits.ts";
import { securityText } from "../credentials.ts";
import type { Hits } from "../hits.ts";
import { readEvidence } from "./evidence_entry.ts";
import type { HitsFile } from "./hits_format.ts";
import { Names } from "./names.ts";

/** Adds what the recordings of a file show of credentials; what operations don't need any more is left out. */
export function addCredentials(
  plan: CoveragePlan,
  { credentials, access }: Hits,
  { credentials: saved = [], times }: HitsFile,
): void {
  const timeAt = (index: number | undefined): number =>
    index === undefined ? Infinity : times?.[index] ?? Infinity;
  const { operations } = Names.of(plan);
  for (const { recording: name = "", shown, pending = [], owners = [], touches = [] } of saved) {
    const recording = credentials.recording(name);
    for (const place of shown) recording.shown.add(place);
    for (const [name, evidence] of pending) {
      const operation = operations.get(name);
      if (operation === undefined) continue;
      const read = readEvidence({ operation: name, hits: 0, evidence }, () => undefined, timeAt);
      for (const one of read) {
        if (!isNeeded(operation, one.detail)) continue;
        pendingOf(recording, operation.index).merge([{ ...one, parameter: -1 }]);
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

export function isNeeded({ model: { security } }: OperationPlan, detail: string): boolean {
  return security !== undefined && securityText(security) === detail;
}
