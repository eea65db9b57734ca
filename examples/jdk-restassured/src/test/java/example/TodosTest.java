package example;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;

import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TodosTest {
  @BeforeAll
  static void start() throws IOException {
    RestAssured.port = Todos.start(0).getAddress().getPort();
  }

  private static ValidatableResponse add(String body) {
    return given().contentType("application/json").body(body).post("/todos").then();
  }

  @Test
  void aTodoIsKept() {
    String location = add("{\"text\":\"Buy milk\"}").statusCode(201).extract().header("Location");
    given().get(location).then().statusCode(200).body("text", equalTo("Buy milk"));
  }

  @Test
  void theLatestIsShown() {
    add("{\"text\":\"Read\"}").statusCode(201);
    given().get("/latest").then().statusCode(200).body("text", equalTo("Read"));
  }

  @ParameterizedTest
  @CsvSource({"1,200", "99,200", "0,400", "many,400"})
  void aListHasALimit(String limit, int status) {
    add("{\"text\":\"Read\"}").statusCode(201);
    given().queryParam("limit", limit).get("/todos").then().statusCode(status);
  }

  @Test
  void aTodoNeedsText() {
    add("{\"text\":\"\"}").statusCode(422);
  }

  @Test
  void aTodoThatIsNotThere() {
    given().get("/todos/1000").then().statusCode(404);
  }
}
