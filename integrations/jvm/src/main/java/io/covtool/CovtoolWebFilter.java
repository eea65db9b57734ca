package io.covtool;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Records what an application of WebFlux is asked and answers. In tests of Spring Boot it is there already. */
public final class CovtoolWebFilter implements WebFilter, Ordered {
  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange web, WebFilterChain chain) {
    if (!Recorder.isActive()) return chain.filter(web);
    ServerHttpRequest request = web.getRequest();
    Exchange exchange = new Exchange(request.getMethod().name(), urlFor(request));
    if (Recorder.isRecordedByClient(exchange)) return chain.filter(web);
    request.getHeaders().forEach((name, values) -> addAll(exchange.requestHeaders, name, values));
    exchange.unseen = Exchange.SERVER_HEADERS;
    ServerHttpResponse response = web.getResponse();
    RecordedRequest recordedRequest = new RecordedRequest(request);
    RecordedResponse recorded = new RecordedResponse(response, exchange, recordedRequest.sent);
    Recorder.open(exchange);
    return chain
        .filter(web.mutate().request(recordedRequest).response(recorded).build())
        .doOnSuccess(nothing -> recorded.endHandling())
        .doOnCancel(() -> {
          exchange.received.truncate();
          recorded.endHandling();
        })
        .doOnError(failure -> response.beforeCommit(() -> {
          exchange.leaveBodyToServer();
          recorded.endHandling();
          return Mono.empty();
        }));
  }

  private static void addAll(
      List<java.util.Map.Entry<String, String>> headers, String name, List<String> values) {
    for (String value : values) Exchange.add(headers, name, value);
  }

  /** Tests that call the application itself send paths alone. */
  private static String urlFor(ServerHttpRequest request) {
    URI uri = request.getURI();
    if (uri.getScheme() != null && uri.getRawAuthority() != null) return Exchange.plainUrl(uri);
    String host = request.getHeaders().getFirst(HttpHeaders.HOST);
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return "http://" + (host == null ? "localhost" : host) + uri.getRawPath() + query;
  }

  private static void copy(DataBuffer buffer, Body body) {
    try (DataBuffer.ByteBufferIterator parts = buffer.readableByteBuffers()) {
      while (parts.hasNext()) {
        ByteBuffer part = parts.next();
        body.add(part);
      }
    }
  }

  private static final class RecordedRequest extends ServerHttpRequestDecorator {
    final Body sent = new Body();

    RecordedRequest(ServerHttpRequest request) {
      super(request);
    }

    @Override
    public Flux<DataBuffer> getBody() {
      return super.getBody().doOnNext(buffer -> copy(buffer, sent));
    }
  }

  private static final class RecordedResponse extends ServerHttpResponseDecorator {
    private final Exchange exchange;
    private final Body sent;

    /** What is still to come: the end of the handler, and that of the body, which test clients read after it. */
    private final AtomicInteger awaited = new AtomicInteger(1);

    RecordedResponse(ServerHttpResponse response, Exchange exchange, Body sent) {
      super(response);
      this.exchange = exchange;
      this.sent = sent;
    }

    void endHandling() {
      try {
        long length = exchange.requestLength();
        if (sent.length() > 0 || length > 0) {
          exchange.sent = sent;
          if (length >= 0 && sent.length() != length) sent.truncate();
        }
        HttpStatusCode status = getStatusCode();
        getHeaders().forEach((name, values) -> addAll(exchange.responseHeaders, name, values));
        exchange.status = status == null ? 200 : status.value();
        endPart();
      } catch (RuntimeException failure) {
        Recorder.failed(failure);
      }
    }

    private void endPart() {
      if (awaited.decrementAndGet() == 0) exchange.finish();
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
      // One value stays one: servers tell its length.
      if (body instanceof Mono<? extends DataBuffer> one) return super.writeWith(one.doOnNext(this::copyOut));
      return super.writeWith(noticeEnd(Flux.from(body).doOnNext(this::copyOut)));
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
      return super.writeAndFlushWith(
          noticeEnd(Flux.from(body).map(part -> Flux.from(part).doOnNext(this::copyOut))));
    }

    private <T> Flux<T> noticeEnd(Flux<T> body) {
      awaited.incrementAndGet();
      AtomicBoolean isWhole = new AtomicBoolean();
      return body.doOnComplete(() -> isWhole.set(true)).doFinally(signal -> {
        if (!isWhole.get()) exchange.received.truncate();
        endPart();
      });
    }

    private void copyOut(DataBuffer buffer) {
      copy(buffer, exchange.received);
    }
  }
}
