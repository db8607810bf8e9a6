import { AsyncLocalStorage } from 'node:async_hooks';
import type { ToolTask } from './mocked-tools.ts';

const working = new AsyncLocalStorage<ToolTask>();

/** The task for which an agent works now; undefined if it works without Salvo. */
export function taskOfRun(): ToolTask | undefined {
  return working.getStore();
}

/** An agent whose methods all work for a task. `call` may do something before or after one of them. */
export function workingFor<Agent extends object>(
  task: ToolTask,
  agent: Agent,
  call: (name: string | symbol, work: () => unknown) => unknown,
): Agent {
  return new Proxy(agent, {
    get(target, key) {
      // Of the agent itself: it has private fields, which a proxy does not have.
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => call(key, () => working.run(task, () => Reflect.apply(value, target, args)));
    },
  });
}
