import type { CommandsDoor } from 'salvo/kit/commands';
import { DOCUMENT_VERSIONS } from '../app/documents/document-kinds.ts';
import { ARENA_COMMANDS as commands } from './commands.ts';
import { ARENA_HELP } from './program/arena-help.ts';
import { addArenaCommands } from './program/arena-program.ts';
import { addExperimentCommands } from './program/experiment-program.ts';
import { addScoreCommand } from './program/score-program.ts';

export const commandsDoor: CommandsDoor = {
  help: ARENA_HELP,
  demo: async () => (await import('./demo-part.ts')).DEMO_PART,
  schemas: ['experiment', 'manifest', 'findings', ...Object.keys(DOCUMENT_VERSIONS)],
  add(program, parts) {
    addScoreCommand(program, { ...parts, commands });
    addArenaCommands(program, { ...parts, commands });
    addExperimentCommands(program, { ...parts, commands });
  },
};
