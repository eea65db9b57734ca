import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

/** A client's request, over HTTP/1.1 or HTTP/2. */
export type ProxiedRequest = IncomingMessage | Http2ServerRequest;
/** The response that the client gets. */
export type ProxiedResponse = ServerResponse | Http2ServerResponse;
