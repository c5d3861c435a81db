import { accessDeniedMessage, type ServiceDefinition } from "@sandstack/core";
import { EVENT_TASK, tryEvent } from "./async-invocation.js";
import { accessTo } from "./authorize.js";
import { boundThrottledBatch, DROP_TASK, dropThrottledBatch, THROTTLE_TASK } from "./batches.js";
import { fireEnvironmentTimer, TIMER_TASK } from "./environments.js";
import { lambdaError } from "./errors.js";
import { TIMEOUT_TASK, timeOutInvocation } from "./invocation.js";
import { describeLambda } from "./log-events.js";
import { concurrencyFreed, endWindow, pollMapping, wakeConsumers, WINDOW_TASK } from "./mapping-runner.js";
import { addPermission } from "./operations/add-permission.js";
import { createAlias } from "./operations/create-alias.js";
import { createEventSourceMapping } from "./operations/create-event-source-mapping.js";
import { createFunction } from "./operations/create-function.js";
import { deleteAlias } from "./operations/delete-alias.js";
import { deleteEventSourceMapping } from "./operations/delete-event-source-mapping.js";
import { deleteFunction } from "./operations/delete-function.js";
import { deleteFunctionConcurrency, getFunctionConcurrency, putFunctionConcurrency } from "./operations/function-concurrency.js";
import { getAlias } from "./operations/get-alias.js";
import { getEventSourceMapping } from "./operations/get-event-source-mapping.js";
import { getFunction } from "./operations/get-function.js";
import { getFunctionConfiguration } from "./operations/get-function-configuration.js";
import { getPolicy } from "./operations/get-policy.js";
import { invokeFunction } from "./operations/invoke.js";
import { listAliases } from "./operations/list-aliases.js";
import { listEventSourceMappings } from "./operations/list-event-source-mappings.js";
import { listFunctions } from "./operations/list-functions.js";
import { listVersionsByFunction } from "./operations/list-versions-by-function.js";
import { publishVersion } from "./operations/publish-version.js";
import { removePermission } from "./operations/remove-permission.js";
import { listTags, tagResource, untagResource } from "./operations/tags.js";
import { updateAlias } from "./operations/update-alias.js";
import { updateEventSourceMapping } from "./operations/update-event-source-mapping.js";
import { updateFunctionCode } from "./operations/update-function-code.js";
import { updateFunctionConfiguration } from "./operations/update-function-configuration.js";
import { POLL_TASK } from "./poll-requests.js";
import { aliasResource } from "./resources/alias.js";
import { eventSourceMappingResource } from "./resources/event-source-mapping.js";
import { functionResource } from "./resources/function.js";
import { permissionResource } from "./resources/permission.js";
import { versionResource } from "./resources/version.js";
import { emptyState, type LambdaState } from "./state.js";

export const lambdaService: ServiceDefinition<LambdaState> = {
  id: "lambda",
  reach: "region",
  wire: { protocols: ["restJson1"], polledOperations: ["GetFunction", "GetFunctionConfiguration"] },
  emptyState,
  operations: [
    addPermission,
    createAlias,
    createEventSourceMapping,
    createFunction,
    deleteAlias,
    deleteEventSourceMapping,
    deleteFunction,
    deleteFunctionConcurrency,
    getAlias,
    getEventSourceMapping,
    getFunction,
    getFunctionConcurrency,
    getFunctionConfiguration,
    getPolicy,
    invokeFunction,
    listAliases,
    listEventSourceMappings,
    listFunctions,
    listTags,
    listVersionsByFunction,
    publishVersion,
    putFunctionConcurrency,
    removePermission,
    tagResource,
    untagResource,
    updateAlias,
    updateEventSourceMapping,
    updateFunctionCode,
    updateFunctionConfiguration,
  ],
  tasks: {
    [DROP_TASK]: dropThrottledBatch,
    [EVENT_TASK]: tryEvent,
    [POLL_TASK]: pollMapping,
    [THROTTLE_TASK]: boundThrottledBatch,
    [TIMEOUT_TASK]: timeOutInvocation,
    [TIMER_TASK]: fireEnvironmentTimer,
    [WINDOW_TASK]: endWindow,
  },
  subscriptions: { "sqs.message.visible": wakeConsumers, "lambda.concurrency.freed": concurrencyFreed },
  resourceTypes: [functionResource, versionResource, aliasResource, eventSourceMappingResource, permissionResource],
  describe: describeLambda,
  accessTo,
  accessDenied: (refusal) => lambdaError("AccessDeniedException", accessDeniedMessage(refusal)),
};
