import type { CoveragePlan } from "../../map/coverage_plan.ts";
import type { OperationModel } from "../../openapi/model.ts";
import { isObject } from "../../schema/schema_node.ts";
import { memberOf } from "../../values/json_pointer.ts";

/**
 * The URL that the path of an operation is appended to, without a slash at its end: the first server of the operation, of
 * its path, or of the description (OpenAPI 3.2, section 4.5), variables at their defaults.
 *
 * @param host A URL to take the scheme and the host of where the description names none.
 * @returns undefined if there is no host.
 */
export function serverOf(
  { path, method }: Pick<OperationModel, "path" | "method">,
  { basePath, documents: { entry } }: CoveragePlan,
  host?: string,
): string | undefined {
  const root = entry.value;
  const base = /^https?:/i.test(entry.uri) ? entry.uri : host;
  const item = memberOf(memberOf(root, "paths"), path);
  const operation = memberOf(item, method.toLowerCase());
  const owner = [operation, item, root].find((one) => {
    const servers = memberOf(one, "servers");
    return Array.isArray(servers) && servers.length > 0;
  });
  const url = swaggerUrl(root, base) ?? firstServer(memberOf(owner, "servers"), base);
  if (basePath === null) return url;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(basePath)) return basePath.replace(/\/+$/, "");
  return url === undefined ? undefined : new URL(url).origin + basePath.replace(/\/+$/, "");
}

function firstServer(servers: unknown, base: string | undefined): string | undefined {
  const [server] = Array.isArray(servers) ? servers : [{ url: "/" }];
  const template = memberOf(server, "url");
  if (typeof template !== "string") return undefined;
  const text = template.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = memberOf(memberOf(server, "variables"), name);
    const values = memberOf(variable, "enum");
    const value = memberOf(variable, "default") ?? (Array.isArray(values) ? values[0] : undefined);
    return value === undefined ? "" : String(value);
  });
  // Without its scheme, a host would be taken for a path.
  const hasHost =
    /^(localhost|[\w-]+(\.[\w-]+)*\.[a-z]{2,}|\d+(\.\d+){3}|[\w.-]+(?=:\d))(:\d+)?(\/|$)/i;
  return absolute(hasHost.test(text) ? `https://${text}` : text, base);
}

function swaggerUrl(root: unknown, base: string | undefined): string | undefined {
  if (memberOf(root, "swagger") === undefined || !isObject(root)) return undefined;
  const { host, basePath, schemes } = root;
  const path = typeof basePath === "string" ? `/${basePath}`.replaceAll(/\/{2,}/g, "/") : "";
  if (typeof host !== "string") return absolute(path === "" ? "/" : path, base);
  const scheme = Array.isArray(schemes) && !schemes.includes("https") ? schemes[0] : "https";
  return absolute(`${typeof scheme === "string" ? scheme : "https"}://${host}${path}`, base);
}

function absolute(text: string, base: string | undefined): string | undefined {
  if (!URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  if (!/^(https?|wss?):$/.test(url.protocol)) return undefined;
  return `${url.protocol}//${url.host}${
    url.pathname.replaceAll(/\/{2,}/g, "/").replace(/\/+$/, "")
  }`;
}
