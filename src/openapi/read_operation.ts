import type { Place } from "../schema/position.ts";
import type { OperationModel, ParameterModel, ResponseModel } from "./model.ts";
import { readParameter, readSwaggerParameter } from "./read_parameter.ts";
import { readRequirements, type SecuritySchemes } from "./read_security.ts";
import { readServers } from "./read_servers.ts";
import {
  booleanAt,
  type Fields,
  fieldsAt,
  follow,
  isFields,
  itemsAt,
  memberPlace,
  pathOf,
  type Reading,
  say,
  textAt,
  textsAt,
} from "./reading.ts";
import { readMediaType } from "./read_media_type.ts";

export interface OperationContext {
  readonly path: string;
  readonly shared: readonly ParameterModel[];
  /** The URL that relative server URLs are resolved against. */
  readonly base: string;
  /** The URL of the first server, of the path item or the document; undefined if there is none. */
  readonly server: string | undefined;
  /** Swagger 2.0: `consumes` of the document. */
  readonly consumes: readonly string[] | undefined;
  /** Swagger 2.0: `produces` of the document. */
  readonly produces: readonly string[] | undefined;
  /** The field `security` of the document. */
  readonly security: unknown;
  readonly schemes: SecuritySchemes;
  /** The field `x-covtool-access` of the path item. */
  readonly access: unknown;
}

/** The field that says which identities may do what an operation does. */
export const ACCESS_FIELD = "x-covtool-access";

export function readOperation(
  reading: Reading,
  place: Place,
  method: string,
  context: OperationContext,
): OperationModel {
  const fields = place.value as Fields;
  const access = fields[ACCESS_FIELD] ?? context.access;
  const server = addServers(reading, place, context.base) ?? context.server;
  const own = readParameters(reading, memberPlace(place, "parameters"));
  const parameters = replaceParameters(context.shared, own);
  if (reading.version === "2.0") {
    addConsumes(reading, place, parameters, context.consumes);
  } else {
    parameters.push(...readRequestBody(reading, memberPlace(place, "requestBody")));
  }
  return {
    method,
    path: context.path,
    pointer: pathOf(place),
    operationId: textAt(reading, place, "operationId") ?? null,
    tags: fields["tags"] === undefined
      ? []
      : textsAt(reading, memberPlace(place, "tags"), "`tags`"),
    deprecated: booleanAt(reading, place, "deprecated", false),
    parameters: templateParameters(reading, place, context.path, parameters),
    responses: readResponses(
      reading,
      memberPlace(place, "responses"),
      fields["produces"] === undefined
        ? context.produces
        : textsAt(reading, memberPlace(place, "produces"), "`produces`"),
    ),
    ...(server !== undefined && { server }),
    ...(access !== undefined && { access }),
    ...readRequirements(fields["security"] ?? context.security, context.schemes),
  };
}

/** Adds the paths of the servers of an operation or path item. Gives the URL of the first one. */
export function addServers(reading: Reading, place: Place, base: string): string | undefined {
  if (reading.version === "2.0" || (place.value as Fields)["servers"] === undefined) {
    return undefined;
  }
  const { paths, first } = readServers(reading, memberPlace(place, "servers"), base);
  for (const path of paths) reading.basePaths.add(path);
  return first;
}

/** Reads a list of Parameter Objects or references to them; of two with one name and location the first counts. */
export function readParameters(reading: Reading, list: Place): ParameterModel[] {
  const parameters: ParameterModel[] = [];
  const seen = new Set<string>();
  for (const item of itemsAt(reading, list, "`parameters`")) {
    const place = follow(reading, item);
    if (place === undefined) continue;
    const path = pathOf(place);
    let parameter = reading.parameters.get(path);
    if (parameter === undefined && !reading.parameters.has(path)) {
      parameter = reading.version === "2.0"
        ? readSwaggerParameter(reading, place)
        : readParameter(reading, place);
      reading.parameters.set(path, parameter);
    }
    if (parameter === undefined) continue;
    const identity = identityOf(parameter);
    if (seen.has(identity)) {
      say(
        reading,
        "warning",
        "duplicate_parameter",
        item,
        parameter.location === "body"
          ? "An operation can have only one body parameter, so only the first one counts."
          : `The ${parameter.in} parameter \`${parameter.name}\` is listed twice; only the first one counts.`,
      );
      continue;
    }
    seen.add(identity);
    parameters.push(parameter);
  }
  return parameters;
}

/** The key of a parameter within its operation. There is one body in Swagger 2.0, whatever its name. */
function identityOf({ location, name }: ParameterModel): string {
  switch (location) {
    case "body":
      return "body";
    case "header":
      return `header ${name.toLowerCase()}`;
    default:
      return `${location} ${name}`;
  }
}

/** The shared parameters that none of an operation's own replaces, then its own. */
export function replaceParameters(
  shared: readonly ParameterModel[],
  own: readonly ParameterModel[],
): ParameterModel[] {
  if (shared.length === 0 || own.length === 0) return [...shared, ...own];
  const replaced = new Set(own.map(identityOf));
  return [...shared.filter((parameter) => !replaced.has(identityOf(parameter))), ...own];
}

/** Adds the media types that apply to the bodies and form fields of Swagger 2.0. */
function addConsumes(
  reading: Reading,
  place: Place,
  parameters: ParameterModel[],
  inherited: readonly string[] | undefined,
): void {
  const consumes = (place.value as Fields)["consumes"] === undefined
    ? inherited
    : textsAt(reading, memberPlace(place, "consumes"), "`consumes`");
  parameters.forEach((parameter, index) => {
    const takesBody = parameter.location === "body" || parameter.location === "form_data";
    if (takesBody && consumes !== undefined && consumes.length > 0) {
      parameters[index] = { ...parameter, consumes };
    }
  });
}

/** Leaves out path parameters that the template does not have, and says which of its names have no parameter. */
function templateParameters(
  reading: Reading,
  operation: Place,
  path: string,
  parameters: readonly ParameterModel[],
): readonly ParameterModel[] {
  const names = new Set([...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? ""));
  const kept = parameters.filter((parameter) => {
    if (parameter.location !== "path" || names.has(parameter.name)) return true;
    say(
      reading,
      "warning",
      "path_parameter_not_in_template",
      parameter.place,
      `The path \`${path}\` has no \`{${parameter.name}}\`, so this path parameter is not counted.`,
    );
    return false;
  });
  for (const { location, name } of kept) if (location === "path") names.delete(name);
  for (const name of names) {
    say(
      reading,
      "info",
      "undeclared_path_parameter",
      operation,
      `The path \`${path}\` contains \`{${name}}\`, but the operation has no path parameter with that name.`,
    );
  }
  return kept;
}

/** The statuses and media types of responses; the rest is read when the first body or header arrives. */
function readResponses(
  reading: Reading,
  place: Place,
  produces: readonly string[] | undefined,
): readonly ResponseModel[] {
  const responses: ResponseModel[] = [];
  for (const status of Object.keys(fieldsAt(reading, place, "`responses`") ?? {})) {
    if (status.startsWith("x-")) continue;
    const entry = memberPlace(place, status);
    if (!/^([1-9]\d\d|[1-9][xX]{2}|default)$/.test(status)) {
      say(
        reading,
        "warning",
        "invalid_status",
        entry,
        `\`${status}\` is not a status code, a range such as \`2XX\`, or \`default\`, so it is not counted.`,
      );
      continue;
    }
    const response = follow(reading, entry);
    const mediaTypes = mediaTypesOf(reading, response, produces);
    responses.push({
      status_code: status,
      pointer: pathOf(entry),
      ...(mediaTypes.length > 0 && { mediaTypes }),
      ...(isFields(response?.value) && { place: response }),
      ...(reading.version === "2.0" && produces !== undefined && { produces }),
    });
  }
  return responses.sort((a, b) => rankOf(a.status_code) - rankOf(b.status_code));
}

/** The media types of a response's body: the keys of `content`, in Swagger 2.0 `produces` where there is a `schema`. */
function mediaTypesOf(
  reading: Reading,
  response: Place | undefined,
  produces: readonly string[] | undefined,
): readonly string[] {
  const { content, schema } = (response?.value ?? {}) as Fields;
  if (reading.version === "2.0") return schema === undefined ? [] : produces ?? [];
  return typeof content === "object" && content !== null ? Object.keys(content) : [];
}

function rankOf(status: string): number {
  if (status === "default") return 2_000;
  return /^\d+$/.test(status) ? Number(status) : 1_000 + Number(status[0]);
}

/** One parameter for each media type (OpenAPI 3.2, 4.13); a body that operations share is read once. */
function readRequestBody(reading: Reading, entry: Place): readonly ParameterModel[] {
  if (entry.value === undefined) return [];
  const place = follow(reading, entry);
  if (place === undefined) return [];
  const path = pathOf(place);
  const known = reading.bodies.get(path);
  if (known !== undefined) return known;
  const bodies = readBodies(reading, place);
  reading.bodies.set(path, bodies);
  return bodies;
}

function readBodies(reading: Reading, place: Place): readonly ParameterModel[] {
  if (fieldsAt(reading, place, "A request body") === undefined) return [];
  const required = booleanAt(reading, place, "required", false);
  const content = memberPlace(place, "content");
  const types = Object.keys(fieldsAt(reading, content, "`content`") ?? {});
  if (types.length === 0) {
    say(
      reading,
      "warning",
      "body_without_content",
      place,
      "This request body has no media type in `content`, so it is not counted.",
    );
  }
  const bodies: ParameterModel[] = [];
  for (const type of types) {
    const media = readMediaType(reading, memberPlace(content, type), type);
    if (media === undefined) continue;
    bodies.push({
      location: "body",
      name: type,
      required,
      deprecated: false,
      in: "body",
      style: "form",
      explode: true,
      allowReserved: false,
      mediaType: type,
      ...media,
    });
  }
  return bodies;
}
