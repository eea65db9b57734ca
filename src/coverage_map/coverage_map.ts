import { gzipBytes } from "../values/builtin.ts";
import { OutputGuard } from "../files/output_guard.ts";
import { writeTextFile } from "../files/write_text_file.ts";
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
  OWN_MEASURES,
  type Shortfall,
  type Thresholds,
} from "../map/thresholds.ts";
import { applyParsed } from "../openapi/overlay/apply_overlays.ts";
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
import { keepRequests, nextFor, suggestFor } from "./suggest_for.ts";

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
  readonly #api: MeasuredApi;
  #recordings = 0;
  readonly #begin: BeginRecording = () => this.#api.recording(`import ${++this.#recordings}`);
  /** Records HTTP Archives (HAR 1.2 and 1.3) of browsers, proxies and API tools. */
  readonly archive: RecordingImporter = new RecordingImporter(this, "archive", this.#begin);
  /** Records Postman collections (1.0, 2.0, 2.1), with environments if you like, and Newman's exports. */
  readonly collection: CollectionImporter = new CollectionImporter(this, this.#begin);
  /** Records cassettes of Ruby VCR, Schemathesis, vcrpy and nock. */
  readonly cassette: RecordingImporter = new RecordingImporter(this, "cassette", this.#begin);

  private constructor(
    api: MeasuredApi,
    options: Pick<FromDictOptions, "keepRequests" | "responseBodies">,
  ) {
    super(
      (request, response, timestamp, test, details) =>
        this.record(request, response, timestamp, test, details),
      { responseBodies: options.responseBodies },
    );
    this.#api = api;
    if (options.keepRequests) keepRequests(api, options.keepRequests);
  }

  /**
   * The map of a description that was parsed already; the object is never changed.
   *
   * @throws {DescriptionError} where it isn't an OpenAPI description.
   * @throws {TypeError} where the base path is neither a path nor a URL, or a host, or a pattern or date of the scope is malformed.
   */
  static fromDict(schema: unknown, options: FromDictOptions = {}): CoverageMap {
    const overlays = [options.overlay ?? []].flat();
    const overlay = overlays.length === 0
      ? undefined
      : (value: unknown) => applyParsed(value, overlays);
    return new CoverageMap(MeasuredApi.fromDict(schema, options, overlay), options);
  }

  /**
   * The map of a description in a file, JSON or YAML, with the files next to it that it refers to.
   *
   * @param path A path or a `file:` URL.
   * @throws {DescriptionError} where it cannot be read, or isn't an OpenAPI description.
   * @throws {TypeError} where the base path is neither a path nor a URL, or a host, or a pattern or date of the scope is malformed.
   */
  static async fromPath(path: string | URL, options: LoadMapOptions = {}): Promise<CoverageMap> {
    return new CoverageMap(await MeasuredApi.fromPath(path, options), options);
  }

  /**
   * The map of a description that is fetched over HTTP.
   *
   * @throws {DescriptionError} where it cannot be fetched, or isn't an OpenAPI description.
   * @throws {TypeError} where the base path is neither a path nor a URL, or a host, or a pattern or date of the scope is malformed.
   */
  static async fromUrl(url: string | URL, options: LoadMapOptions = {}): Promise<CoverageMap> {
    return new CoverageMap(await MeasuredApi.fromUrl(url, options), options);
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
    this.#api.record(request, response, timestamp, test, details);
  }

  /** The API; responses whose bodies nobody has begun to read count without them from now on. */
  get #counted(): MeasuredApi {
    this[SINK].flush();
    return this.#api;
  }

  /** The number of interactions recorded, and of those that match an operation. Reading it costs nothing. */
  traffic(): { readonly recorded: number; readonly matched: number } {
    return this.#counted.traffic();
  }

  /** The URLs of all files that the description consists of, itself first; none where it was given as an object. */
  documentUrls(): readonly string[] {
    return this.#api.documentUrls;
  }

  /** The counts of the five dimensions. */
  statistic(): Statistic {
    return this.#counted.statistic();
  }

  /**
   * Keywords that lack a kind that they can show, `valid` or `invalid`: one entry for each, those of parameters never
   * hit included, in document order.
   */
  uncoveredKeywords(): UncoveredKeyword[] {
    const { plan, hits, exclusions } = this.#counted;
    return uncoveredKeywords(plan, hits, exclusions);
  }

  /** Everything that was never sent or never received, in document order. */
  gaps(): Gap[] {
    return this.#counted.gaps();
  }

  /** Contradictions between the API and its description that traffic has shown, in document order. */
  findings(): Finding[] {
    const { plan, hits, exclusions, access } = this.#counted;
    return findings(plan, hits, exclusions, access);
  }

  /**
   * Requests that close gaps: the first of each operation, those that close most first, then the second of each. Each was
   * recorded before it is suggested: it claims what that has closed, and breaks one rule at most, so that the API's answer
   * proves something. The same description and traffic give the same requests. They are made of documented examples and of schemas; a map that was made with `keepRequests`
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
   *   ["http://localhost:3000/books?limit=99", null],
   * ]);
   * for (const { request } of requests) map.record(request);
   * assert.deepEqual(map.gaps(), []);
   * ```
   */
  suggestRequests(options: SuggestOptions = {}): Suggestions {
    return suggestFor(this.#counted, options);
  }

  /**
   * Requests that close gaps, as many as a report has time for, in the order of `suggestRequests()`. Where neither traffic nor
   * the description says where to send them, their URLs begin with `$SERVER`.
   *
   * @param report A report of this map.
   */
  nextRequests(report: Report): NextRequests {
    return nextFor(this.#counted, report);
  }

  /** The names under which the API takes keys, as the security schemes of the description say. */
  secretNames(): SecretNames {
    return this.#api.secretNames();
  }

  /** Requests that matched no operation: the 1,000 smallest by path, method and host. */
  unmatched(): UnmatchedRequest[] {
    return this.#counted.hits.unmatched.list();
  }

  /** Parts of the description that cannot be used or contradict themselves, and what could not be recorded whole. */
  diagnostics(): Diagnostic[] {
    return [...this.#counted.diagnostics(), ...this[SINK].diagnostics.map(withoutSecrets)];
  }

  /**
   * The dimensions that fall short of their thresholds; none where all are met.
   *
   * @throws {RangeError} where a threshold is unknown, or not from 0 to 100.
   */
  checkThresholds(thresholds: Thresholds): Shortfall[] {
    const isCounted = OWN_MEASURES.every(({ measure, option }) =>
      measure === "keywords_full" || thresholds[option] === undefined
    );
    const { hasPaths } = this.#api.plan.model;
    const summary = isCounted
      ? summarize(this.statistic(), this.#counted.hits.answered > 0, undefined, hasPaths)
      : this.report().summary;
    return checkThresholds(summary, thresholds);
  }

  /**
   * Everything recorded so far, as the bytes of a hits file, for {@linkcode CoverageMap.mergeHits} and `covtool merge`.
   *
   * @param api The name of this API among several, by which those of one description are told apart.
   */
  exportHits(api?: string): Uint8Array {
    return this.#counted.exportHits(api);
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
    return this.#api.mergeHits(bytes, options);
  }

  /** The report model that every format is made from. */
  report(options: ReportHead = {}): Report {
    return this.#counted.report(options, this.diagnostics());
  }

  /**
   * What production uses and this map's traffic, that of tests, exercises: what is used and not tested, tested and not
   * used, and used without being documented.
   *
   * @param production A map of the same description, with the traffic of production.
   * @throws {TypeError} where it is of another description.
   */
  compareUsage(production: CoverageMap, options: ReportHead = {}): UsageReport {
    return buildUsageReport(
      this.#counted,
      production.#counted,
      options.title,
      options.generatedAt,
    );
  }

  /**
   * The source lines of everything that a report counts. This reads the files of the description again.
   *
   * @param report A report of this map; by default one of now.
   * @param copiesIn A folder, with a slash at its end unless it is empty: files with fewer lines than things to cover
   * are shown as formatted copies that belong there, and that {@linkcode SourceCoverage.crowded} has.
   * @param copies The files by the paths of their copies, to which these are added: several maps that have it in common
   * give no two files one copy.
   * @throws {TypeError} where the description was given as an object, which has no lines.
   */
  sourceCoverage(
    report: Report = this.report(),
    copiesIn?: string,
    copies?: Map<string, string>,
  ): SourceCoverage {
    return buildSourceCoverage(this.#api, report, copiesIn, copies);
  }

  /**
   * The parts of the description that the HTML report shows: its text, keyword values, and relations of schemas.
   *
   * @param report A report of this map.
   */
  descriptionView(report: Report): DescriptionView {
    return buildDescriptionView(this.#api, report);
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
      proposals: () => proposalLines(this.#counted),
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
