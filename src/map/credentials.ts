import { getOrAdd } from "../values/collections.ts";
import type { CredentialPlace, SecurityModel } from "../openapi/model.ts";
import type { CoveragePlan, OperationPlan } from "./coverage_plan.ts";
import type { OpenRecording } from "./credential_hits.ts";
import { CREDENTIAL_KINDS, type Evidence, EvidenceHits, type EvidenceKind } from "./evidence.ts";
import type { Hits } from "./hits.ts";
import type { CredentialCounts } from "./results.ts";

/** The place of credentials as recordings are compared by: all schemes of `Authorization` are in one. */
export function placeText({ in: location, name }: CredentialPlace): string {
  return location === "authorization" ? location : `${location} ${name}`;
}

const texts = new WeakMap<SecurityModel, string>();

/** What an operation needs, as text: the same for the same needs, in whatever order a description has them. */
export function securityText(security: SecurityModel): string {
  return getOrAdd(
    texts,
    security,
    () =>
      security.map((places) =>
        places.map(({ in: location, name }) => `${location} ${name}`).sort().join(" & ")
      ).sort().join(" | "),
  );
}

/** True if `detail`, the needs that evidence is about, are those of an operation. */
export function isNeeded({ model: { security } }: OperationPlan, detail: string): boolean {
  return security !== undefined && securityText(security) === detail;
}

/** True if a request of the recording that shows nothing had nothing: each alternative has a place that others show. */
function isTold(security: SecurityModel, { shown }: OpenRecording): boolean {
  return security.every((places) => places.some((place) => shown.has(placeText(place))));
}

/** What the requests that wait prove of an operation. */
function* settled(
  { index, model: { security } }: OperationPlan,
  recording: OpenRecording,
): Generator<Evidence, void> {
  const pending = recording.pending.get(index);
  if (pending === undefined || security === undefined) return;
  const told = isTold(security, recording);
  for (const one of pending.list()) {
    const { status_code } = one.example;
    yield told ? one : { ...one, kind: "without_credentials_unknown", example: { status_code } };
  }
}

/** Ends a recording: nothing more of it comes, so what its requests prove is certain. */
export function endRecording(plan: CoveragePlan, hits: Hits, name: string): void {
  const recording = hits.credentials.take(name);
  if (recording === undefined) return;
  hits.access.settle(recording.objects);
  for (const index of recording.pending.keys()) {
    const operation = plan.operations[index] as OperationPlan; // hits are of the plan's operations
    hits.operation(index).evidence.merge(settled(operation, recording));
  }
}

/** What one operation's requests show, those of open recordings included; undefined if it needs no credentials. */
export function credentialEvidence(
  operation: OperationPlan,
  hits: Hits,
): OperationCredentials | undefined {
  const { model: { security }, index } = operation;
  if (security === undefined) return undefined;
  const evidence = new EvidenceHits();
  const detail = securityText(security);
  const own = hits.operations[index]?.evidence;
  for (const kind of CREDENTIAL_KINDS) {
    const one = own?.get(kind, -1, detail);
    if (one !== undefined) evidence.merge([one]);
  }
  for (const [, recording] of hits.credentials.list()) {
    evidence.merge(settled(operation, recording));
  }
  const count = (kind: EvidenceKind) => evidence.get(kind, -1, detail)?.count ?? 0;
  return {
    counts: {
      with_credentials_succeeded: count("with_credentials_succeeded"),
      without_credentials_refused: count("without_credentials_refused"),
      without_credentials_succeeded: count("without_credentials_succeeded"),
      without_credentials_unknown: count("without_credentials_unknown"),
    },
    notRequired: evidence.get("without_credentials_succeeded", -1, detail),
  };
}

export interface OperationCredentials {
  readonly counts: CredentialCounts;
  /** Answers of 2xx to requests without credentials; undefined if there were none. */
  readonly notRequired: Evidence | undefined;
}
