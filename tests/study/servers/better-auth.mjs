/** better-auth with its own memory adapter, as in its documentation; handlers use web types. */
export async function start({ load, port }) {
  const { betterAuth } = await load("better-auth");
  const { toNodeHandler } = await load("better-auth/node");
  const { memoryAdapter } = await load("better-auth/adapters/memory");
  const { openAPI } = await load("better-auth/plugins");
  const tables = { user: [], session: [], account: [], verification: [] };
  const baseURL = `http://127.0.0.1:${port}`;
  const auth = betterAuth({
    baseURL,
    secret: "the secret of a server that lives for minutes",
    database: memoryAdapter(tables),
    // Its default hashes are slow, and thousands of requests sign in.
    emailAndPassword: {
      enabled: true,
      password: {
        hash: (password) => Promise.resolve(`hash of ${password}`),
        verify: ({ hash, password }) => Promise.resolve(hash === `hash of ${password}`),
      },
    },
    user: { deleteUser: { enabled: true }, changeEmail: { enabled: true } },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    plugins: [openAPI()],
  });
  const description = await auth.api.generateOpenAPISchema();
  return {
    handler: toNodeHandler(auth),
    description,
    async setUp(send) {
      const json = { "content-type": "application/json", origin: baseURL };
      const body = JSON.stringify({ name: "Ada", email: "ada@example.org", password: "password1" });
      const { cookies } = await send({
        ...{ method: "POST", url: "/api/auth/sign-up/email", headers: json, body },
      });
      const cookie = cookies.map((text) => text.split(";")[0]).join("; ");
      return { headers: { cookie, origin: baseURL } };
    },
    save: () => structuredClone(tables),
    restore(saved) {
      if (saved === undefined) return;
      for (const [name, rows] of Object.entries(structuredClone(saved))) {
        tables[name].splice(0, Infinity, ...rows);
      }
    },
  };
}
