/**
 * Distils AWS's resource specification into src/spec/*.data.ts. Run by hand when @aws-cdk/aws-service-spec is updated:
 *
 *   node packages/cloudformation/scripts/distil-spec.mjs
 *
 * Two sets: `detailed` (types with nested definitions, for the services in question and their neighbours) and `all` (names and
 * flags of every type). Both are JSON, compressed, so that importing the package costs a string each.
 */
import { writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";

const DETAILED_SERVICES = ["SQS", "SNS", "IAM", "Lambda", "Events", "CloudFormation", "Scheduler", "CDK"];
const DETAILED_TYPES = [
  "AWS::S3::Bucket",
  "AWS::S3::BucketPolicy",
  "AWS::SSM::Parameter",
  "AWS::Logs::LogGroup",
  "AWS::CloudWatch::Alarm",
  "AWS::KMS::Key",
  "AWS::KMS::Alias",
  "AWS::SecretsManager::Secret",
  "AWS::Pipes::Pipe",
  "AWS::StepFunctions::StateMachine",
  "AWS::DynamoDB::Table",
];

const SCALARS = { string: "s", integer: "i", number: "n", boolean: "b", json: "j", "date-time": "d", tag: "g", null: "z" };

const db = loadAwsServiceSpecSync();
const resources = [...db.all("resource")].sort((a, b) => (a.cloudFormationType < b.cloudFormationType ? -1 : 1));

writeData("all-types", Object.fromEntries(resources.map((resource) => [resource.cloudFormationType, flagsOf(resource)])));
writeData("detailed-types", detailedSet(resources.filter((resource) => isDetailed(resource.cloudFormationType))));

function isDetailed(type) {
  return DETAILED_TYPES.includes(type) || DETAILED_SERVICES.includes(type.split("::")[1]);
}

/** p: property names, r: required, y: a change replaces, m: a change may replace, a: attributes, i: primary identifier, t: tag property. */
function flagsOf(resource) {
  return withoutEmpty({ p: Object.keys(resource.properties), ...propertyFlags(resource.properties), ...namesOf(resource) });
}

function detailedSet(detailed) {
  const definitions = [];
  const indexById = new Map();
  const types = {};
  for (const resource of detailed) {
    types[resource.cloudFormationType] = withoutEmpty({ ...structure(resource.properties), ...namesOf(resource) });
  }
  return { types, definitions };

  function structure(properties) {
    const p = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, typeCode(property.type)]));
    return { p, ...propertyFlags(properties) };
  }

  function typeCode(type) {
    switch (type.type) {
      case "array":
        return ["a", typeCode(type.element)];
      case "map":
        return ["m", typeCode(type.element)];
      case "union":
        return ["u", ...type.types.map(typeCode)];
      case "ref":
        return definitionIndex(type.reference.$ref);
      default: {
        const code = SCALARS[type.type];
        if (code === undefined) throw new Error(`The specification has a kind of type this script does not know: ${type.type}`);
        return code;
      }
    }
  }

  function definitionIndex(id) {
    const known = indexById.get(id);
    if (known !== undefined) return known;
    const index = definitions.length;
    indexById.set(id, index);
    definitions.push(undefined); // a definition may refer to itself
    definitions[index] = withoutEmpty(structure(db.get("typeDefinition", id).properties));
    return index;
  }
}

function propertyFlags(properties) {
  const named = (isWanted) => Object.entries(properties).filter(([, property]) => isWanted(property)).map(([name]) => name);
  return {
    r: named((property) => property.required),
    y: named((property) => property.causesReplacement === "yes"),
    m: named((property) => property.causesReplacement === "maybe"),
  };
}

function namesOf(resource) {
  return { a: Object.keys(resource.attributes), i: resource.primaryIdentifier ?? [], t: resource.tagInformation?.tagPropertyName };
}

function withoutEmpty(entry) {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)));
}

function writeData(name, value) {
  const json = Buffer.from(JSON.stringify(value));
  const packed = brotliCompressSync(json, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: json.length },
  });
  const source = `// Made by scripts/distil-spec.mjs from @aws-cdk/aws-service-spec (Apache-2.0). Not edited by hand.\nconst packed: string =\n  "${packed.toString("base64")}";\n\nexport default packed;\n`;
  writeFileSync(new URL(`../src/spec/${name}.data.ts`, import.meta.url), source);
  console.log(`${name}: ${json.length} bytes of JSON, ${source.length} bytes of source`);
}
