import { type CommandHelp, SCORED } from 'salvo/kit/commands';

const GROUP = 'Many machines (salvo-postgres):';

export const WORKER_HELP: Record<string, CommandHelp> = {
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
