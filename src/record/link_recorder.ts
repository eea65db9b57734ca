import type { HttpRequest, HttpResponse } from "../http/interaction.ts";
import { decodeFormText, decodePercent } from "../http/percent.ts";
import type { RequestText } from "../http/request_text.ts";
import { evaluateExpression, isExpression } from "../http/runtime_expression.ts";
import { objectKey } from "../map/access_hits.ts";
import type { CoveragePlan } from "../map/coverage_plan.ts";
import type { Hits } from "../map/hits.ts";
import { type DocumentedLink, linkKey, type LinkParameter } from "../map/link_plan.ts";
import { parsePathTemplate } from "../map/path_template.ts";
import { documentedResponse } from "../map/response_plan.ts";
import { appendTo, getOrAdd } from "../values/collections.ts";
import { recordedJson } from "./sent_request.ts";

/** The maximum number of remembered responses per link; the oldest are dropped. */
const MAX_ANSWERS = 10_000;

/** Values that responses of one recording offered, by link; as hashes, since they may be secrets. */
type Offered = Map<DocumentedLink, Set<string>>;

/** Counts requests with values from an earlier response in the same recording, as a documented link describes. */
export class LinkRecorder {
  readonly #plan: CoveragePlan;
  readonly #hits: Hits;
  readonly #bySource = new Map<number, DocumentedLink[]>();
  readonly #byTarget = new Map<number, DocumentedLink[]>();
  readonly #templates = new Map<number, readonly string[]>();
  readonly #offered = new WeakMap<object, Offered>();

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
    const followed = this.#byTarget.get(index);
    const source = this.#bySource.get(index);
    if (followed === undefined && source === undefined) return;
    const offered = getOrAdd(
      this.#offered,
      this.#hits.credentials.current,
      (): Offered => new Map(),
    );
    const templates = getOrAdd(
      this.#templates,
      index,
      () => parsePathTemplate(this.#plan.operations[index]?.model.path ?? "").names,
    );
    for (const link of followed ?? []) {
      const known = offered.get(link);
      if (known === undefined) continue;
      const values = linkedValues(link, (parameter) => carriedText(parameter, text, templates));
      if (values !== undefined && known.has(values)) this.#add(link);
    }
    if (source === undefined || status === undefined || response === undefined) return;
    const documented = documentedResponse(
      this.#plan.operations[index]?.model.responses ?? [],
      status,
    );
    const links = source.filter((link) => link.response === documented);
    if (links.length === 0) return;
    const { captures } = text;
    const answer = {
      ...{ request, response, captures, templates, body: recordedJson(response) },
      requestBody: () => recordedJson(request),
    };
    for (const link of links) {
      const values = linkedValues(link, ({ value }) => evaluateExpression(String(value), answer));
      if (values === undefined) continue;
      const known = getOrAdd(offered, link, () => new Set<string>());
      known.add(values);
      for (const oldest of known) {
        if (known.size <= MAX_ANSWERS) break;
        known.delete(oldest);
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

function carriedText(
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
