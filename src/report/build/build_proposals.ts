import { getOrAdd } from "../../values/collections.ts";
import { type CoveredOperation, coveredOperations } from "../../map/coverage.ts";
import { type CoveragePlan, documentedResponse } from "../../map/coverage_plan.ts";
import { addFindings } from "../../map/findings.ts";
import type { Finding } from "../../map/results.ts";
import { escapeToken, findMember, pointerTokens } from "../../values/json_pointer.ts";
import type { CountedApi } from "./build_report.ts";

type Place = NonNullable<ReturnType<CoveragePlan["placeAt"]>>;

const MARK = "x-covtool-proposal";

const ANY_TYPE = "*/*";

interface Tree {
  [key: string]: unknown;
}

/** Writes an overlay that documents what traffic showed and the description lacks. It resolves these findings. */
export function* proposalLines({ plan, hits, exclusions }: CountedApi): Generator<string> {
  const proposals = new Proposals(plan);
  for (const operation of coveredOperations(plan, hits, exclusions)) proposals.add(operation);
  yield* yamlLines(proposals.overlay(), "");
}

class Proposals {
  readonly #plan: CoveragePlan;
  /** Objects of the description and their updates, by JSON pointer. */
  readonly #updates = new Map<string, { readonly value: unknown; readonly update: Tree }>();
  #left = 0;

  constructor(plan: CoveragePlan) {
    this.#plan = plan;
  }

  add(operation: CoveredOperation): void {
    const found: Finding[] = [];
    addFindings(operation, found);
    this.#addParameters(operation);
    for (const one of found) {
      if (one.kind === "undocumented_status") {
        this.#addStatus(operation, one.status_code, one.count);
      } else if (one.kind === "undocumented_media_type" || one.kind === "undocumented_body") {
        if (one.status_code === undefined) this.#addRequestBody(operation, one);
        else this.#addResponseBody(operation, one.status_code, one);
      }
    }
  }

  overlay(): object {
    const { title, location } = { ...this.#plan.model, ...this.#plan.documents };
    const left = this.#left === 0
      ? ""
      : ` ${this.#left} more cannot be proposed here: they belong into other files.`;
    const actions = [...this.#updates].flatMap(([pointer, { value, update }]) => [
      ...nullsBelow(value, update, pointer).map((empty) => ({
        target: jsonPathTo(empty),
        remove: true,
      })),
      { target: jsonPathTo(pointer), update },
    ]);
    return {
      overlay: "1.0.0",
      info: {
        title: `Proposals for ${title || location}`,
        version: "1.0.0",
        description:
          `What recorded traffic showed and the description lacks. Parts with ${MARK} are proposals: keep what is meant, describe it, and mend the API where it is not.${left}`,
      },
      // The OpenAPI Overlay specification requires at least one action.
      actions: actions.length === 0 ? [{ target: "$.info", update: {} }] : actions,
    };
  }

  /** Returns the update to fill for an object of the description. Undefined if the object is in another file. */
  #update({ document, pointer, value }: Place): Tree | undefined {
    if (document.label !== "") {
      this.#left++;
      return undefined;
    }
    return getOrAdd(this.#updates, pointer, () => ({ value, update: {} })).update;
  }

  #addParameters(operation: CoveredOperation): void {
    const names = operation.excluded === undefined
      ? operation.hits?.undocumentedParameters.list() ?? []
      : [];
    const place = names.length === 0 ? undefined : this.#locate(operation);
    const update = place && this.#update(place);
    if (update === undefined) return;
    const text = this.#plan.model.version === "2.0" ? { type: "string" } : { schema: {} };
    // Several paths may refer to the same path item, and so to the same operations.
    const others = (update["parameters"] as Tree[] | undefined) ?? [];
    const added = names.filter(({ name }) => !others.some((one) => one["name"] === name));
    update["parameters"] = [
      ...others,
      ...added.map(({ name, count }) => ({ name, in: "query", ...text, [MARK]: { count } })),
    ];
  }

  #addStatus(operation: CoveredOperation, status_code: string, count: number): void {
    const place = this.#locate(operation);
    const update = place && this.#update(place);
    if (update === undefined) return;
    const bodies = operation.hits?.undocumentedResponseBodies.list()
      .filter(({ status }) => status === status_code) ?? [];
    const response = {
      description: `Undocumented: came ${count === 1 ? "once" : `${count} times`}.`,
      [MARK]: { count },
    };
    const written = treeIn(treeIn(update, "responses"), status_code, response);
    this.#addContent(
      operation,
      written,
      bodies.map(({ mediaType, hits }) => ({ media_type: mediaType, count: hits })),
    );
  }

  #addResponseBody(operation: CoveredOperation, status: string, body: Body): void {
    const { responses } = operation.plan.model;
    const response = responses[documentedResponse(responses, Number(status))];
    const own = this.#locate(operation);
    if (response === undefined || own === undefined) return;
    const { place, status_code } = response;
    const update = this.#update(place ?? own);
    if (update === undefined) return;
    // Without a place, the status has no response object in the description, so a new one is written.
    const written = place === undefined
      ? treeIn(treeIn(update, "responses"), status_code, { description: "" })
      : update;
    this.#addContent(operation, written, [body]);
  }

  /** Adds media types to the content of a response; in Swagger 2.0, to `produces` of the operation. */
  #addContent(
    operation: CoveredOperation,
    response: Tree,
    bodies: readonly Body[],
  ): void {
    if (bodies.length === 0) return;
    if (this.#plan.model.version !== "2.0") {
      const content = treeIn(response, "content");
      for (const { media_type, count } of namedBodies(bodies)) {
        content[media_type] = { [MARK]: { count: count + countIn(content[media_type]) } };
      }
      return;
    }
    response["schema"] ??= {};
    this.#addToList(operation, "produces", bodies);
  }

  #addRequestBody(operation: CoveredOperation, body: Body): void {
    const place = this.#locate(operation);
    if (place === undefined) return;
    if (this.#plan.model.version !== "2.0") {
      const documented = this.#resolve(place, "requestBody");
      const own = this.#update(documented ?? place);
      if (own === undefined) return;
      const update = documented === undefined ? treeIn(own, "requestBody") : own;
      const content = treeIn(update, "content");
      for (const { media_type, count } of namedBodies([body])) {
        content[media_type] = { [MARK]: { count } };
      }
      return;
    }
    const parameters = operation.plan.parameters.map(({ model }) => model);
    // Swagger 2.0 doesn't allow a form and a body in one operation.
    if (parameters.some((parameter) => parameter.in === "formData")) return;
    if (!parameters.some((parameter) => parameter.in === "body")) {
      const update = this.#update(place);
      if (update === undefined) return;
      const parameter = { name: "body", in: "body", schema: {}, [MARK]: {} };
      const others = (update["parameters"] as Tree[] | undefined) ?? [];
      update["parameters"] = [...others.filter((one) => one["in"] !== "body"), parameter];
    }
    this.#addToList(operation, "consumes", [body]);
  }

  /** Adds media types to `produces` or `consumes` of a Swagger 2.0 operation. An overlay replaces the whole list. */
  #addToList(
    operation: CoveredOperation,
    name: "produces" | "consumes",
    bodies: readonly Body[],
  ): void {
    const place = this.#locate(operation);
    if (place === undefined) return;
    const own = findMember(place.value, name) ?? undefined;
    const listed = own ?? findMember(place.document.value, name);
    // Without a list, all types are allowed. A new list would exclude the others.
    if (!Array.isArray(listed) || listed.length === 0) return;
    const known: readonly string[] = own === undefined ? listed : [];
    const named = bodies.map(({ media_type }) => media_type).filter((type) => type !== "");
    const update = named.length === 0 ? undefined : this.#update(place);
    if (update === undefined) return;
    update[name] = [...new Set([...(update[name] as string[] | undefined) ?? known, ...named])];
    update[MARK] = {};
  }

  #locate({ plan }: CoveredOperation): Place | undefined {
    return this.#plan.placeAt(plan.model.pointer);
  }

  #resolve(place: Place, name: string): Place | undefined {
    const value = (place.value as Tree)[name];
    const at = { value, document: place.document, pointer: `${place.pointer}/${name}` };
    const reference = (value as Tree | undefined)?.["$ref"];
    if (typeof reference !== "string") {
      return value === undefined || value === null ? undefined : at;
    }
    return this.#plan.references.resolve(at, reference) ?? at;
  }
}

type Body = Pick<Finding & { kind: "undocumented_body" }, "media_type" | "count">;

/** Returns the bodies whose types have a name. If none has one, any type is allowed. */
function namedBodies(bodies: readonly Body[]): readonly Body[] {
  const named = bodies.filter(({ media_type }) => media_type !== "");
  return named.length > 0 ? named : bodies.map((body) => ({ ...body, media_type: ANY_TYPE }));
}

function countIn(media: unknown): number {
  return ((media as Tree | undefined)?.[MARK] as { count: number } | undefined)?.count ?? 0;
}

/** Finds pointers to null values in place of objects and lists, which an overlay can't merge into. */
function nullsBelow(value: unknown, update: Tree, pointer: string): string[] {
  return Object.entries(update).flatMap(([key, member]) => {
    const [below, existing] = [`${pointer}/${escapeToken(key)}`, findMember(value, key)];
    if (typeof member !== "object" || member === null) return [];
    if (existing === null) return [below];
    return Array.isArray(member) ? [] : nullsBelow(existing, member as Tree, below);
  });
}

function treeIn(tree: Tree, key: string, made: Tree = {}): Tree {
  return (tree[key] ??= made) as Tree;
}

/** Converts a JSON pointer to JSONPath (RFC 9535). */
function jsonPathTo(pointer: string): string {
  return pointerTokens(pointer).reduce((path, token) => {
    if (/^[A-Za-z_]\w*$/.test(token)) return `${path}.${token}`;
    // Within single quotes, double quotes need no escaping.
    const quoted = JSON.stringify(token).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
    return `${path}['${quoted}']`;
  }, "$");
}

/** Writes an object as lines of YAML. Strings that YAML might read differently are quoted as in JSON. */
function* yamlLines(value: object, indent: string): Generator<string> {
  const isList = Array.isArray(value);
  for (const [key, member] of Object.entries(value)) {
    const name = isList ? "-" : `${scalar(key)}:`;
    if (typeof member !== "object" || member === null || Object.keys(member).length === 0) {
      yield `${indent}${name} ${scalar(member)}\n`;
    } else if (isList) {
      const [first = "", ...rest] = yamlLines(member, `${indent}  `);
      yield `${indent}- ${first.trimStart()}`;
      yield* rest;
    } else {
      yield `${indent}${name}\n`;
      yield* yamlLines(member, `${indent}  `);
    }
  }
}

function scalar(value: unknown): string {
  const isPlain = typeof value === "string" && /^[A-Za-z][\w./+ -]*\w$/.test(value) &&
    !/^(?:true|false|null|yes|no|on|off)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}
