import type { ParameterPlan } from "../../map/parameter_plan.ts";
import { essenceOf } from "../../http/media_type.ts";
import type { Json } from "../../values/json.ts";
import type { ExampleGoal, Goal, KeywordGoal } from "../goals.ts";
import { unsendable } from "../parameter_values.ts";
import type { UnreachableGap } from "../suggestion.ts";
import type { ValueMaker } from "../values/value_maker.ts";
import { SchemaContexts } from "./schema_contexts.ts";
import { type ImpossibleQuestion, whyNoExample, whyNoKeyword } from "./why_impossible.ts";

/** The search that left goals open. */
export interface FinishedSearch {
  /** The parameters of the operation. */
  readonly parameters: readonly ParameterPlan[];
  readonly maker: ValueMaker;
  /** What was seen in vain for a goal, by its index. */
  readonly reasons: ReadonlyMap<number, string>;
  /** True if a request can carry a value of a parameter. */
  canWrite(plan: ParameterPlan, value: Json): boolean;
}

/** What the search says of goals that it never came to. */
const NOT_FOUND = "No request was found that has a value there.";
const NO_MEDIA_TYPE = "No request can name that media type.";

/** Says of goals that no request was found for whether there can be one, and why not. */
export function explainOpen(goals: readonly Goal[], search: FinishedSearch): UnreachableGap[] {
  const questions = new Map<number, ImpossibleQuestion>();
  return goals.map((goal): UnreachableGap => {
    const { gap, index, parameter } = goal;
    const plan = search.parameters[parameter];
    let why: string | undefined;
    if (plan !== undefined) {
      let question = questions.get(parameter);
      if (question === undefined) questions.set(parameter, question = questionOf(plan, search));
      why = isNameless(plan, search) ? NO_MEDIA_TYPE : whyImpossible(goal, plan, question);
    }
    const reason = why ?? search.reasons.get(index) ?? NOT_FOUND;
    return { gap, reason, impossible: why !== undefined };
  });
}

/** True for one of several media types that is none; alone, it is that of a body without Content-Type. */
function isNameless(
  { model: { mediaType } }: ParameterPlan,
  { parameters }: FinishedSearch,
): boolean {
  return mediaType !== undefined && !/^[^\s/]+\/[^\s/]+$/.test(essenceOf(mediaType)) &&
    parameters.filter(({ model: { location } }) => location === "body").length > 1;
}

function questionOf(plan: ParameterPlan, { maker, canWrite }: FinishedSearch): ImpossibleQuestion {
  const { schema = true, itemSchema, positions, itemPositions } = plan;
  const contexts = new SchemaContexts([
    ...positions.map((position) => ({ schema, position, isWhole: true })),
    ...itemSchema === undefined
      ? []
      : itemPositions.map((position) => ({ schema: itemSchema, position, isWhole: false })),
  ]);
  return {
    contexts,
    maker,
    excluded: unsendable(plan),
    canWrite: (value) => canWrite(plan, value),
  };
}

function whyImpossible(
  goal: Goal,
  plan: ParameterPlan,
  question: ImpossibleQuestion,
): string | undefined {
  if ("keyword" in goal) return whyNoKeyword(goal as KeywordGoal, question);
  if (!("schema_path" in goal)) return undefined;
  const { schema_path } = goal as ExampleGoal;
  const isOwn = plan.ownExamples.some((example) => example.schema_path === schema_path);
  return whyNoExample(goal as ExampleGoal, isOwn, question);
}
