import type { HttpRequest, HttpResponse, InteractionDetails } from "../http/interaction.ts";
import { hitsHead } from "../map/hits_file/hits_head.ts";
import type { HitsDescription } from "../map/hits_file/hits_format.ts";
import { hitsLines } from "../map/hits_file/hits_lines.ts";
import type { MergeHitsOptions } from "../map/hits_file/merge_hits.ts";
import type { DroppedHits, Statistic } from "../map/results.ts";
import type { Routes } from "../map/routes.ts";
import { addStatistics } from "../map/statistic.ts";
import { routeRequest } from "../record/route_request.ts";
import type { SecretNames } from "../redact/redactor.ts";
import { concatBytes } from "../values/concat_bytes.ts";
import { RecordingError } from "../values/errors.ts";
import { type CoverageMap, planOf } from "./coverage_map.ts";

/** One of several APIs. */
export interface NamedMap {
  /** Its name, which no other has. */
  readonly name: string;
  readonly map: CoverageMap;
}

/** Requests that match the same operation of two APIs, which nothing but their order tells apart. */
export interface ApiTie {
  /** The API for which they count. */
  readonly name: string;
  readonly other: string;
  /** Method and path. */
  readonly operation: string;
  readonly requests: number;
}

/** The maps of several APIs, of which each request is recorded in the one that it belongs to. */
export class ApiMaps {
  /** The APIs, in the order in which reports list them. */
  readonly apis: readonly NamedMap[];
  readonly #routes: readonly Routes[];
  readonly #ties = new Map<string, ApiTie>();
  #recorded = 0;
  #matched = 0;
  /** The number of requests that the present one stands for. */
  #weight = 1;

  /** @param apis The maps, each with a name of its own. */
  constructor(apis: readonly NamedMap[]) {
    this.apis = apis;
    this.#routes = apis.map(({ map }) => planOf(map).routes);
  }

  /**
   * Records one interaction in the API that it belongs to; where no API has an operation for it, in each that it could
   * belong to, where it is unmatched.
   *
   * @throws {TypeError} if the request is none.
   */
  record(
    request: HttpRequest,
    response?: HttpResponse | null,
    timestamp?: number,
    test?: string,
    details?: InteractionDetails,
  ): void {
    const count = details?.count ?? 1;
    this.#weight = count;
    const takers = typeof request?.url === "string" && typeof request.method === "string"
      ? routeRequest(this.#routes, request.method, request.url, this.#onTie)
      : [0]; // which refuses it
    let matched = false;
    for (const index of takers) {
      const map = this.apis[index]?.map;
      const before = map?.traffic().matched;
      map?.record(request, response, timestamp, test, details);
      matched ||= map?.traffic().matched !== before;
    }
    this.#recorded += count;
    if (matched) this.#matched += count;
  }

  readonly #onTie = (taker: number, operation: number, other: number): void => {
    const [first, second] = [this.apis[taker], this.apis[other]];
    const model = first && planOf(first.map).operations[operation]?.model;
    if (first === undefined || second === undefined || model === undefined) return;
    const name = `${model.method} ${model.path}`;
    this.addTies([{
      name: first.name,
      other: second.name,
      operation: name,
      requests: this.#weight,
    }]);
  };

  /** Requests of this object that two APIs document alike, by operation. */
  ties(): ApiTie[] {
    return [...this.#ties].sort(([a], [b]) => a < b ? -1 : 1).map(([, tie]) => tie);
  }

  /** Adds the ties of another thread. */
  addTies(ties: readonly ApiTie[]): void {
    for (const tie of ties) {
      const key = JSON.stringify([tie.operation, tie.name, tie.other]);
      const requests = (this.#ties.get(key)?.requests ?? 0) + tie.requests;
      this.#ties.set(key, { ...tie, requests });
    }
  }

  /** The number of interactions recorded by this object itself, and of those that match an operation. */
  traffic(): { readonly recorded: number; readonly matched: number } {
    return { recorded: this.#recorded, matched: this.#matched };
  }

  /** The counts of the five dimensions, of all APIs together. */
  statistic(): Statistic {
    return addStatistics(this.apis.map(({ map }) => map.statistic()));
  }

  /** The URLs of the files of all descriptions. */
  documentUrls(): readonly string[] {
    return [...new Set(this.apis.flatMap(({ map }) => map.documentUrls()))];
  }

  /** The names under which any of the APIs takes keys. */
  secretNames(): SecretNames {
    const names = this.apis.map(({ map }) => map.secretNames());
    return {
      headers: [...new Set(names.flatMap(({ headers }) => headers))],
      query: [...new Set(names.flatMap(({ query }) => query))],
    };
  }

  /** The hits of all APIs: one line for each. */
  exportHits(): Uint8Array {
    return concatBytes(this.apis.map(({ name, map }) => map.exportHits(name)));
  }

  /**
   * Adds hits, each line to the API that it is of: by its description, and by its name where several have that
   * description. With `carry`, hits of another version of a description go to the API with the name or title.
   *
   * @param bytes One or more hits files, one after the other.
   * @returns what could not be carried over.
   * @throws {RecordingError} where the bytes are no hits, are damaged, or are hits of none of the APIs.
   */
  mergeHits(bytes: Uint8Array, options: MergeHitsOptions = {}): DroppedHits[] {
    const dropped: DroppedHits[] = [];
    for (const line of hitsLines(bytes)) {
      const head = hitsHead(line);
      if (head?.fingerprint === undefined) {
        dropped.push(...this.#mergeNameless(line, options));
        continue;
      }
      const { name, map } = this.#apiOf(head, options);
      dropped.push(...map.mergeHits(line, options).map((hits) => ({ ...hits, api: name })));
    }
    return dropped;
  }

  /** Adds hits of the first format, which name no description, or says what is wrong with a line. */
  #mergeNameless(line: Uint8Array, options: MergeHitsOptions): DroppedHits[] {
    let first: unknown;
    for (const { map } of this.apis) {
      try {
        return map.mergeHits(line, options);
      } catch (error) {
        first ??= error;
      }
    }
    throw first;
  }

  #apiOf(
    head: Partial<HitsDescription>,
    { location = "the hits", carry }: MergeHitsOptions,
  ): NamedMap {
    const named = ({ name }: NamedMap): boolean => name === head.api;
    const same = this.apis.filter(({ map }) => planOf(map).fingerprint === head.fingerprint);
    const [found = same[0]] = same.filter(named);
    if (found !== undefined) return found;
    const earlier = this.apis.find(named) ??
      this.apis.find(({ map }) => planOf(map).model.title === head.title);
    if (earlier !== undefined && carry === true) return earlier;
    const whose = `It has hits of "${head.api ?? head.title}" (${head.location})`;
    throw new RecordingError(
      earlier === undefined
        ? `${whose}, which is none of the APIs ${
          this.apis.map(({ name }) => name).join(", ")
        }. Add it to them, or leave the file out.`
        : `${whose}, whose description has changed since they were recorded. Add --carry to keep the counts of what is the same in both.`,
      { code: "other_description", location },
    );
  }
}
