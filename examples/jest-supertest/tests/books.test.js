const { collector } = require("covtool/jest");
const request = collector.supertest.trackClient(require("supertest"));
const { createApp } = require("../app");

describe("books", () => {
  test("are found by their author", async () => {
    const response = await request(createApp()).get("/api/books?author=Ende").expect(200);
    expect(response.body).toMatchObject([{ title: "Momo" }]);
  });

  test("are not searched for with a single letter", async () => {
    await request(createApp()).get("/api/books?author=E").expect(400);
  });
});
