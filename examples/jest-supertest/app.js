const { randomUUID } = require("node:crypto");
const express = require("express");

/** Creates the API, with two books and no loans. */
function createApp() {
  const books = [
    { id: 1, title: "Momo", author: "Michael Ende" },
    { id: 2, title: "Emil and the Detectives", author: "Erich Kästner" },
  ];
  const loans = new Map();
  const isLent = (id) => [...loans.values()].some(({ book_id }) => book_id === id);

  const api = express.Router();
  api.use(express.json());

  api.get("/books", (request, response) => {
    const { author = "", available } = request.query;
    if (author.length === 1) return response.status(400).json({ message: "author: too short" });
    response.json(books.filter((book) =>
      book.author.includes(author) &&
      (available === undefined || (available === "true") !== isLent(book.id))
    ));
  });

  api.post("/loans", (request, response) => {
    const { book_id, member, days = 14 } = request.body;
    if (!/^M[0-9]{4}$/.test(member) || !(days >= 1 && days <= 30)) {
      return response.status(422).json({ message: "The loan is wrong" });
    }
    if (!books.some(({ id }) => id === book_id)) return response.status(404).end();
    if (isLent(book_id)) return response.status(409).json({ message: "Somebody has it" });
    const loan = { id: randomUUID(), book_id, member, days };
    loans.set(loan.id, loan);
    response.status(201).json(loan);
  });

  api.get("/loans/:id", (request, response) => {
    const loan = loans.get(request.params.id);
    return loan === undefined ? response.status(404).end() : response.json(loan);
  });

  api.delete("/loans/:id", (request, response) => {
    response.status(loans.delete(request.params.id) ? 204 : 404).end();
  });

  return express().use("/api", api);
}

module.exports = { createApp };
