import { getOrAdd } from "../values/collections.ts";
import type { CredentialPlace, SecurityModel } from "../openapi/model.ts";
import type { CoveragePlan, OperationPlan } from "./coverage_plan.ts";
import type { OpenRecording } from "./credential_hits.ts";
import { CREDENTIAL_KINDS, type Evidence, EvidenceHits, type EvidenceKind } from "./evidence.ts";
import type { Hits } from "./hits.ts";
import type { CredentialCounts } from "./results.ts";

/** Returns the place of credentials as a key. All schemes that use the `Authorization` header share one key. */
export function placeText({ in: location, name }: CredentialPlace): string {
  return location === "authorization" ? location : `${location} ${name}`;
}

const securityTexts = new WeakMap<SecurityModel, string>();

/** Returns the security requirements of an operation as text that doesn't depend on their order. */
export function securityText(security: SecurityModel): string {
  return getOrAdd(
    securityTexts,
    security,
    () =>
      security.map((places) =>
        places.map(({ in: location, name }) => `${location} ${name}`).sort().join(" & ")
      ).sort().join(" | "),
  );
}

export function hasSecurityText({ model: { security } }: OperationPlan, detail: string): boolean {
  return security !== undefined && securityText(security) === detail;
}

/** True if absent credentials mean that none were sent: for each alternative, other requests show one of its places. */
function showsCredentials(security: SecurityModel, { shownPlaces }: OpenRecording): boolean {
  return security.every((places) => places.some((place) => shownPlaces.has(placeText(place))));
}

function* pendingEvidence(
  { index, model: { security } }: OperationPlan,
  recording: OpenRecording,
): Generator<Evidence, void> {
  const pending = recording.pending.get(index);
  if (pending === undefined || security === undefined) return;
  const isShown = showsCredentials(security, recording);
  for (const entry of pending.list()) {
    const { status_code } = entry.example;
    yield isShown
      ? entry
      : { ...entry, kind: "without_credentials_unknown", example: { status_code } };
  }
}

/** Ends a recording: no more requests will follow, so the evidence of its undecided requests becomes final. */
export function endRecording(plan: CoveragePlan, hits: Hits, name: string): void {
  const recording = hits.credentials.remove(name);
  if (recording === undefined) return;
  hits.access.addRecording(recording.objects);
  for (const index of recording.pending.keys()) {
    const operation = plan.operations[index] as OperationPlan; // hits have the indexes of the plan's operations
    hits.operation(index).evidence.merge(pendingEvidence(operation, recording));
  }
}

/** Returns an operation's evidence about credentials, including open recordings; undefined if it requires none. */
export function credentialEvidence(
  operation: OperationPlan,
  hits: Hits,
): OperationCredentials | undefined {
  const { model: { security }, index } = operation;
  if (security === undefined) return undefined;
  const evidence = new EvidenceHits();
  const detail = securityText(security);
  const operationEvidence = hits.operations[index]?.evidence;
  for (const kind of CREDENTIAL_KINDS) {
    const known = operationEvidence?.get(kind, -1, detail);
    if (known !== undefined) evidence.merge([known]);
  }
  for (const [, recording] of hits.credentials.list()) {
    evidence.merge(pendingEvidence(operation, recording));
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
  /** Responses with 2xx to requests without credentials; undefined if there were none. */
  readonly notRequired: Evidence | undefined;
}
