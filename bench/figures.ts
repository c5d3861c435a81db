import type { Benchmark } from "./figure.js";
import { deployment } from "./figures/deployment.js";
import { directCalls } from "./figures/direct-calls.js";
import { fifo } from "./figures/fifo.js";
import { http } from "./figures/http.js";
import { inProcessSdk } from "./figures/in-process-sdk.js";
import { messageMemory } from "./figures/message-memory.js";
import { queueDepth } from "./figures/queue-depth.js";
import { serve } from "./figures/serve.js";
import { startUp } from "./figures/start-up.js";

/** All benchmarks, in the order in which they run. */
export const benchmarks: readonly Benchmark[] = [startUp, directCalls, inProcessSdk, http, serve, queueDepth, fifo, messageMemory, deployment];
