import { SimAws } from "sandstack";
import { routeRequest } from "../src/route.js";
import { wireServicesOf } from "../src/services.js";
import { matchUri, uriTemplate } from "../src/uri-template.js";
import { worldOf } from "./world.js";

test.each([
  { template: "/2015-03-31/functions", path: "2015-03-31/functions", labels: {} },
  { template: "/2015-03-31/functions", path: "2015-03-31/functions/f", labels: undefined },
  { template: "/functions/{FunctionName}/code", path: "functions/a%20b%2Fc/code", labels: { FunctionName: "a b/c" } },
  { template: "/functions/{FunctionName}/code", path: "functions/f", labels: undefined },
  { template: "/functions/{FunctionName}", path: "functions/%zz", labels: { FunctionName: "%zz" } },
  { template: "/{Bucket}/{Key+}", path: "b/k/with/slashes", labels: { Bucket: "b", Key: "k/with/slashes" } },
  { template: "/{Bucket}/{Key+}", path: "b", labels: undefined },
  { template: "/layers?find=LayerVersion", path: "layers", labels: undefined },
  { template: "/layers?find=LayerVersion", path: "layers", query: { find: "Other" }, labels: undefined },
  { template: "/layers?find=LayerVersion", path: "layers", query: { find: "LayerVersion" }, labels: {} },
  { template: "/{Bucket}?uploads", path: "b", query: { uploads: "" }, labels: { Bucket: "b" } },
])("$template and $path $query", ({ template, path, query = {}, labels }) => {
  const matched = matchUri(uriTemplate(template), `/${path}`, new Map(Object.entries(query).map(([name, value]) => [name, [value]])));
  expect(matched && Object.fromEntries(matched)).toEqual(labels);
});

test.each([
  { path: "/2018-10-31/layers", query: {}, operation: "ListLayers" },
  { path: "/2018-10-31/layers", query: { find: "LayerVersion", Arn: "a" }, operation: "GetLayerVersionByArn" },
  { path: "/2019-09-30/functions/f/provisioned-concurrency", query: { List: "ALL" }, operation: "ListProvisionedConcurrencyConfigs" },
  { path: "/2019-09-30/functions/f/provisioned-concurrency", query: { Qualifier: "1" }, operation: "GetProvisionedConcurrencyConfig" },
])("paths that are alike are told apart by their query: $operation", ({ path, query, operation }) => {
  const request = { method: "GET", path, query: new Map(Object.entries(query).map(([name, value]) => [name, [value]])), headers: {}, body: "" };
  expect(routeRequest(request, "lambda", wireServicesOf(worldOf(new SimAws())))).toMatchObject({ kind: "operation", operation: { name: operation } });
});
