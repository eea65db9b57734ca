package io.covtool;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Writes the exchanges of tests to the folder that COVTOOL_TRAFFIC names. Without the variable, it records nothing. */
final class Recorder {
  private static final String FOLDER = System.getenv("COVTOOL_TRAFFIC");
  private static final Recorder INSTANCE =
      FOLDER == null || FOLDER.isEmpty() ? null : new Recorder(Path.of(FOLDER).toAbsolutePath());
  private static final int LIMIT = readLimit();

  /** The requests that recorded clients in this process are sending: a server in it must not record them again. */
  private static final Map<String, Integer> SENDING = new ConcurrentHashMap<>();

  private final Path folder;
  private final boolean wantsResponseBodies;

  /** Exchanges whose response hasn't ended. If it never ends, they are written at the end of the process. */
  private final Set<Exchange> open = ConcurrentHashMap.newKeySet();

  private String path = "";
  private FileChannel file;
  private String problem;
  private boolean isSaid;

  private Recorder(Path folder) {
    this.folder = folder;
    wantsResponseBodies = !Files.exists(folder.resolve("no-response-bodies"));
    Runtime.getRuntime().addShutdownHook(new Thread(this::finish, "covtool"));
    begin();
  }

  static boolean isActive() {
    return INSTANCE != null;
  }

  /** True if a class is on the class path. */
  static boolean isPresent(String name) {
    try {
      Class.forName(name, false, Recorder.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError missing) {
      return false;
    }
  }

  static int limit() {
    return LIMIT;
  }

  private static int readLimit() {
    try {
      return Integer.parseInt(System.getenv("COVTOOL_BODY_LIMIT"));
    } catch (NumberFormatException unset) {
      return 1 << 20;
    }
  }

  /** Registers an exchange, so that it is written even if it never ends. */
  static void open(Exchange exchange) {
    INSTANCE.open.add(exchange);
  }

  /** Registers a request that a client sends. */
  static void startSending(Exchange exchange) {
    exchange.isOfClient = true;
    SENDING.merge(exchange.key(), 1, Integer::sum);
    open(exchange);
  }

  /** Removes an exchange that is over, or that was never sent. */
  static void forget(Exchange exchange) {
    if (INSTANCE.open.remove(exchange) && exchange.isOfClient) {
      SENDING.computeIfPresent(exchange.key(), (key, count) -> count > 1 ? count - 1 : null);
    }
  }

  /** Writes the exchanges that a test has left open. */
  static void endTest(RunningTest test) {
    for (Exchange exchange : INSTANCE.open) exchange.endWith(test);
  }

  /** True if a client in this process is recording the request that a server in it received. */
  static boolean isRecordedByClient(Exchange exchange) {
    return SENDING.containsKey(exchange.key());
  }

  /** Writes the line of an exchange that is over. */
  static void write(Exchange exchange) {
    forget(exchange);
    INSTANCE.append(exchange);
  }

  private void append(Exchange exchange) {
    try {
      write(exchange.toJson(wantsResponseBodies) + "\n");
    } catch (IOException | RuntimeException failure) {
      fail(failure);
    }
  }

  private synchronized void begin() {
    try {
      byte[] random = new byte[6];
      new SecureRandom().nextBytes(random);
      String name = "traffic-" + ProcessHandle.current().pid() + "-" + HexFormat.of().formatHex(random);
      path = folder.resolve(name).toString();
      boolean isPosix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
      Files.createDirectories(folder, isPosix ? permissions("rwx------") : new FileAttribute<?>[0]);
      file =
          FileChannel.open(
              Path.of(path + ".ndjson"),
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
              isPosix ? permissions("rw-------") : new FileAttribute<?>[0]);
      write("{\"covtool\": 1, \"recorder\": \"jvm 0.1.0\", \"shows\": {}}\n");
    } catch (IOException | RuntimeException failure) {
      fail(failure);
    }
  }

  private static FileAttribute<?>[] permissions(String text) {
    return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text))};
  }

  private synchronized void write(String line) throws IOException {
    if (problem != null || file == null) return;
    ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
    long before = file.size();
    try {
      while (bytes.hasRemaining()) file.write(bytes);
    } catch (java.nio.channels.ClosedByInterruptException interrupted) {
      // The test interrupted its thread, which closed the file, so it is opened again.
      boolean stays = Thread.interrupted();
      file = FileChannel.open(Path.of(path + ".ndjson"), StandardOpenOption.WRITE, StandardOpenOption.APPEND);
      file.truncate(before);
      write(line);
      if (stays) Thread.currentThread().interrupt();
    } catch (IOException failure) {
      // A partial line would corrupt the next one.
      file.truncate(before);
      throw failure;
    }
  }

  /** Stops recording, and keeps the first failure for the end. The tests go on. */
  static void failed(Throwable failure) {
    if (INSTANCE != null) INSTANCE.fail(failure);
  }

  private synchronized void fail(Throwable failure) {
    if (problem == null) problem = "The recorder for the JVM stopped recording in " + folder + ": " + failure;
  }

  /** Prints once why recording stopped, while the test runner still passes on output. */
  static void sayProblem() {
    if (INSTANCE != null) INSTANCE.say();
  }

  private void finish() {
    for (Exchange exchange : open) append(exchange);
    say();
  }

  private synchronized void say() {
    if (problem == null || isSaid) return;
    isSaid = true;
    // Test runners replace System.err, and drop what is printed between tests.
    PrintStream standardError = new PrintStream(new FileOutputStream(FileDescriptor.err), true);
    standardError.println("covtool: " + problem);
    try {
      Files.writeString(Path.of(path + ".problems"), Json.quote(problem) + "\n");
    } catch (IOException unwritable) {
      // The problem is on standard error.
    }
  }
}
