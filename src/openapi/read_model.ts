import { References } from "../schema/references.ts";
import { descriptionVersion, hasIdentifiers } from "./description_version.ts";
import type { ApiModel, OperationModel, ParameterModel, ResponseContent } from "./model.ts";
import { readSchemes, readSecretNames } from "./read_security.ts";
import { readServers, readSwaggerServer } from "./read_servers.ts";
import { isFields, Part, type Reading } from "./part.ts";
import {
  ACCESS_FIELD,
  BODY,
  type OperationContext,
  readContent,
  readOperation,
  readOwnServers,
  readParameters,
  replaceParameters,
} from "./read_operation.ts";
import type { DocumentSet } from "./document_set.ts";
import { getOrAdd } from "../values/collections.ts";
import { collectionFormats, readValueModel } from "./read_parameter.ts";

const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

/** Maximum number of segments in a path: request matching goes no deeper. */
const MAX_SEGMENTS = 1_000;

const PATH_ITEM_FIELDS = new Set(["$ref", "summary", "description", "servers", "parameters"]);

type DocumentContext = Omit<OperationContext, "path" | "sharedParameters" | "access">;

function readPaths(paths: Part, document: DocumentContext): OperationModel[] {
  const operations: OperationModel[] = [];
  for (const [path, entry] of paths.members("`paths`")) {
    if (path.startsWith("x-")) continue;
    if (path.split("/", MAX_SEGMENTS + 2).length > MAX_SEGMENTS + 1) {
      const most = MAX_SEGMENTS.toLocaleString("en-US");
      const message = `This path has more than ${most} segments: its operations are not counted.`;
      entry.warn("long_path", message);
      continue;
    }
    if (!path.startsWith("/")) {
      const message =
        `The path \`${path}\` must begin with a slash, so it is read as \`/${path}\`.`;
      entry.warn("path_without_slash", message);
    }
    readPathItem(entry, path, document, operations);
  }
  return operations;
}

/** Reads the operations of a path item. Fields next to `$ref` take precedence over the referenced path item. */
function readPathItem(
  entry: Part,
  path: string,
  document: DocumentContext,
  operations: OperationModel[],
): void {
  const chain = entry.followAll().filter((place): place is Part =>
    place?.fields("A path item") !== undefined
  );
  let sharedParameters: readonly ParameterModel[] = [];
  let { server } = document;
  for (const place of chain.toReversed()) {
    server = readOwnServers(place, document.base) ?? server;
    sharedParameters = replaceParameters(
      sharedParameters,
      readParameters(place.member("parameters")),
    );
  }
  const access = chain.map((place) => place.get(ACCESS_FIELD)).find((one) => one !== undefined);
  const context: OperationContext = { ...document, path, sharedParameters, server, access };
  const methods = new Set<string>();
  for (const place of chain) {
    for (const [operation, method] of listOperations(place)) {
      if (methods.has(method)) continue;
      if (!isFields(operation.value)) {
        operation.warnWrongType("An operation", "an object");
        continue;
      }
      methods.add(method);
      // The specification has no references to operations, but many split descriptions do.
      operations.push(readOperation(operation.follow() ?? operation, method, context));
    }
  }
}

function listOperations(item: Part): [Part, string][] {
  const operations: [Part, string][] = [];
  const isNew = item.reading.version === "3.2";
  for (const [field, member] of item.members("A path item")) {
    if (METHODS.has(field) || (field === "query" && isNew)) {
      operations.push([member, field.toUpperCase()]);
    } else if (field === "additionalOperations" && isNew) {
      for (const [method, operation] of member.members(`\`${field}\``)) {
        const lower = method.toLowerCase();
        if (METHODS.has(lower) || lower === "query") {
          const message =
            `This must be the field \`${lower}\` of the path item, which counts if both are there.`;
          operation.warn("misplaced_method", message);
          if (item.get(lower) === undefined) operations.push([operation, lower.toUpperCase()]);
        } else operations.push([operation, method]);
      }
    } else if (!PATH_ITEM_FIELDS.has(field) && !field.startsWith("x-")) {
      member.warn("unknown_field", unknownFieldMessage(field));
    }
  }
  return operations;
}

function unknownFieldMessage(field: string): string {
  const lower = field.toLowerCase();
  if (METHODS.has(lower)) {
    return `Methods must be lower case: \`${field}\` is ignored; write \`${lower}\`.`;
  }
  return field === "query" || field === "additionalOperations"
    ? `\`${field}\` requires OpenAPI 3.2, so it is ignored.`
    : `\`${field}\` is not a field of a path item, so it is ignored.`;
}

/** Reads operations with parameters and responses, but no schemas. Parts that can't be used become diagnostics. */
export function readModel(
  set: DocumentSet,
  references: References = createReferences(set),
): ApiModel {
  const { entry } = set;
  const { version, specification } = descriptionVersion(entry.value, set.location);
  const reading: Reading = {
    version,
    references,
    diagnostics: [...set.problems],
    reported: new Set(set.problems.map(({ code, schema_path }) => `${code} ${schema_path}`)),
    parameters: new Map(),
    bodies: new Map(),
    basePaths: new Set(),
    serverPaths: new Map(),
    serverHosts: new Set(),
  };
  // A reference that was not followed for another reason is not also reported as unresolved.
  for (const { schema_path } of set.problems) {
    reading.reported.add(`unresolved_reference ${schema_path}`);
  }
  const root = new Part(reading, { value: entry.value, document: entry, pointer: "" });
  const written = root.member("paths");
  const paths = written.follow() ?? written;
  if (paths.value === undefined && (version === "2.0" || version === "3.0")) {
    root.warn("missing_paths", "The description has no `paths`.");
  }
  const base = /^https?:/.test(entry.uri) ? entry.uri : "http://localhost/";
  const swagger = version === "2.0";
  const server = swagger ? readSwaggerServer(root) : readServers(root.member("servers"), base);
  const schemes = readSchemes(root);
  const operations = readPaths(paths, {
    base,
    server,
    consumes: swagger ? root.texts("consumes") : undefined,
    produces: swagger ? root.texts("produces") : undefined,
    security: root.get("security"),
    schemes,
  });
  const { title, version: apiVersion } = root.member("info").fields("`info`") ?? {};
  return {
    version,
    specification,
    title: asText(title),
    apiVersion: asText(apiVersion),
    jsonSchemaDialect: version === "3.1" || version === "3.2"
      ? root.text("jsonSchemaDialect")
      : undefined,
    basePaths: [...reading.basePaths],
    serverHosts: [...reading.serverHosts],
    hasPaths: isFields(paths.value) &&
      Object.keys(paths.value).some((path) => !path.startsWith("x-")),
    operations,
    secretNames: readSecretNames(schemes),
    readResponse: createResponseReader(reading),
    diagnostics: reading.diagnostics,
  };
}

/** Creates the resolver of a description's references. */
export function createReferences(set: DocumentSet): References {
  const { version } = descriptionVersion(set.entry.value, set.location);
  return new References(set.documents.values(), { hasIdentifiers: hasIdentifiers(version) });
}

/** A YAML number, such as an unquoted version, counts as text as well. */
function asText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

const NO_CONTENT: ResponseContent = { mediaTypes: [], headers: [] };

/** Reads a response when its first body arrives, as few recordings have bodies. Operations share the result. */
function createResponseReader(state: Reading): ApiModel["readResponse"] {
  // Diagnostics must not depend on traffic, so those found here are dropped.
  const reading: Reading = { ...state, diagnostics: [], reported: new Set(state.reported) };
  const cache = new Map<string, ResponseContent>();
  return ({ place, produces }) => {
    if (place === undefined) return NO_CONTENT;
    const part = new Part(reading, place);
    return getOrAdd(cache, `${part.path} ${produces?.join() ?? ""}`, () => ({
      mediaTypes: reading.version === "2.0"
        ? readSwaggerBody(part, produces)
        : readContent(part.member("content").members("`content`"), false).map((media) => ({
          ...media,
          examples: [],
        })),
      headers: part.member("headers").members("`headers`")
        .flatMap(([name, entry]) => readHeader(entry, name) ?? []),
    }));
  };
}

/** Swagger 2.0 has one schema for all media types of `produces`, so they become one entry. */
function readSwaggerBody(place: Part, produces: readonly string[] = []): readonly ParameterModel[] {
  if (place.get("schema") === undefined) return [];
  return [{
    ...BODY,
    name: produces.length === 0 ? "*/*" : produces.join(", "),
    place,
    schema: place.schema("schema"),
    ...(produces.length > 0 && { consumes: produces }),
    examples: [],
  }];
}

/** Reads a Header Object (OpenAPI 3.2, section 4.21); undefined if it can't be used, and for `Content-Type`. */
function readHeader(entry: Part, name: string): ParameterModel | undefined {
  const place = entry.follow();
  if (place?.fields("A header") === undefined) return undefined;
  const header = {
    location: "header",
    name,
    deprecated: false,
    place,
    in: "header",
    style: "simple",
    allowReserved: false,
  } as const;
  if (place.reading.version === "2.0") {
    const formats = collectionFormats(place, "header");
    return {
      ...header,
      required: false,
      schema: place, // the header is its own schema
      explode: false,
      ...(formats && { collectionFormat: formats }),
      examples: [],
    };
  }
  if (name.toLowerCase() === "content-type") return undefined;
  return {
    ...header,
    required: place.boolean("required"),
    explode: place.boolean("explode"),
    ...readValueModel(place, "header", name),
    examples: [],
  };
}
