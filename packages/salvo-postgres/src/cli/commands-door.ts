import { type CommandHelp, type CommandsDoor, SCORED } from 'salvo/kit/commands';
import type { WorkerCommands } from './command-options.ts';
import { addWorkerCommands, withWorkerOptions } from './worker-program.ts';

export const WORKER_COMMANDS: WorkerCommands = {
  worker: async (options, terminal) => (await import('./worker.ts')).workerCommand(options, terminal),
  attach: async (options, terminal) => (await import('./attach.ts')).attachCommand(options, terminal),
};

const GROUP = 'Many machines (salvo-postgres):';

const WORKER_HELP: Record<string, CommandHelp> = {
  worker: {
    group: GROUP,
    examples: [
      ['salvo worker', 'takes whatever there is, until Ctrl-C'],
      ['salvo worker --concurrency 16 --labels gpu,eu'],
      ['salvo worker --allow-code', 'also modules, plugins and commands of projects'],
      ['salvo worker --env TOKEN=agents.example.com'],
      ['salvo worker --idle-exit 60', 'leaves when there is nothing to do'],
    ],
    notes: `All need SALVO_DATABASE_URL=postgres://..., or database_url in salvo.yaml.
Ctrl-C finishes what is under way; a second Ctrl-C gives it to others.`,
    exitCodes: { 0: 'left', 3: 'the database was lost' },
  },
  attach: {
    group: GROUP,
    examples: [
      ['salvo attach', 'the newest that is under way'],
      ['salvo attach k7 --json', 'the run whose id begins with k7'],
    ],
    notes: `Ctrl-C only leaves; the workers go on. If nobody coordinates the run any
more, this process does, and needs no files of the project for it.`,
    exitCodes: SCORED,
  },
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
