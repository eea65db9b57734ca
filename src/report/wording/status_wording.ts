const STATUSES: Readonly<Record<string, string>> = {
  "200": "OK",
  "201": "Created",
  "202": "Accepted",
  "204": "No Content",
  "206": "Partial Content",
  "301": "Moved Permanently",
  "302": "Found",
  "303": "See Other",
  "304": "Not Modified",
  "307": "Temporary Redirect",
  "308": "Permanent Redirect",
  "400": "Bad Request",
  "401": "Unauthorized",
  "402": "Payment Required",
  "403": "Forbidden",
  "404": "Not Found",
  "405": "Method Not Allowed",
  "406": "Not Acceptable",
  "408": "Request Timeout",
  "409": "Conflict",
  "410": "Gone",
  "412": "Precondition Failed",
  "413": "Content Too Large",
  "415": "Unsupported Media Type",
  "422": "Unprocessable Content",
  "423": "Locked",
  "429": "Too Many Requests",
  "500": "Internal Server Error",
  "501": "Not Implemented",
  "502": "Bad Gateway",
  "503": "Service Unavailable",
  "504": "Gateway Timeout",
};

/** The meaning of a response's status: a reason phrase, or the statuses that a range or `default` covers. */
export function statusText(status: string): string {
  if (status === "default") return "every other status";
  const range = /^([1-5])XX$/i.exec(status)?.[1];
  return range === undefined ? STATUSES[status] ?? "" : `any other ${range}00 to ${range}99`;
}

const STATUS_ADVICE: Readonly<Record<string, string>> = {
  "400": "Send an invalid request.",
  "401": "Leave out the credentials.",
  "402": "Send a request without a payment.",
  "403": "Send a request as a user without permission.",
  "404": "Request something that doesn't exist.",
  "405": "Use another method.",
  "406": "Accept only another media type.",
  "409": "Send a request that conflicts with the current state.",
  "410": "Request something that was deleted.",
  "412": "Send a precondition that fails.",
  "413": "Send a body that is too large.",
  "415": "Send the body as another media type.",
  "422": "Send a well-formed request that can't be processed.",
  "423": "Change something that is locked.",
  "429": "Exceed the rate limit.",
};

/** Advice on how to get a response, as a sentence; empty if that depends on the API. */
export function statusAdvice(status: string): string {
  if (/^4XX$/i.test(status)) return "Send an invalid request.";
  return STATUS_ADVICE[status] ?? (/^5(XX|\d\d)$/i.test(status) ? "Make the server fail." : "");
}
