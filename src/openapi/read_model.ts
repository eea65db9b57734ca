import { References } from "../schema/reference.ts";
import { descriptionVersion } from "./description_version.ts";
import type { DocumentSet } from "./document_set.ts";
import type { ApiModel } from "./model.ts";
import { readPaths } from "./read_paths.ts";
import { ResponseReader } from "./read_response.ts";
import { readSchemes, readSecurity } from "./read_security.ts";
import { readServers, readSwaggerServer } from "./read_servers.ts";
import {
  type Fields,
  fieldsAt,
  memberPlace,
  type Reading,
  say,
  textAt,
  textsAt,
} from "./reading.ts";

/**
 * Reads the operations of a description with their parameters and responses. What cannot be used becomes a diagnostic; schemas
 * are not looked into, so that the cost is that of the operations.
 *
 * @param references Resolves references within the documents; made from them where it is left out.
 * @throws {DescriptionError} if the entry isn't an OpenAPI document.
 *
 * @example
 * ```ts
 * import { loadFromDict } from "./load.ts";
 * import { readModel } from "./read_model.ts";
 * import assert from "node:assert/strict";
 *
 * const model = readModel(loadFromDict({
 *   swagger: "2.0",
 *   info: { title: "Shop", version: "1" },
 *   basePath: "/v1",
 *   paths: { "/items": { get: { responses: { 200: { description: "fine" } } } } },
 * }));
 * assert.equal(model.operations[0]?.method, "GET");
 * assert.deepEqual(model.basePaths, ["/v1"]);
 * ```
 */
export function readModel(
  set: DocumentSet,
  references: References = referencesOf(set),
): ApiModel {
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
