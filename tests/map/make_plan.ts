import { CoveragePlan, type PlanOptions } from "../../src/map/coverage_plan.ts";
import { Hits } from "../../src/map/hits.ts";
import { loadFromDict } from "../../src/openapi/load.ts";
import { createReferences, readModel } from "../../src/openapi/read_model.ts";
import { Recorder } from "../../src/record/recorder.ts";

/** A plan with empty hits, and a function that records into them. */
export interface PlanWithHits {
  readonly plan: CoveragePlan;
  readonly hits: Hits;
  /** Records a GET request for a URL. */
  get(url: string, status?: number): void;
}

/** The plan of a description that has these paths and schemas, as OpenAPI 3.1 writes them. */
export function makePlan(
  paths: object,
  schemas: object = {},
  options: PlanOptions = {},
): PlanWithHits {
  const info = { title: "T", version: "1" };
  const documents = loadFromDict({ openapi: "3.1.0", info, paths, components: { schemas } });
  const references = createReferences(documents);
  const plan = new CoveragePlan(readModel(documents, references), documents, references, options);
  const hits = new Hits();
  const recorder = new Recorder(plan, hits);
  return {
    plan,
    hits,
    get(url, status) {
      const response = status === undefined ? undefined : { status_code: status };
      recorder.record({ method: "GET", url }, response);
    },
  };
}

/** Two operations: one with a parameter, an example and two responses, one with nothing. */
export const BOOKS = {
  "/books": {
    get: {
      parameters: [
        { name: "limit", in: "query", schema: { type: "integer", maximum: 9 }, example: 5 },
      ],
      responses: { 200: { description: "Books" }, 400: { description: "Wrong" } },
    },
  },
  "/health": { get: {} },
};
