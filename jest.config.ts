/** @jest-config-loader esbuild-register */
import type { Config } from "jest";

// The CDK's own check of each template takes seconds in every process: `cdk synth` is the place for it.
process.env.CDK_VALIDATION ??= "false";

const config: Config = {
  testEnvironment: "node",
  // The workspaces' own sources are run, not their builds; "import" must not be a condition (it would give a second copy of each SDK class).
  testEnvironmentOptions: { customExportConditions: ["@sandstack/source", "node", "require", "default"] },
  roots: ["<rootDir>/packages", "<rootDir>/examples", "<rootDir>/scripts"],
  testMatch: ["**/test/**/*.test.ts"],
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
  transform: {
    "^.+\\.ts$": ["@swc/jest", { jsc: { parser: { syntax: "typescript" }, target: "es2022" }, module: { type: "commonjs" } }],
  },
  modulePathIgnorePatterns: ["/dist/", "/build/", "/cdk.out/"],
};

export default config;
