import type { Diagnostic } from "../values/diagnostic.ts";
import { locateDiagnostics } from "../openapi/locate_diagnostics.ts";
import type { DocumentSet } from "../openapi/document_set.ts";
import type { ApiModel, OperationModel } from "../openapi/model.ts";
import { dialectNamed } from "../schema/dialect.ts";
import { type Diagnose, diagnoseSchema } from "../schema/diagnose.ts";
import { referenced } from "../schema/scope.ts";
import { MAX_POINTER } from "../schema/schema_node.ts";
import type { SchemaGraph, SchemaNode, Subschema } from "../schema/schema_node.ts";
import type { ParameterPlan } from "./parameter_plan.ts";
import { samePaths } from "./same_paths.ts";

/** The parts of a plan that can be wrong. */
export interface DiagnosedPlan {
  /** The description. */
  readonly model: ApiModel;
  /** The documents that hold it. */
  readonly documents: DocumentSet;
  /** Its operations. */
  readonly operations: readonly { readonly parameters: readonly ParameterPlan[] }[];
}

/**
 * Everything that is wrong with a description, with lines and columns where its text is known.
 *
 * @param graph The schemas of the description.
 */
export function diagnosePlan(plan: DiagnosedPlan, graph: SchemaGraph): Diagnostic[] {
  const found = [...plan.model.diagnostics];
  const said = new Set(found.map(({ schema_path }) => schema_path));
  const dialect = plan.model.jsonSchemaDialect;
  if (dialect !== undefined && dialectNamed(dialect) === undefined) {
    found.push({
      severity: "warning",
      code: "unknown_dialect",
      message: `Unknown dialect \`${dialect}\`: schemas are read as JSON Schema 2020-12.`,
      schema_path: "/jsonSchemaDialect",
      line: null,
      column: null,
    });
  }
  found.push(...indistinguishable(plan.model.operations));
  const schemas = new SchemaSearch((one) => {
    if (!said.has(one.schema_path)) found.push(one);
  });
  for (const operation of plan.operations) {
    for (const { model, schema, itemSchema } of operation.parameters) {
      schemas.add(schema);
      schemas.add(itemSchema);
      if (model.schema !== undefined && schema === undefined) {
        found.push(noSchema(model.schema.document.label, model.schema.pointer));
      }
      schemas.diagnose();
    }
  }
  for (const schema_path of graph.cut) found.push(tooDeep(schema_path));
  return locateDiagnostics(plan.documents, found);
}

/** Looks at each schema once, in the order of the document. */
class SchemaSearch {
  readonly #say: Diagnose;
  readonly #visited = new Set<SchemaNode>();
  readonly #open: SchemaNode[] = [];

  constructor(say: Diagnose) {
    this.#say = say;
  }

  /** Adds a schema that is to be looked at next, if it never was. */
  add(schema: Subschema | undefined): void {
    if (typeof schema !== "object" || this.#visited.has(schema.plain)) return;
    this.#visited.add(schema.plain);
    this.#open.push(schema.plain);
  }

  /** Looks at what was added, and at all that it leads to. */
  diagnose(): void {
    for (let node = this.#open.pop(); node !== undefined; node = this.#open.pop()) {
      this.#look(node);
    }
  }

  #look(node: SchemaNode): void {
    const used = diagnoseSchema(node, this.#say);
    for (const schema of referenced(node)) this.add(schema);
    const children: Subschema[] = [];
    for (const { definition, value } of used) {
      definition.subschemas?.(value, node, (child) => children.push(child));
    }
    for (const child of children.reverse()) this.add(child); // the first is looked at first
  }
}

/** Operations that no request can tell from an earlier one: their paths differ in the names of templates only. */
function indistinguishable(operations: readonly OperationModel[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const [{ method, path, pointer }, first] of samePaths(operations)) {
    found.push({
      severity: "warning",
      code: "same_path",
      message:
        `\`${method} ${path}\` matches the same requests as \`${method} ${first.path}\`, so all of them count for the latter.`,
      schema_path: pointer,
      line: null,
      column: null,
    });
  }
  return found;
}

function tooDeep(schema_path: string): Diagnostic {
  return {
    severity: "warning",
    code: "too_deep",
    message: "Schemas below this have pointers of more than " +
      `${
        MAX_POINTER.toLocaleString("en")
      } characters, so they accept any value and their keywords are not counted.`,
    schema_path,
    line: null,
    column: null,
  };
}

function noSchema(label: string, pointer: string): Diagnostic {
  return {
    severity: "warning",
    code: "invalid_schema",
    message: "This is not a schema, so any value is accepted here.",
    schema_path: label === "" ? pointer : `${label}#${pointer}`,
    line: null,
    column: null,
  };
}
