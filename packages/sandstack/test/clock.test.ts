import { SimAws } from "sandstack";
test("a fresh world stands still until its clock is moved", async () => {
  const simAws = new SimAws({ startTime: new Date("2026-01-01T00:00:00Z") });
  await simAws.clock().advanceBy({ seconds: 5 });
  await simAws.backgroundTasksComplete();
  expect(simAws.clock().now().toISOString()).toBe("2026-01-01T00:00:05.000Z");
});
