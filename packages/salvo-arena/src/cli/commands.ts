import type { ArenaCommands } from './program/command-options.ts';

/** Each module is loaded when its command runs, so that no command imports what it does not need. */
export const ARENA_COMMANDS: ArenaCommands = {
  score: async (options, terminal) => (await import('./score.ts')).scoreCommand(options, terminal),
  game: async (options, terminal) => (await import('./game.ts')).gameCommand(options, terminal),
  play: async (options, terminal) => (await import('./play.ts')).playCommand(options, terminal),
  scan: async (options, terminal) => (await import('./scan.ts')).scanCommand(options, terminal),
  red: async (options, terminal) => (await import('./red.ts')).redCommand(options, terminal),
  blue: async (options, terminal) => (await import('./blue.ts')).blueCommand(options, terminal),
  tools: async (options, terminal) => (await import('./tools.ts')).toolsCommand(options, terminal),
  tasks: async (options, terminal) => (await import('./tasks.ts')).tasksCommand(options, terminal),
  rules: async (options, terminal) => (await import('./rules.ts')).rulesCommand(options, terminal),
  experiment: async (options, terminal) => (await import('./experiment.ts')).experimentCommand(options, terminal),
  benchScanner: async (options, terminal) =>
    (await import('./bench-scanner.ts')).benchScannerCommand(options, terminal),
};
