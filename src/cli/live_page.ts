import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ApiMaps } from "../coverage_map/api_maps.ts";
import { nextRequestsFor } from "../coverage_map/suggest_for.ts";
import { requireNetPermission } from "../files/missing_permission.ts";
import { buildDescriptionView } from "../report/build/build_description_view.ts";
import { generateHtmlReport } from "../report/html_report.ts";
import { gzipBytes } from "../values/builtin.ts";

export interface LivePageOptions {
  report(): string;
  /** A number that changes whenever the report does. */
  version(): number;
  /** The process that serves the page, as the beginning of a sentence: `The proxy`. */
  readonly subject: string;
  /** Milliseconds between two checks for a new version (default: 1,000). */
  readonly lookEvery?: number;
  /** The largest part of the time that making reports may take (default: a tenth). */
  readonly share?: number;
}

export interface LivePage {
  readonly url: string;
  close(): void;
}

export interface PageOptions {
  readonly title?: string | undefined;
  readonly suggestions?: boolean | undefined;
}

/** Writes the page of a measurement in progress, for live reports; without a baseline. */
export function writePage({ apis }: ApiMaps, { title, suggestions = true }: PageOptions): string {
  const reported = apis.map(({ name, map }, index) => {
    const others = apis.map(({ map }) => map).toSpliced(index, 1);
    const report = map.report({ title: name ?? title }, others);
    const view = () => buildDescriptionView(map, report);
    const next = suggestions ? () => nextRequestsFor(map, report) : undefined;
    return { name, report, input: { view, next, compress: gzipBytes } };
  });
  return generateHtmlReport(reported, title);
}

const LOOPBACK = "127.0.0.1";
const LOOK_EVERY = 1000;
const SHARE = 0.1;

/** Serves the current report on the loopback interface, under a secret URL, and notifies browsers of new versions. */
export async function serveLivePage(options: LivePageOptions): Promise<LivePage> {
  const { lookEvery = LOOK_EVERY, share = SHARE } = options;
  const secret = crypto.randomUUID().replaceAll("-", "");
  const listeners = new Set<ServerResponse>();
  let announced = options.version();
  let page = "";
  let pageVersion = -1;
  /** The time until which the cached page is served. */
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
        const html = livePageHtml(nonce, options.subject);
        return answer(response, 200, "text/html; charset=utf-8", html);
      }
      case `/${secret}/report`:
        return answer(response, 200, "text/html; charset=utf-8", report());
      case `/${secret}/news`:
        if (isHead) return answer(response, 200, "text/event-stream", "");
        response.writeHead(200, { "content-type": "text/event-stream", ...HEADERS });
        response.write(`data: ${announced}\n\n`);
        listeners.add(response);
        response.on("close", () => listeners.delete(response));
        return;
      default:
        answer(response, 404, "text/plain", "Not found.\n");
    }
  });
  // With Deno, listening without permission would end the process.
  requireNetPermission(`${LOOPBACK}:0`);
  const timer = setInterval(() => {
    const version = options.version();
    if (version === announced || performance.now() < restUntil) return;
    announced = version;
    for (const listener of listeners) listener.write(`data: ${version}\n\n`);
  }, lookEvery);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, LOOPBACK, resolve);
  });
  return {
    url: `http://${LOOPBACK}:${serverPort(server)}/${secret}/`,
    close: () => {
      clearInterval(timer);
      for (const listener of listeners) listener.end("event: end\ndata: end\n\n");
      server.close();
      server.closeAllConnections();
    },
  };
}

/** False for requests that other websites make a browser send, which Host, Origin or Sec-Fetch-Site reveals. */
function isOwn({ headers }: IncomingMessage, server: Server, mayLead: boolean): boolean {
  const port = serverPort(server);
  const names = [`${LOOPBACK}:${port}`, `localhost:${port}`];
  const site = headers["sec-fetch-site"];
  const isLink = headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document";
  return names.includes(headers.host ?? "") &&
    (headers.origin === undefined || names.some((name) => headers.origin === `http://${name}`)) &&
    (site === undefined || site === "none" || site === "same-origin" || mayLead && isLink);
}

function serverPort(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function answer(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { "content-type": type, ...HEADERS });
  response.end(text);
}

const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Links in the report must not reveal its URL.
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "SAMEORIGIN",
} as const;

/** The page around a live report. It loads each new version in a hidden frame and then swaps the frames. */
function livePageHtml(nonce: string, subject: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>covtool · live</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<p id="state" role="status">Live</p>
<script nonce="${nonce}">${SCRIPT.replace("SUBJECT", subject)}</script>
</body>
</html>
`;
}

const STYLE = `
html, body { height: 100%; margin: 0; }
iframe { position: fixed; inset: 0; width: 100%; height: 100%; border: 0; }
iframe.next { visibility: hidden; }
#state { position: fixed; z-index: 1; right: 1rem; bottom: 1rem; margin: 0; padding: .25rem .75rem;
  border-radius: 1rem; font: 600 .8rem system-ui, sans-serif; color: #fff; background: #0f766e; }
#state.ended { background: #7f1d1d; }
`;

const SCRIPT = `
const state = document.getElementById("state");
let shown = null, loading = false, wanted = false;

function isBusy() {
  const focused = shown?.contentDocument?.activeElement;
  return focused instanceof shown.contentWindow.HTMLInputElement ||
    !shown.contentWindow.getSelection().isCollapsed;
}

function load() {
  if (loading) { wanted = true; return; }
  if (shown && isBusy()) { setTimeout(load, 1000); return; }
  loading = true;
  wanted = false;
  const next = document.createElement("iframe");
  next.title = "Report";
  next.className = "next";
  next.src = "report" + (shown ? shown.contentWindow.location.hash : location.hash);
  next.addEventListener("load", () => place(next, 20), { once: true });
  document.body.prepend(next);
}

function place(next, tries) {
  const y = shown ? shown.contentWindow.scrollY : 0;
  const root = next.contentDocument.documentElement;
  // The report draws itself after it has loaded.
  if (tries > 0 && root.scrollHeight < y + next.clientHeight) {
    setTimeout(() => place(next, tries - 1), 50);
    return;
  }
  next.contentWindow.scrollTo(0, y);
  next.className = "";
  document.title = next.contentDocument.title + " · live";
  next.contentWindow.addEventListener("hashchange", () => {
    history.replaceState(null, "", next.contentWindow.location.hash || location.pathname);
  });
  if (shown) shown.remove();
  shown = next;
  loading = false;
  if (wanted) load();
}

const news = new EventSource("news");
news.addEventListener("message", load);
function end() {
  news.close();
  state.className = "ended";
  state.textContent = "SUBJECT has stopped";
}
news.addEventListener("end", end);
news.addEventListener("error", end);
`;
