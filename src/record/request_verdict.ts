import { isStackOverflow } from "../values/errors.ts";
import type { Json, RawText } from "../values/json.ts";
import type { EvidenceExample, RequestSource } from "../map/evidence.ts";
import type { OperationHits } from "../map/operation_hits.ts";
import type { Cause } from "../schema/causes/cause.ts";
import type { NotedFault, SchemaProgram } from "../schema/schema_unit.ts";
import type { Target } from "./target.ts";

interface FailedValue {
  readonly target: Target;
  readonly value: Json;
  readonly text: RawText | undefined;
  readonly fault: NotedFault;
}

/** A rule that a request breaks: a keyword of a parameter, or that a parameter is required. */
interface BrokenRule {
  readonly parameter: number;
  readonly path: string;
  /** The keyword; undefined if the parameter is missing. */
  readonly cause: Cause | undefined;
}

export interface JudgedOperation {
  readonly hits: OperationHits;
  isInPath(parameter: number): boolean;
  /** True if the present request has no body, but a parameter is one, or a field of its form. */
  lacksBody(parameter: number): boolean;
  /** The required parameters that the present request lacks, of those that its recording shows. */
  missing(): readonly MissingParameter[];
  /** True if the present request may have had documented parameters that its recording can't show. */
  hidesParameters(): boolean;
}

/** A required parameter that a request lacks; one rule for all media types of a body. */
export interface MissingParameter {
  readonly parameters: readonly number[];
  /** The pointer of `required`. */
  readonly path: string;
}

const REFUSING: ReadonlySet<number> = new Set([400, 413, 414, 415, 422, 431]);
const VALIDATING: ReadonlySet<number> = new Set([400, 422]);

/**
 * The faults of one request, collected while it is recorded, and what its answer proves: an API that refuses a request
 * enforces a rule only if that rule alone is broken (semantics, section 10). One verdict serves all operations, one
 * request after the other: if there were many, the values that they hold would outlive their requests.
 */
export class RequestVerdict {
  readonly #program: SchemaProgram;
  readonly #source: RequestSource | undefined;
  readonly #failed: FailedValue[] = [];
  /** Faults that break no rule of the description: a body that doesn't parse, or is of another media type. */
  #others = 0;
  #isUnjudged = false;

  constructor(program: SchemaProgram, source: RequestSource | undefined) {
    this.#program = program;
    this.#source = source;
  }

  clear(): void {
    if (this.#failed.length > 0) this.#failed.length = 0;
    if (this.#others > 0) this.#others = 0;
    if (this.#isUnjudged) this.#isUnjudged = false;
  }

  /** Adds a value that fails its schema, right after its evaluation. */
  fail(target: Target, value: Json, text: RawText | undefined): void {
    this.#failed.push({ target, value, text, fault: this.#program.lastFault });
  }

  addOther(): void {
    this.#others++;
  }

  /** Notes that a part of the request can't be judged. */
  leaveOpen(): void {
    this.#isUnjudged = true;
  }

  /** Adds what the answer proves to the hits of the operation. */
  settle(status: number, operation: JudgedOperation): void {
    const { hits } = operation;
    // A redirect to add a slash, to log in or to another server is no acceptance.
    const isAccepted = status >= 200 && status < 300 || status === 304;
    const isError = status >= 500 && status < 600;
    if (isError) addStatus(hits, "server_error", status, this.#source);
    const mayRefuse = REFUSING.has(status) || status === 404;
    if (this.#isUnjudged || !(isAccepted || mayRefuse || isError)) return;
    if (this.#others + (this.#failed.length > 0 ? 1 : 0) > 1) return;
    const missing = operation.missing();
    if (isAccepted && missing.length === 0 && this.#failed.length === 0) return; // as it should be
    const broken = this.#brokenRules(missing);
    if (broken === undefined) return;
    // What is hidden may be why a request was refused; one that was accepted broke the rule whatever else it had.
    if ((broken.length === 0 || !isAccepted) && operation.hidesParameters()) return;
    if (broken.length === 0) {
      if (this.#others > 0) return;
      if (isError) addStatus(hits, "server_error_valid", status);
      else if (VALIDATING.has(status)) {
        addStatus(hits, "valid_request_refused", status, this.#source);
      }
    } else if (this.#others === 0 && !isError) {
      const { evidence, store } = hits;
      const kind = isAccepted ? "accepted" : "refused";
      for (const { parameter, path, cause } of broken) {
        if (status === 404 && !operation.isInPath(parameter)) return;
        const lacksBody = cause === undefined && operation.lacksBody(parameter);
        if (status === 415 && !lacksBody) return;
        const example = evidenceExample(status, cause);
        const source = isAccepted ? this.#source : undefined;
        evidence.add(kind, parameter, path, store.now, example, store.weight, source);
      }
    }
  }

  #brokenRules(missing: readonly MissingParameter[]): readonly BrokenRule[] | undefined {
    if (missing.length > 1) return undefined;
    const [lack] = missing;
    const [first] = this.#failed;
    if (first === undefined) {
      return lack?.parameters.map((parameter) => ({
        parameter,
        path: lack.path,
        cause: undefined,
      })) ??
        [];
    }
    if (lack !== undefined) return undefined;
    const parameter = first.target.index;
    if (this.#failed.some(({ target }) => target.index !== parameter)) return undefined;
    const only = this.#onlyCause();
    if (only === "several") return undefined;
    return only === undefined ? undefined : [{ parameter, path: only.rule.path, cause: only }];
  }

  /** The cause of all failures; `several` if there are more, or if there may be. */
  #onlyCause(): Cause | "several" | undefined {
    return this.#program.causeFinder.share(() => {
      let only: Cause | undefined;
      for (const failed of this.#failed) {
        const causes = this.#findCauses(failed);
        if (causes === undefined) return "several";
        for (const cause of causes) {
          if (only !== undefined && only.rule !== cause.rule) return "several";
          only ??= cause;
        }
      }
      return only;
    });
  }

  /** Why a value fails; undefined if there is more than one cause, or a part was left out, which may have its own. */
  #findCauses({ target, value, text, fault }: FailedValue): readonly Cause[] | undefined {
    const { unit, counters } = target;
    if (unit === undefined) return undefined;
    const noted = this.#program.notedCause(counters, fault);
    if (noted === "several") return undefined;
    if (noted !== undefined) return [noted];
    const { causeFinder } = this.#program;
    try {
      const causes = causeFinder.singleCause(unit.root, value, text);
      return causeFinder.hasLeftOut ? undefined : causes;
    } catch (error) {
      // Whoever records may have left little of the stack.
      if (isStackOverflow(error)) return undefined;
      throw error;
    }
  }
}

function addStatus(
  { evidence, store }: OperationHits,
  kind: "server_error" | "server_error_valid" | "valid_request_refused",
  status: number,
  source?: RequestSource,
): void {
  const example = { status_code: status };
  evidence.add(kind, -1, String(status), store.now, example, store.weight, source);
}

function evidenceExample(status_code: number, cause: Cause | undefined): EvidenceExample {
  return cause === undefined ? { status_code } : { status_code, instance: cause.instance };
}
