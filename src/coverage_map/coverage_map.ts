import { gzipBytes } from "../values/builtin.ts";
import { OutputGuard } from "../files/output_guard.ts";
import { writeTextFile } from "../files/write_text_file.ts";
import { withReadableHeaders } from "../http/header_pairs.ts";
import type { HttpRequest, HttpResponse, InteractionDetails } from "../http/interaction.ts";
import { findings } from "../map/findings.ts";
import { uncoveredKeywords } from "../map/gaps.ts";
import type { MergeHitsOptions } from "../map/hits_file/merge_hits.ts";
import type {
  DroppedHits,
  Finding,
  Gap,
  Statistic,
  UncoveredKeyword,
  UnmatchedRequest,
} from "../map/results.ts";
import { summarize } from "../map/statistic.ts";
import {
  checkThresholds,
  OPTIONAL_MEASURES,
  type Shortfall,
  type Thresholds,
} from "../map/thresholds.ts";
import { applyOverlayObjects } from "../openapi/overlay/apply_overlays.ts";
import { PluginSet, SINK } from "../plugins/plugin_set.ts";
import type { SecretNames } from "../redact/redactor.ts";
import { readBaseReport } from "../report/base_report.ts";
import { compareReports } from "../report/comparison/compare_reports.ts";
import { buildDescriptionView } from "../report/build/build_description_view.ts";
import { proposalLines } from "../report/build/build_proposals.ts";
import { buildSourceCoverage } from "../report/build/build_source_coverage.ts";
import { buildUsageReport } from "../report/build/build_usage_report.ts";
import type { DescriptionView } from "../report/html/page_data.ts";
import type { Report } from "../report/report.ts";
import { DEFAULT_FORMAT, defaultFileName, reportChunks } from "../report/reporters.ts";
import type { CrowdedFile, SourceCoverage } from "../report/source/source_coverage.ts";
import { chooseCopies, guardedCopies, parentFolder } from "../report/source/source_path.ts";
import type { MapTextReportOptions } from "../report/reported_api.ts";
import { generateTextReport } from "../report/text_report.ts";
import type { UsageReport } from "../report/usage/usage_report.ts";
import type { NextRequests, Suggestions, SuggestOptions } from "../suggest/suggestion.ts";
import type { Diagnostic } from "../values/diagnostic.ts";
import {
  type FromDictOptions,
  type LoadMapOptions,
  MeasuredApi,
  type ReportHead,
  type ReportOptions,
  type SaveReportOptions,
  withoutSecrets,
} from "./measured_api.ts";
import {
  type BeginRecording,
  CollectionImporter,
  RecordingImporter,
} from "./recording_importer.ts";
import { keepRequests, nextRequestsFor, suggestFor } from "./suggest_for.ts";

/**
 * Coverage of an API by recorded traffic. A map is made from an OpenAPI description, records interactions, and returns
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
  readonly #api: MeasuredApi;
  #recordings = 0;
  readonly #begin: BeginRecording = () => this.#api.recording(`import ${++this.#recordings}`);
  /** Records HTTP Archives (HAR 1.2 and 1.3) from browsers, proxies and API tools. */
  readonly archive: RecordingImporter = new RecordingImporter(this, "archive", this.#begin);
  /** Records Postman collections (1.0, 2.0, 2.1), with optional environments, and Newman's exports. */
  readonly collection: CollectionImporter = new CollectionImporter(this, this.#begin);
  /** Records cassettes from Ruby VCR, Schemathesis, vcrpy and nock. */
  readonly cassette: RecordingImporter = new RecordingImporter(this, "cassette", this.#begin);

  private constructor(
    api: MeasuredApi,
    options: Pick<FromDictOptions, "keepRequests" | "responseBodies">,
  ) {
    super((...interaction) => this.record(...interaction), {
      responseBodies: options.responseBodies,
    });
    this.#api = api;
    if (options.keepRequests) keepRequests(api, options.keepRequests);
  }

  /**
   * Creates a map from a parsed description. The object is never changed.
   *
   * @throws {DescriptionError} if it isn't an OpenAPI description.
   * @throws {TypeError} if the base path is neither a path nor a URL, or if a host, pattern or date is malformed.
   */
  static fromDict(schema: unknown, options: FromDictOptions = {}): CoverageMap {
    const overlays = [options.overlay ?? []].flat();
    const overlay = overlays.length === 0
      ? undefined
      : (value: unknown) => applyOverlayObjects(value, overlays);
    return new CoverageMap(MeasuredApi.fromDict(schema, options, overlay), options);
  }

  /**
   * Creates a map from a file with a description in JSON or YAML, including files in its folder that it refers to.
   *
   * @param path A path or a `file:` URL.
   * @throws {DescriptionError} if a file can't be read or isn't an OpenAPI description.
   * @throws {TypeError} if the base path is neither a path nor a URL, or if a host, pattern or date is malformed.
   */
  static async fromPath(path: string | URL, options: LoadMapOptions = {}): Promise<CoverageMap> {
    return new CoverageMap(await MeasuredApi.fromPath(path, options), options);
  }

  /**
   * Creates a map from a description that is fetched over HTTP.
   *
   * @throws {DescriptionError} if it can't be fetched or isn't an OpenAPI description.
   * @throws {TypeError} if the base path is neither a path nor a URL, or if a host, pattern or date is malformed.
   */
  static async fromUrl(url: string | URL, options: LoadMapOptions = {}): Promise<CoverageMap> {
    return new CoverageMap(await MeasuredApi.fromUrl(url, options), options);
  }

  /**
   * Records one interaction.
   *
   * @param request The request.
   * @param response The response. Without a status, no response is counted.
   * @param timestamp The time at which the request was sent, in seconds since 1970.
   * @param test The name of the test that sent the request, for "covered by" in reports. Plugins use the name from
   *   {@linkcode PluginSet.setTest}.
   * @param details What the interaction's source can show, and how many interactions this one represents.
   * @throws {TypeError} if the request lacks a method or URL, or `count` isn't a positive whole number.
   * @throws {RecordingError} if a count exceeds 9,007,199,254,740,991. If a part of the interaction was counted before
   *   this was noticed, all methods that read the map throw the error from then on.
   */
  record(
    request: HttpRequest,
    response?: HttpResponse | null,
    timestamp?: number,
    test?: string,
    details?: InteractionDetails,
  ): void {
    const sent = request && withReadableHeaders(request);
    const received = response && withReadableHeaders(response);
    this.#api.record(sent, received, timestamp, test, details);
  }

  /** The API. Responses whose bodies nobody has started to read are counted now, without their bodies. */
  get #flushedApi(): MeasuredApi {
    this[SINK].flush();
    return this.#api;
  }

  /** Returns the number of recorded interactions, and of those that match an operation. This call is cheap. */
  traffic(): { readonly recorded: number; readonly matched: number } {
    return this.#flushedApi.traffic();
  }

  /** Returns the URLs of all files of the description, the main file first; empty if it was given as an object. */
  documentUrls(): readonly string[] {
    return this.#api.documentUrls;
  }

  /** Returns the counts of the five dimensions. */
  statistic(): Statistic {
    return this.#flushedApi.statistic();
  }

  /**
   * Returns keywords that lack valid or invalid values that are possible, one entry for each state, in document order;
   * includes the keywords of parameters that were never hit.
   */
  uncoveredKeywords(): UncoveredKeyword[] {
    const { plan, hits, exclusions } = this.#flushedApi;
    return uncoveredKeywords(plan, hits, exclusions);
  }

  /** Returns everything that was never sent or never received, in document order. */
  gaps(): Gap[] {
    return this.#flushedApi.gaps();
  }

  /** Returns contradictions between the API and its description that traffic revealed, in document order. */
  findings(): Finding[] {
    const { plan, hits, exclusions, access } = this.#flushedApi;
    return findings(plan, hits, exclusions, access);
  }

  /**
   * Suggests requests that close gaps: one per operation, starting with those that close most, then a second for each,
   * and so on. Each request is evaluated first, so it lists exactly what it closes, and breaks at most one rule, so that
   * the API's response proves something. Equal descriptions and traffic result in equal requests. Values are taken from
   * documented examples and schemas; a map with `keepRequests` also uses ids and other values of successful requests.
   *
   * @throws {SuggestError} if an operation or kind is unknown, or if there is no URL for the requests: the
   * description has no server, and `server` isn't set.
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
   *   ["http://localhost:3000/books?limit=99", null],
   * ]);
   * for (const { request } of requests) map.record(request);
   * assert.deepEqual(map.gaps(), []);
   * ```
   */
  suggestRequests(options: SuggestOptions = {}): Suggestions {
    return suggestFor(this.#flushedApi, options);
  }

  /**
   * Suggests requests that close gaps, as many as fit into the time of a report, in the order of `suggestRequests()`. If no
   * server is known from traffic or the description, URLs begin with `$SERVER`.
   *
   * @param report A report of this map.
   */
  nextRequests(report: Report): NextRequests {
    return nextRequestsFor(this.#flushedApi, report);
  }

  /** Returns the names of headers and query parameters that carry keys, according to the description. */
  secretNames(): SecretNames {
    return this.#api.secretNames();
  }

  /** Returns requests that matched no operation: the first 1,000, sorted by path, method and host. */
  unmatched(): UnmatchedRequest[] {
    return this.#flushedApi.hits.unmatched.list();
  }

  /** Returns unusable or contradictory parts of the description, and interactions that were recorded only in part. */
  diagnostics(): Diagnostic[] {
    return [...this.#flushedApi.diagnostics(), ...this[SINK].diagnostics.map(withoutSecrets)];
  }

  /**
   * Returns figures below their thresholds; empty if all thresholds are met.
   *
   * @throws {RangeError} if a threshold is unknown or out of range.
   */
  checkThresholds(thresholds: Thresholds): Shortfall[] {
    const isCounted = OPTIONAL_MEASURES.every(({ measure, option }) =>
      measure === "keywords_full" || thresholds[option] === undefined
    );
    const { hasPaths } = this.#api.plan.model;
    const summary = isCounted
      ? summarize(this.statistic(), this.#flushedApi.hits.answered > 0, undefined, hasPaths)
      : this.report().summary;
    return checkThresholds(summary, thresholds);
  }

  /**
   * Exports everything recorded so far as a hits file, for {@linkcode CoverageMap.mergeHits} and `covtool merge`.
   *
   * @param api The name of this API if several are measured, to distinguish APIs with the same description.
   */
  exportHits(api?: string): Uint8Array {
    return this.#flushedApi.exportHits(api);
  }

  /**
   * Adds the export of another map with the same description, as if this map had recorded everything.
   *
   * @param bytes One or more concatenated hits files.
   * @returns hits that couldn't be carried over from another description; empty if the descriptions are the same.
   * @throws {RecordingError} if the bytes aren't hits, are damaged, or are hits of another description and `carry`
   *   isn't set. Then nothing is added.
   */
  mergeHits(bytes: Uint8Array, options: MergeHitsOptions = {}): DroppedHits[] {
    return this.#api.mergeHits(bytes, options);
  }

  /** Returns the report model, which all report formats are generated from. */
  report(options: ReportHead = {}): Report {
    return this.#flushedApi.report(options, [], this.diagnostics());
  }

  /**
   * Compares production traffic with this map's traffic of tests: what is used but not tested, tested but not used, and
   * used but not documented.
   *
   * @param production A map of the same description with production traffic.
   * @throws {TypeError} if the descriptions differ.
   */
  compareUsage(production: CoverageMap, options: ReportHead = {}): UsageReport {
    return buildUsageReport(
      this.#flushedApi,
      production.#flushedApi,
      options.title,
      options.generatedAt,
    );
  }

  /**
   * Returns the source lines of everything that a report counts. This reads the files of the description again.
   *
   * @param report A report of this map (default: a new one).
   * @param copiesIn A folder for formatted copies of files with fewer lines than things to cover; ends with a slash
   * unless it is empty. The copies are in {@linkcode SourceCoverage.crowded}.
   * @param copies The paths of copies, with the file of each. New copies are added; if several maps share this
   * object, no two files get the same copy.
   * @throws {TypeError} if the description was given as an object, which has no lines.
   */
  sourceCoverage(
    report: Report = this.report(),
    copiesIn?: string,
    copies?: Map<string, string>,
  ): SourceCoverage {
    return buildSourceCoverage(this.#api, report, copiesIn, copies);
  }

  /**
   * Returns the parts of the description that the HTML report shows: text, keyword values, and relations of schemas.
   *
   * @param report A report of this map.
   */
  descriptionView(report: Report): DescriptionView {
    return buildDescriptionView(this.#api, report);
  }

  /**
   * Generates a report as text.
   *
   * @throws {RangeError} if the report is longer than the longest string ({@linkcode CoverageMap.saveReport} can write
   * it), or if a threshold is out of range.
   * @throws {TypeError} if the format shows lines (lcov, cobertura, sarif) but the description was given as an object,
   * or if the base isn't a JSON report.
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
   * Writes a report to a file, completely or not at all. The default name is `coverage.` with the format's extension.
   * lcov, cobertura and sarif show lines. For a file of the description with fewer lines than things to cover, such as
   * JSON on one line, they show a formatted copy, which is written next to the report.
   *
   * @throws {TypeError} and {RangeError} like {@linkcode CoverageMap.generateReport}, except for the length; a TypeError
   * also if the report would overwrite a file of the description, or a formatted copy another file of yours.
   */
  async saveReport(options: SaveReportOptions = {}): Promise<void> {
    const path = options.outputFile ?? defaultFileName(options.format ?? DEFAULT_FORMAT);
    let crowded: readonly CrowdedFile[] = [];
    const chunks = this.#chunks(options, (report) => {
      const source = this.sourceCoverage(report, parentFolder(path));
      crowded = source.crowded ?? [];
      return source;
    });
    const copies = chooseCopies(crowded);
    const guard = new OutputGuard([{ name: "The report", path }, ...guardedCopies(copies)]);
    await guard.check(this.documentUrls());
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
      proposals: () => proposalLines(this.#flushedApi),
      view: () => this.descriptionView(report),
      next: () => this.nextRequests(report),
      compress: gzipBytes,
      thresholds: options.thresholds,
      failOnFindings: options.failOnFindings,
      badge: options.badge,
      tcl: options.tcl,
    });
  }

  /** Generates a report for a terminal. */
  generateTextReport(options: MapTextReportOptions = {}): string {
    return generateTextReport(this.report(), { ...options, width: options.width ?? 80 });
  }
}
