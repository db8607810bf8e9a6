export {
  type AgentCostFields,
  agentCost,
  agentCostFields,
  atLeastSchema,
  judgeCostFields,
} from '../trace/cost-fields.ts';
export type { Message } from '../trace/message.ts';
export type { Trace } from '../trace/trace.ts';
