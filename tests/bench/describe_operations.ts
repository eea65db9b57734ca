const TEXT = { type: "string", minLength: 1, maxLength: 200 };

/** The schema of one path's items: a dozen properties, with an object that all paths share. */
function thing(index: number): Readonly<Record<string, unknown>> {
  return {
    type: "object",
    required: ["name", "kind"],
    properties: {
      name: { ...TEXT, description: `The name of thing ${index}.` },
      kind: { type: "string", enum: ["small", "large", `special_${index}`] },
      size: { type: "integer", minimum: 0, maximum: 1000 + index },
      price: { type: "number", minimum: 0 },
      created: { type: "string", format: "date-time" },
      active: { type: "boolean" },
      notes: TEXT,
      labels: { type: "array", maxItems: 20, items: TEXT },
      owner: { $ref: "#/components/schemas/Owner" },
      parts: { type: "array", items: { $ref: "#/components/schemas/Part" } },
    },
  };
}

/** A description with this many operations, half of which have bodies. */
export function describeOperations(operations: number): Readonly<Record<string, unknown>> {
  const paths: Record<string, unknown> = {};
  const schemas: Record<string, unknown> = {
    Owner: { type: "object", properties: { id: { type: "string", format: "uuid" }, mail: TEXT } },
    Part: { type: "object", required: ["id"], properties: { id: { type: "integer" }, text: TEXT } },
  };
  const id = { name: "id", in: "path", required: true, schema: { type: "integer", minimum: 1 } };
  const responses = { 200: { description: "Done." } };
  for (let index = 0; 2 * index < operations; index++) {
    schemas[`Thing${index}`] = thing(index);
    const content = {
      "application/json": { schema: { $ref: `#/components/schemas/Thing${index}` } },
    };
    const query = ["limit", "offset", "sort"].map((name) => ({
      name,
      in: "query",
      schema: name === "sort" ? TEXT : { type: "integer", minimum: 0, maximum: 1000 },
    }));
    paths[`/group_${index % 50}/things_${index}/{id}`] = {
      get: { parameters: [id, ...query], responses },
      put: { parameters: [id], requestBody: { content }, responses },
    };
  }
  return {
    openapi: "3.0.3",
    info: { title: "Things", version: "1" },
    paths,
    components: { schemas },
  };
}
