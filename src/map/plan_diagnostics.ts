import type { Diagnostic } from "../diagnostic.ts";
import { locatePointers } from "../openapi/locate.ts";
import { dialectNamed } from "../schema/dialect.ts";
import { diagnoseSchema } from "../schema/diagnose.ts";
import { referenced } from "../schema/judge.ts";
import type { SchemaNode, Subschema } from "../schema/schema_node.ts";
import { usableKeywords } from "../schema/usable_keywords.ts";
import type { CoveragePlan } from "./coverage_plan.ts";

/** Everything that is wrong with a description, with lines and columns where its text is known. */
export function diagnosePlan(plan: CoveragePlan): Diagnostic[] {
  const found = [...plan.documents.problems, ...plan.model.diagnostics];
  const dialect = plan.model.jsonSchemaDialect;
  if (dialect !== undefined && dialectNamed(dialect) === undefined) {
    found.push({
      severity: "warning",
      code: "unknown_dialect",
      message: `the dialect ${JSON.stringify(dialect)} is not known; schemas are read as 2020-12`,
      schema_path: "/jsonSchemaDialect",
      line: null,
      column: null,
    });
  }
  const visited = new Set<SchemaNode>();
  const open: SchemaNode[] = [];
  const add = (schema: Subschema | undefined) => {
    if (typeof schema !== "object" || visited.has(schema)) return;
    visited.add(schema);
    open.push(schema);
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
        found.push(...diagnoseSchema(node));
        referenced(node).forEach(add);
        const children: Subschema[] = [];
        for (const { definition, value } of usableKeywords(node)) {
          definition.subschemas?.(value, node, (child) => children.push(child));
        }
        children.reverse().forEach(add); // the first is looked at first
      }
    }
  }
  return located(found, plan);
}

function noSchema(label: string, pointer: string): Diagnostic {
  return {
    severity: "warning",
    code: "invalid_schema",
    message: "this is no schema; anything is accepted",
    schema_path: label === "" ? pointer : `${label}#${pointer}`,
    line: null,
    column: null,
  };
}

/** The diagnostics with lines and columns, looked up once for each document. */
function located(diagnostics: readonly Diagnostic[], plan: CoveragePlan): Diagnostic[] {
  const wanted = new Map<string, string[]>();
  for (const { schema_path, line } of diagnostics) {
    if (line !== null) continue;
    const [label, pointer] = splitPath(schema_path);
    const pointers = wanted.get(label);
    if (pointers === undefined) wanted.set(label, [pointer]);
    else pointers.push(pointer);
  }
  const positions = new Map<string, ReturnType<typeof locatePointers>>();
  for (const [label, pointers] of wanted) {
    const source = plan.documents.texts.get(label);
    if (source !== undefined) {
      positions.set(label, locatePointers(source.text, source.syntax, pointers));
    }
  }
  return diagnostics.map((diagnostic) => {
    if (diagnostic.line !== null) return diagnostic;
    const [label, pointer] = splitPath(diagnostic.schema_path);
    const position = positions.get(label)?.get(pointer);
    if (position === undefined) return diagnostic;
    return { ...diagnostic, line: position.line, column: position.column };
  });
}

/** The document's label and the pointer in it, of a pointer as users see it. */
function splitPath(path: string): [label: string, pointer: string] {
  const hash = path.startsWith("/") || path === "" ? -1 : path.indexOf("#");
  return hash < 0 ? ["", path] : [path.slice(0, hash), path.slice(hash + 1)];
}
