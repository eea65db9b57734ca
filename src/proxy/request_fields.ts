import {
  type EndToEnd,
  fieldValue,
  joinCookies,
  withField,
  withoutField,
} from "./header_fields.ts";
import type { ProxiedRequest } from "./proxied_message.ts";
import type { Target } from "./target.ts";

/** Methods for which no body means that there is none; all others say so with a length of 0. */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]);

/** The fields of a request, as they are recorded, and as the server gets them but for {@linkcode forwardedFields}. */
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
    const authority = fieldValue(request.rawHeaders, ":authority");
    // It comes before what `host` says (RFC 9113, section 8.3.1).
    if (authority !== undefined) fields = withField(fields, "Host", authority);
  }
  if (hostField !== undefined) fields = withField(fields, "Host", hostField);
  if (length === undefined) {
    if (hasBody) fields.push("Transfer-Encoding", "chunked");
    else if (!BODILESS.has(request.method ?? "GET")) fields.push("Content-Length", "0");
  }
  return fields;
}

/** The same with what the proxy itself tells the server of the client. */
export function forwardedFields(
  fields: readonly string[],
  { rawHeaders }: Pick<ProxiedRequest, "rawHeaders">,
  { authority, hostField }: Target,
): readonly string[] {
  // Only where it is for the server does Host become another one.
  if (hostField === authority || fieldValue(fields, "x-forwarded-host") !== undefined) {
    return fields;
  }
  const host = authority ?? fieldValue(rawHeaders, ":authority") ?? fieldValue(rawHeaders, "host");
  return host === undefined ? fields : [...fields, "X-Forwarded-Host", host];
}
