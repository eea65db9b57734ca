import { type DocumentedLink, documentedLinks } from "./link_plan.ts";
import { getOrAdd } from "../values/collections.ts";
import type { Diagnostic } from "../values/diagnostic.ts";
import { findMember, pointerTokens, splitDocumentPath } from "../values/json_pointer.ts";
import type { ApiModel, OperationModel, ParameterModel, ResponseModel } from "../openapi/model.ts";
import { Redactor } from "../redact/redactor.ts";
import type { Place } from "../schema/part_positions.ts";
import type { References } from "../schema/references.ts";
import { SchemaInventory } from "../schema/schema_inventory.ts";
import {
  type Direction,
  isObject,
  SchemaGraph,
  type SchemaNode,
  type Subschema,
} from "../schema/schema_node.ts";
import { SchemaProgram } from "../schema/schema_unit.ts";
import { ACCESS_FIELD } from "../openapi/read_operation.ts";
import { IGNORE_FIELD } from "./scope_marks.ts";
import { GapIds } from "./gap_ids.ts";
import { finiteValues, ParameterPlan, type PlannedSchemas } from "./parameter_plan.ts";
import { diagnosePlan } from "./plan_diagnostics.ts";
import { compileRoutes, type Routes } from "./routes.ts";
import { UnitLayouts } from "./unit_layout.ts";
import type { DocumentSet } from "../openapi/document_set.ts";
import { checksum } from "./value_hash.ts";
import {
  type Dialect,
  DRAFT_2020_12,
  findDialect,
  OPENAPI_3_0_SCHEMA,
  SWAGGER_2_0,
  SWAGGER_2_0_PARAMETER,
} from "../schema/dialect.ts";
import { optionalOverrides } from "../schema/optional_overrides.ts";
import { SchemaShapes } from "./schema_shape.ts";
import { contentTypeKind } from "../http/media_type.ts";
import { conditionKey, type RouteParameter } from "./route_conditions.ts";

/** Returns the parameters and form fields that conditions in the operation's path may refer to. */
function listRouteParameters(parameters: readonly ParameterPlan[]): RouteParameter[] {
  return parameters.flatMap((plan): readonly RouteParameter[] => {
    const { location, name, required, mediaType = "", place } = plan.model;
    switch (location) {
      case "query":
      case "header":
      case "form_data": {
        // An empty value is a second value beside the only one of the schema.
        const isEmptiable = isObject(place.value) && place.value["allowEmptyValue"] === true;
        const onlyValue = () => isEmptiable ? undefined : onlyText(plan.schema);
        return [{ in: location === "form_data" ? "form" : location, name, required, onlyValue }];
      }
      case "body":
        return /^(form|multipart)$/.test(contentTypeKind(mediaType)) ? formFields(plan) : [];
      default:
        return [];
    }
  });
}

/** Returns the fields that a form's schema declares itself or through `$ref`. */
function formFields({ schema, model }: ParameterPlan): RouteParameter[] {
  let node: Subschema | undefined = schema;
  // Each reference is followed once, so circular references end.
  const visited = new Set<SchemaNode>();
  while (typeof node === "object" && node.target !== undefined && !visited.has(node)) {
    visited.add(node);
    node = node.target;
  }
  if (typeof node !== "object") return [];
  const holder = node;
  const { properties, required } = holder.schema;
  if (!isObject(properties)) return [];
  const names = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, value]): RouteParameter => ({
    in: "form",
    name,
    required: model.required && names.has(name),
    onlyValue: () => onlyText(holder.member("properties", name, value, false)),
  }));
}

/** Returns the only value that a schema allows, as text; undefined if it allows several. */
function onlyText(schema: Subschema | undefined): string | undefined {
  const [only, another] = finiteValues(schema);
  return only === undefined || only === null || another !== undefined ? undefined : String(only);
}

/** The schemas of a description as requests or as responses use them: `readOnly` properties aren't part of requests. */
class DescriptionSchemas implements PlannedSchemas {
  readonly graph: SchemaGraph;
  readonly program: SchemaProgram;
  readonly inventory: SchemaInventory = new SchemaInventory();
  readonly shapes: SchemaShapes = new SchemaShapes();
  readonly #isSwagger: boolean;

  constructor(
    { model, documents: { documents }, references }: Pick<
      CoveragePlan,
      "model" | "documents" | "references"
    >,
    direction: Direction,
    countsValues: boolean,
  ) {
    this.#isSwagger = model.version === "2.0";
    this.graph = new SchemaGraph(references, defaultDialect(model), {
      versioned: model.version === "3.1" || model.version === "3.2",
      findOptional: optionalOverrides,
      direction,
    });
    this.program = new SchemaProgram(this.graph, {
      countsValues,
      documents: () => [...documents.values()].map(({ value }) => value),
    });
  }

  schemaAt(parameter: ParameterModel, place: Place | undefined): Subschema | undefined {
    if (place === undefined) return undefined;
    const isSwaggerParameter = this.#isSwagger && parameter.in !== "body";
    return this.graph.nodeAt(place, isSwaggerParameter ? SWAGGER_2_0_PARAMETER : undefined);
  }
}

function defaultDialect(model: ApiModel): Dialect {
  if (model.version === "2.0") return SWAGGER_2_0;
  if (model.version === "3.0") return OPENAPI_3_0_SCHEMA;
  return (model.jsonSchemaDialect && findDialect(model.jsonSchemaDialect)) || DRAFT_2020_12;
}

const redactor = new Redactor();

/** Returns the index of the response for a status: by code, by range, or `default`; else -1 (semantics, section 7). */
export function documentedResponse(responses: readonly ResponseModel[], status: number): number {
  const code = String(status);
  for (const key of [code, `${code.charAt(0)}XX`, "DEFAULT"]) {
    const index = responses.findIndex(({ status_code }) => status_code.toUpperCase() === key);
    if (index >= 0) return index;
  }
  return -1;
}

export interface ResponsePlan {
  /** Its media types; in Swagger 2.0, a single one for all that the operation produces. */
  readonly mediaTypes: readonly ParameterPlan[];
  readonly headers: readonly ParameterPlan[];
  /** Media types, then headers. Hits have the same order. */
  readonly parts: readonly ParameterPlan[];
}

/** True if a response to this method may have a body (RFC 9110, section 6.4.1). */
export function mayHaveBody(method: string, status: string): boolean {
  return method !== "HEAD" && !/^(?:1..|204|205|304)$/.test(status);
}

export interface OperationPlan {
  readonly index: number;
  readonly model: OperationModel;
  /** In document order. */
  readonly parameters: readonly ParameterPlan[];
  /** Returns the plan of the documented response with this index. The plan is made on first use. */
  response(index: number): ResponsePlan | undefined;
}

export interface PlanOptions {
  /** The only base path to accept: a path or a full URL. */
  readonly basePath?: string | undefined;
  readonly emptyPrefixFirst?: boolean | undefined;
  /** Patterns of hosts whose requests can match; undefined for all hosts. */
  readonly hosts?: readonly string[] | undefined;
  /** False to leave out the classes of valid values (default: true). */
  readonly values?: boolean | undefined;
}

/** Everything in a description that traffic can cover. Immutable and independent of traffic. */
export class CoveragePlan {
  readonly model: ApiModel;
  readonly documents: DocumentSet;
  readonly references: References;
  /** As given, with credentials masked; null if none was given. */
  readonly basePath: string | null;
  readonly routes: Routes;
  readonly schemas: DescriptionSchemas;
  readonly layouts: UnitLayouts = new UnitLayouts();
  /** In document order. */
  readonly operations: readonly OperationPlan[];
  readonly #parameters = new Map<ParameterModel, ParameterPlan>();
  #responseSchemas: DescriptionSchemas | undefined;
  readonly #responses = new Map<object, ResponsePlan>();
  #gapIds: GapIds | undefined;
  #links: readonly DocumentedLink[] | undefined;
  #fingerprint: string | undefined;
  #diagnostics: readonly Diagnostic[] | undefined;

  /** Reads no schema yet. Throws a TypeError if the base path is neither a path nor a URL. */
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
    this.schemas = new DescriptionSchemas(this, "request", options.values !== false);
    const { basePaths, serverHosts } = model;
    const routeOperations = model.operations.map(({ method, path, parameters }) => ({
      method,
      path,
      parameters: () =>
        listRouteParameters(parameters.map((parameter) => this.#parameter(parameter))),
    }));
    this.routes = compileRoutes(routeOperations, { ...options, basePaths, serverHosts });
    this.operations = model.operations.map((operation, index) => this.#operation(operation, index));
  }

  /** Warnings about unusable or contradictory parts of the description. The first access reads all request schemas. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics ??= diagnosePlan(this, this.schemas.graph);
  }

  get gapIds(): GapIds {
    return this.#gapIds ??= new GapIds(this.operations);
  }

  /** The links that responses document, in document order. */
  get links(): readonly DocumentedLink[] {
    return this.#links ??= documentedLinks(this.model, this.references);
  }

  get fingerprint(): string {
    return this.#fingerprint ??= fingerprint(this.documents);
  }

  /** The schemas, read for responses. They are created when the first body or header of a response arrives. */
  get responseSchemas(): DescriptionSchemas {
    return this.#responseSchemas ??= new DescriptionSchemas(this, "response", false);
  }

  /** Finds the place of a pointer as reports show it; undefined if no document of the description has its label. */
  placeAt(path: string): Place | undefined {
    const [label, pointer] = splitDocumentPath(path);
    for (const document of this.documents.documents.values()) {
      if (document.label !== label) continue;
      const value = pointerTokens(pointer).reduce<unknown>(findMember, document.value);
      return { value, document, pointer };
    }
    return undefined;
  }

  #parameter(model: ParameterModel): ParameterPlan {
    return getOrAdd(this.#parameters, model, () => new ParameterPlan(model, this.schemas));
  }

  /** Returns the plan of a parameter that a condition of the operation's path fixes; undefined for others. */
  #fixedParameter(model: ParameterModel, operation: number): ParameterPlan | undefined {
    const conditions = this.routes.conditions(operation);
    if (conditions.length === 0) return undefined;
    const place = model.location === "form_data" ? "form" : model.location;
    const key = conditionKey({ in: place, name: model.name });
    const condition = conditions.find((one) => conditionKey(one) === key);
    return condition && new ParameterPlan(model, this.schemas, condition);
  }

  #operation(model: OperationModel, index: number): OperationPlan {
    const { method, responses } = model;
    const planParameters = () =>
      model.parameters.map((parameter) =>
        this.#fixedParameter(parameter, index) ?? this.#parameter(parameter)
      );
    let parameters: readonly ParameterPlan[] | undefined;
    return {
      index,
      model,
      get parameters(): readonly ParameterPlan[] {
        return parameters ??= planParameters();
      },
      response: (at) => {
        const response = responses[at];
        return response && this.#response(method, response);
      },
    };
  }

  /** Returns the plan of a response, shared by all responses with the same content. */
  #response(method: string, model: ResponseModel): ResponsePlan {
    const content = this.model.readResponse(model);
    const plan = getOrAdd(this.#responses, content, () => {
      const plan = (part: ParameterModel) => new ParameterPlan(part, this.responseSchemas);
      const [mediaTypes, headers] = [content.mediaTypes.map(plan), content.headers.map(plan)];
      return { mediaTypes, headers, parts: [...mediaTypes, ...headers] };
    });
    if (plan.mediaTypes.length === 0 || mayHaveBody(method, model.status_code)) return plan;
    return { mediaTypes: [], headers: plan.headers, parts: plan.headers };
  }
}

const IGNORED_FIELDS: readonly string[] = [IGNORE_FIELD, ACCESS_FIELD];

/** Returns a checksum of a description without covtool's own fields. It detects accidental changes, not tampering. */
function fingerprint({ documents }: DocumentSet): string {
  const encoder = new TextEncoder();
  return Array.from(documents.values(), ({ value }) => {
    const text = JSON.stringify(value) ?? "";
    // A replacer makes `JSON.stringify` several times slower, and most descriptions have none of these members.
    const isPlain = !IGNORED_FIELDS.some((name) => text.includes(JSON.stringify(name)));
    return checksum(encoder.encode(isPlain ? text : stringifyRelevant(value)));
  }).join();
}

function stringifyRelevant(value: unknown): string {
  return JSON.stringify(
    value,
    (name, member) => IGNORED_FIELDS.includes(name) ? undefined : member,
  );
}
