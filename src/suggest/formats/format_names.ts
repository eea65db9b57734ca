// Apart from the formats, since options need just the names: the code of a format is loaded when it is used.

export const SUGGESTION_FORMAT_NAMES = ["text", "curl", "http", "json", "har", "postman"] as const;

export const TEST_FORMAT_NAMES = [
  ...["vitest", "jest", "node-test", "deno-test", "playwright", "supertest"] as const,
  ...["pytest", "junit", "go-test", "hurl", "k6"] as const,
];

export type SuggestionFormatName = typeof SUGGESTION_FORMAT_NAMES[number];
export type TestFormatName = typeof TEST_FORMAT_NAMES[number];
