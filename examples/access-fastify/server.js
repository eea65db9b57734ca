import { createApp } from "./app.js";

await createApp().listen({ port: 8080 });
