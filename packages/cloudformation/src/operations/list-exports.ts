import type { ListExportsCommandInput, ListExportsCommandOutput, ListImportsCommandInput, ListImportsCommandOutput } from "@aws-sdk/client-cloudformation";
import { operation } from "@sandstack/core";
import { importersOf } from "../engine/carry-out.js";
import { validationError } from "../errors.js";
import { pageOf } from "../paging.js";
import { onAll } from "../stacks.js";
import type { CloudFormationState } from "../state.js";

/** All exports of the account and region. */
export const listExports = operation<CloudFormationState, ListExportsCommandInput, Omit<ListExportsCommandOutput, "$metadata">>({
  name: "ListExports",
  authorize: onAll("cloudformation:ListExports"),
  run({ state }, { NextToken }) {
    const { items, NextToken: next } = pageOf([...state.exports], NextToken);
    return { Exports: items.map(([Name, { stackId, value }]) => ({ ExportingStackId: stackId, Name, Value: value })), NextToken: next };
  },
});

/** The stacks that read an export. @throws ValidationError (400) when none does */
export const listImports = operation<CloudFormationState, ListImportsCommandInput, Omit<ListImportsCommandOutput, "$metadata">>({
  name: "ListImports",
  authorize: onAll("cloudformation:ListImports"),
  run({ state }, { ExportName = "", NextToken }) {
    const importers = importersOf(state, ExportName);
    if (importers.length === 0) throw validationError(`Export '${ExportName}' is not imported by any stack.`);
    const { items, NextToken: next } = pageOf(importers, NextToken);
    return { Imports: [...items], NextToken: next };
  },
});
