import { Hono } from "hono";

/** Creates the API, without links. */
export function createApp(): Hono {
  const links = new Map<string, string>();
  const app = new Hono();

  app.post("/links", async (context) => {
    const { url, slug = crypto.randomUUID().slice(0, 8) } = await context.req.json();
    if (!URL.canParse(url) || !/^[a-z0-9-]{3,20}$/.test(slug)) {
      return context.json({ message: "The link is wrong" }, 400);
    }
    if (links.has(slug)) return context.json({ message: "The slug is taken" }, 409);
    links.set(slug, url);
    return context.json({ slug, url }, 201);
  });

  app.get("/links/:slug", (context) => {
    const url = links.get(context.req.param("slug"));
    return url === undefined
      ? context.json({ message: "There is no such link" }, 404)
      : context.redirect(url);
  });

  app.delete("/links/:slug", (context) => {
    return context.body(null, links.delete(context.req.param("slug")) ? 204 : 404);
  });

  app.get("/stats", (context) => context.json({ links: links.size }));

  return app;
}
