import { type HttpRequest, type Interaction, setKnownSecrets } from "../../../http/interaction.ts";
import { NO_REQUEST_HEADERS } from "../../../http/visibility.ts";
import { asFields, type Fields, isFields } from "../../decode/fields.ts";
import {
  type PostmanItem,
  type PostmanRequest,
  type PostmanResponse,
  postmanResponse,
} from "./postman_request.ts";
import { sendPostmanRequest } from "./postman_send.ts";
import { postmanItemsV1, postmanItemsV2 } from "./postman_items.ts";
import { PostmanVariables } from "./postman_variables.ts";
import {
  type EntryReader,
  type FormatOptions,
  Place,
  type Problems,
  type RecordingFormat,
} from "../recording.ts";

export const POSTMAN: RecordingFormat = {
  name: "a Postman collection",
  title: "Postman",
  family: "collection",
  recognize: (value) =>
    isFields(value) && [isV1, isV2].some((isVersion) => isVersion(unwrapCollection(value))),
  nearMiss,
  list: "",
  findEntries: (value) => {
    const collection = unwrapCollection(value as Fields);
    return [...isV2(collection) ? postmanItemsV2(collection) : postmanItemsV1(collection)];
  },
  begin: beginCollection,
};

function nearMiss(value: unknown): string | undefined {
  if (!isFields(value)) return undefined;
  if (Array.isArray(value["values"]) && Object.hasOwn(value, "_postman_variable_scope")) {
    return "this is an environment; export the collection";
  }
  if (isFields(value["info"])) return "there is no list `item` beside `info`";
  if (Array.isArray(value["item"])) return "there is no object `info` beside `item`";
  return Array.isArray(value["requests"]) && !isFields(asFields(value["requests"][0])["request"])
    ? "beside `requests` there is no `name` with an `order` or `id`"
    : undefined;
}

/** Reads the requests of a collection. A saved response is an interaction; other requests have no response. */
function beginCollection({ values }: FormatOptions): EntryReader {
  const outside = new PostmanVariables(values);
  const requests: HttpRequest[] = [];
  const read: EntryReader = (entry, { problems }) => {
    const item = entry as PostmanItem | string;
    if (typeof item === "string") {
      return new Place(item, problems).addProblem("a request without a URL is left out");
    }
    const found = itemInteractions(item, outside, problems);
    for (const { request } of found) requests.push(request);
    return found;
  };
  return Object.assign(read, {
    finish: (problems: Problems) => {
      const secrets = outside.secrets();
      for (const request of requests) setKnownSecrets(request, secrets);
      outside.report(problems);
      return [];
    },
  });
}

/** Returns the collection in a response of Postman's API. */
function unwrapCollection(value: Fields): Fields {
  return isFields(value["collection"]) && value["run"] === undefined ? value["collection"] : value;
}

function isV2(collection: Fields): boolean {
  return isFields(collection["info"]) && Array.isArray(collection["item"]);
}

function isV1(collection: Fields): boolean {
  return Array.isArray(collection["requests"]) && typeof collection["name"] === "string" &&
    (Array.isArray(collection["order"]) || typeof collection["id"] === "string");
}

function itemInteractions(
  item: PostmanItem,
  outside: PostmanVariables,
  problems: Problems,
): Interaction[] {
  const variables = item.variables.reduceRight<PostmanVariables>(
    (around, list) => around.extend(list),
    outside,
  );
  if (item.responses.length === 0) {
    const request = send(item, undefined, variables, problems);
    return [{ request, ...headerVisibility(item.request) }];
  }
  return item.responses.map((saved) => {
    const request = send(item, saved, variables, problems);
    const response = postmanResponse(saved, request.method, new Place(saved.place, problems));
    return {
      request,
      ...(response && { response }),
      ...headerVisibility(saved.request ?? item.request),
    };
  });
}

/** Collections have only headers that users wrote. If a request has none, the headers that were sent are unknown. */
function headerVisibility({ headers }: PostmanRequest): Pick<Interaction, "visibility"> {
  return headers.length === 0 ? { visibility: NO_REQUEST_HEADERS } : {};
}

function send(
  item: PostmanItem,
  saved: PostmanResponse | undefined,
  variables: PostmanVariables,
  problems: Problems,
): HttpRequest {
  const place = saved?.place ?? item.place;
  const request = sendPostmanRequest(saved?.request ?? item.request, {
    resolve: (text) => variables.resolve(text, place),
    resolveUrl: (text) => variables.resolveUrl(text, place),
    onUnresolved: (written) => variables.addUnresolved(written, place),
    onUnknownAuth: (type) =>
      problems.add(`the authorization \`${type}\` is not known and left out`, place),
    onSecret: (value) => variables.addSecret(value),
    auth: saved?.request?.auth ?? item.auth,
    keepsBody: item.keepsBody,
  });
  if (request.body_truncated === true) {
    problems.add(
      "a body with a file counts as not recorded, since only the name of the file is known",
      place,
    );
  }
  return request;
}
