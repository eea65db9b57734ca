import { createApp } from "./app.ts";

Deno.serve({ port: 8080 }, createApp().fetch);
