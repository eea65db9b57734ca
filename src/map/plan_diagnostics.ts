import { operationName } from "../values/operation_name.ts";
import { documentPath } from "../values/json_pointer.ts";
import { referenced } from "../schema/scope.ts";
import { type Diagnostic, diagnostic } from "../values/diagnostic.ts";
import { locateDiagnostics } from "../openapi/locate.ts";
import type { ApiModel, OperationModel } from "../openapi/model.ts";
import { findDialect } from "../schema/dialect.ts";
import { type Diagnose, diagnoseSchema } from "../schema/diagnose.ts";
import { MAX_POINTER_LENGTH } from "../schema/schema_node.ts";
import type { SchemaGraph, SchemaNode, Subschema } from "../schema/schema_node.ts";
import { NULL, typeMask } from "../values/json_type.ts";
import type { ParameterPlan } from "./parameter_plan.ts";
import { append } from "../values/collections.ts";
import type { Routes } from "./routes.ts";
import type { DocumentSet } from "../openapi/document_set.ts";

export interface DiagnosedPlan {
  readonly model: ApiModel;
  readonly documents: DocumentSet;
  readonly operations: readonly {
    readonly model: OperationModel;
    readonly parameters: readonly ParameterPlan[];
  }[];
  readonly routes: Pick<Routes, "duplicates">;
}

/** Returns all problems of a description, with lines and columns if its text is known. */
export function diagnosePlan(plan: DiagnosedPlan, graph: SchemaGraph): Diagnostic[] {
  const problems = [...plan.model.diagnostics];
  const reported = new Set(problems.map(({ schema_path }) => schema_path));
  const dialect = plan.model.jsonSchemaDialect;
  if (dialect !== undefined && findDialect(dialect) === undefined) {
    const message = `Unknown dialect \`${dialect}\`: schemas are read as JSON Schema 2020-12.`;
    problems.push(diagnostic("warning", "unknown_dialect", "/jsonSchemaDialect", message));
  }
  append(problems, indistinguishableWarnings(plan));
  append(problems, conditionWarnings(plan));
  const visited = new Set<SchemaNode>();
  const report: Diagnose = (problem) => {
    if (!reported.has(problem.schema_path)) problems.push(problem);
  };
  for (const operation of plan.operations) {
    for (const parameter of operation.parameters) {
      const { model, schema, itemSchema } = parameter;
      for (const problem of unsendableWarnings(parameter)) {
        const key = `${problem.code} ${problem.schema_path}`;
        if (!reported.has(key)) problems.push(problem);
        reported.add(key);
      }
      if (model.schema !== undefined && schema === undefined) {
        const { document: { label }, pointer } = model.schema;
        const message = "This is not a schema, so any value is accepted here.";
        const path = documentPath(label, pointer);
        problems.push(diagnostic("warning", "invalid_schema", path, message));
      }
      diagnoseSchemas([schema, itemSchema], visited, report);
    }
  }
  for (const schema_path of graph.cutPointers) {
    const most = MAX_POINTER_LENGTH.toLocaleString("en");
    const message =
      `Schemas below this have pointers of more than ${most} characters, so they accept any value and their keywords are not counted.`;
    problems.push(diagnostic("warning", "too_deep", schema_path, message));
  }
  return locateDiagnostics(plan.documents, problems);
}

/** Checks schemas and everything that they refer to, each schema once, in document order. */
function diagnoseSchemas(
  roots: readonly (Subschema | undefined)[],
  visited: Set<SchemaNode>,
  report: Diagnose,
): void {
  const stack: SchemaNode[] = [];
  const add = (schema: Subschema | undefined): void => {
    if (typeof schema !== "object" || visited.has(schema.plain)) return;
    visited.add(schema.plain);
    stack.push(schema.plain);
  };
  roots.forEach(add);
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const children: Subschema[] = [];
    for (const { definition, value } of diagnoseSchema(node, report)) {
      definition.subschemas?.(value, node, (child) => children.push(child));
    }
    referenced(node).forEach(add);
    children.reverse().forEach(add); // children are taken from the end of the list
  }
}

function indistinguishableWarnings({ operations, routes }: DiagnosedPlan): Diagnostic[] {
  const warnings: Diagnostic[] = [];
  for (const [index, first] of routes.duplicates) {
    const model = operations[index]!.model; // the indexes of routes are those of operations
    const message = `\`${operationName(model)}\` takes the same requests as \`${
      operationName(operations[first]!.model)
    }\`, for which all of them count. It is left out of every number.`;
    warnings.push(diagnostic("warning", "indistinguishable", model.pointer, message));
  }
  return warnings;
}

function conditionWarnings({ operations }: DiagnosedPlan): Diagnostic[] {
  return operations.flatMap(({ model: { method, path }, parameters }) =>
    parameters.flatMap((parameter) => {
      const value = parameter.condition?.value;
      if (value === undefined) return [];
      const { location, name } = parameter.model;
      return parameter.inventory.keywords
        .filter(({ satisfiability }) => satisfiability === "Negative")
        .map(({ keyword, schema_path }) => {
          const message = `Requests of \`${method} ${path}\` have the value \`${value}\` in the ` +
            `${location} parameter \`${name}\`, which breaks this \`${keyword}\`.`;
          return diagnostic("warning", "condition_breaks_schema", schema_path, message);
        });
    })
  );
}

function* unsendableWarnings(parameter: ParameterPlan): Generator<Diagnostic, void> {
  if (parameter.positions.every(({ json }) => json)) return;
  const { location, name } = parameter.model;
  const where = `\`${name}\` (${location.replace("_", " ")})`;
  for (const { node, keyword, schema_path, satisfiability } of parameter.inventory.keywords) {
    if (keyword !== "type" || satisfiability !== "Negative") continue;
    const types = [node.schema[keyword]].flat().filter((type) => (typeMask(type) & ~NULL) !== 0);
    if (types.length === 0) continue;
    const message = `${where} is never read as ${types.join(" or ")} here, ` +
      "so no request can meet this `type`, and it is not counted.";
    yield diagnostic("warning", "unsendable_type", schema_path, message);
  }
  for (const { schema_path, value } of parameter.unsendable) {
    const message = `No request can carry \`${JSON.stringify(value)}\` in ${where}, ` +
      "so this example is not counted.";
    yield diagnostic("info", "unsendable_example", schema_path, message);
  }
}
