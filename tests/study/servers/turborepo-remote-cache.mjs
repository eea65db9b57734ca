/** Turborepo's cache server with storage in local files; @fastify/swagger generates the description from its routes. */
export async function start({ load, require, folder }) {
  const fs = require("node:fs");
  const storage = `${folder}/state/artifacts`;
  Object.assign(process.env, {
    TURBO_TOKEN: "token",
    STORAGE_PROVIDER: "local",
    STORAGE_PATH: storage,
    STORAGE_PATH_USE_TMP_FOLDER: "false",
    LOG_LEVEL: "silent",
  });
  const { createApp } = await load(`${folder}/node_modules/turborepo-remote-cache/dist/app.js`);
  const app = createApp({ logger: false });
  const routes = [];
  app.addHook("onRoute", (route) => void routes.push(route));
  await app.ready();
  return {
    listener: app.server,
    description: await describe(routes, load),
    setUp: () => ({ headers: { authorization: "Bearer token" } }),
    restore() {
      fs.rmSync(storage, { recursive: true, force: true });
      fs.mkdirSync(`${storage}/team_a`, { recursive: true });
      fs.writeFileSync(`${storage}/team_a/known`, "an artifact");
    },
  };
}

/** The description of a Fastify server with these routes. */
async function describe(routes, load) {
  const { default: fastify } = await load("fastify");
  const { default: swagger } = await load("@fastify/swagger");
  const app = fastify({ exposeHeadRoutes: false });
  await app.register(swagger, {
    openapi: { info: { title: "Turborepo remote cache", version: "2" } },
  });
  for (const { method, url, schema } of routes) {
    app.route({ method, url, ...(schema && { schema }), handler: () => {} });
  }
  await app.ready();
  return app.swagger();
}
