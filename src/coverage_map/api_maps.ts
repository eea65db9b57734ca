import { withReadableHeaders } from "../http/header_pairs.ts";
import type { HttpRequest, HttpResponse, InteractionDetails } from "../http/interaction.ts";
import { readHitsHead, splitHitsLines } from "../map/hits_file/read_hits.ts";
import type { HitsDescription } from "../map/hits_file/hits_format.ts";
import type { MergeHitsOptions } from "../map/hits_file/merge_hits.ts";
import type { DroppedHits, Statistic } from "../map/results.ts";
import type { Routes } from "../map/routes.ts";
import { addStatistics } from "../map/statistic.ts";
import type { RecordingScope } from "../record/record_batches.ts";
import { RequestMessage } from "../record/sent_request.ts";
import { routeRequest } from "../record/route_request.ts";
import type { SecretNames } from "../redact/redactor.ts";
import { append, concatBytes } from "../values/collections.ts";
import { RecordingError } from "../values/errors.ts";
import { operationName } from "../values/operation_name.ts";
import type { MeasuredApi } from "./measured_api.ts";

export interface NamedMap {
  /** A unique name; undefined for an API that is measured alone. */
  readonly name: string | undefined;
  readonly map: MeasuredApi;
}

/** Requests that match the same operation of two APIs, so that only the order of the APIs decides. */
export interface ApiTie {
  readonly name: string | undefined;
  readonly other: string | undefined;
  readonly operation: string;
  readonly requests: number;
}

export class ApiMaps {
  readonly apis: readonly NamedMap[];
  readonly #onlyMap: MeasuredApi | undefined;
  readonly #routes: readonly Routes[];
  readonly #hasConditions: boolean;
  /** True if responses document links. Following them requires all requests of a recording in order. */
  readonly hasLinks: boolean;
  readonly #ties = new Map<string, ApiTie>();
  #recorded = 0;
  #matched = 0;
  /** The number of requests that the current one represents. */
  #weight = 1;

  /** @param apis The maps with unique names; a single map needs no name. */
  constructor(apis: readonly NamedMap[]) {
    this.apis = apis;
    this.#onlyMap = apis.find(({ name }) => name === undefined)?.map;
    this.#routes = apis.map(({ map }) => map.plan.routes);
    this.#hasConditions = this.#routes.some(({ hasConditions }) => hasConditions);
    this.hasLinks = apis.some(({ map }) => map.plan.links.length > 0);
  }

  static single(map: MeasuredApi): ApiMaps {
    return new ApiMaps([{ name: undefined, map }]);
  }

  /** Records one interaction in the API that it belongs to, or as unmatched in each API that it may belong to. */
  record(
    request: HttpRequest,
    response?: HttpResponse | null,
    timestamp?: number,
    test?: string,
    details?: InteractionDetails,
  ): void {
    if (this.#onlyMap !== undefined) {
      return this.#onlyMap.record(request, response, timestamp, test, details);
    }
    const count = details?.count ?? 1;
    this.#weight = count;
    const isRequest = typeof request?.url === "string" && typeof request.method === "string";
    const kept = isRequest && this.#hasConditions ? withReadableHeaders(request) : request;
    const indexes = isRequest ? this.#findIndexes(kept) : [0]; // the first map rejects it
    let matched = false;
    for (const index of indexes) {
      const map = this.apis[index]?.map;
      const before = map?.traffic().matched;
      map?.record(kept, response, timestamp, test, details);
      matched ||= map?.traffic().matched !== before;
    }
    this.#recorded += count;
    if (matched) this.#matched += count;
  }

  #findIndexes(request: HttpRequest): readonly number[] {
    const message = this.#hasConditions ? new RequestMessage(request) : undefined;
    return routeRequest(this.#routes, request.method, request.url, this.#onTie, message);
  }

  readonly #onTie = (index: number, operationIndex: number, other: number): void => {
    const [first, second] = [this.apis[index], this.apis[other]];
    const model = first?.map.plan.operations[operationIndex]?.model;
    if (first === undefined || second === undefined || model === undefined) return;
    const { name } = first;
    const operation = operationName(model);
    this.addTies([{ name, other: second.name, operation, requests: this.#weight }]);
  };

  /** Returns requests that match the same operation of two APIs, by operation. */
  ties(): ApiTie[] {
    return [...this.#ties].sort(([a], [b]) => a < b ? -1 : 1).map(([, tie]) => tie);
  }

  addTies(ties: readonly ApiTie[]): void {
    for (const tie of ties) {
      const key = JSON.stringify([tie.operation, tie.name, tie.other]);
      const requests = (this.#ties.get(key)?.requests ?? 0) + tie.requests;
      this.#ties.set(key, { ...tie, requests });
    }
  }

  traffic(): { readonly recorded: number; readonly matched: number } {
    return this.#onlyMap?.traffic() ?? { recorded: this.#recorded, matched: this.#matched };
  }

  /** Returns a scope for adding a recording; evidence about credentials is collected for each recording separately. */
  recording(name: string): RecordingScope {
    const scopes = this.apis.map(({ map }) => map.recording(name));
    return {
      within: (action) => scopes.reduce((inner, scope) => () => scope.within(inner), action)(),
      end: () => scopes.forEach((scope) => scope.end()),
    };
  }

  statistic(): Statistic {
    return addStatistics(this.apis.map(({ map }) => map.statistic()));
  }

  documentUrls(): readonly string[] {
    return [...new Set(this.apis.flatMap(({ map }) => map.documentUrls))];
  }

  secretNames(): SecretNames {
    const names = this.apis.map(({ map }) => map.secretNames());
    return {
      headers: [...new Set(names.flatMap(({ headers }) => headers))],
      query: [...new Set(names.flatMap(({ query }) => query))],
    };
  }

  exportHits(): Uint8Array {
    return concatBytes(this.apis.map(({ name, map }) => map.exportHits(name)));
  }

  /** Adds each line to its API, by description and name. Returns hits that couldn't be carried over. */
  mergeHits(bytes: Uint8Array, options: MergeHitsOptions = {}): DroppedHits[] {
    if (this.#onlyMap !== undefined) return this.#onlyMap.mergeHits(bytes, options);
    const allDropped: DroppedHits[] = [];
    for (const line of splitHitsLines(bytes)) {
      const head = readHitsHead(line);
      const { name, map } = this.#findApi(head ?? {}, options);
      const dropped = map.mergeHits(line, options);
      append(
        allDropped,
        name === undefined ? dropped : dropped.map((hits) => ({ ...hits, api: name })),
      );
    }
    return allDropped;
  }

  #findApi(
    head: Partial<HitsDescription>,
    { location = "the hits", carry }: MergeHitsOptions,
  ): NamedMap {
    const [first] = this.apis;
    if (head.fingerprint === undefined && first !== undefined) return first; // reports what is wrong
    const hasName = ({ name }: NamedMap): boolean => name === head.api;
    const matches = this.apis.filter(({ map }) => map.plan.fingerprint === head.fingerprint);
    const [match = matches[0]] = matches.filter(hasName);
    if (match !== undefined) return match;
    const sameName = this.apis.find(hasName) ??
      this.apis.find(({ map }) => map.plan.model.title === head.title);
    if (sameName !== undefined && carry === true) return sameName;
    const subject = `It has hits of "${head.api ?? head.title}" (${head.location})`;
    throw new RecordingError(
      sameName === undefined
        ? `${subject}, which is none of the APIs ${
          this.apis.map(({ name }) => name).join(", ")
        }. Add it to them, or leave the file out.`
        : `${subject}, whose description has changed since they were recorded. Add --carry to keep the counts of what is the same in both.`,
      { code: "other_description", location },
    );
  }
}

export type ApiTest = (description: Partial<HitsDescription>) => boolean;

/** Returns the lines of one API, by the first test that finds exactly one API; all lines if none names an API. */
export function pickApiLines(bytes: Uint8Array, tests: readonly ApiTest[]): Uint8Array | undefined {
  const lines = splitHitsLines(bytes).map((line) => ({ line, head: readHitsHead(line) ?? {} }));
  if (lines.every(({ head }) => head.api === undefined)) return bytes;
  const apiLines = tests.map((isOfApi) => lines.filter(({ head }) => isOfApi(head)))
    .find((found) => new Set(found.map(({ head }) => head.api)).size === 1);
  return apiLines && concatBytes(apiLines.map(({ line }) => line));
}

/** Returns the description of the first line. */
export function describeHits(bytes: Uint8Array): Omit<HitsDescription, "fingerprint" | "api"> {
  const { location = "", title = "", version = "" } = readHitsHead(bytes) ?? {};
  return { location, title, version };
}

/** Adds hits to one API from files that may contain hits of several; lines of other APIs are skipped. */
export class SingleApiHits {
  readonly #map: MeasuredApi;
  #isFound = false;
  /** The names of the API in lines with its description. */
  readonly #names = new Set<string>();
  /** Lines of another description with the same title: an earlier one of this API, or another API. */
  readonly #sameTitle: { readonly api: string; readonly merge: () => readonly DroppedHits[] }[] =
    [];
  #mergeForeign = (): readonly DroppedHits[] => [];

  constructor(map: MeasuredApi) {
    this.#map = map;
  }

  /** @throws {RecordingError} if the line is damaged or belongs to another version of the description. */
  add(line: Uint8Array, options: MergeHitsOptions): readonly DroppedHits[] {
    const { api, fingerprint, title } = readHitsHead(line) ?? {};
    const { plan } = this.#map;
    if (api === undefined || fingerprint === plan.fingerprint) {
      this.#isFound = true;
      if (api !== undefined) this.#names.add(api);
      return this.#map.mergeHits(line, options);
    }
    const copy = line.slice();
    const merge = () => this.#map.mergeHits(copy, options);
    if (title === plan.model.title) this.#sameTitle.push({ api, merge });
    else this.#mergeForeign = merge;
    return [];
  }

  /**
   * Returns hits that couldn't be carried over.
   *
   * @throws {RecordingError} if all lines belong to other APIs or to another version of the description.
   */
  end(): readonly DroppedHits[] {
    const own = this.#sameTitle.filter(({ api }) => this.#names.size === 0 || this.#names.has(api));
    return this.#isFound || own.length > 0
      ? own.flatMap(({ merge }) => merge())
      : this.#mergeForeign();
  }
}
