/**
 * Instructions for making clients trust the proxy's certificate authority.
 *
 * @param caFile Where its certificate is.
 */
export function proxyCaHelp(caFile: string): string {
  return `To read HTTPS, the proxy presents certificates issued by its own certificate
authority, whose certificate is written to ${caFile}
when the proxy starts. Its key never leaves your data folder.

  covtool proxy openapi.yaml -- npm test     sets all variables for one command

curl       CURL_CA_BUNDLE=${caFile}
           or curl --cacert ${caFile} …
Node.js    NODE_EXTRA_CA_CERTS=${caFile}
Deno       DENO_CERT=${caFile}
Python     REQUESTS_CA_BUNDLE=${caFile} (requests)
           SSL_CERT_FILE=${caFile} (httpx, urllib)
Java       keytool -importcert -noprompt -alias covtool \\
             -file ${caFile} -keystore covtool.p12 -storepass covtool
           java -Djavax.net.ssl.trustStore=covtool.p12 \\
             -Djavax.net.ssl.trustStorePassword=covtool …
Chromium   Linux: certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n covtool \\
             -i ${caFile}
           macOS and Windows: see System below
Firefox    Settings, Privacy & Security, View Certificates, Authorities, Import
System     Debian, Ubuntu: sudo cp ${caFile} \\
             /usr/local/share/ca-certificates/covtool.crt &&
             sudo update-ca-certificates
           Fedora: sudo trust anchor ${caFile}
           macOS: security add-trusted-cert \\
             -k ~/Library/Keychains/login.keychain-db ${caFile}
           Windows: certutil -user -addstore Root ${caFile}

CURL_CA_BUNDLE, REQUESTS_CA_BUNDLE and SSL_CERT_FILE replace the certificates
that the system trusts. To reach servers that the proxy doesn't intercept, use a
file that contains both.
`;
}
