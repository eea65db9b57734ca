import type { CountedUnit } from "../../schema/counted_unit.ts";
import type { CoveragePlan, OperationPlan } from "../coverage_plan.ts";
import { requiredRule } from "../enforcement.ts";
import { findUnit } from "../find_unit.ts";
import type { ParameterPlan } from "../parameter_plan.ts";
import type { ResponsePlan } from "../response_plan.ts";
import type { HitsFile } from "./hits_format.ts";

/** The places of a plan by the names that hits files have for them, looked up once. */
export class Names {
  /** By method and path. */
  readonly operations: ReadonlyMap<string, OperationPlan>;
  readonly #parameters = new Map<OperationPlan, ReadonlyMap<string, number>>();
  readonly #responses = new Map<OperationPlan, ReadonlyMap<string, number>>();
  readonly #units = new Map<string, CountedUnit | undefined>();
  readonly #responseUnits = new Map<string, CountedUnit | undefined>();
  readonly #parts = new Map<ResponsePlan, ReadonlyMap<string, number>>();
  readonly #plan: CoveragePlan;

  private constructor(plan: CoveragePlan) {
    this.#plan = plan;
    this.operations = new Map(
      plan.operations.map((operation) => [operationName(operation), operation]),
    );
  }

  /** Those of a plan. */
  static of(plan: CoveragePlan): Names {
    let names = namesOfPlans.get(plan);
    if (names === undefined) namesOfPlans.set(plan, names = new Names(plan));
    return names;
  }

  /** The index of a parameter by location and name; undefined if it isn't found. */
  parameter(operation: OperationPlan, name: string): number | undefined {
    let names = this.#parameters.get(operation);
    if (names === undefined) {
      names = new Map(
        operation.parameters.map((parameter, index) => [parameterName(parameter), index]),
      );
      this.#parameters.set(operation, names);
    }
    return names.get(name);
  }

  /** The index of a documented response by its status as written; undefined if it isn't found. */
  response(operation: OperationPlan, status: string): number | undefined {
    let names = this.#responses.get(operation);
    if (names === undefined) {
      names = new Map(
        operation.model.responses.map(({ status_code }, index) => [status_code, index]),
      );
      this.#responses.set(operation, names);
    }
    return names.get(status);
  }

  /** The index of a media type or header of a response by its name in hits; undefined if it isn't found. */
  part(response: ResponsePlan, name: string): number | undefined {
    let names = this.#parts.get(response);
    if (names === undefined) {
      names = new Map(response.parts.map((part, index) => [parameterName(part), index]));
      this.#parts.set(response, names);
    }
    return names.get(name);
  }

  /** The unit of a schema by its pointer or its role in a parameter; undefined if it isn't found. */
  unit(pointer: string, parameter: ParameterPlan): CountedUnit | undefined {
    if (pointer === "schema" || pointer === "itemSchema") {
      const schema = parameter[pointer];
      return typeof schema === "object" ? parameter.schemas.program.unit(schema) : undefined;
    }
    const units = parameter.schemas === this.#plan.schemas ? this.#units : this.#responseUnits;
    let unit = units.get(pointer);
    if (unit === undefined) {
      unit = findUnit(this.#plan, parameter, pointer);
      units.set(pointer, unit);
    }
    return unit;
  }
}

const namesOfPlans = new WeakMap<CoveragePlan, Names>();

/** The description of a plan as hits name it. */
export function describePlan(plan: CoveragePlan): HitsFile["description"] {
  const { model: { title, apiVersion }, documents: { location }, fingerprint } = plan;
  return { location, title, version: apiVersion, fingerprint };
}

/** The hash of a rule's value; empty for `required`, undefined if the parameter has no such rule. */
export function ruleHash(
  { layouts }: CoveragePlan,
  parameter: ParameterPlan,
  path: string,
): string | undefined {
  if (path === requiredRule(parameter)) return "";
  const keyword = parameter.inventory.keywords.find(({ schema_path }) => schema_path === path);
  return keyword && layouts.hashOf(keyword.node.schema[keyword.keyword]);
}

/** The name of a parameter in hits, or of a media type or header of a response. */
export function parameterName({ model: { location, name } }: ParameterPlan): string {
  return `${location} ${name}`;
}

/** The name of an operation in hits. */
export function operationName({ model: { method, path } }: OperationPlan): string {
  return `${method} ${path}`;
}
