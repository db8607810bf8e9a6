import type { Adapter } from './adapter.ts';
import type { AgentFunction } from './agent/agent-function.ts';
import { lazyAdapter } from './lazy-adapter.ts';

/** A whole agent that is a function of this process. Only the time limit of its trial ends it. */
export function createFunctionAdapter(agent: AgentFunction): Adapter {
  return lazyAdapter({ provider: 'function' }, async () => (await import('./agent/module.ts')).callFunction(agent));
}
