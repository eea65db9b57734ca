import type { Diagnostic } from "../diagnostic.ts";
import { locateDiagnostics } from "../openapi/locate_diagnostics.ts";
import type { OperationModel } from "../openapi/model.ts";
import { dialectNamed } from "../schema/dialect.ts";
import { diagnoseSchema } from "../schema/diagnose.ts";
import { referenced } from "../schema/judge.ts";
import type { SchemaNode, Subschema } from "../schema/schema_node.ts";
import { usableKeywords } from "../schema/usable_keywords.ts";
import type { CoveragePlan } from "./coverage_plan.ts";
import { parsePathTemplate } from "./path_template.ts";

/** Everything that is wrong with a description, with lines and columns where its text is known. */
export function diagnosePlan(plan: CoveragePlan): Diagnostic[] {
  const found = [...plan.model.diagnostics];
  const said = new Set(found.map(({ schema_path }) => schema_path));
  const dialect = plan.model.jsonSchemaDialect;
  if (dialect !== undefined && dialectNamed(dialect) === undefined) {
    found.push({
      severity: "warning",
      code: "unknown_dialect",
      message: `The dialect \`${dialect}\` is not known: schemas are read as JSON Schema 2020-12.`,
      schema_path: "/jsonSchemaDialect",
      line: null,
      column: null,
    });
  }
  found.push(...indistinguishable(plan.model.operations));
  const visited = new Set<SchemaNode>();
  const open: SchemaNode[] = [];
  const add = (schema: Subschema | undefined) => {
    if (typeof schema !== "object" || visited.has(schema.plain)) return;
    visited.add(schema.plain);
    open.push(schema.plain);
  };
  for (const operation of plan.operations) {
    for (const parameter of operation.parameters) {
      add(parameter.schema);
      add(parameter.itemSchema);
      if (parameter.model.schema !== undefined && parameter.schema === undefined) {
        found.push(noSchema(parameter.model.schema.document.label, parameter.model.schema.pointer));
      }
      while (open.length > 0) {
        const node = open.pop() as SchemaNode; // the list is not empty
        for (const one of diagnoseSchema(node)) if (!said.has(one.schema_path)) found.push(one);
        referenced(node).forEach(add);
        const children: Subschema[] = [];
        for (const { definition, value } of usableKeywords(node)) {
          definition.subschemas?.(value, node, (child) => children.push(child));
        }
        children.reverse().forEach(add); // the first is looked at first
      }
    }
  }
  return locateDiagnostics(plan.documents, found);
}

/** Operations that no request can tell from an earlier one: their paths differ in the names of templates only. */
function indistinguishable(operations: readonly OperationModel[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  const firsts = new Map<string, OperationModel>();
  for (const operation of operations) {
    const { method, path } = operation;
    const template = parsePathTemplate(path);
    const key = JSON.stringify([method, template?.segments, template?.trailingSlash]);
    const first = firsts.get(key);
    if (first === undefined) {
      firsts.set(key, operation);
      continue;
    }
    found.push({
      severity: "warning",
      code: "same_path",
      message:
        `No request can tell \`${method} ${path}\` from \`${method} ${first.path}\`: all of them count there.`,
      schema_path: operation.pointer,
      line: null,
      column: null,
    });
  }
  return found;
}

function noSchema(label: string, pointer: string): Diagnostic {
  return {
    severity: "warning",
    code: "invalid_schema",
    message: "This is no schema: anything is accepted here.",
    schema_path: label === "" ? pointer : `${label}#${pointer}`,
    line: null,
    column: null,
  };
}
