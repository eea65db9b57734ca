import type { CoveredOperation } from "../map/coverage.ts";
import type { ParameterPlan } from "../map/parameter_plan.ts";
import type { Json } from "../values/json.ts";
import {
  demandsOn,
  type ParameterMaker,
  sentPositions,
  type SuggestedParameter,
  unsendableValues,
} from "./parameter_maker.ts";
import type { Goal, OperationGoals } from "./goals.ts";
import { match, MINIMAL, type Wish } from "./values/facts.ts";
import { OpenClasses } from "./values/open_classes.ts";

type Parameters = ReadonlyMap<number, SuggestedParameter>;

interface SearchTarget {
  /** The parameters that every request of the operation carries. */
  readonly base: Parameters;
  isCovered(goal: Goal): boolean;
  countOpen(): number;
  /** Tries a request; returns true if it is valid. */
  send(parameters: Parameters): boolean;
}

/** The number of requests in a row that may add nothing before the rest is tried class by class. */
const MAX_IDLE_REQUESTS = 3;
/** The number of classes in a row without a value before the rest of a parameter is given up. */
const MAX_IDLE_CLASSES = 40;
/** The most steps for a value that shows one class alone. */
const MAX_STEPS_PER_CLASS = 500;
/** The most items in a body of sequential JSON. */
const MAX_ITEMS = 10;

/** Makes requests that each show as many open classes of values as they have places for. */
export class ValueSearch {
  readonly #operation: CoveredOperation;
  readonly #goals: OperationGoals;
  readonly #values: ParameterMaker;
  readonly #target: SearchTarget;
  readonly #openClasses = new Map<number, OpenClasses>();

  constructor(
    operation: CoveredOperation,
    goals: OperationGoals,
    values: ParameterMaker,
    target: SearchTarget,
  ) {
    this.#operation = operation;
    this.#goals = goals;
    this.#values = values;
    this.#target = target;
    for (const [index, goalsByNode] of goals.values) {
      this.#openClasses.set(index, new OpenClasses(goalsByNode, target.isCovered));
    }
  }

  /** @param steps The most steps for the values of one request. */
  run(steps: number): void {
    const { maker } = this.#values;
    for (let idle = 0; idle < MAX_IDLE_REQUESTS;) {
      const before = this.#target.countOpen();
      if (before === 0) return;
      maker.allowSteps(steps);
      this.#sendNext();
      idle = this.#target.countOpen() < before ? 0 : idle + 1;
    }
    for (const [index, open] of this.#openClasses) {
      const { schema = true, itemSchema = true } = this.#plan(index);
      let idle = 0;
      for (const goal of open.listAll()) {
        if (this.#target.isCovered(goal)) continue;
        maker.allowSteps(MAX_STEPS_PER_CLASS);
        open.beginFor(goal, [schema, itemSchema]);
        const carried = this.#make(index, open);
        if (carried !== undefined) this.#sendWith(index, carried);
        idle = this.#target.isCovered(goal) ? 0 : idle + 1;
        if (idle >= MAX_IDLE_CLASSES) break;
      }
    }
  }

  #plan(index: number): ParameterPlan {
    return this.#operation.parameters[index]!.plan; // indexes are taken from there
  }

  #isBody(index: number): boolean {
    return this.#plan(index).model.location === "body";
  }

  /** Tries a request with all parameters that can show open classes, and without those whose absence shows one. */
  #sendNext(): void {
    const parameters = new Map(this.#target.base);
    let hasBody = false;
    const shown: OpenClasses[] = [];
    const carry = (index: number): boolean => {
      const open = this.#openClasses.get(index);
      if (open === undefined || (hasBody && this.#isBody(index))) return false;
      open.begin();
      const carried = this.#make(index, open);
      if (open.mark() === 0) return false;
      shown.push(open);
      if (carried === undefined) return false;
      hasBody ||= this.#isBody(index);
      this.#setParameter(parameters, index, carried);
      return true;
    };
    // A recorded or documented id is kept while other parameters have classes to show: a 404 tells nothing.
    const isKnown = (index: number): boolean =>
      this.#plan(index).model.location === "path" &&
      this.#target.base.get(index)?.origin !== "schema";
    const indexes = [...this.#operation.parameters.keys()];
    for (const index of indexes.filter((one) => !isKnown(one))) {
      const absenceGoal = this.#goals.leftOut.get(index);
      if (!carry(index) && absenceGoal !== undefined) parameters.delete(index);
    }
    if (shown.length === 0) indexes.filter(isKnown).forEach(carry);
    if (!this.#target.send(parameters)) {
      // If one parameter is invalid, the others may be valid, so each is sent alone.
      for (const [index, carried] of parameters) {
        if (this.#openClasses.has(index)) this.#sendWith(index, carried);
      }
    }
    for (const open of shown) open.end();
  }

  #sendWith(index: number, carried: SuggestedParameter): void {
    this.#target.send(this.#setParameter(new Map(this.#target.base), index, carried));
  }

  /** Sets a parameter; a body replaces any other body. */
  #setParameter(
    parameters: Map<number, SuggestedParameter>,
    index: number,
    carried: SuggestedParameter,
  ): Parameters {
    if (this.#isBody(index)) {
      for (const other of parameters.keys()) if (this.#isBody(other)) parameters.delete(other);
    }
    return parameters.set(index, carried);
  }

  #make(index: number, classes: OpenClasses): SuggestedParameter | undefined {
    const plan = this.#plan(index);
    const { maker } = this.#values;
    const wish: Wish = { ...MINIMAL, isFull: true, excluded: unsendableValues(plan), classes };
    const demands = demandsOn(plan);
    if (classes.canShow(demands)) {
      for (const position of sentPositions(plan)) {
        const carried = this.#values.writeMade(plan, maker.make(demands, position, wish));
        if (carried !== undefined) return carried;
        classes.rollBack(0);
      }
    }
    return this.#makeItems(plan, wish, classes);
  }

  /** Makes a body of sequential JSON, with as many items as can show open classes. */
  #makeItems(
    plan: ParameterPlan,
    wish: Wish,
    classes: OpenClasses,
  ): SuggestedParameter | undefined {
    const { itemSchema, itemPositions } = plan;
    const items: Json[] = [];
    if (itemSchema === undefined) return undefined;
    const demands = [match(itemSchema)];
    for (const position of itemPositions) {
      while (items.length < MAX_ITEMS && classes.canShow(demands)) {
        const made = this.#values.maker.make(demands, position, { ...wish, excluded: [] });
        if (made === undefined) break;
        items.push(made.value);
      }
    }
    const written = items.length === 0 ? undefined : this.#values.write(plan, items);
    return written && { written, origin: "schema" };
  }
}
