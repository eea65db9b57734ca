import { compileFormField } from "../http/form_body.ts";
import type { Names, ParameterEncoding } from "../http/encoding.ts";
import { carriesScalar, compileParameter } from "../http/parameter_style.ts";
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

/** A parameter that requests have to carry, with what records it; all media types of a body are one. */
export interface RequiredParameter extends MissingParameter {
  readonly targets: readonly Target[];
  /** True for bodies and their form fields. */
  readonly isBody: boolean;
}

export function isInBody(location: ParameterLocation | undefined): boolean {
  return location === "body" || location === "form_data";
}

/** The required parameters of an operation; not those of its path, without which a request is for another path. */
export function requiredParameters(
  operation: OperationPlan,
  targets: readonly Target[],
): RequiredParameter[] {
  const found = new Map<
    string,
    RequiredParameter & { readonly targets: Target[]; readonly parameters: number[] }
  >();
  for (const target of targets) {
    const model = operation.parameters[target.index]?.model;
    if (model === undefined || !model.required || model.location === "path") continue;
    const path = requiredPointer(model);
    const isBody = isInBody(model.location);
    const required = getOrAdd(found, path, () => ({ path, targets: [], parameters: [], isBody }));
    required.targets.push(target);
    required.parameters.push(target.index);
  }
  return [...found.values()];
}

/** The targets of an operation's parameters, by the way in which a request is asked for them. */
export interface PreparedTargets {
  /** The first of the parameters that are templates of the path, each linked to the next. */
  readonly captured: Target | undefined;
  /** Query parameters that only a pair of their own name carries: names, each followed by its target. */
  readonly named: readonly (string | Target)[];
  /** Parameters that every request is asked for. */
  readonly texts: readonly Target[];
  readonly cookies: readonly Target[];
  readonly bodies: readonly BodyTarget[];
  readonly forms: readonly FieldTarget[];
}

export function prepareTargets(operation: OperationPlan, program: SchemaProgram): PreparedTargets {
  let first: Target | undefined;
  let last: Target | undefined;
  const texts: Target[] = [];
  const named: (string | Target)[] = [];
  const cookies: Target[] = [];
  const bodies: BodyTarget[] = [];
  const forms: FieldTarget[] = [];
  const names = new Map<ParameterLocation, ReadonlySet<string>>();
  /** The names of all else in the location of a parameter: gathered once, as any of many may ask. */
  const namesBeside = ({ location, name: own }: ParameterPlan["model"]): Names => {
    const all = getOrAdd(names, location, () => {
      const beside = operation.parameters.filter(({ model }) => model.location === location);
      return new Set([...beside.flatMap(namesTakenBy), ...otherNames(operation, location)]);
    });
    return { has: (name) => name !== own && all.has(name) };
  };
  const templates = captureNames(operation.model.path);
  /** Where the target of a name is in `named`. */
  const places = new Map<string, number>();
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
    // Only objects leave names to the other parameters.
    const claimed = (shape.types & OBJECT) === 0 ? undefined : namesBeside(model);
    const encoding = parameterEncoding(model, shape, claimed);
    const template = templates.lastIndexOf(model.name);
    const isScalar = carriesScalar(encoding);
    const decode = isScalar ? undefined : compileParameter(encoding, template);
    const target = new Target(index, plan, unit, shape.types, decode, template);
    if (!isScalar && !isCarriedByName(encoding)) {
      (model.location === "cookie" ? cookies : texts).push(target);
    } else if (encoding.location !== "path") {
      const known = places.get(model.name);
      if (known === undefined) places.set(model.name, named.push(model.name, target) - 1);
      else named[known] = target;
    } else if (template >= 0) {
      if (last === undefined) first = target;
      else last.next = target;
      last = target;
    }
  });
  return { captured: first, named, texts, cookies, bodies, forms };
}

/** The names of pairs that belong to no parameter: keys, and what the path of the operation asks of a query. */
export function otherNames({ model }: OperationPlan, location: string): readonly string[] {
  const asked = parsePathTemplate(model.path).tokens
    .map(({ behind, name }) => ({ in: behind === "?" ? "query" : "", name }));
  return [...asked, ...model.keys ?? []]
    .flatMap((other) => other.in === location ? [other.name] : []);
}

/** The names of pairs that belong to a parameter: its own, and those that an exploded object declares. */
function namesTakenBy({ model, shape }: ParameterPlan): readonly string[] {
  return spreadsObjects(model) && (shape.types & OBJECT) !== 0
    ? [model.name, ...shape.propertyNames]
    : [model.name];
}

function findUnit(schema: Subschema | undefined, program: SchemaProgram): SchemaUnit | undefined {
  return typeof schema === "object" ? program.unit(schema) : undefined;
}

/** True if only pairs with exactly its name carry a query parameter. */
function isCarriedByName(encoding: ParameterEncoding): boolean {
  if (encoding.location !== "query") return false;
  if (encoding.kind === "content") return encoding.isWholeQuery !== true;
  if (encoding.kind === "collection") return true;
  const { style, explode, shape } = encoding;
  if (style === "deepObject") return false;
  return !explode || shape.types === 0 || (shape.types & OBJECT) === 0;
}
