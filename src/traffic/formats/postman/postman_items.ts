import { asFields, asList, type Fields, isFields } from "../../decode/fields.ts";
import {
  isDisabled,
  type PostmanAuth,
  postmanAuth,
  postmanHeaders,
  type PostmanItem,
  postmanPairs,
  type PostmanRequest,
  type PostmanResponse,
  postmanText,
} from "./postman_request.ts";
import { postmanUrlTemplate } from "./postman_url.ts";
import { tryParseJson } from "../../../values/parse_json.ts";

interface Scope {
  readonly auth: PostmanAuth | undefined;
  readonly variables: readonly unknown[];
  readonly keepsBody: boolean;
}

const MAX_FOLDERS = 100;

/** The requests of a version 2 collection in order, including those in folders; a place for each unusable one. */
export function* postmanItemsV2(collection: Fields): Generator<PostmanItem | string> {
  const outside = { auth: undefined, variables: [], keepsBody: false };
  yield* readItems(collection["item"], "item", innerScope(collection, outside), 0);
}

function* readItems(
  list: unknown,
  place: string,
  outer: Scope,
  depth: number,
): Generator<PostmanItem | string> {
  for (const [index, item] of asList(list).entries()) {
    const here = `${place}[${index}]`;
    if (!isFields(item)) {
      yield here;
      continue;
    }
    const scope = innerScope(item, outer);
    if (Array.isArray(item["item"]) && depth < MAX_FOLDERS) {
      yield* readItems(item["item"], `${here}.item`, scope, depth + 1);
      continue;
    }
    const request = postmanRequestV2(item["request"]);
    if (request === undefined) {
      yield here;
      continue;
    }
    yield {
      ...scope,
      auth: request.auth ?? scope.auth,
      request,
      responses: postmanResponses(item["response"], `${here}.response`, readResponse),
      place: `${here}.request`,
    };
  }
}

function innerScope(fields: Fields, outer: Scope): Scope {
  const behavior = fields["protocolProfileBehavior"];
  const keepsBody = asFields(behavior)["disableBodyPruning"];
  return {
    auth: postmanAuth(fields["auth"]) ?? outer.auth,
    variables: [fields["variable"], ...outer.variables],
    keepsBody: typeof keepsBody === "boolean" ? keepsBody : outer.keepsBody,
  };
}

function readResponse(
  { originalRequest, code: status, responseTime: time, header, body, stream }: Fields,
): Omit<PostmanResponse, "place"> {
  const request = postmanRequestV2(originalRequest);
  return { request, status, time, headers: postmanHeaders(header), body, stream };
}

function postmanResponses(
  list: unknown,
  place: string,
  read: (response: Fields) => Omit<PostmanResponse, "place">,
): PostmanResponse[] {
  return asList(list).flatMap((response, index) =>
    isFields(response) ? [{ ...read(response), place: `${place}[${index}]` }] : []
  );
}

/** Reads a request of version 2.0 or 2.1, which may be just a URL; undefined if it has no URL. */
export function postmanRequestV2(request: unknown): PostmanRequest | undefined {
  const fields = isFields(request) ? request : { url: request };
  const url = postmanUrlTemplate(fields["url"]);
  if (url === undefined || url.trim() === "") return undefined;
  return {
    method: postmanText(fields["method"]) ?? "GET",
    url,
    pathVariables: readPathVariables(fields["url"]),
    headers: postmanHeaders(fields["header"]),
    body: fields["body"],
    auth: postmanAuth(fields["auth"]),
  };
}

function readPathVariables(url: unknown): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const list = asFields(url)["variable"];
  for (const variable of asList(list)) {
    if (!isFields(variable) || isDisabled(variable)) continue;
    const name = postmanText(variable["key"] ?? variable["id"]);
    const value = postmanText(variable["value"]);
    if (name !== undefined && value !== undefined) values.set(name, value);
  }
  return values;
}

/** The requests of a version 1.0 collection in order; a place for each unusable one. */
export function* postmanItemsV1(collection: Fields): Generator<PostmanItem | string> {
  const outerFolders = findFolders(collection);
  for (const [index, fields] of asList(collection["requests"]).entries()) {
    const place = `requests[${index}]`;
    const request = readRequestV1(fields);
    if (!isFields(fields) || request === undefined) {
      yield place;
      continue;
    }
    const around = [fields, ...outerFolders(fields), collection];
    const behavior = around.map((scope) => scope["protocolProfileBehavior"]).find(isFields);
    yield {
      request,
      auth: around.map((scope) => postmanAuth(authV2(scope))).find((auth) => auth !== undefined),
      variables: around.map((scope) => scope["variables"]),
      keepsBody: behavior?.["disableBodyPruning"] === true,
      responses: postmanResponses(fields["responses"], `${place}.responses`, readResponseV1),
      place,
    };
  }
}

function findFolders(collection: Fields): (request: Fields) => Fields[] {
  const folders = new Map<unknown, Fields>();
  const outerIds = new Map<unknown, unknown>();
  for (const folder of asList(collection["folders"]).filter(isFields)) {
    folders.set(folder["id"], folder);
    for (const id of [...asList(folder["order"]), ...asList(folder["folders_order"])]) {
      outerIds.set(id, folder["id"]);
    }
  }
  return (request) => {
    const around: Fields[] = [];
    let inner = request;
    // Limited, as folders may contain themselves.
    while (around.length <= folders.size) {
      const folder = folders.get(outerIds.get(inner["id"]) ?? inner["folder"]);
      if (folder === undefined) break;
      around.push(folder);
      inner = folder;
    }
    return around;
  };
}

function readResponseV1(response: Fields): Omit<PostmanResponse, "place"> {
  const { responseCode, time, headers, text, rawDataType } = response;
  return {
    request: readRequestV1(response["request"]) ?? readRequestV1(parsed(response["requestObject"])),
    status: isFields(responseCode) ? responseCode["code"] : responseCode,
    time,
    headers: postmanHeaders(headers),
    // This version doesn't keep the bytes of other bodies.
    body: rawDataType === undefined || rawDataType === "text" ? text : undefined,
    stream: undefined,
  };
}

function parsed(json: unknown): unknown {
  return typeof json === "string" ? tryParseJson(json) : json;
}

function readRequestV1(fields: unknown): PostmanRequest | undefined {
  if (!isFields(fields)) return undefined;
  const { headerData, headers, method } = fields;
  const request = postmanRequestV2({
    method,
    url: postmanText(fields["url"]),
    header: Array.isArray(headerData) && headerData.length > 0 ? headerData : headers,
    body: bodyV2(fields),
    auth: authV2(fields),
  });
  return request && { ...request, pathVariables: readPathVariablesV1(fields) };
}

function readPathVariablesV1(fields: Fields): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(asFields(fields["pathVariables"]))) {
    const text = postmanText(value);
    if (text !== undefined) values.set(name, text);
  }
  for (const { key, value } of postmanPairs(fields["pathVariableData"])) {
    if (value !== undefined) values.set(key, value);
  }
  return values;
}

function bodyV2(fields: Fields): Fields {
  const { data, dataMode, dataOptions: options, rawModeData, graphqlModeData: graphql } = fields;
  const bodies: Readonly<Record<string, Fields>> = {
    // Before `rawModeData` existed, `data` was the text.
    raw: { mode: "raw", raw: rawModeData ?? (typeof data === "string" ? data : ""), options },
    urlencoded: { mode: "urlencoded", urlencoded: data },
    params: { mode: "formdata", formdata: asList(data).map(withSource) },
    binary: { mode: "file" },
    graphql: { mode: "graphql", graphql },
  };
  return { ...bodies[String(dataMode)], disabled: fields["dataDisabled"] };
}

/** In version 1.0, the value of a file is its name. */
function withSource(part: unknown): unknown {
  return isFields(part) && part["type"] === "file" ? { ...part, src: part["value"] ?? "" } : part;
}

/** Converts an authorization to version 2. Old collections have helpers instead of `auth`. */
function authV2({ auth, currentHelper: helper, helperAttributes: attributes }: Fields): unknown {
  if (postmanAuth(auth) !== undefined || typeof helper !== "string" || !isFields(attributes)) {
    return auth;
  }
  const type = helper.replace(/Auth$/, "").toLowerCase();
  return { type, [type]: attributes };
}
