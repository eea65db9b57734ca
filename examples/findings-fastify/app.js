import Fastify from "fastify";

const EVENTS = { opera: { title: "Aida", seats: 400 }, jazz: { title: "Monk", seats: 60 } };

/** Makes the API. It does not keep its description: the comments say where. */
export function createApp() {
  const app = Fastify();
  const bookings = new Map();

  app.get("/events", (request, reply) => {
    const limit = Number(request.query.limit ?? 10);
    // Lie 1: a limit above 50 is accepted.
    if (!(limit >= 1)) return reply.code(400).send({ message: "limit: 1 or more" });
    return Object.values(EVENTS).slice(0, limit);
  });

  // Lie 2: for an unknown event, the title of undefined is a 500 and not a 404.
  app.get("/events/:id", (request) => ({ title: EVENTS[request.params.id].title }));

  // Lie 3: without an address, everybody's bookings are listed.
  app.get(
    "/bookings",
    (request) =>
      [...bookings.values()].filter(({ email }) => email === (request.query.email ?? email)),
  );

  app.post("/bookings", (request, reply) => {
    const { event, seats, email } = request.body;
    if (!Number.isInteger(seats) || seats < 1 || seats > 10 || EVENTS[event] === undefined) {
      return reply.code(422).send({ message: "An event, and 1 to 10 seats" });
    }
    // Lie 4: the description does not require an address.
    if (email === undefined) return reply.code(422).send({ message: "email is missing" });
    const id = String(bookings.size + 1);
    bookings.set(id, { id, event, seats, email });
    // Lie 5: the description promises 201.
    return { id };
  });

  // Lie 6: nothing can be cancelled, since bookings are looked up by number and kept by text.
  app.delete(
    "/bookings/:id",
    (request, reply) => reply.code(bookings.delete(Number(request.params.id)) ? 204 : 404).send(),
  );

  return app;
}
