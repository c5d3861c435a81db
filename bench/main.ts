import { benchmarks } from "./figures.js";

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name));
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(", ")}. There are: ${benchmarks.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

for (const benchmark of benchmarks) {
  if (wanted.length > 0 && !wanted.includes(benchmark.name)) continue;
  try {
    for (const figure of await benchmark.run()) console.log(JSON.stringify(figure));
  } catch (error) {
    // The other figures are still worth having.
    console.error(`${benchmark.name} could not be measured:`, error);
    process.exitCode = 1;
  }
}
