import type { FigureName } from "../figures.ts";
import { FINDING_KINDS } from "./finding_wording.ts";

export interface DimensionWording {
  readonly definition: string;
  readonly rules: readonly string[];
}

export const FINDINGS_WORDING: DimensionWording = {
  definition: "Answers that contradict the description, or hint at an error in the API.",
  rules: FINDING_KINDS.map(({ title, description }) => `${title}: ${description}.`),
};

export const FIGURE_WORDING: Readonly<Record<FigureName, DimensionWording>> = {
  operations: {
    definition: "Operations called at least once.",
    rules: [
      "An operation is a documented method of a path. Any request that matches it covers it, whatever the request contains.",
      "Requests that match no operation are listed as unmatched and don't affect coverage.",
    ],
  },
  parameters: {
    definition: "Parameters and bodies sent at least once.",
    rules: [
      "Path, query, header and cookie parameters count, and one body for each documented media type.",
      "A parameter is covered by any value, valid or invalid.",
    ],
  },
  keywords: {
    definition: "Schema keywords that a sent value passed or failed.",
    rules: [
      "A keyword is a constraint of a request schema, such as minLength, enum or required.",
      "Full: values passed it and values failed it. Partial: only one of the two. Not covered: no value reached it.",
      "Full and partial keywords count as covered. Keywords that can't fail, or can't pass, don't count.",
    ],
  },
  examples: {
    definition: "Documented examples that a request sent.",
    rules: [
      "Examples and defaults of request schemas, parameters and bodies count.",
      "An example is covered when a sent value equals it.",
    ],
  },
  responses: {
    definition: "Documented status codes that came back.",
    rules: [
      "A status covers its exact entry, else its range (2XX), else the default response.",
      "Other statuses are listed as undocumented and don't affect coverage. Without recorded responses, nothing is measured.",
    ],
  },
  values: {
    definition: "Classes of valid values that a request carried.",
    rules: [
      "Classes follow from the schema: each member of an enum, true and false, null, limits and what lies between, empty texts and lists, optional properties sent and left out, each alternative alone.",
      "A valid value counts for the classes of its schema. What no request can carry has none.",
    ],
  },
  enforcement: {
    definition: "Rules of requests that the API has proven to enforce.",
    rules: [
      "A rule is a schema keyword, or that a parameter is required.",
      "Proven: a request that broke only this rule was refused with 400, 413, 414, 415, 422 or 431, or with 404 if the rule is one of the path.",
      "Accepted although invalid: such a request was answered with 2xx or 304.",
      "Never alone: values failed the rule, and no answer tells: other rules were broken too, or the status was another one.",
    ],
  },
  response_keywords: {
    definition: "Schema keywords of responses that a body or header met.",
    rules: [
      "A keyword is a constraint of the schema of a documented response body or header.",
      "Seen: a value that came back was checked by it. Violated: it made a response invalid.",
      "Without recorded response bodies, nothing is measured. Bodies that are cut in the recording, and media types that covtool doesn't decode, meet no keyword.",
    ],
  },
  noticed: {
    definition: "Parts of responses whose changes make a test fail.",
    rules: [
      "covtool mutate runs the tests with changed responses: another status, an empty body, a missing property, list or header.",
      "Noticed: a test fails with a change of the part. Unnoticed: all tests pass with every change, so none asserts it.",
      "Parts without a verdict are not tried, and in no percentage.",
    ],
  },
  access: {
    definition: "Expectations of who may do what that an answer settled.",
    rules: [
      "Who may do what is said by access in the config file, by x-covtool-access in the description, or by the scopes that its security requires.",
      "Allowed is an answer of 2xx or 3xx, refused one of 401 or 403, or of another status that is said to refuse. Other answers settle nothing.",
      "Objects of others count by themselves where an identity may see its own only. An object belongs to whoever created it in the traffic.",
      "What concerns identities that masked traffic may hide is not measured.",
    ],
  },
};
