import type { Diagnostic } from "../values/diagnostic.ts";
import { gzipBytes } from "../files/gzip_bytes.ts";
import { OutputGuard } from "../files/output_guard.ts";
import type { HttpRequest, HttpResponse, InteractionDetails } from "../http/interaction.ts";
import { CoveragePlan, type PlanOptions } from "../map/coverage_plan.ts";
import { Exclusions } from "../map/exclusions.ts";
import { readScope, type ScopeOptions, type ScopeRules } from "../map/scope_entry.ts";
import { findings } from "../map/findings.ts";
import { gaps, uncoveredKeywords } from "../map/gaps.ts";
import { Hits } from "../map/hits.ts";
import { exportHits } from "../map/hits_file/export_hits.ts";
import { mergeHits, type MergeHitsOptions } from "../map/hits_file/merge_hits.ts";
import type { DroppedHits } from "../map/results.ts";
import type {
  Finding,
  Gap,
  Statistic,
  UncoveredKeyword,
  UnmatchedRequest,
} from "../map/results.ts";
import { statistic, summarize } from "../map/statistic.ts";
import { checkThresholds } from "../map/thresholds.ts";
import type { Shortfall, Thresholds } from "../map/thresholds.ts";
import type { DocumentSet } from "../openapi/document_set.ts";
import { loadFromDict, loadFromPath, loadFromUrl } from "../openapi/load.ts";
import { readModel, referencesOf } from "../openapi/read_model.ts";
import { PluginSet, sinkOf } from "../plugins/plugin_set.ts";
import type { RecordingScope } from "../record/record_batches.ts";
import { Recorder } from "../record/recorder.ts";
import { endRecording } from "../map/credentials.ts";
import { CollectionImporter } from "./collection_importer.ts";
import type { FromDictOptions, LoadMapOptions } from "./load_map_options.ts";
import { type BeginRecording, RecordingImporter } from "./recording_importer.ts";
import type { MapTextReportOptions, ReportOptions, SaveReportOptions } from "./report_options.ts";
import { RecordedRequests } from "../suggest/recorded_requests.ts";
import { nextRequests } from "../suggest/next_requests.ts";
import { suggestRequests } from "../suggest/suggest_requests.ts";
import type { NextRequests, Suggestions, SuggestOptions } from "../suggest/suggestion.ts";
import { Redactor, type SecretNames } from "../redact/redactor.ts";
import { readBaseReport } from "../report/base_report.ts";
import { compareReports } from "../report/comparison/compare_reports.ts";
import { gapCounts } from "../report/gap_counts.ts";
import { buildDescriptionView } from "../report/build/build_description_view.ts";
import { buildReport } from "../report/build/build_report.ts";
import { buildUsageReport } from "../report/build/build_usage_report.ts";
import { buildSourceCoverage } from "../report/build/build_source_coverage.ts";
import { generatedAt } from "../report/generated_at.ts";
import { DEFAULT_FORMAT, defaultFileName, reportChunks } from "../report/reporters.ts";
import type { DescriptionView } from "../report/html/description_view.ts";
import type { Report } from "../report/report.ts";
import { copiesOf, folderOf, guardedCopies } from "../report/source/line_copies.ts";
import type { CrowdedFile, SourceCoverage } from "../report/source/source_coverage.ts";
import { workingDirectory } from "../report/source/working_directory.ts";
import { generateTextReport } from "../report/text_report.ts";
import type { UsageReport } from "../report/usage/usage_report.ts";
import { writeTextFile } from "../files/write_text_file.ts";

const redactor = new Redactor();

/** A recording whose requests are added to a map, by a name that tells recordings apart. */
export let recordingIn: (map: CoverageMap, name: string) => RecordingScope;

/** The plan of a map, for those that put several maps together. */
export let planOf: (map: CoverageMap) => CoveragePlan;

/**
 * Coverage of an API by recorded traffic: made from an OpenAPI description, fed with interactions, and asked for
 * coverage in five dimensions. docs/semantics.md defines each number.
 *
 * @example
 * ```ts
 * import { CoverageMap } from "./coverage_map.ts";
 * import assert from "node:assert/strict";
 *
 * const map = CoverageMap.fromDict({
 *   openapi: "3.1.0",
 *   info: { title: "Shop", version: "1" },
 *   paths: {
 *     "/books": {
 *       get: {
 *         parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 100 } }],
 *         responses: { 200: { description: "Books" } },
 *       },
 *     },
 *   },
 * });
 * map.record({ method: "GET", url: "http://localhost/books?limit=500" }, { status_code: 200 });
 *
 * assert.deepEqual(map.statistic().keywords, { partial: 2, full: 0, total: 2 });
 * assert.deepEqual(map.uncoveredKeywords().map((keyword) => [keyword.schema_path, keyword.state]), [
 *   ["/paths/~1books/get/parameters/0/schema/type", "invalid"],
 *   ["/paths/~1books/get/parameters/0/schema/maximum", "valid"],
 * ]);
 * ```
 */
export class CoverageMap extends PluginSet {
  readonly #plan: CoveragePlan;
  readonly #documentUrls: readonly string[];
  readonly #hits = new Hits();
  readonly #recorder: Recorder;
  readonly #listsUndeclared: boolean;
  #recordings = 0;
  /** Begins a recording that is read as a whole. */
  readonly #begin: BeginRecording = () => recordingIn(this, `import ${++this.#recordings}`);
  /** Records HTTP Archives (HAR 1.2 and 1.3) of browsers, proxies and API tools. */
  readonly archive: RecordingImporter = new RecordingImporter(this, "archive", {}, this.#begin);
  /** Records Postman collections (1.0, 2.0, 2.1), with environments if you like, and Newman's exports. */
  readonly collection: CollectionImporter = new CollectionImporter(this, this.#begin);
  /** Records cassettes of Ruby VCR, Schemathesis, vcrpy and nock. */
  readonly cassette: RecordingImporter = new RecordingImporter(this, "cassette", {}, this.#begin);

  static {
    planOf = (map) => map.#plan;
    recordingIn = (map, name) => ({
      within: (action) => map.#hits.credentials.within(name, action),
      end: () => endRecording(map.#plan, map.#hits, name),
    });
  }

  readonly #requests: RecordedRequests | undefined;
  readonly #rules: ScopeRules;
  #scope: { readonly exclusions: Exclusions | undefined } | undefined;

  private constructor(
    documents: DocumentSet,
    options:
      & PlanOptions
      & ScopeOptions
      & Pick<FromDictOptions, "keepRequests" | "responseBodies" | "undocumentedProperties">,
  ) {
    super(
      (request, response, timestamp, test, details) =>
        this.record(request, response, timestamp, test, details),
      { responseBodies: options.responseBodies },
    );
    this.#documentUrls = documents.urls;
    this.#rules = readScope(options);
    const references = referencesOf(documents);
    const model = readModel(documents, references);
    this.#plan = new CoveragePlan(model, documents, references, options);
    this.#recorder = new Recorder(this.#plan, this.#hits, options);
    this.#listsUndeclared = options.undocumentedProperties === true;
    const { keepRequests = false } = options;
    this.#requests = keepRequests === false
      ? undefined
      : new RecordedRequests(this.#plan, keepRequests === true ? "smallest" : keepRequests);
  }

  /**
   * The map of a description that was parsed already; the object is never changed.
   *
   * @throws {DescriptionError} where it isn't an OpenAPI description.
   * @throws {TypeError} where the base path is neither a path nor a URL, or a host, or a pattern or date of the scope is malformed.
   */
  static fromDict(schema: unknown, options: FromDictOptions = {}): CoverageMap {
    return new CoverageMap(loadFromDict(schema, options.location), options);
  }

  /**
   * The map of a description in a file, JSON or YAML, with the files next to it that it refers to.
   *
   * @param path A path or a `file:` URL.
   * @throws {DescriptionError} where it cannot be read, or isn't an OpenAPI description.
   * @throws {TypeError} where the base path is neither a path nor a URL, or a host, or a pattern or date of the scope is malformed.
   */
  static async fromPath(path: string | URL, options: LoadMapOptions = {}): Promise<CoverageMap> {
    return new CoverageMap(await loadFromPath(path, options), options);
  }

  /**
   * The map of a description that is fetched over HTTP.
   *
   * @throws {DescriptionError} where it cannot be fetched, or isn't an OpenAPI description.
   * @throws {TypeError} where the base path is neither a path nor a URL, or a host, or a pattern or date of the scope is malformed.
   */
  static async fromUrl(url: string | URL, options: LoadMapOptions = {}): Promise<CoverageMap> {
    return new CoverageMap(await loadFromUrl(url, options), options);
  }

  /**
   * Records one interaction.
   *
   * @param request The request.
   * @param response The response; without a status, no response is counted.
   * @param timestamp When the request was sent, in seconds since 1970.
   * @param test The name of the test that sent it, for "covered by" in reports. What the plugins record takes the one
   *   that {@linkcode PluginSet.setTest} says.
   * @param details What else is known: what the source of the interaction can show, and how many this one stands for.
   * @throws {TypeError} where the request lacks a method or URL, or `count` is no whole number from 1 on.
   * @throws {RecordingError} where counts add up to more than 9,007,199,254,740,991. Where that is only seen after a part
   *   of the interaction was counted, whatever reads the map throws it from then on.
   */
  record(
    request: HttpRequest,
    response?: HttpResponse | null,
    timestamp?: number,
    test?: string,
    details?: InteractionDetails,
  ): void {
    this.#recorder.record(request, response ?? undefined, timestamp, test, details);
    this.#requests?.add(request, response ?? undefined);
  }

  /** What was counted; responses whose bodies nobody has begun to read count without them from now on. */
  get #counted(): Hits {
    sinkOf(this).flush();
    return this.#exact;
  }

  /** The same as they are; refused after an interaction was counted in part. */
  get #exact(): Hits {
    const { broken } = this.#hits;
    if (broken !== undefined) throw broken;
    return this.#hits;
  }

  /** The number of interactions recorded, and of those that match an operation. Reading it costs nothing. */
  traffic(): { readonly recorded: number; readonly matched: number } {
    return { recorded: this.#counted.recorded, matched: this.#counted.matched };
  }

  /** The URLs of all files that the description consists of, itself first; none where it was given as an object. */
  documentUrls(): readonly string[] {
    return this.#documentUrls;
  }

  /** The exclusions; resolved on first use. */
  get #exclusions(): Exclusions | undefined {
    return (this.#scope ??= { exclusions: Exclusions.of(this.#plan, this.#rules) }).exclusions;
  }

  /** The counts of the five dimensions. */
  statistic(): Statistic {
    return statistic(this.#plan, this.#counted, this.#exclusions);
  }

  /**
   * Keywords that lack a kind that they can show, `valid` or `invalid`: one entry for each, those of parameters never
   * hit included, in document order.
   */
  uncoveredKeywords(): UncoveredKeyword[] {
    return uncoveredKeywords(this.#plan, this.#counted, this.#exclusions);
  }

  /** Everything that was never sent or never received, in document order. */
  gaps(): Gap[] {
    return gaps(this.#plan, this.#counted, this.#exclusions);
  }

  /** Contradictions between the API and its description that traffic has shown, in document order. */
  findings(): Finding[] {
    return findings(this.#plan, this.#counted, this.#exclusions);
  }

  /**
   * Requests that close gaps, those that close most first. Each was recorded before it is suggested: it claims what that
   * has closed, and breaks one rule at most, so that the API's answer proves something. The same description and traffic
   * give the same requests. They are made of documented examples and of schemas; a map that was made with `keepRequests`
   * takes the ids and other values of requests that succeeded.
   *
   * @throws {SuggestError} if an operation or kind is unknown, or no URL is known to send the requests to: the
   * description names no server, and `server` isn't set.
   * @example
   * ```ts
   * import { CoverageMap } from "./coverage_map.ts";
   * import assert from "node:assert/strict";
   *
   * const map = CoverageMap.fromDict({
   *   openapi: "3.1.0",
   *   info: { title: "Shop", version: "1" },
   *   paths: {
   *     "/books": {
   *       get: {
   *         parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 100 } }],
   *         responses: { 200: { description: "Books" }, 400: { description: "Bad request" } },
   *       },
   *     },
   *   },
   * });
   * const { requests } = map.suggestRequests({ server: "http://localhost:3000" });
   *
   * assert.deepEqual(requests.map(({ request, breaks }) => [request.url, breaks?.schema_path ?? null]), [
   *   ["http://localhost:3000/books?limit=100", null],
   *   ["http://localhost:3000/books?limit=text", "/paths/~1books/get/parameters/0/schema/type"],
   *   ["http://localhost:3000/books?limit=101", "/paths/~1books/get/parameters/0/schema/maximum"],
   * ]);
   * for (const { request } of requests) map.record(request);
   * assert.deepEqual(map.gaps(), []);
   * ```
   */
  suggestRequests(options: SuggestOptions = {}): Suggestions {
    const hits = options.repeat === true ? new Hits() : this.#counted;
    return suggestRequests(this.#plan, hits, this.#exclusions, options, this.#requests);
  }

  /**
   * Requests that close gaps, as many as a report has time for: those that close most first. Where neither traffic nor
   * the description says where to send them, their URLs begin with `$SERVER`.
   *
   * @param report A report of this map.
   */
  nextRequests(report: Report): NextRequests {
    const gapsOf = report.operations.map(({ summary }) => {
      const { total, response } = gapCounts(summary, report.traffic);
      return total - response;
    });
    return nextRequests(this.#plan, this.#counted, this.#exclusions, gapsOf, this.#requests);
  }

  /** The names under which the API takes keys, as the security schemes of the description say. */
  secretNames(): SecretNames {
    return this.#plan.model.secretNames;
  }

  /** Requests that matched no operation: the 1,000 smallest by path, method and host. */
  unmatched(): UnmatchedRequest[] {
    return this.#counted.unmatched.list();
  }

  /** Parts of the description that cannot be used or contradict themselves, and what could not be recorded whole. */
  diagnostics(): Diagnostic[] {
    sinkOf(this).flush();
    return [
      ...this.#plan.diagnostics,
      ...this.#recorder.diagnostics,
      ...sinkOf(this).diagnostics,
    ].map(withoutSecrets);
  }

  /**
   * The dimensions that fall short of their thresholds; none where all are met.
   *
   * @throws {RangeError} where a threshold is not from 0 to 100.
   */
  checkThresholds(thresholds: Thresholds): Shortfall[] {
    const { succeeded, tcl } = thresholds;
    const summary = succeeded === undefined && tcl === undefined
      ? summarize(this.statistic(), this.#counted.answered > 0)
      : this.report().summary;
    return checkThresholds(summary, thresholds);
  }

  /**
   * Everything recorded so far, as the bytes of a hits file, for {@linkcode CoverageMap.mergeHits} and `covtool merge`.
   *
   * @param api The name of this API among several, by which those of one description are told apart.
   */
  exportHits(api?: string): Uint8Array {
    return exportHits(this.#plan, this.#counted, api);
  }

  /**
   * Adds what another map of the same description exported: the result is as if this map had recorded it all.
   *
   * @param bytes One or more hits files, one after the other.
   * @returns what could not be carried over from another description; nothing where the descriptions are the same.
   * @throws {RecordingError} if the bytes aren't a hits file, are damaged, or are hits of another description and
   *   `carry` is not set. Then nothing is added.
   */
  mergeHits(bytes: Uint8Array, options: MergeHitsOptions = {}): DroppedHits[] {
    return mergeHits(this.#plan, this.#exact, bytes, options);
  }

  /** The report model that every format is made from. */
  report(
    options: { readonly title?: string | undefined; readonly generatedAt?: string | undefined } =
      {},
  ): Report {
    return buildReport(this.#plan, this.#counted, {
      title: options.title,
      generatedAt: options.generatedAt ?? generatedAt(),
      diagnostics: this.diagnostics(),
      exclusions: this.#exclusions,
      undocumentedProperties: this.#listsUndeclared,
    });
  }

  /**
   * What production uses and this map's traffic, that of tests, exercises: what is used and not tested, tested and not
   * used, and used without being documented.
   *
   * @param production A map of the same description, with the traffic of production.
   * @throws {TypeError} where it is of another description.
   */
  compareUsage(
    production: CoverageMap,
    options: { readonly title?: string | undefined; readonly generatedAt?: string | undefined } =
      {},
  ): UsageReport {
    if (production.#plan.fingerprint !== this.#plan.fingerprint) {
      throw new TypeError("The maps to compare are of different descriptions. Load both from one.");
    }
    return buildUsageReport(this.#plan, { tests: this.#counted, production: production.#counted }, {
      title: options.title,
      generatedAt: options.generatedAt ?? generatedAt(),
      exclusions: this.#exclusions,
    });
  }

  /**
   * The source lines of everything that a report counts. This reads the files of the description again.
   *
   * @param report A report of this map; by default one of now.
   * @param copiesIn A folder, with a slash at its end unless it is empty: files with fewer lines than things to cover
   * are shown as formatted copies that belong there, and that {@linkcode SourceCoverage.crowded} has.
   * @throws {TypeError} where the description was given as an object, which has no lines.
   */
  sourceCoverage(report: Report = this.report(), copiesIn?: string): SourceCoverage {
    return buildSourceCoverage(
      this.#plan,
      report,
      workingDirectory(),
      copiesIn,
      this.#exclusions,
    );
  }

  /**
   * The parts of the description that the HTML report shows: its text, keyword values, and relations of schemas.
   *
   * @param report A report of this map.
   */
  descriptionView(report: Report): DescriptionView {
    return buildDescriptionView(this.#plan, report, workingDirectory(), this.#exclusions);
  }

  /**
   * A report as text.
   *
   * @throws {RangeError} where it would be longer than the longest string; {@linkcode CoverageMap.saveReport} writes it.
   * Also where a threshold is not from 0 to 100.
   * @throws {TypeError} where the format shows lines (lcov, cobertura, sarif) and the description was given as an object,
   * or where the base isn't a JSON report.
   */
  generateReport(options: ReportOptions = {}): string {
    const chunks = this.#chunks(options);
    try {
      return [...chunks].join("");
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw new RangeError(
        "The report is longer than the longest string. Write it to a file with saveReport().",
        { cause },
      );
    }
  }

  /**
   * Writes a report to a file, whole or not at all; by default the name is `coverage.` with the format's extension.
   * lcov, cobertura and sarif show lines: for a file of the description that has fewer lines than things to cover, such
   * as JSON on one line, a formatted copy is written next to the report, and its lines are shown.
   *
   * @throws {TypeError} and {RangeError} as {@linkcode CoverageMap.generateReport} does, but for the length; a TypeError
   * also where the report would overwrite a file of the description, or a formatted copy a file of yours.
   */
  async saveReport(options: SaveReportOptions = {}): Promise<void> {
    const path = options.outputFile ?? defaultFileName(options.format ?? DEFAULT_FORMAT);
    let crowded: readonly CrowdedFile[] = [];
    const chunks = this.#chunks(options, (report) => {
      const source = this.sourceCoverage(report, folderOf(path));
      crowded = source.crowded ?? [];
      return source;
    });
    const copies = copiesOf(crowded);
    const guard = new OutputGuard([{ name: "The report", path }, ...guardedCopies(copies)]);
    await guard.check(this.#documentUrls);
    for (const copy of copies) await writeTextFile(copy.path, [copy.text]);
    await writeTextFile(path, chunks);
  }

  #chunks(
    { format, base, ...options }: ReportOptions,
    source = (report: Report) => this.sourceCoverage(report),
  ): Iterable<string> {
    const measured = this.report(options);
    const report = base === undefined
      ? measured
      : { ...measured, comparison: compareReports(measured, readBaseReport(base)) };
    return reportChunks(report, format ?? DEFAULT_FORMAT, {
      source: () => source(report),
      hits: () => this.exportHits(),
      view: () => this.descriptionView(report),
      next: () => this.nextRequests(report),
      compress: gzipBytes,
      thresholds: options.thresholds,
      failOnFindings: options.failOnFindings,
      badge: options.badge,
      tcl: options.tcl,
    });
  }

  /** A report for a terminal. */
  generateTextReport(options: MapTextReportOptions = {}): string {
    return generateTextReport(this.report(), { ...options, width: options.width ?? 80 });
  }
}

/** References that a diagnostic quotes may have a token in them. */
function withoutSecrets(diagnostic: Diagnostic): Diagnostic {
  if (!/:\/\/|\?/.test(diagnostic.message)) return diagnostic;
  const message = redactor.sentence(diagnostic.message)
    .replace(/`([^`\s]*\?[^`\s]*)`/g, (_, reference: string) => `\`${redactor.url(reference)}\``);
  return message === diagnostic.message ? diagnostic : { ...diagnostic, message };
}
