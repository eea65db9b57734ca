import type { DocumentSet } from "../openapi/document_set.ts";
import type { ApiModel, ParameterModel } from "../openapi/model.ts";
import {
  type Dialect,
  dialectNamed,
  DRAFT_2020_12,
  OPENAPI_3_0_SCHEMA,
  SWAGGER_2_0,
  SWAGGER_2_0_PARAMETER,
} from "../schema/dialect.ts";
import type { Place } from "../schema/place.ts";
import type { References } from "../schema/reference.ts";
import { SchemaInventory } from "../schema/schema_inventory.ts";
import { type Direction, SchemaGraph, type Subschema } from "../schema/schema_node.ts";
import { SchemaProgram } from "../schema/schema_unit.ts";
import { waivedNames } from "../schema/waived_names.ts";
import type { PlannedSchemas } from "./parameter_plan.ts";
import { SchemaShapes } from "./schema_shape.ts";

/** The schemas of a description, read in one direction: what is `readOnly` is not part of requests, say. */
export class DescriptionSchemas implements PlannedSchemas {
  /** The schemas as they refer to each other. */
  readonly graph: SchemaGraph;
  readonly program: SchemaProgram;
  readonly inventory: SchemaInventory = new SchemaInventory();
  readonly shapes: SchemaShapes = new SchemaShapes();
  readonly #isSwagger: boolean;

  /** Looks at no schema yet. */
  constructor(
    model: ApiModel,
    documents: DocumentSet,
    references: References,
    direction: Direction,
  ) {
    this.#isSwagger = model.version === "2.0";
    this.graph = new SchemaGraph(references, dialectOf(model), {
      versioned: model.version === "3.1" || model.version === "3.2",
      waivedBy: waivedNames,
      direction,
    });
    this.program = new SchemaProgram(this.graph, {
      documents: () => [...documents.documents.values()].map(({ value }) => value),
    });
  }

  schemaAt(parameter: ParameterModel, place: Place | undefined): Subschema | undefined {
    if (place === undefined) return undefined;
    const own = this.#isSwagger && parameter.in !== "body";
    return this.graph.at(place, own ? SWAGGER_2_0_PARAMETER : undefined);
  }

  schema(place: Place): Subschema | undefined {
    return this.graph.at(place);
  }
}

function dialectOf(model: ApiModel): Dialect {
  if (model.version === "2.0") return SWAGGER_2_0;
  if (model.version === "3.0") return OPENAPI_3_0_SCHEMA;
  return (model.jsonSchemaDialect && dialectNamed(model.jsonSchemaDialect)) || DRAFT_2020_12;
}
