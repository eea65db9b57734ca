/** The location of a parameter (semantics, section 3). */
export type ParameterLocation = "path" | "query" | "header" | "cookie" | "body" | "form_data";
