package io.covtool;

import io.restassured.RestAssured;
import io.restassured.filter.Filter;
import io.restassured.filter.FilterContext;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.http.Header;
import org.apache.http.HttpEntity;
import org.apache.http.HttpEntityEnclosingRequest;
import org.apache.http.HttpRequest;
import org.apache.http.HttpResponse;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.entity.HttpEntityWrapper;
import org.apache.http.impl.client.AbstractHttpClient;
import org.apache.http.message.BasicHeader;
import org.apache.http.protocol.HttpContext;
import org.apache.http.protocol.HttpCoreContext;

/** Records the requests of REST Assured in its HTTP client, which sees redirects and all header fields. */
final class RestAssuredRecorder implements Filter {
  private static final String EXCHANGE = RestAssuredRecorder.class.getName();

  /** The clients that record already, since REST Assured may use a client for several requests. */
  private static final Set<Object> CLIENTS = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /** Adds this filter to REST Assured unless it is there already. */
  static synchronized void install() {
    for (Filter filter : RestAssured.filters()) if (filter instanceof RestAssuredRecorder) return;
    List<Filter> filters = new ArrayList<>(RestAssured.filters());
    filters.add(new RestAssuredRecorder());
    RestAssured.replaceFiltersWith(filters);
  }

  @Override
  public Response filter(
      FilterableRequestSpecification request, FilterableResponseSpecification response, FilterContext context) {
    if (request.getHttpClient() instanceof AbstractHttpClient client && CLIENTS.add(client)) {
      client.addRequestInterceptor(RestAssuredRecorder::send);
      // The first interceptor sees the body before it is decompressed.
      client.addResponseInterceptor(RestAssuredRecorder::receive, 0);
    }
    return context.next(request, response);
  }

  private static void send(HttpRequest request, HttpContext context) {
    try {
      String target = request.getRequestLine().getUri();
      if (target.startsWith("/")) target = HttpCoreContext.adapt(context).getTargetHost().toURI() + target;
      Exchange exchange = new Exchange(request.getRequestLine().getMethod(), target);
      addAll(exchange.requestHeaders, request.getAllHeaders());
      if (request instanceof HttpEntityEnclosingRequest enclosing && enclosing.getEntity() != null) {
        HttpEntity entity = enclosing.getEntity();
        if (entity.getContentLength() != 0) {
          exchange.sent = new Body();
          enclosing.setEntity(new SentEntity(entity, exchange.sent));
        }
      }
      context.setAttribute(EXCHANGE, exchange);
      Recorder.startSending(exchange);
    } catch (RuntimeException failure) {
      Recorder.failed(failure);
    }
  }

  private static void receive(HttpResponse response, HttpContext context) {
    try {
      if (!(context.getAttribute(EXCHANGE) instanceof Exchange exchange)) return;
      context.removeAttribute(EXCHANGE);
      exchange.status = response.getStatusLine().getStatusCode();
      addAll(exchange.responseHeaders, response.getAllHeaders());
      HttpEntity entity = response.getEntity();
      if (entity == null || entity.getContentLength() == 0) exchange.finish();
      else response.setEntity(new ReceivedEntity(entity, exchange));
      if (exchange.isOver() && Changes.areAsked()) change(exchange, response);
    } catch (IOException | RuntimeException failure) {
      Recorder.failed(failure);
    }
  }

  /** Replaces the response if {@code covtool mutate} asks for it. */
  private static void change(Exchange exchange, HttpResponse response) {
    Changes.Answer answer = Changes.ask(exchange);
    if (answer == null) return;
    response.setStatusLine(response.getProtocolVersion(), answer.status());
    response.setHeaders(
        answer.headers().stream().map(each -> new BasicHeader(each.getKey(), each.getValue())).toArray(Header[]::new));
    ByteArrayEntity entity = new ByteArrayEntity(answer.body());
    entity.setContentType(answer.header("Content-Type"));
    entity.setContentEncoding(answer.header("Content-Encoding"));
    response.setEntity(entity);
  }

  private static void addAll(List<Map.Entry<String, String>> headers, Header[] added) {
    for (Header header : added) Exchange.add(headers, header.getName(), header.getValue());
  }

  private static final class SentEntity extends HttpEntityWrapper {
    private final Body sent;

    SentEntity(HttpEntity entity, Body sent) {
      super(entity);
      this.sent = sent;
    }

    @Override
    public void writeTo(OutputStream stream) throws IOException {
      sent.reset();
      super.writeTo(
          new OutputStream() {
            @Override
            public void write(int value) throws IOException {
              stream.write(value);
              sent.add(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] data, int offset, int length) throws IOException {
              stream.write(data, offset, length);
              sent.add(data, offset, length);
            }

            @Override
            public void flush() throws IOException {
              stream.flush();
            }
          });
    }
  }

  private static final class ReceivedEntity extends HttpEntityWrapper {
    private final InputStream content;

    /**
     * REST Assured doesn't read a body unless the test asks for it, and the body would not be measured. So it is read
     * here, unless it may be endless, and the test gets it from memory.
     */
    ReceivedEntity(HttpEntity entity, Exchange exchange) throws IOException {
      super(entity);
      InputStream stream = new ReceivedStream(entity.getContent(), exchange, entity.getContentLength());
      String type = entity.getContentType() == null ? null : entity.getContentType().getValue();
      content = Changes.isStream(type, entity.getContentLength()) ? stream : readAhead(stream);
    }

    private static InputStream readAhead(InputStream stream) {
      ByteArrayOutputStream read = new ByteArrayOutputStream();
      InputStream rest = stream;
      try {
        byte[] buffer = new byte[8192];
        for (int count = 0; count >= 0 && read.size() <= Recorder.limit(); count = stream.read(buffer)) {
          read.write(buffer, 0, count);
        }
      } catch (IOException failure) {
        // The test gets the exception where it would have got it without recording.
        rest =
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw failure;
              }
            };
      }
      return new SequenceInputStream(new ByteArrayInputStream(read.toByteArray()), rest);
    }

    @Override
    public InputStream getContent() {
      return content;
    }

    @Override
    public void writeTo(OutputStream stream) throws IOException {
      getContent().transferTo(stream);
    }
  }

  private static final class ReceivedStream extends FilterInputStream {
    private final Exchange exchange;
    private final long length;
    private boolean isOver;

    ReceivedStream(InputStream stream, Exchange exchange, long length) {
      super(stream);
      this.exchange = exchange;
      this.length = length;
    }

    @Override
    public int read() throws IOException {
      byte[] single = new byte[1];
      return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int count) throws IOException {
      int read = super.read(buffer, offset, count);
      if (read > 0) exchange.received.add(buffer, offset, read);
      if (read < 0 || exchange.received.length() == length) {
        isOver = true;
        exchange.finish();
      }
      return read;
    }

    @Override
    public long skip(long count) throws IOException {
      return Math.max(0, read(new byte[(int) Math.min(count, 8192)]));
    }

    @Override
    public boolean markSupported() {
      return false;
    }

    @Override
    public void close() throws IOException {
      if (!isOver) exchange.received.truncate();
      exchange.finish();
      super.close();
    }
  }
}
