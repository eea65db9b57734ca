/** The users and their roles, by key. */
const USERS = {
  "key-of-ann": { name: "ann", role: "reader" },
  "key-of-ben": { name: "ben", role: "reader" },
  "key-of-lea": { name: "lea", role: "librarian" },
  "key-of-root": { name: "root", role: "admin" },
};

/** The routes of the API, as a Fastify plugin. Three of its access checks are wrong, which comments mark as faults. */
export function library(app, _options, done) {
  const loans = new Map();
  const readers = new Set(["ann", "ben"]);

  const only = (...roles) => (request, reply, next) => {
    const user = USERS[request.headers["x-api-key"]];
    if (user === undefined) {
      return reply.code(401).send({ message: "Who are you?" });
    }
    if (!roles.includes(user.role)) {
      return reply.code(403).send({ message: "Not for you" });
    }
    request.user = user;
    next();
  };

  app.post("/loans", { preHandler: only("reader") }, (request, reply) => {
    const loan = {
      id: loans.size + 1,
      book: request.body.book,
      reader: request.user.name,
    };
    loans.set(String(loan.id), loan);
    return reply.code(201).send(loan);
  });

  app.get(
    "/loans/:id",
    { preHandler: only("reader", "librarian", "admin") },
    (request, reply) => {
      const loan = loans.get(request.params.id);
      if (loan === undefined) {
        return reply.code(404).send({
          message: "There is no such loan",
        });
      }
      // Fault 1: readers get the loans of other readers.
      return loan;
    },
  );

  app.delete(
    "/loans/:id",
    { preHandler: only("reader", "librarian", "admin") },
    (request, reply) => {
      const { user, params } = request;
      const loan = loans.get(params.id);
      if (loan === undefined) {
        return reply.code(404).send({ message: "There is no such loan" });
      }
      if (user.role === "reader" && loan.reader !== user.name) {
        return reply.code(403).send({ message: "Not your loan" });
      }
      loans.delete(params.id);
      return reply.code(204).send();
    },
  );

  // Fault 2: the role is not checked, so readers see the report on all loans.
  app.get("/reports/loans", (request, reply) => {
    if (USERS[request.headers["x-api-key"]] === undefined) {
      return reply.code(401).send({ message: "Who are you?" });
    }
    return { loans: loans.size };
  });

  // Fault 3: one role too many. Only the administrator may remove readers.
  app.delete(
    "/readers/:name",
    { preHandler: only("librarian", "admin") },
    (request, reply) => {
      readers.delete(request.params.name);
      return reply.code(204).send();
    },
  );

  done();
}
