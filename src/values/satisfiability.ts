/** Whether a keyword can pass and fail where it stands (semantics, section 5). */
export type Satisfiability = "Normal" | "Positive" | "Negative";
