import { enterScope, referenced, type Scope } from "./scope.ts";
import type { Position, Satisfiability } from "../values/position.ts";
import { ANY_TYPE } from "../values/json_type.ts";
import type { Judge } from "./keywords/keyword.ts";
import { positionsBelow } from "./part_positions.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";
import { listSubschemas, type UsableKeyword, usableKeywords } from "./usable_keywords.ts";
import { decideComponents } from "./strong_components.ts";
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

export function appliesAt({ definition, value }: UsableKeyword, position: Position): boolean {
  if (position.json) return true;
  const types = definition.typesFor?.(value) ?? definition.types;
  return (types & position.types) !== 0;
}

/** Returns whether a keyword can pass and fail at a position (semantics, section 5). */
export function keywordSatisfiability(
  used: UsableKeyword,
  node: SchemaNode,
  position: Position,
  judge: Judge,
): Satisfiability {
  if (!appliesAt(used, position)) return "Positive";
  const { definition, value } = used;
  const specific = definition.satisfiability?.(value, node, position, judge);
  if (specific !== undefined || definition.failure !== "schemas") return specific ?? "Normal";
  let canFail = false;
  definition.subschemas?.(value, node, (child, relation, part) => {
    canFail ||= positionsBelow(position, relation, part).some((below) =>
      judge.canFail(child, below)
    );
  });
  return canFail ? "Normal" : "Positive";
}

/** The maximum nesting depth of negations; deeper schemas are assumed to be able to pass and fail, like nearly all. */
const MAX_NEGATIONS = 200;

type Question = "fail" | "pass";

/** The answers assumed at first: a reference back to a schema neither lets it fail nor keeps it from passing. */
const ASSUMED_ANSWERS: Readonly<Record<Question, boolean>> = { fail: false, pass: true };

interface Answer {
  readonly question: Question;
  readonly node: SchemaNode;
  readonly position: Position;
  readonly scope: Scope;
  value: boolean;
  /** True while it waits to be evaluated, for the first time or again. */
  isOpen: boolean;
  readonly readers: Set<Answer>;
}

/** The questions that are answered together, because they depend on each other. */
interface Inquiry {
  readonly answers: Map<SchemaNode, Answer[]>;
  readonly open: Answer[];
  reader: Answer | undefined;
}

/** Determines whether schemas can fail or pass: assumes answers, and re-evaluates those that depend on a change. */
export class SchemaJudge implements Judge {
  /** The entered schema resources, outermost first; used if references are dynamic. */
  scope: Scope = [];
  /** The settled findings; those about failing in JSON are stored in the nodes. */
  readonly #finalAnswers = new Map<SchemaNode, Answer[]>();
  #inquiry: Inquiry | undefined;
  #negations = 0;

  canFail(schema: Subschema, position: Position): boolean {
    // Whether a schema can pass depends only on what is Negative, for which no answer to `canFail` matters.
    if (this.#inquiry?.reader?.question === "pass") return true;
    const node = followReferences(schema);
    return typeof node === "boolean" ? !node : this.#ask("fail", node, position);
  }

  canPass(schema: Subschema, position: Position): boolean {
    const node = followReferences(schema);
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
    const isCachedInNode = question === "fail" && position.json && !dynamic;
    const known = isCachedInNode
      ? node.canFailInJson
      : findAnswer(this.#finalAnswers, question, node, position, scope)?.value;
    if (known !== undefined) return known;
    const direct = this.#directAnswer(question, node, position);
    if (direct !== undefined) {
      if (isCachedInNode) node.canFailInJson = direct;
      return direct;
    }
    if (this.#inquiry !== undefined) {
      return this.#read(this.#inquiry, question, node, position, scope);
    }
    return this.#negations > MAX_NEGATIONS || this.#inquire(question, node, position, scope);
  }

  /** Returns the answer if it depends on no other schema; for nearly all schemas, `type` gives it. */
  #directAnswer(question: Question, node: SchemaNode, position: Position): boolean | undefined {
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
    return depends ? undefined : ASSUMED_ANSWERS[question];
  }

  /** Returns the current answer, and registers the reader, which is re-evaluated if the answer changes. */
  #read(
    inquiry: Inquiry,
    question: Question,
    node: SchemaNode,
    position: Position,
    scope: Scope,
  ): boolean {
    let answer = findAnswer(inquiry.answers, question, node, position, scope);
    if (answer === undefined) {
      const readers = new Set<Answer>();
      const value = ASSUMED_ANSWERS[question];
      answer = { question, node, position, scope, value, isOpen: true, readers };
      appendTo(inquiry.answers, node, answer);
      inquiry.open.push(answer);
    }
    if (inquiry.reader !== undefined) answer.readers.add(inquiry.reader);
    return answer.value;
  }

  #inquire(question: Question, node: SchemaNode, position: Position, scope: Scope): boolean {
    const outer = this.scope;
    const inquiry: Inquiry = { answers: new Map(), open: [], reader: undefined };
    this.#inquiry = inquiry;
    this.#read(inquiry, question, node, position, scope);
    for (let next = inquiry.open.pop(); next !== undefined; next = inquiry.open.pop()) {
      next.isOpen = false;
      inquiry.reader = next;
      this.scope = next.scope;
      if (this.#evaluate(next) === next.value) continue;
      next.value = !next.value;
      for (const reader of next.readers) {
        if (reader.isOpen || reader.value !== ASSUMED_ANSWERS[reader.question]) continue;
        reader.isOpen = true;
        inquiry.open.push(reader);
      }
    }
    this.#inquiry = undefined;
    this.scope = outer;
    for (const answers of inquiry.answers.values()) {
      for (const answer of answers) this.#storeFinal(answer);
    }
    return findAnswer(inquiry.answers, question, node, position, scope)!.value; // `#read()` has added it.
  }

  #evaluate({ question, node, position }: Answer): boolean {
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

  #storeFinal(answer: Answer): void {
    const { question, node, position, value } = answer;
    answer.readers.clear();
    if (question === "fail" && position.json && !node.graph.references.dynamic) {
      node.canFailInJson = value;
    } else appendTo(this.#finalAnswers, node, answer);
  }
}

/** The most references that are followed in a row: a schema may be only a reference to itself. */
const MAX_HOPS = 20;

function followReferences(schema: Subschema): Subschema {
  let target = schema;
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    if (typeof target === "boolean" || !target.isReferenceOnly) return target;
    target = target.target ?? true;
  }
  return target;
}

function findAnswer(
  answers: ReadonlyMap<SchemaNode, readonly Answer[]>,
  question: Question,
  node: SchemaNode,
  position: Position,
  scope: Scope,
): Answer | undefined {
  return answers.get(node)?.find((answer) =>
    answer.question === question && answer.position === position &&
    answer.scope.length === scope.length &&
    answer.scope.every((resource, index) => resource === scope[index])
  );
}
