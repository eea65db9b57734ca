package example;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An API for todos that needs only the JDK. */
public final class Todos {
  private static final Pattern NEW_TODO = Pattern.compile("\\{\\s*\"text\"\\s*:\\s*\"([^\"\\\\]{1,200})\"\\s*}");

  private final List<String> todos = new ArrayList<>();

  /** Serves the API at a port of this machine; 0 chooses a free one. */
  public static HttpServer start(int port) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("localhost", port), 0);
    server.createContext("/", new Todos()::answer);
    server.start();
    return server;
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String asked = exchange.getRequestMethod() + " " + path.replaceAll("/\\d+$", "/{id}");
    switch (asked) {
      case "GET /todos" -> list(exchange);
      case "POST /todos" -> add(exchange, body);
      case "GET /todos/{id}" -> show(exchange, Integer.parseInt(path.substring("/todos/".length())));
      case "GET /latest" -> {
        exchange.getResponseHeaders().set("Location", "/todos/" + todos.size());
        send(exchange, 302, "");
      }
      default -> send(exchange, 404, "{\"problem\":\"there is no such thing\"}");
    }
  }

  private void list(HttpExchange exchange) throws IOException {
    String query = exchange.getRequestURI().getQuery();
    if (query != null && !query.matches("limit=[1-9]\\d?")) {
      send(exchange, 400, "{\"problem\":\"limit is a number from 1 to 99\"}");
      return;
    }
    int limit = query == null ? 20 : Integer.parseInt(query.substring("limit=".length()));
    List<String> shown = new ArrayList<>();
    for (int id = 1; id <= Math.min(limit, todos.size()); id++) shown.add(describe(id));
    send(exchange, 200, shown.toString());
  }

  private void add(HttpExchange exchange, String body) throws IOException {
    Matcher matcher = NEW_TODO.matcher(body);
    if (!matcher.matches()) {
      send(exchange, 422, "{\"problem\":\"text has 1 to 200 characters\"}");
      return;
    }
    todos.add(matcher.group(1));
    exchange.getResponseHeaders().set("Location", "/todos/" + todos.size());
    send(exchange, 201, describe(todos.size()));
  }

  private void show(HttpExchange exchange, int id) throws IOException {
    boolean isThere = id >= 1 && id <= todos.size();
    send(exchange, isThere ? 200 : 404, isThere ? describe(id) : "{\"problem\":\"there is no such todo\"}");
  }

  private String describe(int id) {
    return "{\"id\":" + id + ",\"text\":\"" + todos.get(id - 1) + "\"}";
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > 0) exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
