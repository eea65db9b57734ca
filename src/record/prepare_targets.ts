import { compileFormField } from "../http/form_body.ts";
import type { NameLookup, ParameterEncoding } from "../http/encoding.ts";
import { compileParameter, isScalarText } from "../http/parameter_style.ts";
import type { OperationPlan } from "../map/coverage_plan.ts";
import { collectionFormats, parameterEncoding, spreadsObjects } from "../map/parameter_encoding.ts";
import { type ParameterPlan, requiredPointer } from "../map/parameter_plan.ts";
import { captureNames, parsePathTemplate } from "../map/path_template.ts";
import type { Subschema } from "../schema/schema_node.ts";
import type { SchemaProgram, SchemaUnit } from "../schema/schema_unit.ts";
import { getOrAdd } from "../values/collections.ts";
import { OBJECT } from "../values/json_type.ts";
import { BodyTarget, type FieldTarget, Target } from "./target.ts";
import type { ParameterLocation } from "../values/position.ts";
import type { MissingParameter } from "./request_verdict.ts";

export interface RequiredParameter extends MissingParameter {
  readonly targets: readonly Target[];
  /** True for bodies and their form fields. */
  readonly isBody: boolean;
}

export function isInBody(location: ParameterLocation | undefined): boolean {
  return location === "body" || location === "form_data";
}

/** Returns the required parameters of an operation, except path parameters, without which the path wouldn't match. */
export function requiredParameters(
  operation: OperationPlan,
  targets: readonly Target[],
): RequiredParameter[] {
  const byPath = new Map<
    string,
    RequiredParameter & { readonly targets: Target[]; readonly parameters: number[] }
  >();
  for (const target of targets) {
    const model = operation.parameters[target.index]?.model;
    if (model === undefined || !model.required || model.location === "path") continue;
    const path = requiredPointer(model);
    const isBody = isInBody(model.location);
    const required = getOrAdd(byPath, path, () => ({ path, targets: [], parameters: [], isBody }));
    required.targets.push(target);
    required.parameters.push(target.index);
  }
  return [...byPath.values()];
}

/** The targets of an operation's parameters, grouped by how they are found in a request. */
export interface PreparedTargets {
  /** The first target of a parameter in the path; each is linked to the next. */
  readonly firstInPath: Target | undefined;
  /** Query parameters that only a pair with exactly their name carries; names alternate with targets. */
  readonly exactNames: readonly (string | Target)[];
  /** Parameters that are decoded from every request. */
  readonly decoded: readonly Target[];
  readonly cookies: readonly Target[];
  readonly bodies: readonly BodyTarget[];
  readonly forms: readonly FieldTarget[];
}

export function prepareTargets(operation: OperationPlan, program: SchemaProgram): PreparedTargets {
  let firstInPath: Target | undefined;
  let last: Target | undefined;
  const decoded: Target[] = [];
  const exactNames: (string | Target)[] = [];
  const cookies: Target[] = [];
  const bodies: BodyTarget[] = [];
  const forms: FieldTarget[] = [];
  const names = new Map<ParameterLocation, ReadonlySet<string>>();
  /** Returns all other names in the location of a parameter, collected once, as many parameters may need them. */
  const namesBeside = ({ location, name: ownName }: ParameterPlan["model"]): NameLookup => {
    const allNames = getOrAdd(names, location, () => {
      const inLocation = operation.parameters.filter(({ model }) => model.location === location);
      return new Set([...inLocation.flatMap(pairNames), ...reservedNames(operation, location)]);
    });
    return { has: (name) => name !== ownName && allNames.has(name) };
  };
  const templates = captureNames(operation.model.path);
  /** The index in `exactNames` of the target of a name. */
  const positions = new Map<string, number>();
  operation.parameters.forEach((plan, index) => {
    const { model } = plan;
    const unit = findUnit(plan.schema, program);
    if (model.location === "body") {
      const items = new Target(index, plan, findUnit(plan.itemSchema, program));
      bodies.push(new BodyTarget(plan, new Target(index, plan, unit), items));
      return;
    }
    const { shape } = plan;
    if (model.location === "form_data") {
      const formats = collectionFormats(model);
      const decode = compileFormField({ name: model.name, shape, formats });
      forms.push({ value: new Target(index, plan, unit), decode });
      return;
    }
    // Only an object could take name-value pairs that belong to other parameters.
    const claimed = (shape.types & OBJECT) === 0 ? undefined : namesBeside(model);
    const encoding = parameterEncoding(model, shape, claimed);
    const template = templates.lastIndexOf(model.name);
    const isScalar = isScalarText(encoding);
    const decode = isScalar ? undefined : compileParameter(encoding, template);
    const target = new Target(index, plan, unit, shape.types, decode, template);
    if (!isScalar && !isCarriedByName(encoding)) {
      (model.location === "cookie" ? cookies : decoded).push(target);
    } else if (encoding.location !== "path") {
      const position = positions.get(model.name);
      if (position === undefined) {
        positions.set(model.name, exactNames.push(model.name, target) - 1);
      } else exactNames[position] = target;
    } else if (template >= 0) {
      if (last === undefined) firstInPath = target;
      else last.next = target;
      last = target;
    }
  });
  return { firstInPath, exactNames, decoded, cookies, bodies, forms };
}

/** Returns names of pairs that belong to no parameter: API keys, and conditions of the path on the query. */
export function reservedNames({ model }: OperationPlan, location: string): readonly string[] {
  const conditionNames = parsePathTemplate(model.path).tokens
    .map(({ delimiter, name }) => ({ in: delimiter === "?" ? "query" : "", name }));
  return [...conditionNames, ...model.keys ?? []]
    .flatMap((reserved) => reserved.in === location ? [reserved.name] : []);
}

/** Returns the names of pairs that belong to a parameter: its own, and those that an exploded object declares. */
function pairNames({ model, shape }: ParameterPlan): readonly string[] {
  return spreadsObjects(model) && (shape.types & OBJECT) !== 0
    ? [model.name, ...shape.propertyNames]
    : [model.name];
}

function findUnit(schema: Subschema | undefined, program: SchemaProgram): SchemaUnit | undefined {
  return typeof schema === "object" ? program.unit(schema) : undefined;
}

/** True if only pairs with exactly the parameter's name carry it in the query. */
function isCarriedByName(encoding: ParameterEncoding): boolean {
  if (encoding.location !== "query") return false;
  if (encoding.kind === "content") return encoding.isWholeQuery !== true;
  if (encoding.kind === "collection") return true;
  const { style, explode, shape } = encoding;
  if (style === "deepObject") return false;
  return !explode || shape.types === 0 || (shape.types & OBJECT) === 0;
}
