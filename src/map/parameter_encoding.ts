import { JSON_POSITION, type Position } from "../values/position.ts";
import type {
  CollectionFormat,
  NameLookup,
  ParameterEncoding,
  ParameterStyle,
  PropertyEncoding,
  PropertyEncodings,
} from "../http/encoding.ts";
import { bodyPositions, formDataPosition, parameterPosition } from "../http/shape_positions.ts";
import type { Shape } from "../http/shape.ts";
import type { ParameterModel } from "../openapi/model.ts";

/** Returns the encoding of a parameter that isn't a body. */
export function parameterEncoding(
  model: ParameterModel,
  shape: Shape,
  claimed?: NameLookup,
): ParameterEncoding {
  const location = model.location as "path" | "query" | "header" | "cookie";
  const base = { location, name: model.name, shape, claimed };
  const properties = propertyEncodings(model);
  const isWholeQuery = model.in === "querystring";
  const mediaType = model.content ??
    (isWholeQuery ? "application/x-www-form-urlencoded" : undefined);
  if (mediaType !== undefined) {
    return { kind: "content", ...base, mediaType, properties, isWholeQuery };
  }
  if (model.collectionFormat !== undefined) {
    return { kind: "collection", ...base, formats: collectionFormats(model) };
  }
  return { kind: "style", ...base, style: model.style as ParameterStyle, explode: model.explode };
}

/** True if each property of an object is a separate name-value pair: `style: form`, exploded. */
export function spreadsObjects({ style, explode, content }: ParameterModel): boolean {
  return style === "form" && explode && content === undefined;
}

/** Returns the formats of a Swagger 2.0 array and of the arrays nested in it. */
export function collectionFormats(model: ParameterModel): readonly CollectionFormat[] {
  return (model.collectionFormat ?? []) as readonly CollectionFormat[];
}

export function propertyEncodings(model: ParameterModel): PropertyEncodings {
  return (model.encoding ?? {}) as Readonly<Record<string, PropertyEncoding>>;
}

/** Returns a position for each way to send the parameter; none if covtool can't decode its media types. */
export function parameterPositions(model: ParameterModel, shape: Shape): readonly Position[] {
  if (model.location === "form_data") {
    return [formDataPosition({ shape, formats: collectionFormats(model) })];
  }
  if (model.location !== "body") {
    const position = parameterPosition(parameterEncoding(model, shape));
    return position === undefined ? [] : [position];
  }
  const mediaTypes = model.mediaType === undefined ? model.consumes ?? [] : [model.mediaType];
  if (mediaTypes.length === 0) return [JSON_POSITION];
  return bodyPositions({ shape, properties: propertyEncodings(model) }, mediaTypes);
}
