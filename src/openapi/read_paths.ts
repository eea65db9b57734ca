import type { Place } from "../schema/place.ts";
import type { OperationModel, ParameterModel } from "./model.ts";
import {
  addServers,
  type OperationContext,
  readOperation,
  readParameters,
  replaceParameters,
} from "./read_operation.ts";
import {
  type Fields,
  fieldsAt,
  followAll,
  isFields,
  memberPlace,
  type Reading,
  say,
  wrongType,
} from "./reading.ts";

const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

/** Segments of a path: matching goes as deep as these. */
const MOST_SEGMENTS = 1_000;

/** Fields of a path item that aren't operations. */
const OTHER_FIELDS = new Set(["$ref", "summary", "description", "servers", "parameters"]);

/** Reads every operation of a Paths Object, in document order. */
export function readPaths(
  reading: Reading,
  root: Place,
  document: Omit<OperationContext, "path" | "shared">,
): OperationModel[] {
  const operations: OperationModel[] = [];
  const paths = memberPlace(root, "paths");
  for (const path of Object.keys(fieldsAt(reading, paths, "`paths`") ?? {})) {
    if (path.startsWith("x-")) continue;
    const entry = memberPlace(paths, path);
    if (/[?#]/.test(path.replaceAll(/\{[^{}]*\}/g, ""))) {
      say(
        reading,
        "warning",
        "unreachable_path",
        entry,
        `No request can have the path \`${path}\`, because \`?\` and \`#\` end a path, so its operations are not counted.`,
      );
      continue;
    }
    if (path.split("/", MOST_SEGMENTS + 2).length > MOST_SEGMENTS + 1) {
      say(
        reading,
        "warning",
        "long_path",
        entry,
        `This path has more than ${
          MOST_SEGMENTS.toLocaleString("en-US")
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
  document: Omit<OperationContext, "path" | "shared">,
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
  const context: OperationContext = { ...document, path, shared, server };
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
