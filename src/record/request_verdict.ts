import type { Json } from "../values/json.ts";
import type { RawText } from "../values/raw_text.ts";
import type { OperationHits } from "../map/operation_hits.ts";
import type { SchemaProgram } from "../schema/schema_unit.ts";
import type { Target } from "./target.ts";

/** A value that fails its schema. */
interface FailedValue {
  readonly target: Target;
  readonly value: Json;
  readonly text: RawText | undefined;
}

/** A rule that an API may enforce: a keyword of a parameter, or that a parameter is required. */
interface Rule {
  readonly parameter: number;
  /** Its pointer. */
  readonly path: string;
  /** The part of the value that it refuses. */
  readonly instance: string | undefined;
}

/** An operation, as judging its requests needs it. */
export interface JudgedOperation {
  readonly hits: OperationHits;
  /** True for a parameter in the path. */
  isInPath(parameter: number): boolean;
  /** The required parameters that the present request lacks; undefined where the recording doesn't show them. */
  missing(): readonly MissingParameter[] | undefined;
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
  readonly #failed: FailedValue[] = [];
  /** Faults that break no rule of the description: a body that doesn't parse, or is of another media type. */
  #others = 0;
  #isUnjudged = false;

  /** Starts with an empty verdict for the next request. */
  constructor(program: SchemaProgram) {
    this.#program = program;
  }

  /** Forgets the request. */
  clear(): void {
    if (this.#failed.length > 0) this.#failed.length = 0;
    if (this.#others > 0) this.#others = 0;
    if (this.#isUnjudged) this.#isUnjudged = false;
  }

  /** Adds a value that fails its schema. */
  fail(target: Target, value: Json, text: RawText | undefined): void {
    this.#failed.push({ target, value, text });
  }

  /** Adds a fault that breaks no rule of the description. */
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
    const isAccepted = status >= 200 && status < 400;
    const isError = status >= 500 && status < 600;
    if (isError) addStatus(hits, "server_error", status);
    const mayRefuse = REFUSING.has(status) || status === 404;
    if (this.#isUnjudged || !(isAccepted || mayRefuse || isError)) return;
    if (this.#others + (this.#failed.length > 0 ? 1 : 0) > 1) return;
    const missing = operation.missing();
    if (missing === undefined) return;
    const [rule, ...more] = this.#rules(missing);
    if (rule === undefined) {
      if (this.#others > 0) return;
      if (isError) addStatus(hits, "server_error_valid", status);
      else if (VALIDATING.has(status)) addStatus(hits, "valid_request_refused", status);
    } else if (more.length === 0 && this.#others === 0 && !isError) {
      if (status === 404 && !rule.every(({ parameter }) => operation.isInPath(parameter))) return;
      for (const { parameter, path, instance } of rule) {
        hits.evidence.add(
          isAccepted ? "accepted" : "refused",
          parameter,
          path,
          hits.store.now,
          instance === undefined ? { status_code: status } : { status_code: status, instance },
        );
      }
    }
  }

  /** The broken rules, two at most: more prove nothing more. */
  #rules(missing: readonly MissingParameter[]): (readonly Rule[])[] {
    const rules: (readonly Rule[])[] = missing.map(({ parameters, path }) =>
      parameters.map((parameter) => ({ parameter, path, instance: undefined }))
    );
    const [first, ...others] = this.#failed;
    // Values of several parameters break several rules, whichever they are.
    if (others.some(({ target }) => target.index !== first?.target.index)) return [[], []];
    const known = new Set<string>();
    for (const { target: { index: parameter, unit }, value, text } of this.#failed) {
      if (rules.length > 1 || unit === undefined) break;
      for (const { node, keyword, instance } of this.#program.causes(unit.root, value, text, 2)) {
        const path = node.pathOf(keyword);
        if (known.has(path)) continue;
        known.add(path);
        rules.push([{ parameter, path, instance }]);
      }
    }
    return rules;
  }
}

function addStatus(
  { evidence, store }: OperationHits,
  kind: "server_error" | "server_error_valid" | "valid_request_refused",
  status: number,
): void {
  evidence.add(kind, -1, String(status), store.now, { status_code: status });
}
