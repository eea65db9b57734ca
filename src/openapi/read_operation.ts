import { getOrAdd } from "../values/collections.ts";
import type { OperationModel, ParameterModel, ResponseModel } from "./model.ts";
import { readParameter, readSwaggerParameter } from "./read_parameter.ts";
import { readRequirements, type SecuritySchemes } from "./read_security.ts";
import { readServers } from "./read_servers.ts";
import { type Fields, isFields, Part } from "./part.ts";
import { readMediaType } from "./read_media_type.ts";

export interface OperationContext {
  readonly path: string;
  readonly sharedParameters: readonly ParameterModel[];
  readonly base: string;
  /** The URL of the first server of the path item or document; undefined if there is none. */
  readonly server: string | undefined;
  /** Swagger 2.0: `consumes` of the document. */
  readonly consumes: readonly string[] | undefined;
  /** Swagger 2.0: `produces` of the document. */
  readonly produces: readonly string[] | undefined;
  readonly security: unknown;
  readonly schemes: SecuritySchemes;
  readonly access: unknown;
}

export const ACCESS_FIELD = "x-covtool-access";

export function readOperation(
  place: Part,
  method: string,
  context: OperationContext,
): OperationModel {
  const access = place.get(ACCESS_FIELD) ?? context.access;
  const server = readOwnServers(place, context.base) ?? context.server;
  const own = readParameters(place.member("parameters"));
  const parameters = replaceParameters(context.sharedParameters, own);
  if (place.reading.version === "2.0") {
    addConsumes(parameters, place.texts("consumes") ?? context.consumes);
  } else parameters.push(...readRequestBody(place.member("requestBody")));
  return {
    method,
    path: context.path,
    pointer: place.path,
    operationId: place.text("operationId") ?? null,
    tags: place.texts("tags") ?? [],
    deprecated: place.boolean("deprecated"),
    parameters: checkPathParameters(place, context.path, parameters),
    responses: readResponses(
      place.member("responses"),
      place.texts("produces") ?? context.produces,
    ),
    ...(server !== undefined && { server }),
    ...(access !== undefined && { access }),
    ...readRequirements(place.get("security") ?? context.security, context.schemes),
  };
}

/** Reads the servers of an operation or path item, and returns the URL of the first one. */
export function readOwnServers(place: Part, base: string): string | undefined {
  return place.reading.version === "2.0" ? undefined : readServers(place.member("servers"), base);
}

/** Reads a list of parameters or references. Of two with the same name and location, the first counts. */
export function readParameters(list: Part): ParameterModel[] {
  const { version, parameters: cache } = list.reading;
  const parameters: ParameterModel[] = [];
  const seen = new Set<string>();
  for (const item of list.items("`parameters`")) {
    const place = item.follow();
    if (place === undefined) continue;
    const parameter = getOrAdd(
      cache,
      place.path,
      () => (version === "2.0" ? readSwaggerParameter(place) : readParameter(place)) ?? null,
    );
    if (parameter === null) continue;
    const key = parameterKey(parameter);
    if (seen.has(key)) {
      const message = parameter.location === "body"
        ? "An operation can have only one body parameter, so only the first one counts."
        : `The ${parameter.in} parameter \`${parameter.name}\` is listed twice; only the first one counts.`;
      item.warn("duplicate_parameter", message);
      continue;
    }
    seen.add(key);
    parameters.push(parameter);
  }
  return parameters;
}

/** Returns the key of a parameter within its operation. Swagger 2.0 has one body, whatever its name. */
function parameterKey({ location, name }: ParameterModel): string {
  if (location === "body") return location;
  return `${location} ${location === "header" ? name.toLowerCase() : name}`;
}

/** Returns the shared parameters that the operation doesn't replace, then the operation's own. */
export function replaceParameters(
  shared: readonly ParameterModel[],
  own: readonly ParameterModel[],
): ParameterModel[] {
  if (shared.length === 0 || own.length === 0) return [...shared, ...own];
  const replaced = new Set(own.map(parameterKey));
  return [...shared.filter((parameter) => !replaced.has(parameterKey(parameter))), ...own];
}

function addConsumes(parameters: ParameterModel[], consumes: readonly string[] = []): void {
  parameters.forEach((parameter, index) => {
    const takesBody = parameter.location === "body" || parameter.location === "form_data";
    if (takesBody && consumes.length > 0) parameters[index] = { ...parameter, consumes };
  });
}

/** Drops path parameters that the template doesn't have, and reports names in the template without a parameter. */
function checkPathParameters(
  operation: Part,
  path: string,
  parameters: readonly ParameterModel[],
): readonly ParameterModel[] {
  const names = new Set([...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? ""));
  const kept = parameters.filter((parameter) => {
    const { location, name, place } = parameter;
    if (location !== "path" || names.delete(name)) return true;
    const message =
      `The path \`${path}\` has no \`{${name}}\`, so this path parameter is not counted.`;
    new Part(operation.reading, place).warn("path_parameter_not_in_template", message);
    return false;
  });
  for (const name of names) {
    const message =
      `The path \`${path}\` contains \`{${name}}\`, but the operation has no path parameter with that name.`;
    operation.addDiagnostic("info", "undeclared_path_parameter", message);
  }
  return kept;
}

/** Reads the statuses and media types of responses; the rest is read when a body or header first arrives. */
function readResponses(
  place: Part,
  produces: readonly string[] | undefined,
): readonly ResponseModel[] {
  const responses: ResponseModel[] = [];
  for (const [status, entry] of place.members("`responses`")) {
    if (status.startsWith("x-")) continue;
    if (!/^([1-9]\d\d|[1-9][xX]{2}|default)$/.test(status)) {
      const message =
        `\`${status}\` is not a status code, a range such as \`2XX\`, or \`default\`, so it is not counted.`;
      entry.warn("invalid_status", message);
      continue;
    }
    const response = entry.follow();
    const mediaTypes = responseMediaTypes(response, produces);
    responses.push({
      status_code: status,
      pointer: entry.path,
      ...(mediaTypes.length > 0 && { mediaTypes }),
      ...(isFields(response?.value) && { place: response }),
      ...(place.reading.version === "2.0" && produces !== undefined && { produces }),
    });
  }
  return responses.sort((a, b) => statusRank(a.status_code) - statusRank(b.status_code));
}

/** The media types of a response: the keys of `content`, or in Swagger 2.0 `produces` if there is a `schema`. */
function responseMediaTypes(
  response: Part | undefined,
  produces: readonly string[] | undefined,
): readonly string[] {
  const { content, schema } = (response?.value ?? {}) as Fields;
  if (response?.reading.version === "2.0") return schema === undefined ? [] : produces ?? [];
  return typeof content === "object" && content !== null ? Object.keys(content) : [];
}

function statusRank(status: string): number {
  if (status === "default") return 2_000;
  return /^\d+$/.test(status) ? Number(status) : 1_000 + Number(status[0]);
}

/** Returns one parameter for each media type (OpenAPI 3.2, section 4.13). A shared body is read once. */
function readRequestBody(entry: Part): readonly ParameterModel[] {
  const place = entry.value === undefined ? undefined : entry.follow();
  if (place === undefined) return [];
  return getOrAdd(place.reading.bodies, place.path, () => readBodies(place));
}

function readBodies(place: Part): readonly ParameterModel[] {
  if (place.fields("A request body") === undefined) return [];
  const required = place.boolean("required");
  const types = place.member("content").members("`content`");
  if (types.length === 0) {
    const message = "This request body has no media type in `content`, so it is not counted.";
    place.warn("body_without_content", message);
  }
  return readContent(types, required);
}

export function readContent(
  types: ReturnType<Part["members"]>,
  required: boolean,
): readonly ParameterModel[] {
  return types.flatMap(([type, entry]) => {
    const media = readMediaType(entry, type);
    return media ? [{ ...BODY, ...media, name: type, mediaType: type, required }] : [];
  });
}

export const BODY = {
  location: "body",
  required: false,
  deprecated: false,
  in: "body",
  style: "form",
  explode: true,
  allowReserved: false,
} as const;
