import Fastify from "fastify";

const RATES = { EUR: 1, USD: 1.1, SEK: 11.2, JPY: 163.5 };

export function createApp() {
  const app = Fastify();

  app.get("/currencies", () => Object.keys(RATES));

  app.get("/rates/:currency", (request, reply) => {
    const rate = RATES[request.params.currency];
    return rate === undefined ? reply.code(404).send({ message: "Unknown" }) : { rate };
  });

  app.post("/conversions", (request, reply) => {
    const { from, to, amount } = request.body;
    if (!(amount > 0 && amount <= 1_000_000)) {
      return reply.code(422).send({ message: "amount: more than 0, up to 1000000" });
    }
    return { amount: amount / RATES[from] * RATES[to] };
  });

  app.delete("/alerts/:id", (_request, reply) => reply.code(204).send());

  return app;
}
