import type { CommandsDoor } from 'salvo/kit/commands';
import { WORKER_COMMANDS as commands } from './commands.ts';
import { WORKER_HELP } from './worker-help.ts';
import { addWorkerCommands, withWorkerOptions } from './worker-program.ts';

/** What workers can do. */
const BY_WORKERS = ['run', 'experiment', 'bench-scanner'];

export const commandsDoor: CommandsDoor = {
  help: WORKER_HELP,
  add(program, parts) {
    addWorkerCommands(program, { ...parts, commands });
    for (const command of program.commands) {
      if (BY_WORKERS.includes(command.name())) withWorkerOptions(command.optionsGroup('Several machines:'));
    }
  },
};
