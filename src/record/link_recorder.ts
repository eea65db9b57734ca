import type { HttpRequest, HttpResponse } from "../http/interaction.ts";
import { decodeFormText, decodePercent } from "../http/percent.ts";
import type { RequestText } from "../http/request_text.ts";
import { evaluateExpression, isExpression } from "../http/runtime_expression.ts";
import { objectKey } from "../map/access_hits.ts";
import { type CoveragePlan, documentedResponse } from "../map/coverage_plan.ts";
import type { Hits } from "../map/hits.ts";
import { type DocumentedLink, linkKey, type LinkParameter } from "../map/link_plan.ts";
import { parsePathTemplate } from "../map/path_template.ts";
import { appendTo, getOrAdd } from "../values/collections.ts";
import { recordedIds } from "./sent_request.ts";

/** The maximum number of remembered responses per link; the oldest are dropped. */
const MAX_OFFERED = 10_000;

/** Values that responses of one recording offered, by link; as hashes, since they may be secrets. */
type OfferedValues = Map<DocumentedLink, Set<string>>;

/** Counts requests with values from an earlier response in the same recording, as a documented link describes. */
export class LinkRecorder {
  readonly #plan: CoveragePlan;
  readonly #hits: Hits;
  readonly #bySource = new Map<number, DocumentedLink[]>();
  readonly #byTarget = new Map<number, DocumentedLink[]>();
  readonly #templates = new Map<number, readonly string[]>();
  readonly #offered = new WeakMap<object, OfferedValues>();

  constructor(plan: CoveragePlan, hits: Hits) {
    this.#plan = plan;
    this.#hits = hits;
    for (const link of plan.links) {
      appendTo(this.#bySource, link.operation, link);
      appendTo(this.#byTarget, link.target, link);
    }
  }

  record(
    index: number,
    status: number | undefined,
    request: HttpRequest,
    text: RequestText,
    response: HttpResponse | undefined,
  ): void {
    const linksTo = this.#byTarget.get(index);
    const linksFrom = this.#bySource.get(index);
    if (linksTo === undefined && linksFrom === undefined) return;
    const { currentRecording } = this.#hits.credentials;
    const offered = getOrAdd(this.#offered, currentRecording, (): OfferedValues => new Map());
    const { path = "", responses = [] } = this.#plan.operations[index]?.model ?? {};
    const templates = getOrAdd(this.#templates, index, () => parsePathTemplate(path).names);
    for (const link of linksTo ?? []) {
      const knownValues = offered.get(link);
      if (knownValues === undefined) continue;
      const values = linkedValues(link, (parameter) => sentText(parameter, text, templates));
      if (values !== undefined && knownValues.has(values)) this.#add(link);
    }
    if (linksFrom === undefined || status === undefined || response === undefined) return;
    const responseIndex = documentedResponse(responses, status);
    const links = linksFrom.filter((link) => link.response === responseIndex);
    if (links.length === 0) return;
    const { captures } = text;
    const message = {
      ...{ request, response, captures, templates, body: recordedIds(response) },
      requestBody: () => recordedIds(request),
    };
    for (const link of links) {
      const values = linkedValues(link, ({ value }) => evaluateExpression(String(value), message));
      if (values === undefined) continue;
      const knownValues = getOrAdd(offered, link, () => new Set<string>());
      knownValues.delete(values); // an answer that comes again is the latest one
      knownValues.add(values);
      for (const oldest of knownValues) {
        if (knownValues.size <= MAX_OFFERED) break;
        knownValues.delete(oldest);
      }
    }
  }

  #add(link: DocumentedLink): void {
    const { links } = this.#hits.operation(link.operation);
    const { responses } = this.#plan.operations[link.operation]?.model ?? {};
    const key = linkKey(responses?.[link.response]?.status_code ?? "", link.name);
    links.set(key, (links.get(key) ?? 0) + this.#hits.store.weight);
  }
}

/** Returns a hash of the values of a link's expressions; undefined if one has no value. Constants don't matter. */
function linkedValues(
  { parameters }: DocumentedLink,
  readText: (parameter: LinkParameter) => string | undefined,
): string | undefined {
  const values: string[] = [];
  for (const parameter of parameters) {
    const { value } = parameter;
    if (!isExpression(value)) continue;
    const text = readText(parameter);
    if (text === undefined) return undefined;
    values.push(text);
  }
  return objectKey(JSON.stringify(values));
}

function sentText(
  { location, name }: LinkParameter,
  request: RequestText,
  templates: readonly string[],
): string | undefined {
  switch (location) {
    case "path": {
      const capture = request.captures[templates.indexOf(name)];
      return capture === undefined ? undefined : decodePercent(capture);
    }
    case "header":
      return request.headers.get(name.toLowerCase());
    default: {
      const pairs = location === "query" ? request.query : request.formCookies;
      const pair = pairs.find((one) => one.name === name);
      return pair &&
        (location === "query" ? decodeFormText(pair.value) : decodePercent(pair.value));
    }
  }
}
