import { JSON_POSITION, type Position } from "../values/position.ts";
import type { Json } from "../values/json.ts";
import { essenceOf, kindOf } from "../http/media_type.ts";
import { NOWHERE } from "../values/position.ts";
import type { Shape } from "../http/shape.ts";
import type { ParameterModel } from "../openapi/model.ts";
import { keywordCanBeCause } from "../schema/causes/can_be_cause.ts";
import { readExample } from "../schema/examples.ts";
import type { SchemaExample } from "../schema/examples.ts";
import type { Inventory } from "../schema/inventory_walk.ts";
import type { InventoryTotals, SchemaInventory } from "../schema/schema_inventory.ts";
import type { Place } from "../schema/place.ts";
import type { SchemaProgram } from "../schema/schema_unit.ts";
import type { Subschema } from "../schema/schema_node.ts";
import { finiteValues, type ScalarValue } from "./finite_values.ts";
import { positionsOfParameter } from "./parameter_encoding.ts";
import type { SchemaShapes } from "./schema_shape.ts";

/** The schemas of a description in one direction, as the plans of its parameters ask for them. */
export interface PlannedSchemas {
  /** The program that evaluates them. */
  readonly program: SchemaProgram;
  /** The shapes that decoding goes by. */
  readonly shapes: SchemaShapes;
  /** The keywords and examples of schemas. */
  readonly inventory: SchemaInventory;
  /** The schema of a parameter in the dialect that applies to it. */
  schemaAt(parameter: ParameterModel, place: Place | undefined): Subschema | undefined;
  /** The schema at any place of the description. */
  schema(place: Place): Subschema | undefined;
}

/**
 * Everything that a documented parameter can show, or a media type or header of a response: worked out when first asked
 * for, once for all operations that share it.
 */
export class ParameterPlan {
  /** The parameter as the description has it. */
  readonly model: ParameterModel;
  /** The schema of its value. */
  readonly schema: Subschema | undefined;
  /** The schema of each item of sequential JSON. */
  readonly itemSchema: Subschema | undefined;
  /** All schemas of its direction. */
  readonly schemas: PlannedSchemas;
  #positions: readonly Position[] | undefined;
  #totals: InventoryTotals | undefined;
  #examples: readonly SchemaExample[] | undefined;
  #values: readonly ScalarValue[] | undefined;

  /** Plans a parameter; made by the plan of its description alone. */
  constructor(model: ParameterModel, schemas: PlannedSchemas) {
    this.model = model;
    this.schemas = schemas;
    this.schema = schemas.schemaAt(model, model.schema);
    this.itemSchema = schemas.schemaAt(model, model.itemSchema);
  }

  /** The shape that decoding goes by. */
  get shape(): Shape {
    return this.schemas.shapes.of(this.schema);
  }

  /** The positions that decoding can yield, one for each way of reading it; none if covtool does not decode it. */
  get positions(): readonly Position[] {
    return this.#positions ??= positionsOfParameter(this.model, this.shape);
  }

  /** The positions that decoding can yield for an item of sequential JSON: none for other media types. */
  get itemPositions(): readonly Position[] {
    if (this.positions.length === 0) return this.positions;
    return hasItems(this.model, this.schemas) ? IN_JSON : NEVER;
  }

  /** True if covtool does not decode its media type; then its keywords and examples do not count. */
  get unsupported(): boolean {
    return this.positions.length === 0;
  }

  /** The pointer that reports name it by. */
  get schema_path(): string {
    const { document, pointer } = this.model.place;
    return document.label === "" ? pointer : `${document.label}#${pointer}`;
  }

  /** The examples of the parameter itself, outside its schema. */
  get ownExamples(): readonly SchemaExample[] {
    return this.#examples ??= this.model.examples.map(({ place }) => ({
      schema_path: place.document.label === ""
        ? place.pointer
        : `${place.document.label}#${place.pointer}`,
      value: readExample(place.value as Json, this.schema),
    }));
  }

  /** The values that its schema names (`enum`, booleans); none if these are not all, and for bodies. */
  get values(): readonly ScalarValue[] {
    return this.#values ??= this.model.location === "body" ? [] : finiteValues(this.schema);
  }

  /** The keywords and examples that it reaches; none if its media type is not decoded. */
  get inventory(): Inventory {
    const { positions } = this;
    if (positions.length === 0) return NOTHING;
    const inventory = this.schemas.inventory;
    const list = inventory.list(this.schema, positions);
    const items = inventory.list(this.itemSchema, this.itemPositions);
    if (this.ownExamples.length === 0 && items.keywords.length + items.examples.length === 0) {
      return list;
    }
    const inSchemas = unique(list.examples, items.examples);
    return {
      keywords: unique(list.keywords, items.keywords),
      examples: this.#beginsWithSchema()
        ? unique(inSchemas, this.ownExamples)
        : unique(this.ownExamples, inSchemas),
      references: new Map([...list.references, ...items.references]),
    };
  }

  /** True if the description has the schema before the parameter's own examples. */
  #beginsWithSchema(): boolean {
    const fields = Object.keys(this.model.place.value as object); // parameters are objects
    const at = fields.indexOf("schema");
    return at >= 0 && !fields.slice(0, at).some((field) => /^examples?$/.test(field));
  }

  /** The numbers of keywords and examples that count. */
  get totals(): InventoryTotals {
    return this.#totals ??= this.#count();
  }

  /** True if the text of a value matters as well as the value: only examples are compared with it. */
  get comparesText(): boolean {
    return this.totals.examples > 0;
  }

  #count(): InventoryTotals {
    const { positions } = this;
    if (positions.length === 0) return { keywords: 0, causes: 0, examples: 0 };
    if (this.itemSchema !== undefined) {
      const { keywords, examples } = this.inventory;
      const normal = keywords.filter((keyword) => keyword.satisfiability === "Normal");
      const causes = normal.filter(({ node, keyword }) => keywordCanBeCause(node, keyword));
      return { keywords: normal.length, causes: causes.length, examples: examples.length };
    }
    const totals = this.schemas.inventory.totals(this.schema, positions);
    return { ...totals, examples: totals.examples + this.ownExamples.length };
  }
}

const IN_JSON: readonly Position[] = [JSON_POSITION];
const NEVER: readonly Position[] = [NOWHERE];

/** True if bodies of a parameter can be sequential JSON, or those of a response server-sent events. */
function hasItems(
  { location, mediaType }: ParameterModel,
  { program }: PlannedSchemas,
): boolean {
  if (location !== "body" || mediaType === undefined) return false;
  const essence = essenceOf(mediaType);
  if (essence === "text/event-stream") return program.graph.direction === "response";
  return kindOf(essence) === "sequence" || essence === "*/*" || essence === "application/*";
}

const NOTHING: Inventory = { keywords: [], examples: [], references: new Map() };

/** Two lists as one, what is in both once. */
function unique<T extends { readonly schema_path: string }>(
  first: readonly T[],
  second: readonly T[],
): readonly T[] {
  if (second.length === 0) return first;
  const paths = new Set(first.map((entry) => entry.schema_path));
  return [...first, ...second.filter((entry) => !paths.has(entry.schema_path))];
}

/** The pointer of the `required` of a parameter; for a body it is next to its media types. */
export function requiredPointer({ place, location, mediaType }: ParameterModel): string {
  const { document, pointer } = place;
  const isMediaType = location === "body" && mediaType !== undefined;
  const content = isMediaType ? pointer.lastIndexOf("/content/") : -1;
  const bearer = content < 0 ? pointer : pointer.slice(0, content);
  return `${document.label === "" ? "" : `${document.label}#`}${bearer}/required`;
}
