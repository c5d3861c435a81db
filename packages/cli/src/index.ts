export type { CommandIo } from "./command-io.js";
export { deployCommand } from "./deploy-command.js";
