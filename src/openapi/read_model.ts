import { References } from "../schema/reference.ts";
import { descriptionVersion } from "./description_version.ts";
import type { ApiModel, OperationModel, ParameterModel } from "./model.ts";
import { ResponseReader } from "./read_response.ts";
import { readSchemes, readSecurity } from "./read_security.ts";
import { readServers, readSwaggerServer } from "./read_servers.ts";
import {
  type Fields,
  fieldsAt,
  followAll,
  isFields,
  memberPlace,
  type Reading,
  say,
  textAt,
  textsAt,
  wrongType,
} from "./reading.ts";
import type { Place } from "../schema/position.ts";
import {
  ACCESS_FIELD,
  addServers,
  type OperationContext,
  readOperation,
  readParameters,
  replaceParameters,
} from "./read_operation.ts";
import type { DocumentSet } from "./document_set.ts";

const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

/** Segments of a path: matching goes as deep as these. */
const MAX_SEGMENTS = 1_000;

/** Fields of a path item that aren't operations. */
const OTHER_FIELDS = new Set(["$ref", "summary", "description", "servers", "parameters"]);

/** Reads every operation of a Paths Object, in document order. */
function readPaths(
  reading: Reading,
  root: Place,
  document: Omit<OperationContext, "path" | "shared" | "access">,
): OperationModel[] {
  const operations: OperationModel[] = [];
  const paths = memberPlace(root, "paths");
  for (const path of Object.keys(fieldsAt(reading, paths, "`paths`") ?? {})) {
    if (path.startsWith("x-")) continue;
    const entry = memberPlace(paths, path);
    if (path.split("/", MAX_SEGMENTS + 2).length > MAX_SEGMENTS + 1) {
      say(
        reading,
        "warning",
        "long_path",
        entry,
        `This path has more than ${
          MAX_SEGMENTS.toLocaleString("en-US")
        } segments: its operations are not counted.`,
      );
      continue;
    }
    if (!path.startsWith("/")) {
      say(
        reading,
        "warning",
        "path_without_slash",
        entry,
        `The path \`${path}\` must begin with a slash, so it is read as \`/${path}\`.`,
      );
    }
    readPathItem(reading, entry, path, document, operations);
  }
  return operations;
}

/** Reads the operations of a path item. Fields next to its `$ref` take precedence over its target. */
function readPathItem(
  reading: Reading,
  entry: Place,
  path: string,
  document: Omit<OperationContext, "path" | "shared" | "access">,
  operations: OperationModel[],
): void {
  const chain = followAll(reading, entry).filter((place): place is Place =>
    place !== undefined && fieldsAt(reading, place, "A path item") !== undefined
  );
  let shared: readonly ParameterModel[] = [];
  let { server } = document;
  for (const place of chain.toReversed()) {
    server = addServers(reading, place, document.base) ?? server;
    shared = replaceParameters(shared, readParameters(reading, memberPlace(place, "parameters")));
  }
  const access = chain.map(({ value }) => (value as Fields)[ACCESS_FIELD])
    .find((one) => one !== undefined);
  const context: OperationContext = { ...document, path, shared, server, access };
  const methods = new Set<string>();
  for (const place of chain) {
    for (const [operation, method] of operationsOf(reading, place)) {
      if (methods.has(method)) continue;
      if (!isFields(operation.value)) {
        wrongType(reading, operation, "An operation", "an object");
        continue;
      }
      methods.add(method);
      operations.push(readOperation(reading, operation, method, context));
    }
  }
}

/** The places of the operations of one Path Item Object with their methods, as they are written. */
function operationsOf(reading: Reading, item: Place): [Place, string][] {
  const operations: [Place, string][] = [];
  for (const field of Object.keys(item.value as Fields)) { // readPathItem passes objects only
    const member = memberPlace(item, field);
    if (METHODS.has(field) || (field === "query" && reading.version === "3.2")) {
      operations.push([member, field.toUpperCase()]);
    } else if (field === "additionalOperations" && reading.version === "3.2") {
      for (const method of Object.keys(fieldsAt(reading, member, `\`${field}\``) ?? {})) {
        operations.push([memberPlace(member, method), method]);
      }
    } else if (!OTHER_FIELDS.has(field) && !field.startsWith("x-")) {
      sayUnknownField(reading, member, field);
    }
  }
  return operations;
}

function sayUnknownField(reading: Reading, place: Place, field: string): void {
  const lower = field.toLowerCase();
  say(
    reading,
    "warning",
    "unknown_field",
    place,
    METHODS.has(lower)
      ? `Methods must be lower case: \`${field}\` is ignored; write \`${lower}\`.`
      : field === "query" || field === "additionalOperations"
      ? `\`${field}\` requires OpenAPI 3.2, so it is ignored.`
      : `\`${field}\` is not a field of a path item, so it is ignored.`,
  );
}

/** Reads operations with parameters and responses; what cannot be used becomes a diagnostic, schemas stay unread. */
export function readModel(set: DocumentSet, references: References = referencesOf(set)): ApiModel {
  const { entry } = set;
  const { version, specification } = descriptionVersion(entry.value, set.location);
  const reading: Reading = {
    version,
    references,
    diagnostics: [...set.problems],
    said: new Set(set.problems.map(({ code, schema_path }) => `${code} ${schema_path}`)),
    parameters: new Map(),
    bodies: new Map(),
    basePaths: new Set(),
    serverPaths: new Map(),
    serverHosts: new Set(),
  };
  // A reference that was not loaded for a reason of its own need not be called dangling as well.
  for (const { schema_path } of set.problems) {
    reading.said.add(`unresolved_reference ${schema_path}`);
  }
  const root = { value: entry.value, document: entry, pointer: "" };
  const fields = entry.value as Fields; // descriptionVersion takes objects only
  if (fields["paths"] === undefined && (version === "2.0" || version === "3.0")) {
    say(reading, "warning", "missing_paths", root, "The description has no `paths`.");
  }
  const base = /^https?:/.test(entry.uri) ? entry.uri : "http://localhost/";
  const swagger = version === "2.0";
  const servers = swagger
    ? readSwaggerServer(reading, root)
    : readServers(reading, memberPlace(root, "servers"), base);
  for (const path of servers.paths) reading.basePaths.add(path);
  const operations = readPaths(reading, root, {
    base,
    server: servers.first,
    consumes: swagger && fields["consumes"] !== undefined
      ? textsAt(reading, memberPlace(root, "consumes"), "`consumes`")
      : undefined,
    produces: swagger && fields["produces"] !== undefined
      ? textsAt(reading, memberPlace(root, "produces"), "`produces`")
      : undefined,
    security: fields["security"],
    schemes: readSchemes(reading, root),
  });
  const info = memberPlace(root, "info");
  const { title, version: apiVersion } = fieldsAt(reading, info, "`info`") ?? {};
  return {
    version,
    specification,
    title: textOf(title),
    apiVersion: textOf(apiVersion),
    jsonSchemaDialect: version === "3.1" || version === "3.2"
      ? textAt(reading, root, "jsonSchemaDialect")
      : undefined,
    basePaths: [...reading.basePaths],
    serverHosts: [...reading.serverHosts],
    hasPaths: isFields(fields["paths"]) &&
      Object.keys(fields["paths"]).some((path) => !path.startsWith("x-")),
    operations,
    secretNames: readSecurity(reading, root),
    responses: new ResponseReader(reading),
    diagnostics: reading.diagnostics,
  };
}

/** Makes the resolver of a description's references; `$id` and anchors count from OpenAPI 3.1 on. */
export function referencesOf(set: DocumentSet): References {
  const { version } = descriptionVersion(set.entry.value, set.location);
  const identifiers = version === "3.1" || version === "3.2";
  return new References(set.documents.values(), { identifiers });
}

/** Text; a number that YAML made of it counts as well. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : "";
}
