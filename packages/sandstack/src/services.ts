import { cloudFormationService } from "@sandstack/cloudformation";
import type { ServiceDefinition } from "@sandstack/core";
import { iamService, stsService } from "@sandstack/iam";
import { lambdaService } from "@sandstack/lambda";
import { sqsService } from "@sandstack/sqs";

/** The services of every world: the one place that knows them all. */
export const services: readonly ServiceDefinition[] = [sqsService, iamService, stsService, lambdaService, cloudFormationService];
