package example;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

@SpringBootTest
@AutoConfigureMockMvc
class BooksTest {
  @Autowired MockMvc mvc;

  private ResultActions add(String book) throws Exception {
    return mvc.perform(post("/books").contentType(MediaType.APPLICATION_JSON).content(book));
  }

  @Test
  void aBookIsKept() throws Exception {
    String location =
        add("{\"title\":\"Momo\",\"pages\":304}")
            .andExpect(status().isCreated())
            .andExpect(header().exists("Location"))
            .andReturn().getResponse().getHeader("Location");
    mvc.perform(get(location)).andExpect(status().isOk()).andExpect(jsonPath("$.title").value("Momo"));
  }

  @ParameterizedTest
  @CsvSource({"1,200", "100,200", "0,400", "many,400"})
  void aListHasALimit(String limit, int status) throws Exception {
    mvc.perform(get("/books").param("limit", limit)).andExpect(status().is(status));
  }

  @Test
  void aBookNeedsATitle() throws Exception {
    add("{\"title\":\"\"}").andExpect(status().isBadRequest());
    add("{\"title\":\"Momo\",\"pages\":0}").andExpect(status().isBadRequest());
  }

  @Test
  void aBookThatIsNotThere() throws Exception {
    mvc.perform(get("/books/1000")).andExpect(status().isNotFound());
  }
}
