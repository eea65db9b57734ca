package io.covtool;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Knows the name of the running test. The JUnit Platform finds it by itself: also that of 2018, which the Surefire of
 * Spring Boot 3.0 brings, so it implements nothing newer.
 */
public final class CovtoolTestListener implements TestExecutionListener {
  private static final boolean HAS_REST_ASSURED = Recorder.isPresent("io.restassured.RestAssured");

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    // The file is there before the first request, so that covtool knows of the recorder.
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
      // Again for each test, since some reset the static configuration.
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
