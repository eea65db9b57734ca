/** The ability of a keyword to pass and to fail where it stands (semantics, section 5). */
export type Satisfiability = "Normal" | "Positive" | "Negative";
