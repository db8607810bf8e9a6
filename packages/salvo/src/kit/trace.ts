export { atLeastSchema } from '../trace/at-least-schema.ts';
export { type AgentCostFields, agentCost, agentCostFields, judgeCostFields } from '../trace/cost-fields.ts';
export type { Message } from '../trace/message.ts';
export type { Trace } from '../trace/trace.ts';
