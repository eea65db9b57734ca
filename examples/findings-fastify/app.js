import Fastify from "fastify";

const EVENTS = {
  opera: { title: "Aida", seats: 400 },
  // Lie 1: the number of seats is text.
  jazz: { title: "Monk", seats: "60" },
};
const TOKEN = "Bearer box-office";

/** Creates the API. It breaks its description in seven places, which comments mark as lies. */
export function createApp() {
  const app = Fastify();
  const bookings = new Map();

  app.get("/events", (request, reply) => {
    const limit = Number(request.query.limit ?? 10);
    // Lie 2: a limit above 50 is accepted.
    if (!(limit >= 1)) return reply.code(400).send({ message: "limit: 1 or more" });
    return Object.values(EVENTS).slice(0, limit);
  });

  // Lie 3: for an unknown event, the title of undefined is a 500 and not a 404.
  app.get("/events/:id", (request) => {
    const { title, seats } = EVENTS[request.params.id];
    return { title, seats };
  });

  // Lie 4: nobody checks the token.
  app.get("/bookings", (request, reply) => {
    const { email } = request.query;
    if (!isAddress(email)) return reply.code(400).send({ message: "email: whose?" });
    return [...bookings.values()].filter((booking) => booking.email === email);
  });

  app.post("/bookings", (request, reply) => {
    const { event, seats, email } = request.body ?? {};
    if (!Number.isInteger(seats) || seats < 1 || seats > 10 || typeof event !== "string") {
      return reply.code(422).send({ message: "An event, and 1 to 10 seats" });
    }
    // Lie 5: the description does not require an address.
    if (!isAddress(email)) return reply.code(422).send({ message: "email: whose?" });
    const booking = { id: String(bookings.size + 1), event, seats, email };
    bookings.set(booking.id, booking);
    // Lie 6: the description promises 201.
    return booking;
  });

  // Lie 7: nothing can be cancelled, since bookings are looked up by number and kept by text.
  app.delete("/bookings/:id", (request, reply) => {
    if (request.headers.authorization !== TOKEN) {
      return reply.code(401).send({ message: "Only at the counter" });
    }
    if (!bookings.delete(Number(request.params.id))) {
      return reply.code(404).send({ message: "There is no such booking" });
    }
    return reply.code(204).send();
  });

  return app;
}

function isAddress(email) {
  return typeof email === "string" && /^[^\s@]+@[^\s@]+\.\w+$/.test(email);
}
