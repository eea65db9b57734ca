const POSITION = { latitude: 60.1, longitude: 24.9 };

/** Signal K, a server for boats: its API for the course to a destination. */
export async function start({ require, folder, port }) {
  const fs = require("node:fs");
  const config = `${folder}/state/signalk`;
  fs.rmSync(config, { recursive: true, force: true });
  fs.mkdirSync(`${config}/node_modules`, { recursive: true });
  const settings = { mdns: false, pipedProviders: [], interfaces: {}, vessel: { name: "Ada" } };
  fs.writeFileSync(`${config}/settings.json`, JSON.stringify(settings));
  fs.writeFileSync(`${config}/package.json`, "{}");
  Object.assign(process.env, {
    SIGNALK_NODE_CONFIG_DIR: config,
    SIGNALK_DISABLE_SERVER_UPDATES: "true",
    // The server also listens on its own port.
    PORT: `${port + 50}`,
  });
  const Server = require("signalk-server");
  const { app } = await new Server({ config: { configPath: config } }).start();
  const course = app.courseApi;
  // The boat's position, from which courses start.
  app.handleMessage("study", {
    updates: [{
      values: [{ path: "navigation.position", value: { ...POSITION } }],
    }],
  });
  return {
    handler: app,
    description: require(
      `${folder}/node_modules/signalk-server/dist/api/course/openApi.json`,
    ),
    async setUp(send) {
      const request = {
        method: "PUT",
        url: "/signalk/v2/api/vessels/self/navigation/course/destination",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ position: { latitude: 59.4, longitude: 24.7 } }),
      };
      // The first request takes long.
      while ((await send(request)).status === 0);
    },
    save: () => structuredClone(course.courseInfo),
    restore(saved) {
      if (saved === undefined) return;
      course.courseInfo = structuredClone(saved);
      app.signalk.self.navigation.position.value = { ...POSITION };
    },
  };
}
