import type { Diagnostic } from "../values/diagnostic.ts";
import type { DocumentSet } from "../openapi/document_set.ts";
import type { ApiModel, OperationModel, ParameterModel } from "../openapi/model.ts";
import { Redactor } from "../redact/redactor.ts";
import type { Dialect } from "../schema/dialect.ts";
import {
  dialectNamed,
  DRAFT_2020_12,
  OPENAPI_3_0_SCHEMA,
  SWAGGER_2_0,
  SWAGGER_2_0_PARAMETER,
} from "../schema/dialect.ts";
import type { Place } from "../schema/place.ts";
import type { References } from "../schema/reference.ts";
import { SchemaInventory } from "../schema/schema_inventory.ts";
import { SchemaGraph } from "../schema/schema_node.ts";
import type { Subschema } from "../schema/schema_node.ts";
import { waivedNames } from "../schema/waived_names.ts";
import { SchemaProgram } from "../schema/schema_unit.ts";
import { fingerprint } from "./fingerprint.ts";
import { IGNORE_FIELD } from "./scope_marks.ts";
import { ParameterPlan, type PlannedSchemas } from "./parameter_plan.ts";
import { diagnosePlan } from "./plan_diagnostics.ts";
import { compileRoutes } from "./routes.ts";
import type { Routes } from "./routes.ts";
import { SchemaShapes } from "./schema_shape.ts";
import { UnitLayouts } from "./unit_layout.ts";

const redactor = new Redactor();

/** An operation with what its parameters can show. */
export interface OperationPlan {
  /** Its number, from 0, in the order of the document. */
  readonly index: number;
  /** The operation as the description has it. */
  readonly model: OperationModel;
  /** In the order of the description. */
  readonly parameters: readonly ParameterPlan[];
}

/** Options for making a plan. */
export interface PlanOptions {
  /** The only base path that counts, as a path or a full URL. */
  readonly basePath?: string | undefined;
  /** True if the empty prefix is tried before the base paths of the servers. */
  readonly emptyPrefixFirst?: boolean | undefined;
  /** Patterns of the hosts whose requests can match; none for every host. */
  readonly hosts?: readonly string[] | undefined;
}

/** Everything in a description that traffic can cover. It never changes, and knows nothing of traffic. */
export class CoveragePlan implements PlannedSchemas {
  /** The description. */
  readonly model: ApiModel;
  /** The documents it is in. */
  readonly documents: DocumentSet;
  /** Resolves references within the documents. */
  readonly references: References;
  /** As given, but for credentials in it; else null. */
  readonly basePath: string | null;
  /** The routes that match requests. */
  readonly routes: Routes;
  /** The program that evaluates schemas. */
  readonly program: SchemaProgram;
  /** The inventory of schemas. */
  readonly inventory: SchemaInventory = new SchemaInventory();
  /** The shapes of schemas, for decoding. */
  readonly shapes: SchemaShapes = new SchemaShapes();
  /** The meaning of the counters of schemas, for hits files. */
  readonly layouts: UnitLayouts = new UnitLayouts();
  /** The operations, in the order of the document. */
  readonly operations: readonly OperationPlan[];
  readonly #graph: SchemaGraph;
  readonly #parameters = new Map<ParameterModel, ParameterPlan>();
  #fingerprint: string | undefined;
  #diagnostics: readonly Diagnostic[] | undefined;

  /**
   * Plans the operations; schemas are looked at when something asks for them.
   *
   * @throws {TypeError} if the base path is neither a path nor a URL.
   */
  constructor(
    model: ApiModel,
    documents: DocumentSet,
    references: References,
    options: PlanOptions = {},
  ) {
    this.model = model;
    this.documents = documents;
    this.references = references;
    this.basePath = options.basePath === undefined ? null : redactor.url(options.basePath);
    this.#graph = new SchemaGraph(references, dialectOf(model), {
      versioned: model.version === "3.1" || model.version === "3.2",
      waivedBy: waivedNames,
    });
    this.program = new SchemaProgram(this.#graph, {
      documents: () => [...documents.documents.values()].map(({ value }) => value),
    });
    const { basePaths, serverHosts } = model;
    this.routes = compileRoutes(model.operations, { ...options, basePaths, serverHosts });
    this.operations = model.operations.map((operation, index) =>
      new LazyOperation(
        operation,
        index,
        (parameter) => this.#parameter(parameter),
      )
    );
  }

  /** Parts of the description that cannot be used or contradict themselves; looks at every schema of a request. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics ??= diagnosePlan(this, this.#graph);
  }

  /** The fingerprint of this description, for hits that travel. */
  get fingerprint(): string {
    return this.#fingerprint ??= fingerprint(
      [...this.documents.documents.values()].map((document) => document.value),
      IGNORE_FIELD,
    );
  }

  /** The schema of a parameter in the dialect that applies to it. */
  schemaAt(parameter: ParameterModel, place: Place | undefined): Subschema | undefined {
    if (place === undefined) return undefined;
    const own = this.model.version === "2.0" && parameter.in !== "body";
    return this.#graph.at(place, own ? SWAGGER_2_0_PARAMETER : undefined);
  }

  /** The schema at any place of the description. */
  schema(place: Place): Subschema | undefined {
    return this.#graph.at(place);
  }

  #parameter(model: ParameterModel): ParameterPlan {
    let plan = this.#parameters.get(model);
    if (plan === undefined) this.#parameters.set(model, plan = new ParameterPlan(model, this));
    return plan;
  }
}

class LazyOperation implements OperationPlan {
  readonly model: OperationModel;
  readonly index: number;
  readonly #plan: (model: ParameterModel) => ParameterPlan;
  #parameters: readonly ParameterPlan[] | undefined;

  constructor(
    model: OperationModel,
    index: number,
    plan: (model: ParameterModel) => ParameterPlan,
  ) {
    this.model = model;
    this.index = index;
    this.#plan = plan;
  }

  get parameters(): readonly ParameterPlan[] {
    return this.#parameters ??= this.model.parameters.map(this.#plan);
  }
}

function dialectOf(model: ApiModel): Dialect {
  if (model.version === "2.0") return SWAGGER_2_0;
  if (model.version === "3.0") return OPENAPI_3_0_SCHEMA;
  return (model.jsonSchemaDialect && dialectNamed(model.jsonSchemaDialect)) || DRAFT_2020_12;
}
