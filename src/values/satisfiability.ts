/** The ability of a keyword to pass and to fail where it is (semantics, section 5). */
export type Satisfiability = "Normal" | "Positive" | "Negative";
