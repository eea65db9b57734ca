package io.covtool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.TestExecutionListener;

/** The launcher of Surefire 2.22, which Spring Boot 3.0 brings, has no sessions. */
class OldLauncherTest {
  @Test
  void aLauncherWithoutSessionsFindsTheListener() {
    ClassLoader old =
        new ClassLoader(getClass().getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("org.junit.platform.launcher.LauncherSession")) throw new ClassNotFoundException(name);
            if (!name.startsWith("io.covtool.")) return super.loadClass(name, resolve);
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
              byte[] code = file.readAllBytes();
              return defineClass(name, code, 0, code.length);
            } catch (IOException unreadable) {
              throw new ClassNotFoundException(name, unreadable);
            }
          }
        };
    long found =
        ServiceLoader.load(TestExecutionListener.class, old).stream()
            .map(ServiceLoader.Provider::get)
            .filter(listener -> listener.getClass().getName().equals("io.covtool.CovtoolTestListener"))
            .count();
    assertEquals(1, found);
  }
}
