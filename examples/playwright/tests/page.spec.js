import { expect, test } from "./fixtures.js";

test("a note is pinned and taken off", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Note").fill("Water the plants");
  await page.getByRole("button", { name: "Pin" }).click();
  const remove = page.getByRole("button", { name: "Take off Water the plants" });
  await expect(remove).toBeVisible();
  await remove.click();
  await expect(remove).toBeHidden();
});
