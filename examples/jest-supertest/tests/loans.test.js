const { collector } = require("covtool/jest");
const request = collector.supertest.trackClient(require("supertest"));
const { createApp } = require("../app");

describe("loans", () => {
  test("end when the book is returned", async () => {
    const app = createApp();
    const { body: loan } = await request(app).post("/api/loans")
      .send({ book_id: 1, member: "M0042", days: 7 }).expect(201);
    await request(app).delete(`/api/loans/${loan.id}`).expect(204);
  });

  test("are for one member at a time", async () => {
    const app = createApp();
    await request(app).post("/api/loans").send({ book_id: 2, member: "M0042" }).expect(201);
    await request(app).post("/api/loans").send({ book_id: 2, member: "M0007" }).expect(409);
  });

  test("last no longer than a month", async () => {
    await request(createApp()).post("/api/loans")
      .send({ book_id: 1, member: "M0042", days: 31 }).expect(422);
  });
});
