// Reads OpenAPI without code from src, for independent counts and for writing requests.

/** A JSON object in a description. */
export type Raw = { readonly [key: string]: unknown };

/** A parameter as a client reads it. */
export interface RawParameter {
  readonly location: "path" | "query" | "header" | "cookie";
  readonly name: string;
  readonly schema: unknown;
  readonly style: string;
  readonly explode: boolean;
  /** The media type of a parameter with `content`. */
  readonly content: string | undefined;
}

/** One media type of a request body. */
export interface RawBody {
  readonly mediaType: string;
  readonly schema: unknown;
  readonly encoding: Raw;
}

/** An operation as a client reads it. */
export interface RawOperation {
  readonly method: string;
  readonly path: string;
  /** The path of the first server. */
  readonly prefix: string;
  readonly parameters: readonly RawParameter[];
  readonly bodies: readonly RawBody[];
  /** Number of documented responses. */
  readonly responses: number;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

export function isRaw(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Follows local references; undefined if one is missing or circular. */
export function deref(root: unknown, value: unknown): unknown {
  for (let hops = 0; hops < 50; hops++) {
    if (!isRaw(value) || typeof value["$ref"] !== "string") return value;
    const reference = value["$ref"];
    if (!reference.startsWith("#")) return undefined;
    let target: unknown = root;
    for (const piece of reference.slice(1).split("/").slice(1)) {
      const key = decodeURIComponent(piece).replaceAll("~1", "/").replaceAll("~0", "~");
      target = typeof target === "object" && target !== null && Object.hasOwn(target, key)
        ? (target as Raw)[key]
        : undefined;
    }
    value = target;
  }
  return undefined;
}

function object(root: unknown, value: unknown): Raw {
  const found = deref(root, value);
  return isRaw(found) ? found : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** All operations of a description. */
export function rawOperations(root: Raw): readonly RawOperation[] {
  const operations: RawOperation[] = [];
  for (const [path, entry] of Object.entries(object(root, root["paths"]))) {
    if (path.startsWith("x-")) continue;
    const item = object(root, entry);
    for (const method of METHODS) {
      const operation = item[method];
      if (!isRaw(operation)) continue;
      operations.push(rawOperation(root, path, method, item, operation));
    }
  }
  return operations;
}

function rawOperation(
  root: Raw,
  path: string,
  method: string,
  item: Raw,
  operation: Raw,
): RawOperation {
  const parameters = new Map<string, RawParameter>();
  for (const owner of [item, operation]) {
    const seen = new Set<string>();
    for (const entry of list(owner["parameters"])) {
      const parameter = rawParameter(root, object(root, entry));
      if (parameter === undefined) continue;
      const isHeader = parameter.location === "header";
      const name = isHeader ? parameter.name.toLowerCase() : parameter.name;
      const key = `${parameter.location} ${name}`;
      // The first of two in a list counts, and an operation's own replaces the path item's.
      if (seen.has(key)) continue;
      seen.add(key);
      if (parameter.location === "path" && !path.includes(`{${parameter.name}}`)) continue;
      if (isHeader && ["accept", "content-type", "authorization"].includes(name)) continue;
      parameters.set(key, parameter);
    }
  }
  const content = object(root, object(root, operation["requestBody"])["content"]);
  const bodies = Object.entries(content).map(([mediaType, entry]): RawBody => {
    const media = object(root, entry);
    return { mediaType, schema: media["schema"], encoding: object(root, media["encoding"]) };
  });
  const statuses = Object.keys(object(root, operation["responses"]));
  return {
    method: method.toUpperCase(),
    path,
    prefix: root["swagger"] === undefined
      ? serverPath(root, [operation, item, root])
      : String(root["basePath"] ?? "").replace(/\/$/, ""),
    parameters: [...parameters.values()],
    bodies: root["swagger"] === undefined ? bodies : swaggerBodies(root, item, operation),
    responses: statuses.filter((status) => !status.startsWith("x-")).length,
  };
}

/** The body of Swagger 2.0, or the form that its fields make. */
function swaggerBodies(root: Raw, item: Raw, operation: Raw): readonly RawBody[] {
  const fields: Record<string, unknown> = {};
  const [mediaType = "application/json"] = list(operation["consumes"] ?? root["consumes"]);
  for (const entry of [...list(item["parameters"]), ...list(operation["parameters"])]) {
    const parameter = object(root, entry);
    const schema = parameter["schema"];
    if (parameter["in"] === "body") return [{ mediaType: String(mediaType), schema, encoding: {} }];
    if (parameter["in"] === "formData") fields[String(parameter["name"])] = parameter;
  }
  if (Object.keys(fields).length === 0) return [];
  const schema = { type: "object", properties: fields };
  return [{ mediaType: String(mediaType), schema, encoding: {} }];
}

const COLLECTION_STYLES: Readonly<Record<string, string>> = {
  ssv: "spaceDelimited",
  pipes: "pipeDelimited",
};

function swaggerParameter(location: RawParameter["location"], parameter: Raw): RawParameter {
  const format = String(parameter["collectionFormat"] ?? "csv");
  const inQuery = location === "query";
  return {
    location,
    name: String(parameter["name"]),
    schema: parameter,
    style: inQuery ? COLLECTION_STYLES[format] ?? "form" : "simple",
    explode: format === "multi",
    content: undefined,
  };
}

function rawParameter(root: Raw, parameter: Raw): RawParameter | undefined {
  const { name, in: location } = parameter;
  if (typeof name !== "string" || name === "") return undefined;
  if (
    location !== "path" && location !== "query" && location !== "header" && location !== "cookie"
  ) return undefined;
  if (root["swagger"] !== undefined) return swaggerParameter(location, parameter);
  const inQuery = location === "query" || location === "cookie";
  const style = typeof parameter["style"] === "string"
    ? parameter["style"]
    : inQuery
    ? "form"
    : "simple";
  const explode = typeof parameter["explode"] === "boolean"
    ? parameter["explode"]
    : style === "form";
  const [content] = Object.entries(object(root, parameter["content"]));
  const media = content === undefined ? undefined : object(root, content[1]);
  return {
    location,
    name,
    schema: deref(root, parameter["schema"] ?? media?.["schema"]),
    style,
    explode,
    content: parameter["schema"] === undefined ? content?.[0] : undefined,
  };
}

/** The path of the first server with default variables. */
function serverPath(root: Raw, owners: readonly Raw[]): string {
  for (const owner of owners) {
    const [server] = list(owner["servers"]);
    if (!isRaw(server) || typeof server["url"] !== "string") continue;
    const variables = object(root, server["variables"]);
    const url = server["url"].replaceAll(/\{([^{}]*)\}/g, (_, name) => {
      return String(object(root, variables[name])["default"] ?? "");
    });
    // `api.example.com/v1` has no scheme.
    const path = url.replace(/^[a-z][a-z0-9+.-]*:(?=\/)/i, "")
      .replace(/^\/\/[^/]*|^[\w-]+(\.[\w-]+)+(?=\/|$)/, "");
    return `/${path}`.replaceAll(/\/{2,}/g, "/").replace(/\/$/, "");
  }
  return "";
}
