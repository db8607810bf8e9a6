import type { WorkerCommands } from './command-options.ts';

export const WORKER_COMMANDS: WorkerCommands = {
  worker: async (options, terminal) => (await import('./worker.ts')).workerCommand(options, terminal),
  attach: async (options, terminal) => (await import('./attach.ts')).attachCommand(options, terminal),
};
