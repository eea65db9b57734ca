/** What {@linkcode clientVariables} is made from. */
export interface ClientVariablesOptions {
  /** The proxy's URL. */
  readonly proxyUrl: string;
  /** A file with the proxy's certificate authority. */
  readonly caFile: string;
  /** A file with that authority and all those that the machine trusts. */
  readonly bundleFile: string;
}

/**
 * The environment variables that lead clients to the proxy and make them trust its certificates. Most programs read
 * either the upper or the lower case. `NO_PROXY` is emptied, as tests mostly go to localhost, which it often excludes.
 */
export function clientVariables(options: ClientVariablesOptions): Record<string, string> {
  const { proxyUrl, caFile, bundleFile } = options;
  return {
    HTTP_PROXY: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    http_proxy: proxyUrl,
    https_proxy: proxyUrl,
    NO_PROXY: "",
    no_proxy: "",
    // Node.js 24 looks at the proxy variables only if this is set.
    NODE_USE_ENV_PROXY: "1",
    // These add to what the program trusts.
    NODE_EXTRA_CA_CERTS: caFile,
    DENO_CERT: caFile,
    // These take its place.
    SSL_CERT_FILE: bundleFile,
    REQUESTS_CA_BUNDLE: bundleFile,
    CURL_CA_BUNDLE: bundleFile,
    AWS_CA_BUNDLE: bundleFile,
    GIT_SSL_CAINFO: bundleFile,
  };
}
