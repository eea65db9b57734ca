import { asFields, asList, type Fields, isFields } from "../../decode/fields.ts";
import {
  type PostmanAuth,
  postmanAuth,
  type PostmanBody,
  postmanHeaders,
  type PostmanItem,
  postmanPairs,
  type PostmanRequest,
  type PostmanResponse,
  postmanText,
} from "./postman_request.ts";
import { postmanGraphql, postmanParts } from "./postman_v2.ts";

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
      auth: around.map(readAuth).find((auth) => auth !== undefined),
      variables: around.map((scope) => scope["variables"]),
      keepsBody: behavior?.["disableBodyPruning"] === true,
      responses: readResponses(fields["responses"], `${place}.responses`),
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

function readResponses(list: unknown, place: string): PostmanResponse[] {
  const responses: PostmanResponse[] = [];
  for (const [index, response] of asList(list).entries()) {
    if (!isFields(response)) continue;
    const { responseCode, time, headers, text } = response;
    responses.push({
      request: readRequest(response["request"]) ?? readRequest(parsed(response["requestObject"])),
      status: isFields(responseCode) ? responseCode["code"] : responseCode,
      time,
      headers: postmanHeaders(headers),
      // What isn't text has its bytes nowhere in this version.
      body: response["rawDataType"] === undefined || response["rawDataType"] === "text"
        ? text
        : undefined,
      stream: undefined,
      place: `${place}[${index}]`,
    });
  }
  return responses;
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
  const url = postmanText(fields["url"]);
  if (url === undefined || url.trim() === "") return undefined;
  const { headerData } = fields;
  return {
    method: postmanText(fields["method"]) ?? "GET",
    url,
    pathVariables: readPathVariables(fields),
    headers: postmanHeaders(
      Array.isArray(headerData) && headerData.length > 0 ? headerData : fields["headers"],
    ),
    body: fields["dataDisabled"] === true ? undefined : readBody(fields),
    auth: readAuth(fields),
  };
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

function readBody(fields: Fields): PostmanBody | undefined {
  const { data, rawModeData, dataMode } = fields;
  switch (dataMode) {
    case "raw": {
      const options = asFields(asFields(fields["dataOptions"])["raw"]);
      // Before `rawModeData` came, `data` had the text.
      const text = postmanText(rawModeData) ?? (typeof data === "string" ? data : "");
      return { mode: "raw", text, language: postmanText(options["language"]) };
    }
    case "urlencoded":
      return { mode: "urlencoded", fields: postmanPairs(data) };
    case "params":
      return { mode: "formdata", parts: postmanParts(asList(data).map(withSource)) };
    case "binary":
      return { mode: "file", content: undefined };
    case "graphql":
      return postmanGraphql(fields["graphqlModeData"]);
    default:
      return undefined;
  }
}

/** In version 1.0 the value of a file is its name. */
function withSource(part: unknown): unknown {
  return isFields(part) && part["type"] === "file" ? { ...part, src: part["value"] ?? "" } : part;
}

/** Collections from before `auth` have helpers instead. */
function readAuth(fields: Fields): PostmanAuth | undefined {
  const auth = postmanAuth(fields["auth"]);
  const { currentHelper: helper, helperAttributes: attributes } = fields;
  if (auth !== undefined || typeof helper !== "string" || !isFields(attributes)) return auth;
  const type = helper.replace(/Auth$/, "").toLowerCase();
  return postmanAuth({ type, [type]: attributes });
}
