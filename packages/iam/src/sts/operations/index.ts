export { assumeRole } from "./assume-role.js";
export { getAccessKeyInfo } from "./get-access-key-info.js";
export { getCallerIdentity } from "./get-caller-identity.js";
export { getSessionToken } from "./get-session-token.js";
