package io.covtool;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The test that sends a request. */
record RunningTest(String name, String file) {
  private static final ThreadLocal<RunningTest> OF_THREAD = new ThreadLocal<>();
  private static final Map<String, RunningTest> RUNNING = new ConcurrentHashMap<>();

  static void start(String id, RunningTest test) {
    RUNNING.put(id, test);
    OF_THREAD.set(test);
  }

  static void end(String id, boolean isPassed) {
    RunningTest ended = RUNNING.remove(id);
    if (ended == null) return;
    if (ended == OF_THREAD.get()) OF_THREAD.remove();
    Recorder.endTest(ended);
    if (Changes.areAsked()) Changes.tellOutcome(ended, isPassed);
  }

  /** Returns the test of this thread, or the only one that runs; null if it is unknown. */
  static RunningTest current() {
    RunningTest own = OF_THREAD.get();
    if (own != null) return own;
    RunningTest[] all = RUNNING.values().toArray(new RunningTest[0]);
    return all.length == 1 ? all[0] : null;
  }

  /** Makes the test of a class, with its source file if it is in the usual place. */
  static RunningTest of(String className, String methodName, String displayName) {
    String outer = className.replaceAll("\\$.*", "");
    String name = className.substring(className.lastIndexOf('.') + 1).replace('$', '.') + "." + methodName;
    if (!displayName.startsWith(methodName + "(")) name += " " + displayName;
    for (String language : new String[] {"java", "kotlin"}) {
      String ending = language.equals("java") ? ".java" : ".kt";
      String path = "src/test/" + language + "/" + outer.replace('.', '/') + ending;
      if (Files.exists(Path.of(path))) return new RunningTest(name, path);
    }
    return new RunningTest(name, null);
  }

  String toJson() {
    String member = file == null ? "" : ", \"file\": " + Json.quote(file);
    return "{\"name\": " + Json.quote(name) + member + "}";
  }
}
