import type { OperationModel } from "../openapi/model.ts";
import { ACCESS_FIELD } from "../openapi/read_operation.ts";
import { ANONYMOUS, type Identity } from "../redact/identities.ts";
import { type Diagnostic, diagnostic } from "../values/diagnostic.ts";
import { appendTo } from "../values/collections.ts";
import { nearestName } from "../values/nearest_name.ts";
import { type AccessCount, accessCounts } from "./access_hits.ts";
import type { CoveragePlan, OperationPlan } from "./coverage_plan.ts";
import type { Exclusions } from "./exclusions.ts";
import type { Hits } from "./hits.ts";
import type { AccessCell, AccessSummary, Finding } from "./results.ts";
import { parseScopePattern, type ScopePattern } from "./scope_pattern.ts";
import { percentage } from "./statistic.ts";

/** Identities that may call the operations that match a pattern. The last entry that matches an operation applies. */
export interface AccessEntry {
  /** `GET /admin/*`, `tag:internal`, `operation:getBook` or `deprecated`. */
  readonly pattern: string;
  /** The identities that have access; all others have none. `alice:own` gives access to her own objects only. */
  readonly allow: readonly string[];
  /** Status codes that count as refusals in addition to 401 and 403, such as 404. */
  readonly refusesWith?: readonly number[] | undefined;
  /** The place in the configuration, for messages: `covtool.yaml:12`. */
  readonly source?: string | undefined;
}

export interface AccessOptions {
  readonly identities?: readonly Identity[] | undefined;
  readonly access?: readonly AccessEntry[] | undefined;
}

type Permission = "all" | "own" | "none";

interface Expectation {
  readonly permissions: ReadonlyMap<string, Permission>;
  readonly refusesWith: ReadonlySet<number>;
  /** True if it follows from `security` alone. */
  readonly isDerived: boolean;
}

interface AccessRule extends AccessEntry {
  readonly matcher: ScopePattern;
}

const OWN = ":own";

/** Access rules, from the configuration, the description's `x-covtool-access`, or its `security`. */
export class AccessRules {
  readonly identities: readonly Identity[];
  readonly #rules: readonly AccessRule[];

  /** @throws {TypeError} if a pattern or a name is invalid; the message begins with the entry's source. */
  constructor({ identities = [], access = [] }: AccessOptions) {
    this.identities = identities;
    const names = this.names;
    this.#rules = access.map((entry) => {
      try {
        const matcher = parseScopePattern(entry.pattern);
        if (matcher.part !== "operation") {
          throw new TypeError(
            `The pattern "${entry.pattern}" is not about operations. Patterns of access are GET /books/*, /books/**, tag:NAME, operation:ID and deprecated.`,
          );
        }
        const unknown = nameProblem(entry.allow, names);
        if (unknown !== undefined) throw new TypeError(unknown);
        return { ...entry, matcher };
      } catch (error) {
        if (!(error instanceof TypeError) || entry.source === undefined) throw error;
        throw new TypeError(`${entry.source}: ${error.message}`, { cause: error });
      }
    });
  }

  get isUsed(): boolean {
    return this.identities.length > 0;
  }

  get names(): readonly string[] {
    return [ANONYMOUS, ...this.identities.map(({ name }) => name)];
  }

  /** Returns the access that each identity should have; identities without a rule are absent. */
  expectation(model: OperationModel): Expectation {
    const refusals = [401, 403];
    const nothing = { permissions: new Map(), refusesWith: new Set(refusals), isDerived: true };
    if (!this.isUsed) return nothing;
    const entry =
      this.#rules.findLast(({ matcher }) => matcher.test({ kind: "operation", model })) ??
        readAccessField(model.access);
    const refusesWith = new Set([...refusals, ...entry?.refusesWith ?? []]);
    if (entry === undefined) return { ...nothing, permissions: this.#securityPermissions(model) };
    const permissions = new Map<string, Permission>();
    for (const name of this.names) {
      permissions.set(
        name,
        entry.allow.includes(name) ? "all" : entry.allow.includes(name + OWN) ? "own" : "none",
      );
    }
    return { permissions, refusesWith, isDerived: false };
  }

  #securityPermissions({ scopes: alternatives }: OperationModel): Map<string, Permission> {
    const permissions = new Map<string, Permission>();
    if (alternatives === undefined) return permissions;
    permissions.set(ANONYMOUS, alternatives.length === 0 ? "all" : "none");
    // An alternative without scopes only requires some valid credentials, which an identity may have or not.
    const scoped = alternatives.filter((alternative) => alternative.length > 0);
    if (scoped.length === 0) return permissions;
    for (const { name, scopes, jwt } of this.identities) {
      const granted = scopes ?? (jwt?.["scope"] ?? jwt?.["scp"])?.split(/\s+/);
      if (granted === undefined) continue;
      const isEnough = scoped.some((alternative) =>
        alternative.every((scope) => granted.includes(scope))
      );
      if (isEnough) permissions.set(name, "all");
      else if (scoped.length === alternatives.length) permissions.set(name, "none");
    }
    return permissions;
  }

  /** True if the entry is one of these rules and matches one of the operations. */
  matchesAny({ pattern, source }: AccessEntry, operations: readonly OperationModel[]): boolean {
    return this.#rules.some((rule) =>
      rule.pattern === pattern && rule.source === source &&
      operations.some((model) => rule.matcher.test({ kind: "operation", model }))
    );
  }

  /**
   * Returns warnings about rules without effect: patterns that match no operation, unusable `x-covtool-access` fields.
   *
   * @param isUsedElsewhere True for an entry that matches an operation of another API in the same configuration.
   */
  diagnostics(
    { model: { operations } }: CoveragePlan,
    isUsedElsewhere: (entry: AccessEntry) => boolean,
  ): Diagnostic[] {
    if (!this.isUsed) return [];
    const stale = this.#rules.flatMap((rule) => {
      const { pattern, matcher, source } = rule;
      if (this.matchesAny(rule, operations) || isUsedElsewhere(rule)) return [];
      const names = operations.map(({ method, path }) =>
        /^\S+\s/.test(pattern) ? `${method} ${path}` : path
      );
      const nearest = matcher.kind === "path" ? nearestName(pattern, names) : undefined;
      const place = source === undefined ? "" : ` (${source})`;
      const hint = nearest === undefined ? "Change or remove it." : `Did you mean ${nearest}?`;
      return [diagnostic(
        "warning",
        "stale_access",
        "",
        `The access pattern "${pattern}"${place} matches no operation. ${hint}`,
      )];
    });
    const fields = operations.flatMap(({ access, pointer }) => {
      if (access === undefined) return [];
      const entry = readAccessField(access);
      const message = entry === undefined
        ? `\`${ACCESS_FIELD}\` is ignored. Write a list of identities, such as [admin, "alice:own"].`
        : nameProblem(entry.allow, this.names);
      const place = `${pointer}/${ACCESS_FIELD}`;
      return message === undefined ? [] : [diagnostic("warning", "access_field", place, message)];
    });
    return [...stale, ...fields];
  }
}

function nameProblem(allow: readonly string[], names: readonly string[]): string | undefined {
  const unknown = allow.map(withoutOwnSuffix).find((name) => !names.includes(name));
  if (unknown === undefined) return undefined;
  const nearest = nearestName(unknown, names);
  return `There is no identity "${unknown}". ${
    nearest === undefined
      ? `Add it to identities, or choose ${names.join(", ")}.`
      : `Did you mean ${nearest}?`
  }`;
}

function withoutOwnSuffix(name: string): string {
  return name.endsWith(OWN) ? name.slice(0, -OWN.length) : name;
}

/** Reads `x-covtool-access`: a list of identities, or an object with `allow` and `refusesWith`. */
function readAccessField(value: unknown): Pick<AccessEntry, "allow" | "refusesWith"> | undefined {
  if (isTextList(value)) return { allow: value };
  const { allow, refusesWith } = Object(value) as Readonly<Record<string, unknown>>;
  if (!isTextList(allow)) return undefined;
  const statuses = [refusesWith ?? []].flat();
  return statuses.every((status): status is number => typeof status === "number")
    ? { allow, refusesWith: statuses }
    : undefined;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

interface JudgedCell {
  readonly cell: AccessCell;
  /** Expectations that were tried, out of `total`: one, plus one if objects of other identities are off limits. */
  readonly tried: number;
  readonly total: number;
  readonly findings: readonly Finding[];
}

export class AccessMatrix {
  readonly identities: readonly string[];
  /** Identities without a request that shows them, if the traffic hides the senders of some requests or shows nobody. */
  readonly notMeasured: ReadonlySet<string>;
  readonly unknownSenders: number;
  readonly hiddenSenders: number;
  readonly #isMeasured: boolean;
  readonly #rows = new Map<number, readonly JudgedCell[]>();

  private constructor(
    plan: CoveragePlan,
    { access: { unknownSenders, hiddenSenders } }: Hits,
    counts: readonly AccessCount[],
    rules: AccessRules,
    exclusions: Exclusions | undefined,
  ) {
    const seen = new Set(counts.map(({ identity }) => identity));
    const configured = rules.isUsed ? rules.names : [ANONYMOUS];
    this.identities = [
      ...configured,
      ...[...seen].filter((name) => !configured.includes(name)).sort(),
    ];
    this.unknownSenders = unknownSenders;
    this.hiddenSenders = hiddenSenders;
    this.#isMeasured = seen.size > 0;
    const showsNobody = !this.#isMeasured && unknownSenders === 0;
    this.notMeasured = new Set(
      this.identities.filter((name) => !seen.has(name) && (hiddenSenders > 0 || showsNobody)),
    );
    const byCell = new Map<string, AccessCount[]>();
    for (const count of counts) appendTo(byCell, `${count.operation} ${count.identity}`, count);
    for (const operation of plan.operations) {
      if (exclusions?.operation(operation).operation !== undefined) continue;
      const expectation = rules.expectation(operation.model);
      const cells = this.identities.flatMap((identity) => {
        const cellCounts = byCell.get(`${operation.index} ${identity}`) ?? [];
        if (cellCounts.length === 0 && !expectation.permissions.has(identity)) return [];
        return [judgeCell(operation, identity, cellCounts, expectation)];
      });
      if (cells.length > 0) this.#rows.set(operation.index, cells);
    }
  }

  /** Returns undefined if no identity is configured and none was seen. */
  static of(
    plan: CoveragePlan,
    hits: Hits,
    rules: AccessRules,
    exclusions?: Exclusions,
  ): AccessMatrix | undefined {
    const { access, credentials } = hits;
    const counts = accessCounts(access, credentials.list().map(([, { objects }]) => objects));
    return rules.isUsed || counts.length > 0 || access.isUsed
      ? new AccessMatrix(plan, hits, counts, rules, exclusions)
      : undefined;
  }

  /** Returns the row of an operation; empty if no rule applies to it and nobody called it. */
  cells(operation: number): readonly AccessCell[] {
    return this.#rows.get(operation)?.map(({ cell }) => cell) ?? [];
  }

  findings(operation: number): readonly Finding[] {
    return this.#rows.get(operation)?.flatMap(({ findings }) => findings) ?? [];
  }

  summary(operation?: number): AccessSummary {
    let [tried, total, notMeasured] = [0, 0, 0];
    for (const [index, cells] of this.#rows) {
      if (operation !== undefined && operation !== index) continue;
      for (const judged of cells) {
        if (this.notMeasured.has(judged.cell.identity)) notMeasured += judged.total;
        else [tried, total] = [tried + judged.tried, total + judged.total];
      }
    }
    return {
      tried,
      total,
      ...(notMeasured > 0 && { not_measured: notMeasured }),
      percent: percentage(tried, total),
      measured: this.#isMeasured,
    };
  }
}

interface Sum {
  count: number;
  firstAt: number;
}

function judgeCell(
  { model: { method, path } }: OperationPlan,
  identity: string,
  counts: readonly AccessCount[],
  { permissions, refusesWith, isDerived }: Expectation,
): JudgedCell {
  const permission = permissions.get(identity);
  const sums = new Map<string, Sum>();
  const owners = new Set<string>();
  for (const { status, owner, count, firstAt } of counts) {
    const outcome = refusesWith.has(status)
      ? "refused"
      : status >= 200 && status < 400
      ? "allowed"
      : "other";
    // An identity that may see everything often creates objects for others.
    const isShared = permission === "own" && permissions.get(owner) === "all";
    const ownership = owner === "" || isShared ? "" : owner === identity ? "own " : "foreign ";
    if (ownership === "foreign " && outcome === "allowed") owners.add(owner);
    for (const key of new Set([outcome, ownership + outcome])) {
      const sum = sums.get(key) ?? { count: 0, firstAt: Infinity };
      sum.count += count;
      sum.firstAt = Math.min(sum.firstAt, firstAt);
      sums.set(key, sum);
    }
  }
  const countFor = (key: string): number => sums.get(key)?.count ?? 0;
  const isOwnOnly = permission === "own" && path.includes("{");
  const isTried = isOwnOnly
    ? countFor("allowed") - countFor("foreign allowed") + countFor("own refused") > 0
    : countFor("allowed") + countFor("refused") > 0;
  const cell: AccessCell = {
    identity,
    expected: permission === undefined ? null : permission === "none" ? "refused" : "allowed",
    ...(isOwnOnly && { expected_foreign: "refused" as const }),
    ...(permission !== undefined && !isTried && { tried: false as const }),
    allowed: countFor("allowed"),
    refused: countFor("refused"),
    other: countFor("other"),
    foreign_allowed: countFor("foreign allowed"),
    foreign_refused: countFor("foreign refused"),
  };
  const findings: Finding[] = [];
  const addFinding = (
    kind: "allowed_unexpectedly" | "refused_unexpectedly",
    key: string,
    isForeign: boolean,
  ): void => {
    const sum = sums.get(key);
    if (sum === undefined) return;
    const [owner] = [...owners].sort();
    const effect = /^(?:GET|HEAD|OPTIONS|QUERY)$/i.test(method) ? "read" : "changed";
    findings.push({
      kind,
      method,
      path,
      identity,
      ...(isForeign && owner !== undefined && { foreign_object: effect, owner }),
      count: sum.count,
      first_at: sum.firstAt === Infinity ? null : sum.firstAt,
      example: null,
    } as Finding);
  };
  // Success without credentials is reported as a finding of its own.
  if (permission === "none" && !(isDerived && identity === ANONYMOUS)) {
    // The owner is worth naming only if all requests that succeeded were for objects of others.
    addFinding("allowed_unexpectedly", "allowed", cell.foreign_allowed === cell.allowed);
  } else if (isOwnOnly) {
    addFinding("allowed_unexpectedly", "foreign allowed", true);
    addFinding("refused_unexpectedly", "own refused", false);
  } else if (permission !== undefined && permission !== "none") {
    addFinding("refused_unexpectedly", "refused", false);
  }
  const isForeignTried = isOwnOnly && cell.foreign_allowed + cell.foreign_refused > 0;
  return {
    cell,
    findings,
    tried: permission === undefined ? 0 : Number(isTried) + Number(isForeignTried),
    total: permission === undefined ? 0 : isOwnOnly ? 2 : 1,
  };
}
