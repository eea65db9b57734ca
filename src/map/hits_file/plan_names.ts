import { getOrAdd } from "../../values/collections.ts";
import type { CountedUnit } from "../../schema/counters.ts";
import type { CoveragePlan, OperationPlan, ResponsePlan } from "../coverage_plan.ts";
import { parameterName, type ParameterPlan, type PlannedSchemas } from "../parameter_plan.ts";
import type { HitsFile } from "./hits_format.ts";

/** Finds parts of a plan by their names in hits files; look-ups are cached. */
export class PlanNames {
  readonly operations: ReadonlyMap<string, OperationPlan>;
  /** Indexes of parts by name, for operations, models and responses. */
  readonly #indexes = new Map<object, ReadonlyMap<string, number>>();
  /** Units by pointer, for requests and for responses. */
  readonly #units = new Map<PlannedSchemas, Map<string, CountedUnit | undefined>>();
  readonly #plan: CoveragePlan;

  private constructor(plan: CoveragePlan) {
    this.#plan = plan;
    this.operations = new Map(
      plan.operations.map((operation) => [operationKey(operation), operation]),
    );
  }

  static of(plan: CoveragePlan): PlanNames {
    return getOrAdd(namesByPlan, plan, () => new PlanNames(plan));
  }

  /** Returns the index of a parameter by location and name; undefined if there is none. */
  parameter(operation: OperationPlan, name: string): number | undefined {
    return this.#findIndex(operation, name, () => operation.parameters.map(parameterName));
  }

  response({ model }: OperationPlan, status: string): number | undefined {
    return this.#findIndex(
      model,
      status,
      () => model.responses.map(({ status_code }) => status_code),
    );
  }

  part(response: ResponsePlan, name: string): number | undefined {
    return this.#findIndex(response, name, () => response.parts.map(parameterName));
  }

  #findIndex(owner: object, name: string, list: () => readonly string[]): number | undefined {
    const indexes = getOrAdd(
      this.#indexes,
      owner,
      () => new Map(list().map((one, index) => [foldHeader(one), index])),
    );
    return indexes.get(foldHeader(name));
  }

  /** Returns the unit of a schema by its pointer or its role in a parameter; undefined if there is none. */
  unit(pointer: string, parameter: ParameterPlan): CountedUnit | undefined {
    if (pointer === "schema" || pointer === "itemSchema") {
      const schema = parameter[pointer];
      return typeof schema === "object" ? parameter.schemas.program.unit(schema) : undefined;
    }
    const units = getOrAdd(this.#units, parameter.schemas, () => new Map());
    return getOrAdd(units, pointer, () => findUnit(this.#plan, parameter, pointer));
  }
}

/** Folds the case of header names, which may differ between descriptions. */
function foldHeader(name: string): string {
  return name.startsWith("header ") ? name.toLowerCase() : name;
}

const namesByPlan = new WeakMap<CoveragePlan, PlanNames>();

export function describePlan(plan: CoveragePlan): HitsFile["description"] {
  const { model: { title, apiVersion }, documents: { location }, fingerprint } = plan;
  return { location, title, version: apiVersion, fingerprint };
}

export function operationKey({ model: { method, path } }: OperationPlan): string {
  return `${method} ${path}`;
}

/** Returns the unit of a schema by its pointer as reports show it; undefined if there is none. */
export function findUnit(
  plan: CoveragePlan,
  parameter: ParameterPlan,
  path: string,
): CountedUnit | undefined {
  const { schemas } = parameter;
  // Checked first, as a parameter's own schema has a dialect of its own in Swagger 2.0.
  for (const schema of [parameter.schema, parameter.itemSchema]) {
    if (typeof schema === "object" && schema.schemaPath() === path) {
      return schemas.program.unit(schema);
    }
  }
  const place = plan.placeAt(path);
  const schema = place && schemas.program.graph.nodeAt(place);
  return typeof schema === "object" ? schemas.program.unit(schema) : undefined;
}
