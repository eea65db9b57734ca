import { bodyText } from "../http/body_text.ts";
import type { HttpRequest, HttpResponse } from "../http/interaction.ts";
import type { CoveragePlan } from "../map/coverage_plan.ts";
import { parsePathTemplate } from "../map/path_template.ts";
import { maskEscaped } from "../redact/redact_form.ts";
import { redactInteraction } from "../redact/redact_request.ts";
import { Redactor } from "../redact/redactor.ts";
import { nameKind } from "../redact/secret_names.ts";
import { LearnedPaths, type Preference } from "./learned_paths.ts";

/** A request that the API answered with success, without its secrets. */
export interface RecordedRequest {
  readonly request: HttpRequest;
  /** The text of each template of the path, still percent-encoded. */
  readonly captures: readonly string[];
  /** The query as it was sent, without `?`. */
  readonly query: string;
}

/** Requests that are larger are no base for others. */
const MAX_SIZE = 20_000;
/** The most URLs of servers to tell apart. */
const MAX_SERVERS = 100;

/**
 * The smallest successful request of each operation, to make others of, the ids that answers have shown, and the URL that
 * most requests were sent to. Of equal size, the first by its text: none of them depends on the order of the traffic.
 * Where the newest are preferred, what was learned last comes before what the requests were sent with.
 */
export class RecordedRequests {
  readonly #plan: CoveragePlan;
  readonly #redactor: Redactor;
  readonly #learned: LearnedPaths;
  readonly #preference: Preference;
  readonly #kept = new Map<number, RecordedRequest & { readonly key: string }>();
  readonly #servers = new Map<string, number>();

  /** Starts without requests of the API that a plan describes. */
  constructor(plan: CoveragePlan, preference: Preference = "smallest") {
    this.#plan = plan;
    this.#preference = preference;
    this.#learned = new LearnedPaths(plan, preference);
    this.#redactor = new Redactor(plan.model.secretNames);
  }

  /** Takes note of an interaction. */
  add(request: HttpRequest, response: HttpResponse | undefined): void {
    const match = this.#plan.routes.match(request.method, request.url);
    if (match.kind !== "operation") return;
    const { index, captures, query } = match;
    this.#learned.learn(index, captures, request, response);
    this.#countServer(request.url, this.#plan.operations[index]?.model.path ?? "");
    const status = response?.status_code ?? 0;
    if (status < 200 || status > 299 || request.body_truncated === true) return;
    const key = `${request.url} ${bodyText(request.body ?? "")}`;
    if (key.length > MAX_SIZE || !isBefore(key, this.#kept.get(index)?.key)) return;
    const { request: safe } = redactInteraction({ request }, this.#redactor);
    // What a mask has changed in the URL would be another request.
    if (safe.url !== request.url) {
      const masked = this.#plan.routes.match(safe.method, safe.url);
      if (masked.kind !== "operation" || masked.index !== index) return;
      this.#kept.set(index, {
        request: safe,
        captures: this.#safeCaptures(index, masked.captures),
        query: masked.query,
        key,
      });
      return;
    }
    this.#kept.set(index, {
      request: safe,
      captures: this.#safeCaptures(index, captures),
      query,
      key,
    });
  }

  /** The request of an operation, by its index; without one, what is known of its path. */
  of(operation: number): RecordedRequest | undefined {
    const kept = this.#kept.get(operation);
    if (kept !== undefined && this.#preference === "smallest") return kept;
    const plan = this.#plan.operations[operation];
    const captures = plan && this.#learned.of(plan);
    if (plan === undefined || captures === undefined) return kept;
    const { method, path } = plan.model;
    const others = kept?.captures.slice(captures.length) ?? [];
    return {
      request: { method, url: path },
      query: "",
      ...kept,
      captures: [...captures, ...others],
    };
  }

  /** The URL that most requests were sent to, without the path of their operations; undefined if none has a host. */
  get server(): string | undefined {
    let most: string | undefined;
    for (const [server, count] of this.#servers) {
      const known = most === undefined ? -1 : this.#servers.get(most) ?? 0;
      if (count > known || (count === known && most !== undefined && server < most)) most = server;
    }
    return most;
  }

  /** Templates may have the name of a secret: `/sessions/{token}`. */
  #safeCaptures(index: number, captures: readonly string[]): readonly string[] {
    const path = this.#plan.operations[index]?.model.path ?? "";
    const names = parsePathTemplate(path)?.names ?? [];
    return captures.map((text, at) =>
      nameKind(names[at] ?? "") === "secret" ? maskEscaped(text) : text
    );
  }

  #countServer(url: string, path: string): void {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return;
    const { protocol, host, pathname } = new URL(url);
    const segments = pathname.split("/");
    const own = path.replace(/\/$/, "").split("/").length - 1;
    const last = pathname.endsWith("/") ? segments.length - 1 : segments.length;
    const base = segments.slice(0, Math.max(1, last - own)).join("/");
    const server = `${protocol}//${host}${base.replace(/\/+$/, "")}`;
    const count = this.#servers.get(server);
    if (count !== undefined || this.#servers.size < MAX_SERVERS) {
      this.#servers.set(server, (count ?? 0) + 1);
    }
  }
}

/** Shorter ones come first, then the first by the order of characters. */
function isBefore(key: string, known: string | undefined): boolean {
  if (known === undefined) return true;
  return key.length === known.length ? key < known : key.length < known.length;
}
