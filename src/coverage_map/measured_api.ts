import type { HttpRequest, HttpResponse, InteractionDetails } from "../http/interaction.ts";
import { type AccessEntry, AccessMatrix, AccessRules } from "../map/access.ts";
import { CoveragePlan, type PlanOptions } from "../map/coverage_plan.ts";
import { endRecording } from "../map/credentials.ts";
import { Exclusions } from "../map/exclusions.ts";
import { Hits } from "../map/hits.ts";
import { exportHits } from "../map/hits_file/export_hits.ts";
import { type BaselineHitsOptions, mergeHits } from "../map/hits_file/merge_hits.ts";
import type { Dimension, DroppedHits, Finding, Statistic } from "../map/results.ts";
import {
  readScope,
  type ScopeEntry,
  type ScopeOptions,
  type ScopeRules,
} from "../map/scope_pattern.ts";
import { statistic } from "../map/statistic.ts";
import type { Thresholds } from "../map/thresholds.ts";
import type { DocumentSet } from "../openapi/document_set.ts";
import { loadFromDict, loadFromPath, loadFromUrl } from "../openapi/load.ts";
import type { Overlaid } from "../openapi/overlay/apply_overlays.ts";
import { createReferences, readModel } from "../openapi/read_model.ts";
import type { RecordingScope } from "../record/record_batches.ts";
import type { SenderLog } from "../record/access_recorder.ts";
import { Recorder } from "../record/recorder.ts";
import type { Identity } from "../redact/identities.ts";
import { Redactor, type SecretNames } from "../redact/redactor.ts";
import type { BaseReport } from "../report/base_report.ts";
import { buildReport } from "../report/build/build_report.ts";
import { gaps } from "../map/gaps.ts";
import { areValuesCounted } from "../map/value_coverage.ts";
import type { Gap } from "../map/results.ts";
import { generatedAt } from "../report/environment.ts";
import type { Report } from "../report/report.ts";
import type { ReportFormat } from "../report/reporters.ts";
import type { GapWatch } from "../suggest/gap_watch.ts";
import type { RecordedRequests } from "../suggest/recorded_requests.ts";
import type { Diagnostic } from "../values/diagnostic.ts";

const redactor = new Redactor();

/** Options of `CoverageMap.fromDict()`. */
export interface FromDictOptions {
  /** False if plugins shouldn't record response bodies (default: true). */
  readonly responseBodies?: boolean | undefined;
  /** The only base path to accept: a path (`/v1`) or a full URL (default: those of the servers). */
  readonly basePath?: string | undefined;
  /** The name of the description in errors and reports. */
  readonly location?: string | undefined;
  /** Parsed OpenAPI Overlays (1.0 or 1.1), applied in this order before anything else. They are never changed. */
  readonly overlay?: object | readonly object[] | undefined;
  /** True to match paths without a base path first, before those with a server's, as for a proxy (default: false). */
  readonly emptyPrefixFirst?: boolean | undefined;
  /** Patterns for what to measure (default: everything). Those for operations, parameters etc. apply separately. */
  readonly include?: readonly (string | ScopeEntry)[] | undefined;
  /** Patterns for what to leave out of every number and list with a reason (default: nothing). They override `include`. */
  readonly exclude?: readonly (string | ScopeEntry)[] | undefined;
  /** Hosts whose requests can match: `api.example`, `*.example`, `localhost:8080` (default: all). */
  readonly hosts?: readonly string[] | undefined;
  /**
   * For `suggestRequests()`: keeps one successful request per operation, without secrets, and ids from responses
   * (default: false). True keeps the smallest request, `newest` the latest, for an API whose data changes.
   */
  readonly keepRequests?: boolean | "newest" | undefined;
  /** True to list undeclared properties of responses (default: false). */
  readonly undocumentedProperties?: boolean | undefined;
  /** The identities that send requests, and how to recognize them (default: none). */
  readonly identities?: readonly Identity[] | undefined;
  /** Access of identities to operations. The last entry that matches an operation applies. */
  readonly access?: readonly AccessEntry[] | undefined;
  /** False to leave out classes of valid values (default: true). */
  readonly values?: boolean | undefined;
}

/** Options of `CoverageMap.fromPath()` and `CoverageMap.fromUrl()`. */
export interface LoadMapOptions extends Omit<FromDictOptions, "location" | "overlay"> {
  /** OpenAPI Overlays (1.0 or 1.1), applied in this order before anything else: files or http(s) URLs. */
  readonly overlay?: string | URL | readonly (string | URL)[] | undefined;
  /** True to fetch references to `http:` and `https:` URLs (default: false). */
  readonly allowRemoteRefs?: boolean | undefined;
  /** Folders outside the description's own folder that it may refer to (default: none). */
  readonly allowRefsOutside?: string | readonly string[] | undefined;
  /** The function for fetching (default: the platform's `fetch`). */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** The head of a report. */
export interface ReportHead {
  /** The title (default: that of the description). */
  readonly title?: string | undefined;
  /** The time, in ISO 8601 (default: now). */
  readonly generatedAt?: string | undefined;
}

/** An API with its hits. `CoverageMap` adds suggestions, plugins and importers. */
export class MeasuredApi {
  readonly plan: CoveragePlan;
  /** The URLs of all files of the description, the main file first; empty if it was given as an object. */
  readonly documentUrls: readonly string[];
  readonly #hits = new Hits();
  readonly #recorder: Recorder;
  readonly #scopeRules: ScopeRules;
  readonly #accessRules: AccessRules;
  readonly #listsUndeclared: boolean;
  #requests: RecordedRequests | undefined;
  #gapWatch: GapWatch | undefined;
  #scope: { readonly exclusions: Exclusions | undefined } | undefined;

  private constructor(
    documents: DocumentSet,
    options:
      & PlanOptions
      & ScopeOptions
      & Pick<LoadMapOptions, "undocumentedProperties" | "identities" | "access">,
  ) {
    this.documentUrls = documents.urls;
    this.#scopeRules = readScope(options);
    this.#accessRules = new AccessRules(options);
    const references = createReferences(documents);
    this.plan = new CoveragePlan(readModel(documents, references), documents, references, options);
    this.#recorder = new Recorder(this.plan, this.#hits, options);
    this.#listsUndeclared = options.undocumentedProperties === true;
  }

  /** @throws {DescriptionError} and {TypeError} like `CoverageMap.fromDict()`. */
  static fromDict(
    schema: unknown,
    options: FromDictOptions = {},
    overlay?: (value: unknown) => Overlaid,
  ): MeasuredApi {
    return new MeasuredApi(loadFromDict(schema, options.location, overlay), options);
  }

  /** @throws {DescriptionError} and {TypeError} like `CoverageMap.fromPath()`. */
  static async fromPath(path: string | URL, options: LoadMapOptions = {}): Promise<MeasuredApi> {
    return new MeasuredApi(await loadFromPath(path, options), options);
  }

  /** @throws {DescriptionError} and {TypeError} like `CoverageMap.fromUrl()`. */
  static async fromUrl(url: string | URL, options: LoadMapOptions = {}): Promise<MeasuredApi> {
    return new MeasuredApi(await loadFromUrl(url, options), options);
  }

  /** The title of the description; its location if it has no title. */
  get title(): string {
    const { model, documents } = this.plan;
    return model.title || documents.location;
  }

  /** The requests kept for suggestions; undefined if requests aren't kept. */
  get requests(): RecordedRequests | undefined {
    return this.#requests;
  }

  keepRequests(requests: RecordedRequests): void {
    this.#requests = requests;
  }

  /** Stores all further requests of identities. */
  keepSenders(senders: SenderLog): void {
    this.#recorder.keepSenders(senders);
  }

  watchGaps(watch: GapWatch): void {
    this.#gapWatch = watch;
  }

  /** @throws {TypeError} and {RecordingError} like `CoverageMap.record()`. */
  record(
    request: HttpRequest,
    response?: HttpResponse | null,
    timestamp?: number,
    test?: string,
    details?: InteractionDetails,
  ): void {
    this.#recorder.record(request, response ?? undefined, timestamp, test, details);
    this.#requests?.add(request, response ?? undefined);
    this.#gapWatch?.note({ request, status_code: response?.status_code, test });
  }

  recording(name: string): RecordingScope {
    return {
      within: (action) => this.#hits.credentials.within(name, action),
      end: () => endRecording(this.plan, this.#hits, name),
    };
  }

  /** Throws a RecordingError after an interaction was counted only in part. */
  get hits(): Hits {
    const { countError } = this.#hits;
    if (countError !== undefined) throw countError;
    return this.#hits;
  }

  traffic(): { readonly recorded: number; readonly matched: number } {
    return { recorded: this.hits.recorded, matched: this.hits.matched };
  }

  get exclusions(): Exclusions | undefined {
    return (this.#scope ??= { exclusions: Exclusions.of(this.plan, this.#scopeRules) }).exclusions;
  }

  /** The access matrix; undefined if there are no identities. */
  get access(): AccessMatrix | undefined {
    return AccessMatrix.of(this.plan, this.hits, this.#accessRules, this.exclusions);
  }

  statistic(): Statistic {
    return statistic(this.plan, this.hits, this.exclusions);
  }

  secretNames(): SecretNames {
    return this.plan.model.secretNames;
  }

  /** @param others APIs that are measured together with this one. */
  diagnostics(others: readonly MeasuredApi[] = []): Diagnostic[] {
    const isUsedElsewhere = (entry: AccessEntry): boolean =>
      others.some((other) => other.#accessRules.matchesAny(entry, other.plan.model.operations));
    return [
      ...this.plan.diagnostics,
      ...this.#accessRules.diagnostics(this.plan, isUsedElsewhere),
      ...this.#recorder.diagnostics,
    ].map(withoutSecrets);
  }

  /** True if classes of values were counted for all of the traffic. */
  get countsValues(): boolean {
    return areValuesCounted(this.plan, this.hits);
  }

  gaps(): Gap[] {
    return gaps(this.plan, this.hits, this.exclusions);
  }

  exportHits(api?: string): Uint8Array {
    return exportHits(this.plan, this.hits, api);
  }

  /** @throws {RecordingError} like `CoverageMap.mergeHits()`. */
  mergeHits(bytes: Uint8Array, options: BaselineHitsOptions = {}): DroppedHits[] {
    const dropped = mergeHits(this.plan, this.hits, bytes, options);
    this.#gapWatch?.skip();
    return dropped;
  }

  /**
   * @param others APIs that are measured together with this one.
   * @param diagnostics The diagnostics to report (default: its own).
   */
  report(
    head: ReportHead = {},
    others: readonly MeasuredApi[] = [],
    diagnostics: readonly Diagnostic[] = this.diagnostics(others),
  ): Report {
    return buildReport(this, others, {
      title: head.title,
      generatedAt: head.generatedAt ?? generatedAt(),
      diagnostics,
      undocumentedProperties: this.#listsUndeclared,
    });
  }
}

/** Masks secrets, which may occur in references that a diagnostic quotes. */
export function withoutSecrets(diagnostic: Diagnostic): Diagnostic {
  if (!/:\/\/|\?/.test(diagnostic.message)) return diagnostic;
  const message = redactor.sentence(diagnostic.message)
    .replace(/`([^`\s]*\?[^`\s]*)`/g, (_, reference: string) => `\`${redactor.url(reference)}\``);
  return message === diagnostic.message ? diagnostic : { ...diagnostic, message };
}

/** Options of a report. Options for a single format have no effect on others. */
export interface ReportOptions {
  /** Default: `html`. */
  readonly format?: ReportFormat | undefined;
  /** The title of the report (default: that of the description). */
  readonly title?: string | undefined;
  /** An earlier JSON report, parsed. The report then shows what has changed. */
  readonly base?: BaseReport | undefined;
  /** JUnit: the required percentages; without any, every test passes. */
  readonly thresholds?: Thresholds | undefined;
  /** JUnit and SARIF: the kinds of findings that count as failures or errors (default: none). */
  readonly failOnFindings?: readonly Finding["kind"][] | undefined;
  /** Badge: the dimensions to show (default: operations and keywords). */
  readonly badge?: readonly Dimension[] | undefined;
  /** Markdown: true to show the test coverage level (default: false). */
  readonly tcl?: boolean | undefined;
}

/** Options of `CoverageMap.saveReport()`. */
export interface SaveReportOptions extends ReportOptions {
  /** Default: `coverage.html`, `coverage.json`, `coverage.md`, `coverage.info`, … */
  readonly outputFile?: string | undefined;
}
