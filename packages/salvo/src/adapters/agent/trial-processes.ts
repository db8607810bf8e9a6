import type { ModuleCaller } from './call-module.ts';
import { ModuleProcess, type ModuleProgram } from './module-process.ts';

/**
 * Calls a module that is observed: every trial has a process of its own, with variables that lead to its own recorder. It is
 * the same for all turns of the trial.
 */
export function createTrialProcesses(module: ModuleProgram): ModuleCaller {
  const byTrial = new Map<string, ModuleProcess>();
  const start = (variables: Record<string, string> = {}): ModuleProcess =>
    new ModuleProcess({ ...module, variables, onChange: () => {} });
  return {
    // Shows that the module can be loaded.
    async prepare() {
      const process = start();
      await process.ready;
      await process.close();
    },
    async call(request, signal) {
      const { conversation, given } = request.config;
      const trial = conversation?.id ?? '';
      const known = byTrial.get(trial);
      const process =
        known && !known.isRetired ? known : start({ ...given?.variables, ...conversation?.environment?.variables });
      byTrial.set(trial, process);
      await process.ready;
      return process.ask(request, signal);
    },
    async endConversation(id) {
      const process = byTrial.get(id);
      byTrial.delete(id);
      await process?.close();
    },
    async close() {
      await Promise.all([...byTrial.values()].map((process) => process.close()));
      byTrial.clear();
    },
  };
}
