import { enterScope, referenced, type Scope } from "./scope.ts";
import type { Position, Satisfiability } from "../values/position.ts";
import { ANY_TYPE } from "../values/json_type.ts";
import type { Judge } from "./keywords/keyword.ts";
import { positionsBelow } from "./position.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";
import { listSubschemas, usableKeywords, type UsedKeyword } from "./usable_keywords.ts";
import { decideComponents } from "./components.ts";
import { appendTo } from "../values/collections.ts";

/** For each schema, an object that represents its strongly connected component. */
const components = new WeakMap<SchemaNode, object>();

/** True if a negated schema leads back to the one that negates it (`A: { not: { $ref: A } }`), in any dynamic scope. */
export function negatesItself(node: SchemaNode, negated: Subschema): boolean {
  if (typeof negated === "boolean") return false;
  decideComponents(negated, {
    next: reachedSchemas,
    isDecided: (node) => components.has(node),
    decide(members) {
      const component = {};
      for (const { vertex } of members) components.set(vertex, component);
    },
  });
  // The schema leads to the negated one; if that leads back, both are in the same component.
  return components.get(negated) === components.get(node);
}

function reachedSchemas(node: SchemaNode): readonly SchemaNode[] {
  const { references } = node.graph;
  const scopes = references.dynamic ? Array.from(references.resources(), (one) => [one]) : [];
  return [
    ...[[], ...scopes].flatMap((scope) => referenced(node, scope)),
    ...listSubschemas(node).map(({ schema }) => schema),
  ].filter((part) => typeof part === "object");
}

/** True if a keyword applies to anything that decoding yields at a position. */
export function reaches({ definition, value }: UsedKeyword, position: Position): boolean {
  if (position.json) return true;
  const types = definition.typesFor?.(value) ?? definition.types;
  return (types & position.types) !== 0;
}

/** Returns whether a keyword can pass and fail at a position (semantics, section 5). */
export function keywordSatisfiability(
  used: UsedKeyword,
  node: SchemaNode,
  position: Position,
  judge: Judge,
): Satisfiability {
  if (!reaches(used, position)) return "Positive";
  const { definition, value } = used;
  const own = definition.satisfiability?.(value, node, position, judge);
  if (own !== undefined || definition.failure !== "schemas") return own ?? "Normal";
  let canFail = false;
  definition.subschemas?.(value, node, (child, relation, where) => {
    canFail ||= positionsBelow(position, relation, where).some((below) =>
      judge.canFail(child, below)
    );
  });
  return canFail ? "Normal" : "Positive";
}

/** The maximum nesting depth of negations; deeper schemas are assumed to be able to pass and fail, like nearly all. */
const MAX_NEGATIONS = 200;

type Question = "fail" | "pass";

/** The answers assumed at first: a reference back to a schema neither lets it fail nor keeps it from passing. */
const ASSUMED: Readonly<Record<Question, boolean>> = { fail: false, pass: true };

/** The answer to one question, assumed or settled. */
interface Finding {
  readonly question: Question;
  readonly node: SchemaNode;
  readonly position: Position;
  readonly scope: Scope;
  answer: boolean;
  /** True while it waits to be evaluated, for the first time or again. */
  isOpen: boolean;
  readonly readers: Set<Finding>;
}

/** The questions that are answered together, because they depend on each other. */
interface Inquiry {
  readonly findings: Map<SchemaNode, Finding[]>;
  readonly open: Finding[];
  reader: Finding | undefined;
}

/** Determines whether schemas can fail or pass: assumes answers, and re-evaluates those that depend on a change. */
export class SchemaJudge implements Judge {
  /** The entered schema resources, outermost first; used if references are dynamic. */
  scope: Scope = [];
  /** The settled findings; those about failing in JSON are stored in the nodes. */
  readonly #settled = new Map<SchemaNode, Finding[]>();
  #inquiry: Inquiry | undefined;
  #negations = 0;

  canFail(schema: Subschema, position: Position): boolean {
    // Whether a schema can pass depends only on what is Negative, for which no answer to `canFail` matters.
    if (this.#inquiry?.reader?.question === "pass") return true;
    const node = behindReferences(schema);
    return typeof node === "boolean" ? !node : this.#ask("fail", node, position);
  }

  canPass(schema: Subschema, position: Position): boolean {
    const node = behindReferences(schema);
    return typeof node === "boolean" ? node : this.#ask("pass", node, position);
  }

  canEverPass(schema: Subschema, position: Position): boolean {
    const inquiry = this.#inquiry;
    if (inquiry?.reader?.question !== "fail") return this.canPass(schema, position);
    this.#inquiry = undefined;
    const answer = this.canPass(schema, position);
    this.#inquiry = inquiry;
    return answer;
  }

  negation(schema: Subschema, node: SchemaNode, position: Position): Satisfiability {
    if (negatesItself(node, schema)) return "Normal";
    // A negation inverts the answer, which therefore has to be final.
    const inquiry = this.#inquiry;
    this.#inquiry = undefined;
    this.#negations++;
    const canPass = this.canPass(schema, position);
    const canFail = canPass && this.canFail(schema, position);
    this.#negations--;
    this.#inquiry = inquiry;
    return !canPass ? "Positive" : canFail ? "Normal" : "Negative";
  }

  #ask(question: Question, node: SchemaNode, position: Position): boolean {
    const dynamic = node.graph.references.dynamic;
    const scope = dynamic ? enterScope(this.scope, node.resource) : this.scope;
    const isKept = question === "fail" && position.json && !dynamic;
    const known = isKept
      ? node.canFailInJson
      : findIn(this.#settled, question, node, position, scope)?.answer;
    if (known !== undefined) return known;
    const own = this.#ownAnswer(question, node, position);
    if (own !== undefined) {
      if (isKept) node.canFailInJson = own;
      return own;
    }
    if (this.#inquiry !== undefined) {
      return this.#read(this.#inquiry, question, node, position, scope);
    }
    return this.#negations > MAX_NEGATIONS || this.#inquire(question, node, position, scope);
  }

  /** Returns the answer if it depends on no other schema; for nearly all schemas, `type` gives it. */
  #ownAnswer(question: Question, node: SchemaNode, position: Position): boolean | undefined {
    let depends = referenced(node, this.scope).length > 0;
    for (const used of usableKeywords(node)) {
      if (used.definition.subschemas !== undefined) depends = true;
      else {
        const satisfiability = keywordSatisfiability(used, node, position, this);
        if (question === "fail") {
          if (satisfiability !== "Positive") return true;
        } else if (used.definition.types === ANY_TYPE && satisfiability === "Negative") {
          return false;
        }
      }
    }
    return depends ? undefined : ASSUMED[question];
  }

  /** Returns the current answer, and registers the reader, which is re-evaluated if the answer changes. */
  #read(
    inquiry: Inquiry,
    question: Question,
    node: SchemaNode,
    position: Position,
    scope: Scope,
  ): boolean {
    let finding = findIn(inquiry.findings, question, node, position, scope);
    if (finding === undefined) {
      const readers = new Set<Finding>();
      const answer = ASSUMED[question];
      finding = { question, node, position, scope, answer, isOpen: true, readers };
      addTo(inquiry.findings, finding);
      inquiry.open.push(finding);
    }
    if (inquiry.reader !== undefined) finding.readers.add(inquiry.reader);
    return finding.answer;
  }

  #inquire(question: Question, node: SchemaNode, position: Position, scope: Scope): boolean {
    const outer = this.scope;
    const inquiry: Inquiry = { findings: new Map(), open: [], reader: undefined };
    this.#inquiry = inquiry;
    this.#read(inquiry, question, node, position, scope);
    for (let next = inquiry.open.pop(); next !== undefined; next = inquiry.open.pop()) {
      next.isOpen = false;
      inquiry.reader = next;
      this.scope = next.scope;
      if (this.#look(next) === next.answer) continue;
      next.answer = !next.answer;
      for (const reader of next.readers) {
        if (reader.isOpen || reader.answer !== ASSUMED[reader.question]) continue;
        reader.isOpen = true;
        inquiry.open.push(reader);
      }
    }
    this.#inquiry = undefined;
    this.scope = outer;
    for (const findings of inquiry.findings.values()) {
      for (const finding of findings) this.#settle(finding);
    }
    return findIn(inquiry.findings, question, node, position, scope)!.answer; // `#read()` has added it.
  }

  #look({ question, node, position }: Finding): boolean {
    const parts = referenced(node, this.scope);
    if (question === "fail") {
      return parts.some((part) => this.canFail(part, position)) ||
        usableKeywords(node).some((used) =>
          keywordSatisfiability(used, node, position, this) !== "Positive"
        );
    }
    return parts.every((part) => this.canPass(part, position)) &&
      !usableKeywords(node).some((used) =>
        used.definition.types === ANY_TYPE &&
        keywordSatisfiability(used, node, position, this) === "Negative"
      );
  }

  #settle(finding: Finding): void {
    const { question, node, position, answer } = finding;
    finding.readers.clear();
    if (question === "fail" && position.json && !node.graph.references.dynamic) {
      node.canFailInJson = answer;
    } else addTo(this.#settled, finding);
  }
}

/** The most references that are followed in a row: a schema may be only a reference to itself. */
const MAX_HOPS = 20;

/** Follows a schema that consists only of a reference. */
function behindReferences(schema: Subschema): Subschema {
  let found = schema;
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    if (typeof found === "boolean" || !found.isReferenceOnly) return found;
    found = found.target ?? true;
  }
  return found;
}

function findIn(
  findings: ReadonlyMap<SchemaNode, readonly Finding[]>,
  question: Question,
  node: SchemaNode,
  position: Position,
  scope: Scope,
): Finding | undefined {
  return findings.get(node)?.find((finding) =>
    finding.question === question && finding.position === position &&
    finding.scope.length === scope.length &&
    finding.scope.every((resource, index) => resource === scope[index])
  );
}

function addTo(findings: Map<SchemaNode, Finding[]>, finding: Finding): void {
  appendTo(findings, finding.node, finding);
}
