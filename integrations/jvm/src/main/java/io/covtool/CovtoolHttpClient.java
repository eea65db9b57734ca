package io.covtool;

import java.io.IOException;
import java.net.Authenticator;
import java.net.ConnectException;
import java.net.CookieHandler;
import java.net.ProxySelector;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * A client of {@code java.net.http} that records what it sends.
 *
 * <pre>{@code HttpClient client = CovtoolHttpClient.wrap(HttpClient.newHttpClient());}</pre>
 */
public final class CovtoolHttpClient extends HttpClient {
  /** Fields that the client adds where nobody sees them. */
  private static final String UNSEEN = "\"request_headers\": {\"all_but\": [\"authorization\", \"connection\", "
      + "\"content-length\", \"cookie\", \"http2-settings\", \"transfer-encoding\", \"upgrade\", \"user-agent\"]}";

  private final HttpClient client;

  private CovtoolHttpClient(HttpClient client) {
    this.client = client;
  }

  /** A client that records what this one sends; the client itself where covtool doesn't run the tests. */
  public static HttpClient wrap(HttpClient client) {
    return Recorder.isActive() ? new CovtoolHttpClient(client) : client;
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    Recording<T> recording = new Recording<>(request, handler);
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
    Recording<T> recording = new Recording<>(request, handler);
    return client.sendAsync(recording.request(), recording).whenComplete(recording::end);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, HttpResponse.BodyHandler<T> handler, HttpResponse.PushPromiseHandler<T> pushHandler) {
    Recording<T> recording = new Recording<>(request, handler);
    return client.sendAsync(recording.request(), recording, pushHandler).whenComplete(recording::end);
  }

  /** One request, with those to which it is redirected. */
  private static final class Recording<T> implements HttpResponse.BodyHandler<T> {
    private final HttpRequest original;
    private final HttpResponse.BodyHandler<T> handler;
    private final Exchange first;

    /** What is still to come: the response itself, and the end of its body. */
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

    /** The request with a body that is copied while it is sent. */
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
          // A body that is sent again to another place is the same.
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
