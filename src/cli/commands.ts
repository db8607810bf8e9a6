import type { Commands } from './program/command-options.ts';

/** Each module is loaded when its command runs, so that no command imports what it does not need. */
export const COMMANDS: Commands = {
  init: async (options, terminal) => (await import('./init.ts')).initCommand(options, terminal),
  validate: async (options, terminal) => (await import('./validate.ts')).validateCommand(options, terminal),
  run: async (options, terminal) => (await import('./run.ts')).runCommand(options, terminal),
  worker: async (options, terminal) => (await import('./worker.ts')).workerCommand(options, terminal),
  attach: async (options, terminal) => (await import('./attach.ts')).attachCommand(options, terminal),
  merge: async (options, terminal) => (await import('./merge.ts')).mergeCommand(options, terminal),
  report: async (options, terminal) => (await import('./report.ts')).reportCommand(options, terminal),
  compare: async (options, terminal) => (await import('./compare.ts')).compareCommand(options, terminal),
  baseline: async (options, terminal) => (await import('./baseline.ts')).baselineCommand(options, terminal),
  db: async (options, terminal) => (await import('./db.ts')).dbCommand(options, terminal),
  plan: async (options, terminal) => (await import('./plan.ts')).planCommand(options, terminal),
  view: async (options, terminal) => (await import('./view.ts')).viewCommand(options, terminal),
  replay: async (options, terminal) => (await import('./replay.ts')).replayCommand(options, terminal),
  reeval: async (options, terminal) => (await import('./reeval.ts')).reevalCommand(options, terminal),
  judgeCheck: async (options, terminal) => (await import('./judge-check.ts')).judgeCheckCommand(options, terminal),
  calibrate: async (options, terminal) => (await import('./calibrate.ts')).calibrateCommand(options, terminal),
  score: async (options, terminal) => (await import('./score.ts')).scoreCommand(options, terminal),
  export: async (options, terminal) => (await import('./export.ts')).exportCommand(options, terminal),
  schema: async (options, terminal) => (await import('./schema.ts')).schemaCommand(options, terminal),
  adapters: async (options, terminal) => (await import('./adapters.ts')).adaptersCommand(options, terminal),
  demo: async (options, terminal) => (await import('./demo.ts')).demoCommand(options, terminal, COMMANDS),
  completion: async (options, terminal) =>
    (await import('./completion.ts')).completionCommand(options, terminal, COMMANDS),
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
