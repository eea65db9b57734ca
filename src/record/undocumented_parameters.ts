import type { OperationPlan } from "../map/coverage_plan.ts";
import type { OperationHits } from "../map/operation_hits.ts";
import { spreadsObjects } from "../map/parameter_encoding.ts";
import { OBJECT } from "../values/json_type.ts";
import { reservedNames } from "./prepare_targets.ts";
import { looksLikeData } from "./response_target.ts";

/** Names that are common without documentation: tokens, and parameters that clients add to bypass caches. */
const COMMON_NAMES = new Set(["access_token", "_"]);

export class UndocumentedParameters {
  readonly #hits: OperationHits;
  /** Cached results: true for names to count. */
  readonly #decisions = new Map<string, boolean>();
  /** Documented names, which also cover names in brackets: `filter` covers `filter[x]` and `filter[]`. */
  readonly #names: ReadonlySet<string>;
  /** True if a documented parameter can have arbitrary names. */
  readonly #acceptsAny: boolean;

  constructor(operation: OperationPlan, hits: OperationHits) {
    const { model, parameters } = operation;
    this.#hits = hits;
    const inQuery = parameters.filter(({ model }) => model.in === "query");
    const reserved = reservedNames(operation, "query");
    this.#names = new Set([...inQuery.map(({ model }) => model.name), ...reserved]);
    this.#acceptsAny = /[?#]/.test(model.path) ||
      parameters.some(({ model }) => model.in === "querystring") ||
      inQuery.some(({ model, shape }) =>
        spreadsObjects(model) &&
        (shape.types === 0 ? shape.propertyNames.size > 0 : (shape.types & OBJECT) !== 0)
      );
  }

  /** Adds a name in a query that no parameter with exactly this name takes. */
  add(name: string): void {
    if (this.#acceptsAny || !(this.#decisions.get(name) ?? this.#isCounted(name))) return;
    this.#hits.undocumentedParameters.add({ name, count: this.#hits.store.weight });
  }

  #isCounted(name: string): boolean {
    const isCounted = name !== "" && !this.#names.has(name.replace(/\[.*$/, "")) &&
      !this.#names.has(name) && !COMMON_NAMES.has(name.toLowerCase()) && !looksLikeData(name);
    if (this.#decisions.size < MAX_DECISIONS) this.#decisions.set(name, isCounted);
    return isCounted;
  }
}

/** The maximum number of cached names, as senders can make up any number. */
const MAX_DECISIONS = 1_000;
