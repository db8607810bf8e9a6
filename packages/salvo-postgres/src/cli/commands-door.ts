import type { CommandsDoor } from 'salvo/kit/commands';
import type { WorkerCommands } from './command-options.ts';
import { WORKER_HELP } from './worker-help.ts';
import { addWorkerCommands, withWorkerOptions } from './worker-program.ts';

export const WORKER_COMMANDS: WorkerCommands = {
  worker: async (options, terminal) => (await import('./worker.ts')).workerCommand(options, terminal),
  attach: async (options, terminal) => (await import('./attach.ts')).attachCommand(options, terminal),
};

/** What workers can do. */
const BY_WORKERS = ['run', 'experiment', 'bench-scanner'];

export const commandsDoor: CommandsDoor = {
  help: WORKER_HELP,
  add(program, parts) {
    addWorkerCommands(program, { ...parts, commands: WORKER_COMMANDS });
    for (const command of program.commands) {
      if (BY_WORKERS.includes(command.name())) withWorkerOptions(command.optionsGroup('Several machines:'));
    }
  },
};
