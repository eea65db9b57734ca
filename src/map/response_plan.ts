import { ParameterPlan, type PlannedSchemas } from "./parameter_plan.ts";
import type { ResponseModel, ResponseSource } from "../openapi/model.ts";

/** Everything that bodies and headers of a documented response can show. */
export interface ResponsePlan {
  /** Its media types; in Swagger 2.0 one for all that the operation produces. */
  readonly mediaTypes: readonly ParameterPlan[];
  /** Its header fields. */
  readonly headers: readonly ParameterPlan[];
  /** Both, the media types first: the order in which hits have them. */
  readonly parts: readonly ParameterPlan[];
}

/** The plans of the responses of a description: each is made when first asked for, once for all that share it. */
export class ResponsePlans {
  readonly #schemas: PlannedSchemas;
  readonly #source: ResponseSource;
  readonly #plans = new Map<object, ResponsePlan>();

  /** @param schemas The schemas of the description, read as those of responses. */
  constructor(schemas: PlannedSchemas, source: ResponseSource) {
    this.#schemas = schemas;
    this.#source = source;
  }

  /** The plan of a response to a request with a method. */
  of(method: string, response: ResponseModel): ResponsePlan {
    const plan = this.#planOf(response);
    if (plan.mediaTypes.length === 0 || mayHaveBody(method, response.status_code)) return plan;
    return { mediaTypes: [], headers: plan.headers, parts: plan.headers };
  }

  #planOf(response: ResponseModel): ResponsePlan {
    const content = this.#source.read(response);
    let plan = this.#plans.get(content);
    if (plan === undefined) {
      const mediaTypes = content.mediaTypes.map((model) => new ParameterPlan(model, this.#schemas));
      const headers = content.headers.map((model) => new ParameterPlan(model, this.#schemas));
      this.#plans.set(content, plan = { mediaTypes, headers, parts: [...mediaTypes, ...headers] });
    }
    return plan;
  }
}

/**
 * True if a response can have a body (RFC 9110, section 6.4.1).
 *
 * @param status As a description or a recording has it.
 *
 * @example
 * ```ts
 * import { mayHaveBody } from "./response_plan.ts";
 * import assert from "node:assert/strict";
 *
 * assert.ok(mayHaveBody("GET", "200") && mayHaveBody("GET", "default"));
 * assert.ok(!mayHaveBody("HEAD", "200") && !mayHaveBody("GET", "204") && !mayHaveBody("GET", "1XX"));
 * ```
 */
export function mayHaveBody(method: string, status: string): boolean {
  return method !== "HEAD" && !/^(?:1..|204|205|304)$/.test(status);
}
