package io.covtool;

import java.io.IOException;
import java.net.Authenticator;
import java.net.ConnectException;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

/**
 * A {@code java.net.http} client that records its requests and responses.
 *
 * <pre>{@code HttpClient client = CovtoolHttpClient.wrap(HttpClient.newHttpClient());}</pre>
 */
public final class CovtoolHttpClient extends HttpClient {
  /** Header fields that the client adds without showing them. */
  private static final String UNSEEN = "\"request_headers\": {\"all_but\": [\"authorization\", \"connection\", "
      + "\"content-length\", \"cookie\", \"http2-settings\", \"transfer-encoding\", \"upgrade\", \"user-agent\"]}";

  private final HttpClient client;

  private CovtoolHttpClient(HttpClient client) {
    this.client = client;
  }

  /** Returns a client that records what this one sends; the client itself if covtool doesn't run the tests. */
  public static HttpClient wrap(HttpClient client) {
    return Recorder.isActive() ? new CovtoolHttpClient(client) : client;
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    if (!Changes.areAsked()) return record(new Recording<>(request, handler));
    HeldBody<T> held = new HeldBody<>(handler);
    Recording<Object> recording = new Recording<>(request, held);
    HttpResponse<Object> response = record(recording);
    try {
      return held.release(response, recording.last).toCompletableFuture().get();
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof IOException cause) throw cause;
      throw new IOException(failure.getCause().getMessage(), failure.getCause());
    }
  }

  private <T> HttpResponse<T> record(Recording<T> recording) throws IOException, InterruptedException {
    try {
      HttpResponse<T> response = client.send(recording.request(), recording);
      recording.end(response, null);
      return response;
    } catch (IOException | InterruptedException | RuntimeException failure) {
      recording.end(null, failure);
      throw failure;
    }
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    if (!Changes.areAsked()) return recordAsync(new Recording<>(request, handler));
    HeldBody<T> held = new HeldBody<>(handler);
    Recording<Object> recording = new Recording<>(request, held);
    return recordAsync(recording).thenCompose(response -> held.release(response, recording.last));
  }

  private <T> CompletableFuture<HttpResponse<T>> recordAsync(Recording<T> recording) {
    return client.sendAsync(recording.request(), recording).whenComplete(recording::end);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, HttpResponse.BodyHandler<T> handler, HttpResponse.PushPromiseHandler<T> pushHandler) {
    Recording<T> recording = new Recording<>(request, handler);
    return client.sendAsync(recording.request(), recording, pushHandler).whenComplete(recording::end);
  }

  /** A request, with the requests that follow redirects. */
  private static final class Recording<T> implements HttpResponse.BodyHandler<T> {
    private final HttpRequest original;
    private final HttpResponse.BodyHandler<T> handler;
    private final Exchange first;

    /** The number of pending events: the response itself, and the end of its body. */
    private final AtomicInteger awaited = new AtomicInteger(2);

    private final Body received = new Body();
    private volatile Exchange last;

    Recording(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
      original = request;
      this.handler = handler;
      first = describe(request, null);
      last = first;
      Recorder.startSending(first);
    }

    private static Exchange describe(HttpRequest request, Exchange before) {
      String url = Exchange.plainUrl(request.uri());
      Exchange exchange =
          before == null ? new Exchange(request.method(), url) : new Exchange(before, request.method(), url);
      exchange.unseen = UNSEEN;
      Exchange.add(exchange.requestHeaders, "Host", request.uri().getRawAuthority().replaceAll(".*@", ""));
      addAll(exchange.requestHeaders, request.headers());
      return exchange;
    }

    private static void addAll(List<Map.Entry<String, String>> headers, HttpHeaders added) {
      added.map().forEach((name, values) -> {
        if (!name.startsWith(":")) values.forEach(value -> Exchange.add(headers, name, value));
      });
    }

    /** Returns the request with a body that is copied while it is sent. */
    HttpRequest request() {
      HttpRequest.BodyPublisher publisher = original.bodyPublisher().orElse(null);
      if (publisher == null || publisher.contentLength() == 0) return original;
      first.sent = new Body();
      return HttpRequest.newBuilder(original, (name, value) -> true)
          .method(original.method(), new CopyingPublisher(publisher, first.sent))
          .build();
    }

    @Override
    public HttpResponse.BodySubscriber<T> apply(HttpResponse.ResponseInfo info) {
      return new CopyingSubscriber<>(handler.apply(info), received, this::endPart);
    }

    private void endPart() {
      if (awaited.decrementAndGet() == 0) last.finish();
    }

    void end(HttpResponse<T> response, Throwable failure) {
      try {
        if (response == null) {
          Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
          // Nothing was sent.
          if (cause instanceof ConnectException || cause instanceof IllegalArgumentException) first.discard();
          else first.finish();
          return;
        }
        List<HttpResponse<T>> responses = new ArrayList<>(List.of(response));
        Optional<HttpResponse<T>> previous = response.previousResponse();
        while (previous.isPresent()) {
          responses.add(0, previous.get());
          previous = previous.get().previousResponse();
        }
        for (int index = 0; index < responses.size(); index++) {
          HttpResponse<T> each = responses.get(index);
          Exchange exchange = index == 0 ? first : describe(each.request(), first);
          // A redirect that keeps the body sends the same body again.
          boolean hasBody = each.request().bodyPublisher().map(HttpRequest.BodyPublisher::contentLength).orElse(0L) != 0;
          if (index > 0 && hasBody) exchange.sent = first.sent;
          exchange.status = each.statusCode();
          addAll(exchange.responseHeaders, each.headers());
          if (index < responses.size() - 1) {
            if (each.headers().firstValueAsLong("Content-Length").orElse(-1) != 0) exchange.received.truncate();
            exchange.finish();
          } else {
            exchange.received = received;
            last = exchange;
          }
        }
        endPart();
      } catch (RuntimeException problem) {
        Recorder.failed(problem);
      }
    }
  }

  /** Holds the body of a response until covtool has decided whether to replace it. */
  private static final class HeldBody<T> implements HttpResponse.BodyHandler<Object> {
    private final HttpResponse.BodyHandler<T> handler;

    /** The held response; null for a stream, which its handler gets at once. */
    private volatile HttpResponse.ResponseInfo held;

    HeldBody(HttpResponse.BodyHandler<T> handler) {
      this.handler = handler;
    }

    @Override
    @SuppressWarnings("unchecked")
    public HttpResponse.BodySubscriber<Object> apply(HttpResponse.ResponseInfo info) {
      String type = info.headers().firstValue("Content-Type").orElse(null);
      if (Changes.isStream(type, info.headers().firstValueAsLong("Content-Length").orElse(-1))) {
        return (HttpResponse.BodySubscriber<Object>) handler.apply(info);
      }
      held = info;
      return (HttpResponse.BodySubscriber<Object>) (HttpResponse.BodySubscriber<?>) HttpResponse.BodySubscribers.ofByteArray();
    }

    @SuppressWarnings("unchecked")
    CompletionStage<HttpResponse<T>> release(HttpResponse<Object> response, Exchange exchange) {
      if (held == null) return CompletableFuture.completedStage((HttpResponse<T>) (HttpResponse<?>) response);
      Changes.Answer answer = Changes.ask(exchange);
      HttpResponse.ResponseInfo info = answer == null ? held : new GivenInfo(answer, held.version());
      byte[] body = answer == null ? (byte[]) response.body() : answer.body();
      HttpResponse.BodySubscriber<T> subscriber = handler.apply(info);
      subscriber.onSubscribe(
          new Flow.Subscription() {
            private boolean isOver;

            @Override
            public void request(long count) {
              if (isOver) return;
              isOver = true;
              if (body.length > 0) subscriber.onNext(List.of(ByteBuffer.wrap(body)));
              subscriber.onComplete();
            }

            @Override
            public void cancel() {
              isOver = true;
            }
          });
      return subscriber.getBody().thenApply(value -> new GivenResponse<>(response, info, value));
    }
  }

  private record GivenInfo(int statusCode, HttpHeaders headers, Version version) implements HttpResponse.ResponseInfo {
    GivenInfo(Changes.Answer answer, Version version) {
      this(answer.status(), headers(answer), version);
    }

    private static HttpHeaders headers(Changes.Answer answer) {
      Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      answer.headers().forEach(
          header -> fields.computeIfAbsent(header.getKey(), name -> new ArrayList<>()).add(header.getValue()));
      return HttpHeaders.of(fields, (name, value) -> true);
    }
  }

  /** A response with another status, other header fields and another body. */
  private record GivenResponse<T>(HttpResponse<Object> response, HttpResponse.ResponseInfo info, T body)
      implements HttpResponse<T> {
    @Override
    public int statusCode() {
      return info.statusCode();
    }

    @Override
    public HttpHeaders headers() {
      return info.headers();
    }

    @Override
    public HttpRequest request() {
      return response.request();
    }

    @Override
    @SuppressWarnings("unchecked")
    public Optional<HttpResponse<T>> previousResponse() {
      return response.previousResponse().map(previous -> (HttpResponse<T>) (HttpResponse<?>) previous);
    }

    @Override
    public Optional<SSLSession> sslSession() {
      return response.sslSession();
    }

    @Override
    public URI uri() {
      return response.uri();
    }

    @Override
    public Version version() {
      return response.version();
    }
  }

  private record CopyingPublisher(HttpRequest.BodyPublisher publisher, Body sent) implements HttpRequest.BodyPublisher {
    @Override
    public long contentLength() {
      return publisher.contentLength();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
      sent.reset();
      publisher.subscribe(
          new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
              subscriber.onSubscribe(subscription);
            }

            @Override
            public void onNext(ByteBuffer item) {
              sent.add(item);
              subscriber.onNext(item);
            }

            @Override
            public void onError(Throwable failure) {
              sent.truncate();
              subscriber.onError(failure);
            }

            @Override
            public void onComplete() {
              subscriber.onComplete();
            }
          });
    }
  }

  private record CopyingSubscriber<T>(HttpResponse.BodySubscriber<T> subscriber, Body received, Runnable end)
      implements HttpResponse.BodySubscriber<T> {
    @Override
    public CompletionStage<T> getBody() {
      return subscriber.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscriber.onSubscribe(
          new Flow.Subscription() {
            private boolean isCancelled;

            @Override
            public void request(long count) {
              subscription.request(count);
            }

            @Override
            public void cancel() {
              if (!isCancelled) {
                isCancelled = true;
                received.truncate();
                end.run();
              }
              subscription.cancel();
            }
          });
    }

    @Override
    public void onNext(List<ByteBuffer> items) {
      items.forEach(received::add);
      subscriber.onNext(items);
    }

    @Override
    public void onError(Throwable failure) {
      received.truncate();
      end.run();
      subscriber.onError(failure);
    }

    @Override
    public void onComplete() {
      end.run();
      subscriber.onComplete();
    }
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return client.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return client.connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return client.followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return client.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return client.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return client.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return client.authenticator();
  }

  @Override
  public Version version() {
    return client.version();
  }

  @Override
  public Optional<Executor> executor() {
    return client.executor();
  }

  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return client.newWebSocketBuilder();
  }
}
