import Fastify from "fastify";
import { library } from "./library.js";

export function createApp() {
  const app = Fastify();
  app.register(library);
  return app;
}
