import { isStackOverflow } from "../values/errors.ts";
import type { Json, RawText } from "../values/json.ts";
import type { EvidenceExample, RequestSource } from "../map/evidence.ts";
import type { OperationHits } from "../map/operation_hits.ts";
import type { Cause } from "../schema/causes/cause.ts";
import type { RecordedFault, SchemaProgram } from "../schema/schema_unit.ts";
import type { Target } from "./target.ts";

interface FailedValue {
  readonly target: Target;
  readonly value: Json;
  readonly text: RawText | undefined;
  readonly fault: RecordedFault;
}

/** A rule that a request breaks: a keyword, or `required` of a parameter. */
interface BrokenRule {
  readonly parameter: number;
  readonly path: string;
  /** The violated keyword; undefined if the parameter is missing. */
  readonly cause: Cause | undefined;
}

export interface JudgedOperation {
  readonly hits: OperationHits;
  isInPath(parameter: number): boolean;
  /** True if the current request has no body, and the parameter is the body or a form field. */
  lacksBody(parameter: number): boolean;
  /** Returns the required parameters that the current request lacks, without those that its recording hides. */
  missingParameters(): readonly MissingParameter[];
  /** True if the current request may have had documented parameters that its recording hides. */
  hidesParameters(): boolean;
}

/** A required parameter that a request lacks. All media types of a body are one parameter. */
export interface MissingParameter {
  readonly parameters: readonly number[];
  /** The pointer of `required`. */
  readonly path: string;
}

const REFUSING: ReadonlySet<number> = new Set([400, 413, 414, 415, 422, 431]);
const VALIDATING: ReadonlySet<number> = new Set([400, 422]);

/**
 * The faults of one request, collected while recording it, and the evidence that its response gives: refusing a request
 * proves that a rule is enforced only if no other rule was broken (semantics, section 10). All operations share one
 * verdict, used for one request after another, so that values don't stay in memory longer than their requests.
 */
export class RequestVerdict {
  readonly #program: SchemaProgram;
  readonly #source: RequestSource | undefined;
  readonly #failures: FailedValue[] = [];
  /** Faults that violate no rule: a body that can't be parsed or has an undocumented media type. */
  #otherFaults = 0;
  #isUnjudged = false;

  constructor(program: SchemaProgram, source: RequestSource | undefined) {
    this.#program = program;
    this.#source = source;
  }

  clear(): void {
    if (this.#failures.length > 0) this.#failures.length = 0;
    if (this.#otherFaults > 0) this.#otherFaults = 0;
    if (this.#isUnjudged) this.#isUnjudged = false;
  }

  /** Adds an invalid value. Must be called right after its evaluation. */
  addFailure(target: Target, value: Json, text: RawText | undefined): void {
    this.#failures.push({ target, value, text, fault: this.#program.lastFault });
  }

  addOtherFault(): void {
    this.#otherFaults++;
  }

  markUnjudged(): void {
    this.#isUnjudged = true;
  }

  addEvidence(status: number, operation: JudgedOperation): void {
    const { hits } = operation;
    // A redirect other than 304 proves no acceptance: it may add a slash, or lead to a login page or another server.
    const isAccepted = status >= 200 && status < 300 || status === 304;
    const isError = status >= 500 && status < 600;
    if (isError) addStatusEvidence(hits, "server_error", status, this.#source);
    const mayRefuse = REFUSING.has(status) || status === 404;
    if (this.#isUnjudged || !(isAccepted || mayRefuse || isError)) return;
    if (this.#otherFaults + (this.#failures.length > 0 ? 1 : 0) > 1) return;
    const missing = operation.missingParameters();
    if (isAccepted && missing.length === 0 && this.#failures.length === 0) return; // the expected case
    const broken = this.#brokenRules(missing);
    if (broken === undefined) return;
    // A hidden part may be the reason for a refusal. An accepted request broke the rule, whatever is hidden.
    if ((broken.length === 0 || !isAccepted) && operation.hidesParameters()) return;
    if (broken.length === 0) {
      if (this.#otherFaults > 0) return;
      if (isError) addStatusEvidence(hits, "server_error_valid", status);
      else if (VALIDATING.has(status)) {
        addStatusEvidence(hits, "valid_request_refused", status, this.#source);
      }
    } else if (this.#otherFaults === 0 && !isError) {
      const { evidence, store } = hits;
      const kind = isAccepted ? "accepted" : "refused";
      for (const { parameter, path, cause } of broken) {
        if (status === 404 && !operation.isInPath(parameter)) return;
        const lacksBody = cause === undefined && operation.lacksBody(parameter);
        if (status === 415 && !lacksBody) return;
        const example = evidenceExample(status, cause);
        const source = isAccepted ? this.#source : undefined;
        evidence.add(kind, parameter, path, store.requestTime, example, store.weight, source);
      }
    }
  }

  #brokenRules(missing: readonly MissingParameter[]): readonly BrokenRule[] | undefined {
    if (missing.length > 1) return undefined;
    const [missingParameter] = missing;
    const [failure] = this.#failures;
    if (failure === undefined) {
      const { parameters = [], path = "" } = missingParameter ?? {};
      return parameters.map((parameter) => ({ parameter, path, cause: undefined }));
    }
    if (missingParameter !== undefined) return undefined;
    const parameter = failure.target.index;
    if (this.#failures.some(({ target }) => target.index !== parameter)) return undefined;
    const cause = this.#singleCause();
    return cause && [{ parameter, path: cause.rule.path, cause }];
  }

  /** Returns the single cause of all failures; undefined if there are, or may be, more. */
  #singleCause(): Cause | undefined {
    return this.#program.causeFinder.share(() => {
      let single: Cause | undefined;
      for (const failure of this.#failures) {
        const causes = this.#findCauses(failure);
        if (causes === undefined) return undefined;
        for (const cause of causes) {
          if (single !== undefined && single.rule !== cause.rule) return undefined;
          single ??= cause;
        }
      }
      return single;
    });
  }

  /** Returns the causes of a failure; undefined if there are several, or if a skipped part may be another one. */
  #findCauses({ target, value, text, fault }: FailedValue): readonly Cause[] | undefined {
    const { unit, counters } = target;
    if (unit === undefined) return undefined;
    const noted = this.#program.causeOfFault(counters, fault);
    if (noted === "several") return undefined;
    if (noted !== undefined) return [noted];
    const { causeFinder } = this.#program;
    try {
      const causes = causeFinder.singleCause(unit.root, value, text);
      return causeFinder.hasLeftOut ? undefined : causes;
    } catch (error) {
      // The caller may have left little room on the stack.
      if (isStackOverflow(error)) return undefined;
      throw error;
    }
  }
}

function addStatusEvidence(
  { evidence, store }: OperationHits,
  kind: "server_error" | "server_error_valid" | "valid_request_refused",
  status: number,
  source?: RequestSource,
): void {
  const example = { status_code: status };
  evidence.add(kind, -1, String(status), store.requestTime, example, store.weight, source);
}

function evidenceExample(status_code: number, cause: Cause | undefined): EvidenceExample {
  return cause === undefined ? { status_code } : { status_code, instance: cause.instance };
}
