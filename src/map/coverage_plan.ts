import type { Diagnostic } from "../values/diagnostic.ts";
import type { DocumentSet } from "../openapi/document_set.ts";
import type { ApiModel, OperationModel, ParameterModel, ResponseModel } from "../openapi/model.ts";
import { Redactor } from "../redact/redactor.ts";
import type { Place } from "../schema/place.ts";
import type { References } from "../schema/reference.ts";
import type { SchemaInventory } from "../schema/schema_inventory.ts";
import type { Subschema } from "../schema/schema_node.ts";
import type { SchemaProgram } from "../schema/schema_unit.ts";
import { DescriptionSchemas } from "./description_schemas.ts";
import { fingerprint } from "./fingerprint.ts";
import { IGNORE_FIELD } from "./scope_marks.ts";
import { ParameterPlan } from "./parameter_plan.ts";
import { type ResponsePlan, ResponsePlans } from "./response_plan.ts";
import { diagnosePlan } from "./plan_diagnostics.ts";
import { compileRoutes } from "./routes.ts";
import type { Routes } from "./routes.ts";
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
  /** The plan of a documented response, by its index; made when first asked for. */
  response(index: number): ResponsePlan | undefined;
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
export class CoveragePlan {
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
  /** Its schemas, read as those of requests. */
  readonly schemas: DescriptionSchemas;
  /** The meaning of the counters of schemas, for hits files. */
  readonly layouts: UnitLayouts = new UnitLayouts();
  /** The operations, in the order of the document. */
  readonly operations: readonly OperationPlan[];
  readonly #parameters = new Map<ParameterModel, ParameterPlan>();
  #responseSchemas: DescriptionSchemas | undefined;
  #responses: ResponsePlans | undefined;
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
    this.schemas = new DescriptionSchemas(model, documents, references, "request");
    const { basePaths, serverHosts } = model;
    this.routes = compileRoutes(model.operations, { ...options, basePaths, serverHosts });
    this.operations = model.operations.map((operation, index) =>
      new LazyOperation(
        operation,
        index,
        (parameter) => this.#parameter(parameter),
        (response) => this.#response(operation.method, response),
      )
    );
  }

  /** Parts of the description that cannot be used or contradict themselves; looks at every schema of a request. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics ??= diagnosePlan(this, this.schemas.graph);
  }

  /** The fingerprint of this description, for hits that travel. */
  get fingerprint(): string {
    return this.#fingerprint ??= fingerprint(
      [...this.documents.documents.values()].map((document) => document.value),
      IGNORE_FIELD,
    );
  }

  /** The program that evaluates the schemas of requests. */
  get program(): SchemaProgram {
    return this.schemas.program;
  }

  /** The inventory of the schemas of requests. */
  get inventory(): SchemaInventory {
    return this.schemas.inventory;
  }

  /** The schemas, read as those of responses: another set, made when the first body or header of a response arrives. */
  get responseSchemas(): DescriptionSchemas {
    const { model, documents, references } = this;
    return this.#responseSchemas ??= new DescriptionSchemas(
      model,
      documents,
      references,
      "response",
    );
  }

  /** The schema of a request at any place of the description. */
  schema(place: Place): Subschema | undefined {
    return this.schemas.schema(place);
  }

  #parameter(model: ParameterModel): ParameterPlan {
    let plan = this.#parameters.get(model);
    if (plan === undefined) {
      this.#parameters.set(model, plan = new ParameterPlan(model, this.schemas));
    }
    return plan;
  }

  #response(method: string, model: ResponseModel): ResponsePlan {
    this.#responses ??= new ResponsePlans(this.responseSchemas, this.model.responses);
    return this.#responses.of(method, model);
  }
}

class LazyOperation implements OperationPlan {
  readonly model: OperationModel;
  readonly index: number;
  readonly #plan: (model: ParameterModel) => ParameterPlan;
  readonly #responsePlan: (model: ResponseModel) => ResponsePlan;
  #parameters: readonly ParameterPlan[] | undefined;

  constructor(
    model: OperationModel,
    index: number,
    plan: (model: ParameterModel) => ParameterPlan,
    responsePlan: (model: ResponseModel) => ResponsePlan,
  ) {
    this.model = model;
    this.index = index;
    this.#plan = plan;
    this.#responsePlan = responsePlan;
  }

  get parameters(): readonly ParameterPlan[] {
    return this.#parameters ??= this.model.parameters.map(this.#plan);
  }

  response(index: number): ResponsePlan | undefined {
    const response = this.model.responses[index];
    return response && this.#responsePlan(response);
  }
}
