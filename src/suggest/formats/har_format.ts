import { requestTitle } from "./request_title.ts";
import type { SuggestionFormat } from "../suggestion.ts";

/** The start time of requests that were never sent; HAR requires one. */
const NEVER_SENT = "1970-01-01T00:00:00.000Z";

/** An HTTP Archive (HAR 1.2), with an empty response for each request because the format requires one. */
export const harFormat: SuggestionFormat = {
  name: "har",
  extensions: [".har"],
  write({ requests }) {
    const entries = requests.map((suggestion) => {
      const { method, url, headers, body } = suggestion.request;
      return {
        startedDateTime: NEVER_SENT,
        time: 0,
        comment: requestTitle(suggestion),
        request: {
          method,
          url,
          httpVersion: "HTTP/1.1",
          cookies: [],
          headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
          queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
          ...(body !== undefined && {
            postData: { mimeType: headers["Content-Type"] ?? "", text: body },
          }),
          headersSize: -1,
          bodySize: body === undefined ? 0 : new TextEncoder().encode(body).length,
        },
        response: {
          status: 0,
          statusText: "",
          httpVersion: "HTTP/1.1",
          cookies: [],
          headers: [],
          content: { size: 0, mimeType: "" },
          redirectURL: "",
          headersSize: -1,
          bodySize: -1,
        },
        cache: {},
        timings: { send: 0, wait: 0, receive: 0 },
      };
    });
    const log = { version: "1.2", creator: { name: "covtool", version: "" }, entries };
    return JSON.stringify({ log }, null, 2) + "\n";
  },
};
