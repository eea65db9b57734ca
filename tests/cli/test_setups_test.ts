import assert from "node:assert/strict";
import { bypassSentence, unrecordedSentence } from "../../src/cli/test_setups.ts";
import { inFolder } from "../in_folder.ts";

Deno.test("the advice if nothing was recorded is for the language of the command or the project", async () => {
  await inFolder({ "go.mod": "module shop" }, (folder) => {
    const cases = [
      [["/usr/bin/python3", "-m", "pytest"], /^No traffic was recorded\. .*pip install covtool/],
      [["python", "manage.py", "test"], /python -m covtool manage\.py test/],
      [["./mvnw", "test"], /covtool-junit/],
      [["gradlew.bat", "test"], /--rerun/],
      [["dotnet", "test"], /CovtoolHandler.*Tests in C#/],
      [["bundle", "exec", "rspec"], /CovtoolRecorder.*Tests in Ruby/],
      [["vendor/bin/phpunit"], /middleware.*Tests in PHP/],
      [["make", "test"], /Go module of covtool/],
      [["npm", "test"], /Go module of covtool/],
    ] as const;
    for (const [command, sentence] of cases) {
      assert.match(unrecordedSentence(command, folder), sentence, command.join(" "));
    }
  });
  await inFolder({ "package.json": "{}" }, (folder) => {
    assert.match(unrecordedSentence(["npm", "test"], folder), /--import covtool\/node-test/);
    assert.match(unrecordedSentence(["./run-tests"], `${folder}/gone`), /covtool\/collect/);
  });
});

Deno.test("the reason why nothing was sent through the proxy is for the language of the command", async () => {
  await inFolder({ "pom.xml": "<project/>" }, (folder) => {
    assert.match(bypassSentence(["make"], folder) ?? "", /^MockMvc /);
    assert.match(bypassSentence(["pytest"], folder) ?? "", /FastAPI.*open no connection/);
    assert.match(bypassSentence(["bin/rails", "test"], folder) ?? "", /^rack-test /);
    assert.match(bypassSentence(["./vendor/bin/pest"], folder) ?? "", /Laravel/);
    const mutating = bypassSentence(["dotnet", "test"], folder, true) ?? "";
    assert.match(mutating, /^Clients of WebApplicationFactory [^.]*\. Run them against a server/);
    assert.match(bypassSentence(["go", "test", "./..."], folder) ?? "", /\(cached\).*-count=1/);
  });
  await inFolder({}, (folder) => {
    assert.match(bypassSentence(["npm", "test"], folder) ?? "", /Node\.js before 24.*inject\(\)/);
    assert.equal(bypassSentence(["make"], folder), undefined);
  });
  await inFolder({ "test_books.py": "" }, (folder) => {
    assert.match(bypassSentence(["make"], folder) ?? "", /FastAPI/);
  });
});
