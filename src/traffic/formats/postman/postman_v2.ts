import { asFields, asList, type Fields, isFields } from "../../decode/fields.ts";
import {
  isDisabled,
  type PostmanAuth,
  postmanAuth,
  postmanHeaders,
  type PostmanItem,
  type PostmanRequest,
  type PostmanResponse,
  postmanText,
} from "./postman_request.ts";
import { postmanUrlTemplate } from "./postman_url.ts";

interface Scope {
  readonly auth: PostmanAuth | undefined;
  readonly variables: readonly unknown[];
  readonly keepsBody: boolean;
}

const MAX_FOLDERS = 100;

/** The requests of a collection of version 2 in their order, folders unfolded; undefined for an unusable one. */
export function* postmanItemsV2(collection: Fields): Generator<PostmanItem | string> {
  const outside = { auth: undefined, variables: [], keepsBody: false };
  yield* itemsOf(collection["item"], "item", innerScope(collection, outside), 0);
}

function* itemsOf(
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
      yield* itemsOf(item["item"], `${here}.item`, scope, depth + 1);
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

/** The responses in a list, in any version. */
export function postmanResponses(
  list: unknown,
  place: string,
  read: (response: Fields) => Omit<PostmanResponse, "place">,
): PostmanResponse[] {
  return asList(list).flatMap((response, index) =>
    isFields(response) ? [{ ...read(response), place: `${place}[${index}]` }] : []
  );
}

/** Reads a request of version 2.0 or 2.1, which may be a URL alone; undefined if it has no URL. */
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
