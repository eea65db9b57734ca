import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Sends one request with each client, with the client's name as the path. */
class Clients {
  public static void main(String[] args) throws InterruptedException {
    try {
      URI.create(args[0] + "/HttpURLConnection").toURL().openStream().readAllBytes();
      HttpRequest request = HttpRequest.newBuilder(URI.create(args[0] + "/java.net.http.HttpClient")).build();
      HttpClient.newHttpClient().send(request, BodyHandlers.discarding());
    } catch (IOException unreachable) {
      // The server shows which requests arrive.
    }
  }
}
