import { partScope } from "../../map/coverage.ts";
import type { CoveragePlan, OperationPlan } from "../../map/coverage_plan.ts";
import type { Exclusions } from "../../map/exclusions.ts";
import type { Hits } from "../../map/hits.ts";
import type { OperationHits } from "../../map/operation_hits.ts";
import {
  areValuesCounted,
  countedValues,
  type CoveredClass,
  type CoveredValues,
  coveredValues,
} from "../../map/value_coverage.ts";
import { getOrAdd, groupItems, sortByName } from "../../values/collections.ts";
import { percentage } from "../../map/statistic.ts";
import type { ParameterLocation } from "../../values/position.ts";
import { VERSION } from "../../values/version.ts";
import { generatedAt as timeOfReport } from "../environment.ts";
import type {
  ShadowEndpoint,
  UndocumentedPart,
  UndocumentedUse,
  UnseenPart,
  UsageCount,
  UsageItem,
  UsageKind,
  UsageReport,
} from "../usage/usage_report.ts";
import type { UnmatchedRequest } from "../../map/results.ts";
import { type CountedApi, reportSchema, reportTraffic } from "./build_report.ts";
import { normalizeIds } from "../../map/unmatched_requests.ts";

type Sides<Side> = Readonly<Record<UnseenPart["side"], Side>>;

/** @throws {TypeError} if the two sides measured different descriptions. */
export function buildUsageReport(
  { plan, hits: tests, exclusions }: Omit<CountedApi, "access">,
  productionApi: Omit<CountedApi, "access">,
  title: string | undefined,
  generatedAt: string = timeOfReport(),
): UsageReport {
  const { plan: productionPlan, hits: production } = productionApi;
  if (productionPlan.fingerprint !== plan.fingerprint) {
    throw new TypeError("The maps to compare are of different descriptions. Load both from one.");
  }
  const sides = { tests, production };
  const countsValues = areValuesCounted(plan, tests) &&
    areValuesCounted(productionPlan, production);
  const usage = new Usage(sides, exclusions, countsValues ? productionApi : undefined);
  for (const operation of plan.operations) {
    usage.add(
      operation,
      tests.operations[operation.index],
      production.operations[operation.index],
    );
  }
  const isMoved = productionPlan.basePath !== plan.basePath;
  const shadows = shadowEndpoints(
    groupItems(production.unmatched.list(), endpointKey(isMoved ? productionPlan : undefined)),
    groupItems(tests.unmatched.list(), endpointKey(isMoved ? plan : undefined)),
  );
  const listed = shadows.reduce((sum, { production }) => sum + production, 0);
  return {
    format_version: 1,
    kind: "usage",
    tool: { name: "covtool", version: VERSION },
    title: title ?? (plan.model.title || plan.documents.location),
    generated_at: generatedAt,
    schema: reportSchema(plan),
    tests: reportTraffic(tests),
    production: reportTraffic(production),
    tested_requests: {
      count: usage.testedRequests,
      percent: percentage(usage.testedRequests, production.matched),
    },
    summary: {
      operations: usage.count("operation"),
      parameters: usage.count("parameter"),
      values: usage.count("value"),
      ...(countsValues && { classes: usage.count("class") }),
      responses: usage.count("response"),
    },
    untested: usage.untested.sort((a, b) => b.production - a.production),
    unused: usage.unused.sort((a, b) => b.tests - a.tests),
    undocumented: [...shadows, ...usage.undocumented]
      .sort((a: UndocumentedUse, b: UndocumentedUse) => b.production - a.production),
    unlisted_requests: production.unmatched.total - listed,
    not_measured: usage.unseen(),
  };
}

type Tally = { -readonly [Name in keyof Omit<UsageCount, "percent">]: UsageCount[Name] };

type ItemName = Omit<UsageItem, "production" | "tests" | "share">;

const SIDES = ["tests", "production"] as const;
const UNSEEN_PARTS = [
  "path_parameters",
  "query",
  "request_headers",
  "request_body",
  "responses",
] as const;

const PART_OF: Readonly<Record<ParameterLocation, UnseenPart["part"]>> = {
  path: "path_parameters",
  query: "query",
  header: "request_headers",
  cookie: "request_headers",
  body: "request_body",
  form_data: "request_body",
};

class Usage {
  readonly untested: UsageItem[] = [];
  readonly unused: UsageItem[] = [];
  readonly undocumented: UndocumentedPart[] = [];
  testedRequests = 0;
  readonly #sides: Sides<Hits>;
  /** Sides with parts that their traffic can't show, such as `tests query`. */
  readonly #unseen = new Set<string>();
  readonly #tallies: Readonly<Record<UsageKind, Tally>> = {
    operation: newTally(),
    parameter: newTally(),
    value: newTally(),
    class: newTally(),
    response: newTally(),
  };

  readonly #exclusions: Exclusions | undefined;
  /** What production was counted with, if classes of values are counted: their counters belong to a plan. */
  readonly #production: Pick<CountedApi, "plan" | "exclusions"> | undefined;

  constructor(
    sides: Sides<Hits>,
    exclusions: Exclusions | undefined,
    production: Pick<CountedApi, "plan" | "exclusions"> | undefined,
  ) {
    this.#sides = sides;
    this.#exclusions = exclusions;
    this.#production = production;
  }

  unseen(): UnseenPart[] {
    return SIDES.flatMap((side) =>
      UNSEEN_PARTS.filter((part) => this.#unseen.has(`${side} ${part}`))
        .map((part) => ({ side, part }))
    );
  }

  count(kind: UsageKind): UsageCount {
    const tally = this.#tallies[kind];
    return { ...tally, percent: percentage(tally.used_and_tested, tally.used) };
  }

  add(
    operation: OperationPlan,
    tests: OperationHits | undefined,
    production: OperationHits | undefined,
  ): void {
    const excluded = this.#exclusions?.operation(operation);
    if (excluded?.operation !== undefined) return;
    const { model, parameters, index: number } = operation;
    const { method, path } = model;
    const calls = { production: production?.hits ?? 0, tests: tests?.hits ?? 0 };
    if (calls.tests > 0) this.testedRequests += calls.production;
    this.#compare({ kind: "operation", method, path }, calls.production, calls.tests, true);
    // If only one side calls an operation, the operation is listed, but not its parts.
    const isListed = calls.production > 0 && calls.tests > 0;
    for (const [index, plan] of parameters.entries()) {
      if (excluded?.parameters[index] !== undefined) continue;
      const { location, name } = plan.model;
      const other = this.#production?.plan.operations[number]?.parameters[index];
      const { innerExclusions } = partScope(plan, this.#exclusions, undefined);
      const values = countedValues({ plan, innerExclusions });
      if (!this.#isSeen(PART_OF[location], (hits) => hits.visible.shows(location, name))) {
        this.#tallies.parameter.not_measured++;
        this.#tallies.value.not_measured += values.length;
        if (other !== undefined) {
          const { total } = coveredValues(
            { hits: undefined },
            { plan, hits: undefined, innerExclusions },
          );
          this.#tallies.class.not_measured += total;
        }
        continue;
      }
      const [used, tested] = [production?.parameters[index], tests?.parameters[index]];
      const of = { method, path, location, parameter: name } as const;
      const [uses, trials] = [used?.hits ?? 0, tested?.hits ?? 0];
      this.#compare({ kind: "parameter", ...of }, uses, trials, isListed);
      const isSent = isListed && uses > 0 && trials > 0;
      for (const [at, value] of values.entries()) {
        const item = { kind: "value", ...of, value } as const;
        this.#compare(item, used?.values?.[at] ?? 0, tested?.values?.[at] ?? 0, isSent);
      }
      if (other === undefined) continue;
      const otherScope = partScope(other, this.#production?.exclusions, undefined);
      this.#compareClasses(of, values.length > 0, isSent, {
        production: coveredValues(
          { hits: production },
          { plan: other, hits: used, innerExclusions: otherScope.innerExclusions },
        ),
        tests: coveredValues({ hits: tests }, { plan, hits: tested, innerExclusions }),
      });
    }
    for (const [index, { status_code }] of model.responses.entries()) {
      if (excluded?.responses[index] !== undefined) continue;
      if (!this.#isSeen("responses", (hits) => hits.answered > 0)) {
        this.#tallies.response.not_measured++;
        continue;
      }
      const item = { kind: "response", method, path, status_code } as const;
      const [used, tested] = [production?.responses[index], tests?.responses[index]];
      this.#compare(item, used?.hits ?? 0, tested?.hits ?? 0, isListed);
    }
    if (production !== undefined) this.#addUndocumented({ method, path }, production, tests);
  }

  /** True if the traffic of both sides can show a part. A side without any traffic counts as one that can. */
  #isSeen(part: UnseenPart["part"], shows: (hits: Hits) => boolean): boolean {
    const blind = SIDES.filter((side) => {
      const hits = this.#sides[side];
      return hits.recorded > 0 && !shows(hits);
    });
    for (const side of blind) this.#unseen.add(`${side} ${part}`);
    return blind.length === 0;
  }

  #compare(item: ItemName, production: number, tests: number, isListed: boolean): void {
    const tally = this.#tallies[item.kind];
    tally.total++;
    if (production > 0) tally.used++;
    if (tests > 0) tally.tested++;
    if (production > 0 && tests > 0) tally.used_and_tested++;
    if (!isListed || production > 0 === tests > 0) return;
    const share = percentage(production, this.#sides.production.matched);
    (production > 0 ? this.untested : this.unused).push({ ...item, production, share, tests });
  }

  /** @param isNamed True if the values of the parameter are also compared one by one. */
  #compareClasses(
    of: Pick<ItemName, "method" | "path" | "location" | "parameter">,
    isNamed: boolean,
    isSent: boolean,
    sides: Sides<CoveredValues>,
  ): void {
    const classes = new Map<
      string,
      Omit<CoveredClass, "hits"> & Record<keyof typeof sides, number>
    >();
    for (const side of SIDES) {
      for (const { hits, ...one } of sides[side].list) {
        const { schema_path, instance_path, class: name, value } = one;
        const key = JSON.stringify([schema_path, instance_path, name, value]);
        getOrAdd(classes, key, () => ({ ...one, production: 0, tests: 0 }))[side] = hits;
      }
    }
    for (const { production, tests, ...one } of classes.values()) {
      const isTwice = isNamed && one.instance_path === "" && /^(?:enum|boolean)$/.test(one.class);
      this.#compare({ kind: "class", ...of, ...one }, production, tests, isSent && !isTwice);
    }
    // Adds the classes at places that neither side has reached.
    this.#tallies.class.total += sides.tests.total - classes.size;
  }

  #addUndocumented(
    of: { readonly method: string; readonly path: string },
    production: OperationHits,
    tests: OperationHits | undefined,
  ): void {
    for (const [status_code, { hits }] of sortByName(production.undocumentedResponses)) {
      this.undocumented.push({
        kind: "status",
        ...of,
        status_code,
        production: hits,
        tests: tests?.undocumentedResponses.get(status_code)?.hits ?? 0,
      });
    }
    const answers = tests?.undocumentedResponseBodies.list() ?? [];
    for (const { status, mediaType, hits } of production.undocumentedResponseBodies.list()) {
      const same = answers.find((one) => one.status === status && one.mediaType === mediaType);
      this.undocumented.push({
        kind: "media_type",
        ...of,
        status_code: status,
        media_type: mediaType,
        production: hits,
        tests: same?.hits ?? 0,
      });
    }
    const tested = tests?.undocumentedBodies.list() ?? [];
    for (const { mediaType, hits } of production.undocumentedBodies.list()) {
      this.undocumented.push({
        kind: "media_type",
        ...of,
        media_type: mediaType,
        production: hits,
        tests: tested.find((one) => one.mediaType === mediaType)?.hits ?? 0,
      });
    }
  }
}

function newTally(): Tally {
  return { total: 0, used: 0, tested: 0, used_and_tested: 0, not_measured: 0 };
}

/** The endpoints that production calls and the description lacks, on any host. Ids in paths are replaced by {}. */
function shadowEndpoints(
  folded: ReadonlyMap<string, readonly UnmatchedRequest[]>,
  tested: ReadonlyMap<string, readonly UnmatchedRequest[]>,
): ShadowEndpoint[] {
  return Array.from(folded, ([key, requests]) => {
    const [{ method, path, reason }] = requests as [UnmatchedRequest];
    return {
      kind: "endpoint",
      method,
      path: normalizeIds(path),
      reason,
      paths: new Set(requests.map(({ path }) => path)).size,
      production: sumCounts(requests),
      tests: sumCounts(tested.get(key) ?? []),
    };
  });
}

/** Returns a function that keys endpoints. If the base paths of the sides differ, it uses the path below them. */
function endpointKey(plan: CoveragePlan | undefined): (request: UnmatchedRequest) => string {
  const below = ({ host, path, reason }: UnmatchedRequest): string => {
    if (plan === undefined || reason !== "no_matching_path") return path;
    const depths = ["", `http://${host}`, `https://${host}`].map((origin) =>
      plan.routes.claim(origin + path)?.depth ?? 0
    );
    return `/${path.split("/").slice(1 + Math.max(...depths)).join("/")}`;
  };
  return (request) =>
    JSON.stringify([request.method, normalizeIds(below(request)), request.reason]);
}

function sumCounts(requests: readonly UnmatchedRequest[]): number {
  return requests.reduce((sum, { count }) => sum + count, 0);
}
