import type { CoveredOperation } from "../map/coverage.ts";
import type { CoveragePlan } from "../map/coverage_plan.ts";
import { isCaptured, parsePathTemplate } from "../map/path_template.ts";
import type { OperationModel } from "../openapi/model.ts";
import { ParameterMaker, SharedParameters } from "./parameter_maker.ts";
import { SERVER_PLACEHOLDER } from "./formats/placeholder_names.ts";
import type { OperationGoals } from "./goals.ts";
import { OperationSuggester } from "./operation_suggester.ts";
import type { RecordedRequests } from "./recorded_requests.ts";
import { requestCredentials } from "./request/compose_request.ts";
import type { Suggestion } from "./suggestion.ts";
import { ValueMaker } from "./values/value_maker.ts";

export function suggesterMaker(
  plan: CoveragePlan,
  recorded?: RecordedRequests,
): (operation: CoveredOperation, goals: OperationGoals, server: string) => OperationSuggester {
  const shared = new SharedParameters(new ValueMaker(plan.schemas.program.causeFinder));
  return (operation, goals, server) => {
    const { index, model } = operation.plan;
    const { method, path } = model;
    const { text, tokens } = parsePathTemplate(path);
    const frame = {
      method,
      path: text,
      server,
      credentials: requestCredentials(model),
      conditions: plan.routes.conditions(index),
      queryTemplates: tokens.filter(isCaptured),
    };
    const values = new ParameterMaker(shared, operation.plan);
    return new OperationSuggester(plan, operation, goals, values, frame, recorded?.of(index));
  };
}

/** Returns the URL that paths are appended to, without a final slash; `host` is the base of a relative server URL. */
export function findServer(
  { server = "/" }: Pick<OperationModel, "server">,
  { basePath, documents: { entry } }: CoveragePlan,
  host?: string,
): string | undefined {
  const url = absoluteUrl(server, /^https?:/i.test(entry.uri) ? entry.uri : host);
  if (basePath === null) return url;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(basePath)) return basePath.replace(/\/+$/, "");
  // A base path may lack its leading slash.
  const path = basePath.replace(/^\/*/, "/").replace(/\/+$/, "");
  return url === undefined ? undefined : new URL(url).origin + path;
}

function absoluteUrl(text: string, base: string | undefined): string | undefined {
  if (!URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  if (!/^(https?|wss?):$/.test(url.protocol)) return undefined;
  return `${url.protocol}//${url.host}${
    url.pathname.replaceAll(/\/{2,}/g, "/").replace(/\/+$/, "")
  }`;
}

/** Stands for the server placeholder while requests are tried; no such host exists (RFC 2606, section 2). */
const NO_HOST = "http://server.invalid";

/** Returns the URL to try requests with if no host is known; {@linkcode withPlaceholder} replaces it. */
export function dummyServer(...[model, plan]: Parameters<typeof findServer>): string {
  const server = findServer(model, plan, NO_HOST);
  return server === undefined ? NO_HOST : NO_HOST + new URL(server).pathname.replace(/\/+$/, "");
}

export function withPlaceholder(suggestion: Suggestion): Suggestion {
  const { request, server, placeholders } = suggestion;
  const replaceHost = (url: string) => url.replace(NO_HOST, () => SERVER_PLACEHOLDER);
  return {
    ...suggestion,
    request: { ...request, url: replaceHost(request.url) },
    server: replaceHost(server),
    placeholders: [SERVER_PLACEHOLDER, ...placeholders],
  };
}
