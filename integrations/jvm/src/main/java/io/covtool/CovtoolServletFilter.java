package io.covtool;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Collections;

/** Records the requests and responses of servlets. Spring tests have this filter automatically. */
public class CovtoolServletFilter implements Filter {
  private static final String RECORDED = CovtoolServletFilter.class.getName();
  private static final boolean HAS_MOCKS =
      Recorder.isPresent("org.springframework.mock.web.MockMultipartHttpServletRequest");

  @Override
  public void doFilter(ServletRequest asked, ServletResponse answered, FilterChain chain)
      throws IOException, ServletException {
    if (!Recorder.isActive()
        || !(asked instanceof HttpServletRequest request)
        || !(answered instanceof HttpServletResponse response)) {
      chain.doFilter(asked, answered);
    } else if (HAS_MOCKS && MockExchanges.areMocks(request, response)) {
      MockExchanges.record(request, response, noticing -> chain.doFilter(request, noticing));
    } else if (request.getDispatcherType() != DispatcherType.REQUEST || request.getAttribute(RECORDED) != null) {
      chain.doFilter(request, response);
    } else {
      request.setAttribute(RECORDED, true);
      record(request, response, chain);
    }
  }

  private static void record(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String query = request.getQueryString();
    Exchange exchange =
        new Exchange(request.getMethod(), request.getRequestURL() + (query == null ? "" : "?" + query));
    if (Recorder.isRecordedByClient(exchange)) {
      chain.doFilter(request, response);
      return;
    }
    for (String name : Collections.list(request.getHeaderNames())) {
      for (String value : Collections.list(request.getHeaders(name))) {
        Exchange.add(exchange.requestHeaders, name, value);
      }
    }
    exchange.unseen = Exchange.SERVER_HEADERS;
    long length = request.getContentLengthLong();
    if (length > 0 || request.getHeader("Transfer-Encoding") != null) exchange.sent = new Body();
    RecordedResponse recorded = new RecordedResponse(response, exchange);
    boolean isOver = false;
    try {
      chain.doFilter(exchange.sent == null ? request : new RecordedRequest(request, exchange.sent), recorded);
      isOver = true;
    } finally {
      if (!isOver) exchange.leaveBodyToServer();
      if (isOver && request.isAsyncStarted()) {
        recorded.release();
        request.getAsyncContext().addListener(new AtTheEnd(() -> finish(request, recorded, length, false)));
      } else {
        finish(request, recorded, length, !isOver);
      }
    }
  }

  private static void finish(HttpServletRequest request, RecordedResponse response, long length, boolean failed) {
    try {
      Exchange exchange = response.exchange;
      Body sent = exchange.sent;
      // The server reads forms by itself, and a body that nobody reads isn't seen.
      if (sent != null && sent.length() != length && (length >= 0 || sent.length() == 0)) sent.truncate();
      exchange.status = failed && response.getStatus() < 400 ? 500 : response.getStatus();
      for (String name : response.getHeaderNames()) {
        if (exchange.responseHeaders.stream().anyMatch(header -> header.getKey().equalsIgnoreCase(name))) continue;
        for (String value : response.getHeaders(name)) Exchange.add(exchange.responseHeaders, name, value);
      }
      response.flushWriter();
      exchange.finish();
      if (!failed) response.release(exchange);
    } catch (IOException | RuntimeException failure) {
      Recorder.failed(failure);
    }
  }

  private record AtTheEnd(Runnable work) implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
      work.run();
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }
  }

  private static final class RecordedRequest extends HttpServletRequestWrapper {
    private final Body sent;
    private ServletInputStream stream;
    private BufferedReader reader;

    RecordedRequest(HttpServletRequest request, Body sent) {
      super(request);
      this.sent = sent;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      if (stream == null) stream = new RecordedInput(super.getInputStream(), sent);
      return stream;
    }

    @Override
    public BufferedReader getReader() throws IOException {
      if (reader == null) {
        String encoding = getCharacterEncoding() == null ? "ISO-8859-1" : getCharacterEncoding();
        reader = new BufferedReader(new InputStreamReader(getInputStream(), encoding));
      }
      return reader;
    }
  }

  private static final class RecordedInput extends ServletInputStream {
    private final ServletInputStream stream;
    private final Body sent;

    RecordedInput(ServletInputStream stream, Body sent) {
      this.stream = stream;
      this.sent = sent;
    }

    @Override
    public int read() throws IOException {
      int value = stream.read();
      if (value >= 0) sent.add(new byte[] {(byte) value}, 0, 1);
      return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = stream.read(buffer, offset, length);
      if (count > 0) sent.add(buffer, offset, count);
      return count;
    }

    @Override
    public int available() throws IOException {
      return stream.available();
    }

    @Override
    public boolean isFinished() {
      return stream.isFinished();
    }

    @Override
    public boolean isReady() {
      return stream.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
      stream.setReadListener(listener);
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }

  private static final class RecordedResponse extends HttpServletResponseWrapper {
    final Exchange exchange;

    private ServletOutputStream stream;
    private PrintWriter writer;

    /** True while the response is held back, since covtool may change it. */
    private boolean isHeld = Changes.areAsked();

    private final ByteArrayOutputStream heldBytes = new ByteArrayOutputStream();
    private final StringBuilder heldText = new StringBuilder();

    RecordedResponse(HttpServletResponse response, Exchange exchange) {
      super(response);
      this.exchange = exchange;
    }

    @Override
    public void sendError(int status, String message) throws IOException {
      exchange.leaveBodyToServer();
      super.sendError(status, message);
    }

    @Override
    public void sendError(int status) throws IOException {
      exchange.leaveBodyToServer();
      super.sendError(status);
    }

    @Override
    public void reset() {
      dropHeld();
      super.reset();
    }

    @Override
    public void resetBuffer() {
      dropHeld();
      super.resetBuffer();
    }

    private synchronized void dropHeld() {
      exchange.received.reset();
      heldBytes.reset();
      heldText.setLength(0);
    }

    /** Sends the held response, or its replacement from covtool, which isn't asked if an error page is sent instead. */
    void release(Exchange asked) throws IOException {
      HttpServletResponse original = (HttpServletResponse) getResponse();
      Changes.Answer answer = isHeld && !original.isCommitted() ? Changes.ask(asked) : null;
      if (answer == null) {
        release();
        return;
      }
      isHeld = false;
      original.reset();
      original.setStatus(answer.status());
      answer.headers().forEach(header -> original.addHeader(header.getKey(), header.getValue()));
      original.getOutputStream().write(answer.body());
    }

    /** Sends the held response, and stops holding it. */
    synchronized void release() throws IOException {
      if (!isHeld) return;
      isHeld = false;
      if (writer != null) super.getWriter().append(heldText).flush();
      else if (heldBytes.size() > 0) super.getOutputStream().write(heldBytes.toByteArray());
    }

    /** Holds bytes back; returns false if the response isn't held. */
    private synchronized boolean holds(byte[] data, int offset, int length) {
      if (isHeld) heldBytes.write(data, offset, length);
      return isHeld;
    }

    private synchronized boolean holds(CharSequence text) {
      if (isHeld) heldText.append(text);
      return isHeld;
    }

    /** True if nothing may be sent before the end of the response. */
    private boolean defersFlush() throws IOException {
      if (isHeld && Changes.isStream(getContentType(), -1)) release();
      return isHeld;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
      if (stream == null) stream = new RecordedOutput(super.getOutputStream(), exchange.received, this);
      return stream;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
      if (writer == null) {
        // Getting the original's writer fixes the encoding, and rules out a stream.
        PrintWriter original = super.getWriter();
        Charset charset = Charset.forName(getCharacterEncoding());
        RecordedOutput copy = new RecordedOutput(null, exchange.received, null);
        PrintWriter copying = new PrintWriter(new OutputStreamWriter(copy, charset));
        writer =
            new PrintWriter(original) {
              @Override
              public void write(int letter) {
                if (!holds(String.valueOf((char) letter))) super.write(letter);
                copying.write(letter);
              }

              @Override
              public void write(char[] text, int offset, int length) {
                if (!holds(String.valueOf(text, offset, length))) super.write(text, offset, length);
                copying.write(text, offset, length);
              }

              @Override
              public void write(String text, int offset, int length) {
                if (!holds(text.substring(offset, offset + length))) super.write(text, offset, length);
                copying.write(text, offset, length);
              }

              @Override
              public void flush() {
                try {
                  if (!defersFlush()) super.flush();
                } catch (IOException failure) {
                  setError();
                }
                copying.flush();
              }
            };
      }
      return writer;
    }

    @Override
    public void flushBuffer() throws IOException {
      flushWriter();
      if (!defersFlush()) super.flushBuffer();
    }

    void flushWriter() {
      if (writer != null) writer.flush();
    }
  }

  private static final class RecordedOutput extends ServletOutputStream {
    private final ServletOutputStream stream;
    private final Body received;
    private final RecordedResponse response;

    /** Copies bytes to {@code received}, and writes them to {@code stream} unless it is null. */
    RecordedOutput(ServletOutputStream stream, Body received, RecordedResponse response) {
      this.stream = stream;
      this.received = received;
      this.response = response;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] data, int offset, int length) throws IOException {
      if (stream != null && !response.holds(data, offset, length)) stream.write(data, offset, length);
      received.add(data, offset, length);
    }

    @Override
    public void flush() throws IOException {
      if (stream != null && !response.defersFlush()) stream.flush();
    }

    @Override
    public void close() throws IOException {
      if (stream != null && !response.defersFlush()) stream.close();
    }

    @Override
    public boolean isReady() {
      return stream.isReady();
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      stream.setWriteListener(listener);
    }
  }
}
