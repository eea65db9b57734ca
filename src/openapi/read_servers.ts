import { getOrAdd } from "../values/collections.ts";
import { type Part, type Reading, typeInWords } from "./part.ts";

/** Maximum number of URLs to which the variables of a server expand. */
const MAX_URLS = 1_000;

/** Matches URLs without a scheme (`api.example.com/v1`, `localhost:8080/v1`), whose host would be taken for a path. */
const HAS_HOST =
  /^(localhost|[\w-]+(\.[\w-]+)*\.[a-z]{2,}|\d+(\.\d+){3}|[\w.-]+(?=:\d))(:\d+)?(\/|$)/i;

/**
 * Reads Server Objects (OpenAPI 3.2, section 4.7), with the default and every `enum` value of each variable.
 *
 * @param base The URL of the description, to which URLs of servers are relative.
 * @returns The first URL, which may be relative, with the defaults of variables; undefined if there is none.
 */
export function readServers(list: Part, base: string): string | undefined {
  let firstUrl: string | undefined;
  for (const server of list.items("`servers`")) {
    if (server.fields("A server") === undefined) continue;
    const url = server.text("url");
    if (url === undefined) {
      server.warn("server_without_url", "This server has no `url`, so it is ignored.");
      continue;
    }
    for (const text of expandVariables(server, url)) {
      const path = serverPath(list.reading, text, base);
      if (path === null) {
        const message = `The server URL \`${text}\` is not a valid URL, so it is ignored.`;
        server.member("url").warn("invalid_server_url", message);
      } else {
        firstUrl ??= HAS_HOST.test(text) ? `https://${text}` : text;
        if (path !== "") list.reading.basePaths.add(path);
      }
    }
  }
  return firstUrl;
}

/** Reads the server of Swagger 2.0 from `schemes`, `host` and `basePath`. Returns its URL, which may be relative. */
export function readSwaggerServer(root: Part): string | undefined {
  const { basePaths, serverHosts } = root.reading;
  const basePath = root.text("basePath");
  const path = basePath === undefined ? "" : normalizePath(basePath);
  const [host, schemes] = [root.get("host"), root.get("schemes")];
  if (path !== "") basePaths.add(path);
  if (typeof host !== "string") return path === "" ? undefined : path;
  if (URL.canParse(`http://${host}`)) serverHosts.add(new URL(`http://${host}`).host);
  const scheme = Array.isArray(schemes) && !schemes.includes("https") ? schemes[0] : "https";
  return `${typeof scheme === "string" ? scheme : "https"}://${host}${path}`;
}

function expandVariables(server: Part, template: string): readonly string[] {
  let urls = [""];
  let end = 0;
  for (const match of template.matchAll(/\{([^{}]*)\}/g)) {
    const [variable, name = ""] = match;
    const values = variableValues(server, name);
    if (values === undefined) return [];
    const before = template.slice(end, match.index);
    end = match.index + variable.length;
    if (urls.length * values.length > MAX_URLS) {
      const most = MAX_URLS.toLocaleString("en-US");
      const message =
        `The variables of this server make more than ${most} URLs: only the default of \`${name}\` counts.`;
      server.warn("too_many_server_urls", message);
      values.length = 1;
    }
    urls = urls.flatMap((url) => values.map((value) => url + before + value));
  }
  return urls.map((url) => url + template.slice(end));
}

/** Returns the values of a server variable, the default first; undefined if it has none. */
function variableValues(server: Part, name: string): string[] | undefined {
  const variables = server.member("variables");
  const place = variables.member(name);
  if (
    variables.fields("`variables`") === undefined || place.fields("A server variable") === undefined
  ) {
    const message =
      `The variable \`${name}\` of this server is not defined in \`variables\`, so the server is ignored.`;
    server.member("url").warn("undefined_server_variable", message);
    return undefined;
  }
  const values = new Set<string>();
  const add = (part: Part): void => {
    const { value } = part;
    if (typeof value === "string") values.add(value);
    else if (typeof value === "number" || typeof value === "boolean") {
      values.add(String(value)); // unquoted in YAML
    } else part.warnWrongType("A value of a server variable", "text");
  };
  if (place.get("default") !== undefined) add(place.member("default"));
  for (const value of place.member("enum").items("`enum`")) add(value);
  if (values.size > 0) return [...values];
  const found = typeInWords(place.get("default"));
  const message =
    `The server variable \`${name}\` has no \`default\`, but ${found}: the server is ignored.`;
  place.warn("undefined_server_variable", message);
  return undefined;
}

/** Returns the path of a server URL, and adds its host unless the URL is relative; null if the URL is invalid. */
function serverPath({ serverPaths, serverHosts }: Reading, url: string, base: string) {
  return getOrAdd(serverPaths, `${url} ${base}`, () => {
    const address = HAS_HOST.test(url) ? `http://${url}` : url;
    if (!URL.canParse(address, base)) return null;
    const { host, pathname } = new URL(address, base);
    if (URL.canParse(address)) serverHosts.add(host);
    return normalizePath(pathname);
  });
}

/** Collapses repeated slashes, adds a leading one and removes a trailing one. The root becomes empty. */
function normalizePath(path: string): string {
  const collapsed = `/${path}`.replaceAll(/\/{2,}/g, "/");
  return collapsed.endsWith("/") ? collapsed.slice(0, -1) : collapsed;
}
