import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { requireNet } from "../files/net_permission.ts";
import { livePageHtml } from "./live_page_html.ts";

/** Content of the page. */
export interface LivePageOptions {
  /** The report of now, as a page of its own. */
  report(): string;
  /** Changes whenever the report does. */
  version(): number;
  /** The process that the page belongs to, for its readers: `The proxy`. */
  readonly subject: string;
  /** Milliseconds between two looks for news (default: 1,000). */
  readonly lookEvery?: number;
  /** The part of the time that making reports may take (default: a tenth), where something else has to go on meanwhile. */
  readonly share?: number;
}

/** A page that runs. */
export interface LivePage {
  /** The URL of the page. */
  readonly url: string;
  /** Ends it. */
  close(): void;
}

const LOOPBACK = "127.0.0.1";
const LOOK_EVERY = 1000;
const SHARE = 0.1;

/**
 * Serves the report as it is now, on the loopback interface only, to those who know its URL: other users of the
 * machine do not. Browsers that show it are told of news, and show them by themselves.
 */
export async function serveLivePage(options: LivePageOptions): Promise<LivePage> {
  const { lookEvery = LOOK_EVERY, share = SHARE } = options;
  const secret = crypto.randomUUID().replaceAll("-", "");
  const listeners = new Set<ServerResponse>();
  let told = options.version();
  let page = "";
  let pageVersion = -1;
  /** Until when the page is taken as it is. */
  let restUntil = 0;

  const report = (): string => {
    const version = options.version();
    const now = performance.now();
    if (version !== pageVersion && (page === "" || now >= restUntil)) {
      page = options.report();
      pageVersion = version;
      restUntil = performance.now() + (performance.now() - now) / share;
    }
    return page;
  };

  const server = createServer((request, response) => {
    const path = request.url?.replace(/\?.*$/, "");
    const mayLead = path === `/${secret}/`;
    if (!isOwn(request, server, mayLead)) {
      return answer(response, 403, "text/plain", "Forbidden.\n");
    }
    const isHead = request.method === "HEAD";
    if (request.method !== "GET" && !isHead) {
      response.setHeader("allow", "GET, HEAD");
      return answer(response, 405, "text/plain", "Use GET.\n");
    }
    switch (path) {
      case `/${secret}/`: {
        const nonce = crypto.randomUUID();
        response.setHeader(
          "content-security-policy",
          `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; ` +
            "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; " +
            "frame-ancestors 'none'",
        );
        return answer(
          response,
          200,
          "text/html; charset=utf-8",
          livePageHtml(nonce, options.subject),
        );
      }
      case `/${secret}/report`:
        return answer(response, 200, "text/html; charset=utf-8", report());
      case `/${secret}/news`:
        if (isHead) return answer(response, 200, "text/event-stream", "");
        response.writeHead(200, { "content-type": "text/event-stream", ...FIELDS });
        response.write(`data: ${told}\n\n`);
        listeners.add(response);
        response.on("close", () => listeners.delete(response));
        return;
      default:
        answer(response, 404, "text/plain", "Not found.\n");
    }
  });
  // Deno would end the process.
  requireNet(`${LOOPBACK}:0`);
  const timer = setInterval(() => {
    const version = options.version();
    if (version === told || performance.now() < restUntil) return;
    told = version;
    for (const listener of listeners) listener.write(`data: ${version}\n\n`);
  }, lookEvery);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, LOOPBACK, resolve);
  });
  return {
    url: `http://${LOOPBACK}:${portOf(server)}/${secret}/`,
    close: () => {
      clearInterval(timer);
      for (const listener of listeners) listener.end("event: end\ndata: end\n\n");
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Pages of the web can make a browser ask here, but only under a name of theirs, or saying whose page they are; so can
 * pages of other ports of this machine.
 *
 * @param mayLead True if a link on another page may lead here, in a tab of its own: terminals can be pages, too.
 */
function isOwn({ headers }: IncomingMessage, server: Server, mayLead: boolean): boolean {
  const port = portOf(server);
  const names = [`${LOOPBACK}:${port}`, `localhost:${port}`];
  const site = headers["sec-fetch-site"];
  const isLink = headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document";
  return names.includes(headers.host ?? "") &&
    (headers.origin === undefined || names.some((name) => headers.origin === `http://${name}`)) &&
    (site === undefined || site === "none" || site === "same-origin" || mayLead && isLink);
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function answer(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { "content-type": type, ...FIELDS });
  response.end(text);
}

/** Fields of every answer. */
const FIELDS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Links in the report must not tell where it is.
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "SAMEORIGIN",
} as const;
