import type { ProxiedRequest } from "./exchange.ts";
import {
  type EndToEnd,
  fieldValue,
  joinCookies,
  withField,
  withoutField,
} from "./header_fields.ts";
import type { Target } from "./target.ts";

/** Methods for which no body means that there is none; all others say so with a length of 0. */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]);

/** The fields that a server gets with a request. */
export function requestFields(
  request: ProxiedRequest,
  { fields: endToEndFields, length, hasTrailer }: EndToEnd,
  hasBody: boolean,
  { hostField }: Target,
): string[] {
  let fields = endToEndFields;
  // Without chunks there are no trailers to announce, and the runtimes refuse to.
  if (hasTrailer && (!hasBody || length !== undefined)) fields = withoutField(fields, "trailer");
  if (request.httpVersionMajor === 2) {
    fields = joinCookies(fields);
    if (fieldValue(fields, "host") === undefined) {
      const authority = fieldValue(request.rawHeaders, ":authority");
      if (authority !== undefined) fields.unshift("Host", authority);
    }
  }
  if (hostField !== undefined) fields = withField(fields, "Host", hostField);
  if (length === undefined) {
    if (hasBody) fields.push("Transfer-Encoding", "chunked");
    else if (!BODILESS.has(request.method ?? "GET")) fields.push("Content-Length", "0");
  }
  return fields;
}
