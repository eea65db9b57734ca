/** The Unleash Proxy, started as in its example, with feature toggles from a file instead of an Unleash server. */
const strategy = (name, parameters = {}, constraints = []) => ({ name, parameters, constraints });
const FEATURES = [
  { name: "plain", enabled: true, strategies: [strategy("default")] },
  { name: "off", enabled: false, strategies: [strategy("default")] },
  { name: "users", enabled: true, strategies: [strategy("userWithId", { userIds: "7,ada" })] },
  {
    ...{ name: "region", enabled: true, impressionData: true },
    strategies: [
      strategy("default", {}, [
        { contextName: "region", operator: "IN", values: ["Africa"] },
      ]),
    ],
    variants: [{ name: "blue", weight: 1000, payload: { type: "string", value: "sky" } }],
  },
  {
    ...{ name: "app", enabled: true },
    strategies: [
      strategy("default", {}, [{
        contextName: "appName",
        operator: "STR_CONTAINS",
        values: ["a"],
      }]),
    ],
  },
  {
    ...{ name: "after", enabled: true },
    strategies: [
      strategy("default", {}, [
        { contextName: "currentTime", operator: "DATE_AFTER", value: "2020-01-01T00:00:00Z" },
      ]),
    ],
  },
];

export function start({ require }) {
  const { createApp } = require("@unleash/proxy");
  const app = createApp({
    unleashUrl: "http://127.0.0.1:9/api",
    unleashApiToken: "default:development.token",
    clientKeys: ["client-key"],
    serverSideSdkConfig: { tokens: ["server-key"] },
    expServerSideSdkConfig: { tokens: ["server-key"] },
    expBootstrap: {
      data: FEATURES.map((feature) => ({ version: 1, type: "release", ...feature })),
    },
    refreshInterval: 0,
    disableMetrics: true,
    enableOAS: true,
    enableAllEndpoint: true,
    logLevel: "fatal",
  });
  return {
    handler: app,
    descriptionUrl: "/docs/openapi.json",
    setUp: () => ({ headers: { authorization: "client-key" } }),
  };
}
