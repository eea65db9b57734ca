import type { CoveragePlan } from "../../map/coverage_plan.ts";
import type { OperationModel } from "../../openapi/model.ts";

/**
 * The URL that the path of an operation is appended to, without a slash at its end.
 *
 * @param host A URL to take the scheme and the host of where the description names none.
 * @returns undefined if there is no host.
 */
export function serverOf(
  { server = "/" }: Pick<OperationModel, "server">,
  { basePath, documents: { entry } }: CoveragePlan,
  host?: string,
): string | undefined {
  const url = absolute(server, /^https?:/i.test(entry.uri) ? entry.uri : host);
  if (basePath === null) return url;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(basePath)) return basePath.replace(/\/+$/, "");
  return url === undefined ? undefined : new URL(url).origin + basePath.replace(/\/+$/, "");
}

function absolute(text: string, base: string | undefined): string | undefined {
  if (!URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  if (!/^(https?|wss?):$/.test(url.protocol)) return undefined;
  return `${url.protocol}//${url.host}${
    url.pathname.replaceAll(/\/{2,}/g, "/").replace(/\/+$/, "")
  }`;
}
