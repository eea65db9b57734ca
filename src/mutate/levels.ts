/** Levels of effort; each includes the parts and changes of those before it. */
export const MUTATION_LEVELS = ["bodies", "properties", "values"] as const;

export type MutationLevel = (typeof MUTATION_LEVELS)[number];
