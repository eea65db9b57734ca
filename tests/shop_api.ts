/** A description of an API called "Shop" with these paths and other members. */
export function shopApi<Paths extends object, More extends object = Record<never, never>>(
  paths: Paths,
  more?: More,
): { openapi: string; info: { title: string; version: string }; paths: Paths } & More {
  const api = { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths };
  return { ...api, ...more } as typeof api & More;
}

/** The `content` of a JSON body or response with this schema. */
export function jsonContent<Schema>(
  schema: Schema,
): { content: { "application/json": { schema: Schema } } } {
  return { content: { "application/json": { schema } } };
}
