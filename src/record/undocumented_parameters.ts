import type { OperationPlan } from "../map/coverage_plan.ts";
import type { OperationHits } from "../map/operation_hits.ts";
import { spreadsObjects } from "../map/parameter_encoding.ts";
import { OBJECT } from "../values/json_type.ts";
import { otherNames } from "./prepare_targets.ts";
import { looksLikeData } from "./response_target.ts";

/** Names under which tokens are sent whatever a description says, and what clients add to get round caches. */
const COMMON = new Set(["access_token", "_"]);

/** Lists the names in queries that are none of an operation's documented parameters. */
export class UndocumentedParameters {
  readonly #hits: OperationHits;
  /** Names that were looked at: true for those to count. */
  readonly #known = new Map<string, boolean>();
  /** The documented names that stand for others too: `filter` for `filter[x]` and `filter[]`. */
  readonly #names: ReadonlySet<string>;
  /** True if a documented parameter can have any name. */
  readonly #takesAny: boolean;

  constructor(operation: OperationPlan, hits: OperationHits) {
    const { model, parameters } = operation;
    this.#hits = hits;
    const inQuery = parameters.filter(({ model }) => model.in === "query");
    const others = otherNames(operation, "query");
    this.#names = new Set([...inQuery.map(({ model }) => model.name), ...others]);
    this.#takesAny = /[?#]/.test(model.path) ||
      parameters.some(({ model }) => model.in === "querystring") ||
      inQuery.some(({ model, shape }) =>
        spreadsObjects(model) &&
        (shape.types === 0 ? shape.propertyNames.size > 0 : (shape.types & OBJECT) !== 0)
      );
  }

  /** Adds a name of the query that no parameter of its own name takes. */
  add(name: string): void {
    if (this.#takesAny || !(this.#known.get(name) ?? this.#look(name))) return;
    this.#hits.undocumentedParameters.add({ name, count: this.#hits.store.weight });
  }

  #look(name: string): boolean {
    const isCounted = name !== "" && !this.#names.has(name.replace(/\[.*$/, "")) &&
      !this.#names.has(name) && !COMMON.has(name.toLowerCase()) && !looksLikeData(name);
    if (this.#known.size < MAX_KNOWN) this.#known.set(name, isCounted);
    return isCounted;
  }
}

/** The most names whose answer is remembered: senders may make up any number. */
const MAX_KNOWN = 1_000;
