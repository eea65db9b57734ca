import { headerLookup } from "../../../http/headers.ts";
import type { HttpRequest, Interaction } from "../../../http/interaction.ts";
import { cassetteRequest } from "../../cassette/cassette_request.ts";
import { cassetteResponse, cassetteTime } from "../../cassette/cassette_response.ts";
import { type Fields, isFields } from "../../decode/fields.ts";
import type { Problems } from "../problems.ts";

/** The text that Schemathesis writes instead of values that may be secret. */
const FILTERED = "[Filtered]";

/**
 * Reads one exchange as the cassettes and the events of Schemathesis have it; undefined, and a problem, where it cannot
 * be used. A request that was never answered has `response: null`.
 */
export function readSchemathesisEntry(
  entry: unknown,
  place: string,
  problems: Problems,
): Interaction | undefined {
  if (!isFields(entry) || !isFields(entry["request"])) {
    problems.add("an entry without a request is left out", place);
    return undefined;
  }
  const { method, uri: url, headers, body } = entry["request"];
  const request = cassetteRequest({ method, url, headers, body }, `${place}.request`, problems);
  if (request === undefined) return undefined;
  if (isFiltered(request, isFields(headers) ? headers : {})) {
    problems.add(
      `values that Schemathesis replaced by ${FILTERED} are not recorded ` +
        "(with `--output-sanitize false` it keeps them)",
      `${place}.request`,
    );
  }
  const received = isFields(entry["response"]) ? entry["response"] : {};
  const response = cassetteResponse(
    {
      status: isFields(received["status"])
        ? received["status"]["code"]
        : received["status"] ?? received["status_code"],
      elapsed: received["elapsed"] ?? entry["elapsed"],
      headers: received["headers"],
      body: received["body"] ?? received["content"],
    },
    request.method,
    `${place}.response`,
    problems,
  );
  const timestamp = cassetteTime(entry["recorded_at"] ?? entry["timestamp"]);
  return { request, ...(response && { response }), ...(timestamp !== undefined && { timestamp }) };
}

function isFiltered(request: HttpRequest, headers: Fields): boolean {
  if (request.url.includes(FILTERED) || request.url.includes(encodeURIComponent(FILTERED))) {
    return true;
  }
  const lookup = headerLookup(request.headers);
  return Object.keys(headers).some((name) => lookup.values(name).includes(FILTERED));
}
