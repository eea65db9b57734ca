import { documentPath } from "../values/json_pointer.ts";
import { JSON_POSITION, NOWHERE, type Position } from "../values/position.ts";
import type { Json } from "../values/json.ts";
import { compileBody } from "../http/body.ts";
import { compileFormField } from "../http/form_body.ts";
import { UrlencodedFields } from "../http/form_plan.ts";
import { mediaEssence, mediaKind } from "../http/media_type.ts";
import { NULL } from "../values/json_type.ts";
import { compileParameter } from "../http/parameter_style.ts";
import { RequestText } from "../http/request_text.ts";
import type { Shape } from "../http/shape.ts";
import type { ParameterModel } from "../openapi/model.ts";
import { canBeSent, readExample, type SchemaExample } from "../schema/examples.ts";
import type { Inventory, InventoryKeyword } from "../schema/inventory_walk.ts";
import { CounterStore } from "../schema/counters.ts";
import {
  countInventory,
  EMPTY_INVENTORY,
  type InventoryTotals,
  NO_TOTALS,
  type SchemaInventory,
} from "../schema/schema_inventory.ts";
import type { Place } from "../schema/part_positions.ts";
import type { SchemaProgram } from "../schema/schema_unit.ts";
import type { SchemaNode, Subschema } from "../schema/schema_node.ts";
import { parameterCounts, ParameterHits } from "./operation_hits.ts";
import {
  collectionFormats,
  parameterEncoding,
  parameterPositions,
  propertyEncodings,
} from "./parameter_encoding.ts";
import type { RouteCondition } from "./route_conditions.ts";
import type { SchemaShapes } from "./schema_shape.ts";
import { memberSchemas } from "../schema/in_place_schemas.ts";

/** A value of `enum`, `const` or another schema whose values can all be listed. */
export type ScalarValue = string | number | boolean | null;

/** Returns the name of a parameter, or of a response's media type or header, as hits use it: `query limit`. */
export function parameterName({ model: { location, name } }: Pick<ParameterPlan, "model">): string {
  return `${location} ${name}`;
}

/** The maximum length of a chain of references. */
const MAX_STEPS = 50;
const NO_VALUES: readonly ScalarValue[] = [];
const BOOLEANS: readonly ScalarValue[] = [true, false];

/** Returns the scalars of `enum` or `const`, or both booleans, also through `$ref` or `allOf`; else none. */
export function finiteValues(schema: Subschema | undefined): readonly ScalarValue[] {
  return findListing(schema).values;
}

interface ListedValues {
  /** The schema that lists the values; absent if there are none. */
  readonly node?: SchemaNode;
  readonly values: readonly ScalarValue[];
}

function findListing(schema: Subschema | undefined): ListedValues {
  let node = schema;
  for (let step = 0; step < MAX_STEPS && typeof node === "object"; step++) {
    const values = node.isReferenceOnly ? undefined : schemaValues(node);
    if (values !== undefined) return { node, values };
    const members = node.isReferenceOnly ? [] : memberSchemas(node, "allOf");
    node = node.target ?? (members.length === 1 ? members[0] : undefined);
  }
  return { values: NO_VALUES };
}

function schemaValues({ schema, dialect }: SchemaNode): readonly ScalarValue[] | undefined {
  const { enum: members, const: constant, type } = schema;
  if (Array.isArray(members)) return members.every(isScalar) ? [...new Set(members)] : NO_VALUES;
  if (constant !== undefined && dialect.keywords.has("const")) {
    return isScalar(constant as Json) ? [constant as ScalarValue] : NO_VALUES;
  }
  const types = Array.isArray(type) ? type.filter((name) => name !== "null") : [type];
  return types.length === 1 && types[0] === "boolean" ? BOOLEANS : undefined;
}

function isScalar(value: Json): value is ScalarValue {
  return typeof value !== "object" || value === null;
}

/** The schemas of a description as requests or as responses use them. */
export interface PlannedSchemas {
  readonly program: SchemaProgram;
  readonly shapes: SchemaShapes;
  readonly inventory: SchemaInventory;
  schemaAt(parameter: ParameterModel, place: Place | undefined): Subschema | undefined;
}

/** The coverable parts of a parameter, media type or header; shared by all operations that refer to it. */
export class ParameterPlan {
  readonly model: ParameterModel;
  readonly schema: Subschema | undefined;
  readonly itemSchema: Subschema | undefined;
  readonly schemas: PlannedSchemas;
  /** The condition of the operation's path that fixes this parameter; undefined for other parameters. */
  readonly condition: Pick<RouteCondition, "value"> | undefined;
  #positions: readonly Position[] | undefined;
  #totals: InventoryTotals | undefined;
  #examples: readonly OwnExample[] | undefined;
  #listed: ListedValues | undefined;

  constructor(
    model: ParameterModel,
    schemas: PlannedSchemas,
    condition?: Pick<RouteCondition, "value">,
  ) {
    this.condition = condition;
    this.model = model;
    this.schemas = schemas;
    this.schema = schemas.schemaAt(model, model.schema);
    this.itemSchema = schemas.schemaAt(model, model.itemSchema);
  }

  get shape(): Shape {
    return this.schemas.shapes.forSchema(this.schema);
  }

  /** The positions that decoding can produce, one for each encoding; none if covtool can't decode the media type. */
  get positions(): readonly Position[] {
    return this.#positions ??= this.itemSchema !== undefined && hasItems(this.model, this.schemas)
      ? [JSON_POSITION]
      : parameterPositions(this.model, this.shape);
  }

  /** The positions that decoding can produce for an item of sequential JSON; unreachable for other media types. */
  get itemPositions(): readonly Position[] {
    if (this.unsupported) return [];
    return [hasItems(this.model, this.schemas) ? JSON_POSITION : NOWHERE];
  }

  /** True if covtool can't decode its media type. Then its keywords and examples don't count. */
  get unsupported(): boolean {
    return this.positions.length === 0;
  }

  get schema_path(): string {
    const { document, pointer } = this.model.place;
    return documentPath(document.label, pointer);
  }

  /** The examples of the parameter itself, outside its schema, except those that no request can carry. */
  get ownExamples(): readonly OwnExample[] {
    return this.#examples ??= this.#allOwnExamples().filter((example) => this.#canBeSent(example));
  }

  #allOwnExamples(): OwnExample[] {
    return this.model.examples.map(({ value, document, pointer }, index) => ({
      schema_path: documentPath(document.label, pointer),
      value: this.#readExample(value as Json),
      index,
    }));
  }

  #canBeSent({ value }: SchemaExample): boolean {
    return this.unsupported || this.positions.some((position) => canBeSent(value, position));
  }

  /** The examples that no request can carry, which are not counted. */
  get unsendable(): readonly SchemaExample[] {
    const own = this.#allOwnExamples().filter((example) => !this.#canBeSent(example));
    const { unsendable } = this.schemas.inventory.list(this.schema, this.positions);
    return [...own, ...unsendable];
  }

  /** Parses an example; one for a media type other than JSON may be a document. */
  #readExample(value: Json): Json {
    const read = readExample(value, this.schema);
    const mediaType = this.model.mediaType ?? this.model.content ?? "";
    const kind = mediaKind(mediaEssence(mediaType));
    if (typeof read !== "string" || kind === "json" || kind === "other") return read;
    const encoding = { shape: this.shape, properties: propertyEncodings(this.model) };
    const decoded = compileBody(encoding)(read, mediaType);
    return typeof decoded === "object" ? decoded.value : read;
  }

  /** The values that the schema lists and that text can express; empty for bodies, and if other values are valid. */
  get values(): readonly ScalarValue[] {
    return this.listed.values;
  }

  /** {@linkcode ParameterPlan.values} with the schema that lists them. */
  get listed(): ListedValues {
    if (this.#listed === undefined) {
      const found = findListing(this.model.location === "body" ? undefined : this.schema);
      const values = found.values.filter((value) => value !== null || this.#canBeNull());
      this.#listed = { ...found, values };
    }
    return this.#listed;
  }

  #canBeNull(): boolean {
    return this.positions.some(({ types }) => (types & NULL) !== 0);
  }

  /** The keywords and examples that it can reach; empty if covtool can't decode its media type. */
  get inventory(): Inventory {
    if (this.unsupported) return EMPTY_INVENTORY;
    const { inventory } = this.schemas;
    const list = this.#withCondition(inventory.list(this.schema, this.positions));
    const items = inventory.list(this.itemSchema, this.itemPositions);
    if (this.ownExamples.length === 0 && items.keywords.length + items.examples.length === 0) {
      return list;
    }
    const inSchemas = concatUnique(list.examples, items.examples);
    return {
      keywords: concatUnique(list.keywords, items.keywords),
      examples: this.#beginsWithSchema()
        ? concatUnique(inSchemas, this.ownExamples)
        : concatUnique(this.ownExamples, inSchemas),
      unsendable: list.unsendable,
      references: new Map([...list.references, ...items.references]),
    };
  }

  /** Marks each keyword as always passing or always failing if a path condition fixes the value. */
  #withCondition(list: Inventory): Inventory {
    const text = this.condition?.value;
    if (text === undefined) return list;
    const failing = failingKeywords(this, text);
    const keywords = list.keywords.map(({ node, keyword, schema_path }): InventoryKeyword => ({
      node,
      keyword,
      schema_path,
      satisfiability: failing.get(node)?.has(keyword) === true ? "Negative" : "Positive",
    }));
    return { ...list, keywords };
  }

  /** True if `schema` precedes the parameter's own examples in the description. */
  #beginsWithSchema(): boolean {
    const fields = Object.keys(this.model.place.value as object); // the model was read from an object
    const at = fields.indexOf("schema");
    return at >= 0 && !fields.slice(0, at).some((field) => /^examples?$/.test(field));
  }

  get totals(): InventoryTotals {
    return this.#totals ??= this.#count();
  }

  /** True if texts of values must be recorded: examples are compared with them. */
  get comparesText(): boolean {
    return this.totals.examples > 0;
  }

  #count(): InventoryTotals {
    if (this.unsupported) return NO_TOTALS;
    if (this.itemSchema !== undefined) return countInventory(this.inventory);
    if (this.condition?.value !== undefined) {
      return { ...NO_TOTALS, examples: this.inventory.examples.length };
    }
    const totals = this.schemas.inventory.totals(this.schema, this.positions);
    return { ...totals, examples: totals.examples + this.ownExamples.length };
  }
}

export interface OwnExample extends SchemaExample {
  /** The index among all examples of the parameter, including unsendable ones; hits are stored by it. */
  readonly index: number;
}

/** Returns the keywords that a parameter's value violates, given as text the way a request carries it. */
function failingKeywords(
  { model, schema, shape, schemas: { program } }: ParameterPlan,
  text: string,
): ReadonlyMap<SchemaNode, ReadonlySet<string>> {
  const failing = new Map<SchemaNode, Set<string>>();
  if (typeof schema !== "object") return failing;
  const pair = `${encodeURIComponent(model.name)}=${encodeURIComponent(text)}`;
  const decoded = model.location === "form_data"
    ? compileFormField({ name: model.name, shape, formats: collectionFormats(model) })(
      new UrlencodedFields(pair),
    )
    : compileParameter(parameterEncoding(model, shape), -1)(
      new RequestText([], pair, { [model.name]: text }),
    );
  if (typeof decoded !== "object") return failing;
  const hits = new ParameterHits(new CounterStore());
  program.evaluateUnit(program.unit(schema), decoded.value, hits.counters, decoded.raw);
  for (const [node, counts] of parameterCounts(hits).keywords) {
    const names = counts.filter(({ invalid }) => invalid > 0).map(({ keyword }) => keyword);
    failing.set(node, new Set(names));
  }
  return failing;
}

/** True if a body may be sequential JSON or, in responses, server-sent events. */
function hasItems({ location, mediaType }: ParameterModel, { program }: PlannedSchemas): boolean {
  if (location !== "body" || mediaType === undefined) return false;
  const essence = mediaEssence(mediaType);
  if (essence === "text/event-stream") return program.graph.direction === "response";
  return mediaKind(essence) === "sequence" || essence === "*/*" || essence === "application/*";
}

/** Concatenates two lists, without entries of the second whose pointer is in the first. */
function concatUnique<T extends { readonly schema_path: string }>(
  first: readonly T[],
  second: readonly T[],
): readonly T[] {
  if (second.length === 0) return first;
  const paths = new Set(first.map((entry) => entry.schema_path));
  return [...first, ...second.filter((entry) => !paths.has(entry.schema_path))];
}

/** Returns the pointer of a parameter's `required`. For a body, it is next to `content`. */
export function requiredPointer({ place, location, mediaType }: ParameterModel): string {
  const { document, pointer } = place;
  const isMediaType = location === "body" && mediaType !== undefined;
  const content = isMediaType ? pointer.lastIndexOf("/content/") : -1;
  const holder = content < 0 ? pointer : pointer.slice(0, content);
  return documentPath(document.label, `${holder}/required`);
}
