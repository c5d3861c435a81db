/** Bytes of `TemplateBody` (CloudFormation quotas). */
export const MAX_TEMPLATE_BODY_BYTES = 51_200;
/** Bytes of a template behind a `TemplateURL` (CloudFormation quotas). */
export const MAX_TEMPLATE_BYTES = 1_000_000;
/** Bytes of a template's description (CloudFormation quotas). */
export const MAX_DESCRIPTION_BYTES = 1024;
/** Resources in a template (CloudFormation quotas). */
export const MAX_RESOURCES = 500;
/** Parameters in a template (CloudFormation quotas). */
export const MAX_PARAMETERS = 200;
/** Outputs in a template (CloudFormation quotas). */
export const MAX_OUTPUTS = 200;
/** Characters of an export's name (User Guide, Outputs). */
export const MAX_EXPORT_NAME_LENGTH = 255;
/** Tags of a stack (API reference, CreateStack). */
export const MAX_STACK_TAGS = 50;
/** Characters of a stack's name (API reference, CreateStack). */
export const MAX_STACK_NAME_LENGTH = 128;
/** How deep `Fn::ForEach` may be nested (User Guide, Fn::ForEach). */
export const MAX_FOR_EACH_DEPTH = 5;
/** Deleted stacks that are kept for look-up by id, per account and region; AWS keeps them about 90 days. */
export const MAX_DELETED_STACKS = 1_000;
/** Events kept of one stack; the oldest go first. */
export const MAX_STACK_EVENTS = 20_000;
/** Items of one page of ListExports, ListStackResources and their like (100 on AWS). */
export const PAGE_SIZE = 100;
