package io.covtool;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Tracks the name of the running test. The JUnit Platform finds this class by itself. It uses nothing newer than the
 * platform of 2018, which Surefire brings in the version of Spring Boot 3.0.
 */
public final class CovtoolTestListener implements TestExecutionListener {
  private static final boolean HAS_REST_ASSURED = Recorder.isPresent("io.restassured.RestAssured");

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    // Creates the file before the first request, so that covtool knows of the recorder.
    Recorder.isActive();
  }

  @Override
  public void executionStarted(TestIdentifier identifier) {
    if (!Recorder.isActive()) return;
    try {
      if (identifier.isTest() && identifier.getSource().orElse(null) instanceof MethodSource source) {
        RunningTest test =
            RunningTest.of(source.getClassName(), source.getMethodName(), identifier.getDisplayName());
        RunningTest.start(identifier.getUniqueId(), test);
      }
      // Repeated for each test, since some tests reset the static configuration.
      if (HAS_REST_ASSURED) RestAssuredRecorder.install();
    } catch (RuntimeException | LinkageError failure) {
      Recorder.failed(failure);
    }
  }

  @Override
  public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
    RunningTest.end(identifier.getUniqueId(), result.getStatus() != TestExecutionResult.Status.FAILED);
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    Recorder.sayProblem();
  }
}
