import type { Place } from "../schema/position.ts";
import {
  type Fields,
  fieldsAt,
  itemsAt,
  kindOf,
  memberPlace,
  type Reading,
  say,
  textAt,
  wrongType,
} from "./reading.ts";

/** The most URLs that a server with variables can expand to. */
const MAX_URLS = 1_000;

export interface Servers {
  /** Variables at their default and every value of their `enum`; without a `/` at the end, each once, none empty. */
  readonly paths: readonly string[];
  /** The URL of the first one, which may be relative, variables at their defaults; undefined if there is none. */
  readonly first: string | undefined;
}

/** `api.example.com/v1` and `localhost:8080/v1` lack their scheme: without this, the host would be taken for a path. */
const HAS_HOST =
  /^(localhost|[\w-]+(\.[\w-]+)*\.[a-z]{2,}|\d+(\.\d+){3}|[\w.-]+(?=:\d))(:\d+)?(\/|$)/i;

/** Reads Server Objects (OpenAPI 3.2, section 4.7), relative to the URL of the description. */
export function readServers(reading: Reading, list: Place, base: string): Servers {
  const paths = new Set<string>();
  let first: string | undefined;
  for (const server of itemsAt(reading, list, "`servers`")) {
    if (fieldsAt(reading, server, "A server") === undefined) continue;
    const url = textAt(reading, server, "url");
    if (url === undefined) {
      say(
        reading,
        "warning",
        "server_without_url",
        server,
        "This server has no `url`, so it is ignored.",
      );
      continue;
    }
    for (const text of expand(reading, server, url)) {
      const path = pathOfServer(reading, text, base);
      if (path === undefined) {
        say(
          reading,
          "warning",
          "invalid_server_url",
          memberPlace(server, "url"),
          `The server URL \`${text}\` is not a valid URL, so it is ignored.`,
        );
      } else {
        first ??= HAS_HOST.test(text) ? `https://${text}` : text;
        if (path !== "") paths.add(path);
      }
    }
  }
  return { paths: [...paths], first };
}

/** The server of Swagger 2.0: `schemes`, `host` and `basePath`. */
export function readSwaggerServer(reading: Reading, root: Place): Servers {
  const basePath = textAt(reading, root, "basePath");
  const path = basePath === undefined ? "" : tidy(basePath);
  const { host, schemes } = root.value as Fields;
  const paths = path === "" ? [] : [path];
  if (typeof host !== "string") return { paths, first: path === "" ? undefined : path };
  if (URL.canParse(`http://${host}`)) reading.serverHosts.add(new URL(`http://${host}`).host);
  const scheme = Array.isArray(schemes) && !schemes.includes("https") ? schemes[0] : "https";
  return { paths, first: `${typeof scheme === "string" ? scheme : "https"}://${host}${path}` };
}

function expand(reading: Reading, server: Place, template: string): readonly string[] {
  let urls = [""];
  let end = 0;
  for (const match of template.matchAll(/\{([^{}]*)\}/g)) {
    const values = valuesOf(reading, server, match[1] ?? "");
    if (values === undefined) return [];
    const before = template.slice(end, match.index);
    end = match.index + match[0].length;
    if (urls.length * values.length > MAX_URLS) {
      say(
        reading,
        "warning",
        "too_many_server_urls",
        server,
        `The variables of this server make more than ${
          MAX_URLS.toLocaleString("en-US")
        } URLs: only the default of \`${match[1]}\` counts.`,
      );
      values.length = 1;
    }
    urls = urls.flatMap((url) => values.map((value) => url + before + value));
  }
  return urls.map((url) => url + template.slice(end));
}

/** The values of a server variable, the default first; undefined if it has none. */
function valuesOf(reading: Reading, server: Place, name: string): string[] | undefined {
  const variables = memberPlace(server, "variables");
  const defined = fieldsAt(reading, variables, "`variables`");
  const place = memberPlace(variables, name);
  const variable = defined && fieldsAt(reading, place, "A server variable");
  if (variable === undefined) {
    say(
      reading,
      "warning",
      "undefined_server_variable",
      memberPlace(server, "url"),
      `The variable \`${name}\` of this server is not defined in \`variables\`, so the server is ignored.`,
    );
    return undefined;
  }
  const values = new Set<string>();
  const add = (value: Place): void => {
    if (typeof value.value === "string") values.add(value.value);
    else if (typeof value.value === "number" || typeof value.value === "boolean") {
      values.add(String(value.value)); // YAML without quotes
    } else wrongType(reading, value, "A value of a server variable", "text");
  };
  if ((variable as Fields)["default"] !== undefined) add(memberPlace(place, "default"));
  for (const value of itemsAt(reading, memberPlace(place, "enum"), "`enum`")) add(value);
  if (values.size > 0) return [...values];
  say(
    reading,
    "warning",
    "undefined_server_variable",
    place,
    `The server variable \`${name}\` has no \`default\`, but ${
      kindOf(variable["default"])
    }: the server is ignored.`,
  );
  return undefined;
}

/** The path of a server URL; undefined for what isn't a URL. */
function pathOfServer(reading: Reading, url: string, base: string): string | undefined {
  const { serverPaths, serverHosts } = reading;
  const key = `${url} ${base}`;
  if (!serverPaths.has(key)) {
    const server = readServer(url, base);
    serverPaths.set(key, server?.path);
    if (server?.host !== undefined) serverHosts.add(server.host);
  }
  return serverPaths.get(key);
}

/** The path of a server and, unless its URL is relative, its host; undefined for what isn't a URL. */
function readServer(
  url: string,
  base: string,
): { readonly host: string | undefined; readonly path: string } | undefined {
  const address = HAS_HOST.test(url) ? `http://${url}` : url;
  if (!URL.canParse(address, base)) return undefined;
  const { host, pathname } = new URL(address, base);
  return { host: URL.canParse(address) ? host : undefined, path: tidy(pathname) };
}

/** Collapses `//`, begins with a slash and does not end with one; empty for the root. */
function tidy(path: string): string {
  const collapsed = `/${path}`.replaceAll(/\/{2,}/g, "/");
  return collapsed.endsWith("/") ? collapsed.slice(0, -1) : collapsed;
}
