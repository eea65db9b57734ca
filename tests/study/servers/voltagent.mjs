/** VoltAgent's HTTP server with a workflow; an agent would need a hosted model. */
export async function start({ load }) {
  const { createWorkflowChain, VoltAgent } = await load("@voltagent/core");
  const { createVoltAgentApp } = await load("@voltagent/server-hono");
  const { getRequestListener } = await load("@hono/node-server");
  const { z } = await load("zod");
  const greet = createWorkflowChain({
    ...{ id: "greet", name: "Greets", purpose: "Greets people" },
    input: z.object({ name: z.string().max(20), times: z.number().int().min(1).optional() }),
    result: z.object({ greeting: z.string() }),
  }).andThen({
    id: "greet",
    execute: ({ data }) => Promise.resolve({ greeting: `Hi ${data.name}` }),
  });
  let known;
  const provider = {
    start: () => Promise.resolve({}),
    stop: () => Promise.resolve(),
    isRunning: () => true,
  };
  new VoltAgent({
    agents: {},
    workflows: { greet },
    server: (deps) => {
      known = deps;
      return provider;
    },
  });
  const { app } = await createVoltAgentApp(known, { enableSwaggerUI: true });
  return { handler: getRequestListener(app.fetch), descriptionUrl: "/doc" };
}
