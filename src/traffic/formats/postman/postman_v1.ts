import { asFields, asList, type Fields, isFields } from "../../decode/fields.ts";
import {
  postmanAuth,
  postmanHeaders,
  type PostmanItem,
  postmanPairs,
  type PostmanRequest,
  type PostmanResponse,
  postmanText,
} from "./postman_request.ts";
import { postmanRequestV2, postmanResponses } from "./postman_v2.ts";

/** The requests of a collection of version 1.0 in their order; a place instead of an unusable one. */
export function* postmanItemsV1(collection: Fields): Generator<PostmanItem | string> {
  const outerOf = findFolders(collection);
  for (const [index, fields] of asList(collection["requests"]).entries()) {
    const place = `requests[${index}]`;
    const request = readRequest(fields);
    if (!isFields(fields) || request === undefined) {
      yield place;
      continue;
    }
    const around = [fields, ...outerOf(fields), collection];
    const behavior = around.map((scope) => scope["protocolProfileBehavior"]).find(isFields);
    yield {
      request,
      auth: around.map((scope) => postmanAuth(authV2(scope))).find((auth) => auth !== undefined),
      variables: around.map((scope) => scope["variables"]),
      keepsBody: behavior?.["disableBodyPruning"] === true,
      responses: postmanResponses(fields["responses"], `${place}.responses`, readResponse),
      place,
    };
  }
}

function findFolders(collection: Fields): (request: Fields) => Fields[] {
  const folders = new Map<unknown, Fields>();
  const folderOf = new Map<unknown, unknown>();
  for (const folder of asList(collection["folders"]).filter(isFields)) {
    folders.set(folder["id"], folder);
    for (const id of [...asList(folder["order"]), ...asList(folder["folders_order"])]) {
      folderOf.set(id, folder["id"]);
    }
  }
  return (request) => {
    const around: Fields[] = [];
    let inner = request;
    // A folder that is in itself would have no end.
    while (around.length <= folders.size) {
      const folder = folders.get(folderOf.get(inner["id"]) ?? inner["folder"]);
      if (folder === undefined) break;
      around.push(folder);
      inner = folder;
    }
    return around;
  };
}

function readResponse(response: Fields): Omit<PostmanResponse, "place"> {
  const { responseCode, time, headers, text, rawDataType } = response;
  return {
    request: readRequest(response["request"]) ?? readRequest(parsed(response["requestObject"])),
    status: isFields(responseCode) ? responseCode["code"] : responseCode,
    time,
    headers: postmanHeaders(headers),
    // What isn't text has its bytes nowhere in this version.
    body: rawDataType === undefined || rawDataType === "text" ? text : undefined,
    stream: undefined,
  };
}

function parsed(json: unknown): unknown {
  if (typeof json !== "string") return json;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function readRequest(fields: unknown): PostmanRequest | undefined {
  if (!isFields(fields)) return undefined;
  const { headerData, headers, method } = fields;
  const request = postmanRequestV2({
    method,
    url: postmanText(fields["url"]),
    header: Array.isArray(headerData) && headerData.length > 0 ? headerData : headers,
    body: bodyV2(fields),
    auth: authV2(fields),
  });
  return request && { ...request, pathVariables: readPathVariables(fields) };
}

function readPathVariables(fields: Fields): ReadonlyMap<string, string> {
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

/** The body as version 2 has it. */
function bodyV2(fields: Fields): Fields {
  const { data, dataMode, dataOptions: options, rawModeData, graphqlModeData: graphql } = fields;
  const bodies: Readonly<Record<string, Fields>> = {
    // Before `rawModeData` came, `data` had the text.
    raw: { mode: "raw", raw: rawModeData ?? (typeof data === "string" ? data : ""), options },
    urlencoded: { mode: "urlencoded", urlencoded: data },
    params: { mode: "formdata", formdata: asList(data).map(withSource) },
    binary: { mode: "file" },
    graphql: { mode: "graphql", graphql },
  };
  return { ...bodies[String(dataMode)], disabled: fields["dataDisabled"] };
}

/** In version 1.0 the value of a file is its name. */
function withSource(part: unknown): unknown {
  return isFields(part) && part["type"] === "file" ? { ...part, src: part["value"] ?? "" } : part;
}

/** The authorization as version 2 has it. Collections from before `auth` have helpers instead. */
function authV2({ auth, currentHelper: helper, helperAttributes: attributes }: Fields): unknown {
  if (postmanAuth(auth) !== undefined || typeof helper !== "string" || !isFields(attributes)) {
    return auth;
  }
  const type = helper.replace(/Auth$/, "").toLowerCase();
  return { type, [type]: attributes };
}
