import type {
  CollectionFormat,
  Names,
  ParameterEncoding,
  ParameterStyle,
  PropertyEncoding,
  PropertyEncodings,
} from "../http/encoding.ts";
import { JSON_POSITION, positionOf, positionOfBody, positionOfField } from "../http/position.ts";
import type { Position } from "../http/position.ts";
import type { Shape } from "../http/shape.ts";
import type { ParameterModel } from "../openapi/model.ts";

/** How a parameter that is no body stands in the text of a request. */
export function encodingOf(
  model: ParameterModel,
  shape: Shape,
  claimed?: Names,
): ParameterEncoding {
  const location = model.location as "path" | "query" | "header" | "cookie";
  const { name } = model;
  const properties = propertyEncodings(model);
  if (model.in === "querystring") {
    const mediaType = model.content ?? "application/x-www-form-urlencoded";
    return { kind: "querystring", location: "query", name, shape, mediaType, properties };
  }
  if (model.content !== undefined) {
    return { kind: "content", location, name, shape, mediaType: model.content, properties };
  }
  if (model.collectionFormat !== undefined) {
    return { kind: "collection", location, name, shape, formats: collectionFormats(model) };
  }
  const style = model.style as ParameterStyle;
  return { kind: "style", location, name, shape, style, explode: model.explode, claimed };
}

/** The formats of a Swagger 2.0 list and of the lists in it. */
export function collectionFormats(model: ParameterModel): readonly CollectionFormat[] {
  return (model.collectionFormat ?? []) as readonly CollectionFormat[];
}

/** The encodings of a form's properties. */
export function propertyEncodings(model: ParameterModel): PropertyEncodings {
  return (model.encoding ?? {}) as Readonly<Record<string, PropertyEncoding>>;
}

/** What decoding can yield for a parameter; undefined where covtool does not decode its media type. */
export function positionOfParameter(model: ParameterModel, shape: Shape): Position | undefined {
  if (model.location === "form_data") return positionOfField(shape);
  if (model.location !== "body") return positionOf(encodingOf(model, shape));
  const form = { shape, properties: propertyEncodings(model) };
  if (model.mediaType !== undefined) return positionOfBody(form, model.mediaType);
  const consumes = model.consumes ?? [];
  if (consumes.length === 0) return JSON_POSITION;
  const positions = consumes.map((mediaType) => positionOfBody(form, mediaType));
  return positions.find((position) => position?.json) ?? positions.find((position) => position);
}
