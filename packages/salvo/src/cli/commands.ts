import type { Commands } from './program/command-options.ts';

/** Each module is loaded when its command runs, so that no command imports what it does not need. */
export const COMMANDS: Commands = {
  init: async (options, terminal) => (await import('./project/init.ts')).initCommand(options, terminal),
  validate: async (options, terminal) => (await import('./project/validate.ts')).validateCommand(options, terminal),
  run: async (options, terminal) => (await import('./runs/run.ts')).runCommand(options, terminal),
  worker: async (options, terminal) =>
    (await import('../../../salvo-postgres/src/cli/worker.ts')).workerCommand(options, terminal),
  attach: async (options, terminal) =>
    (await import('../../../salvo-postgres/src/cli/attach.ts')).attachCommand(options, terminal),
  merge: async (options, terminal) => (await import('./runs/merge.ts')).mergeCommand(options, terminal),
  report: async (options, terminal) => (await import('./results/report.ts')).reportCommand(options, terminal),
  compare: async (options, terminal) => (await import('./results/compare.ts')).compareCommand(options, terminal),
  baseline: async (options, terminal) => (await import('./results/baseline.ts')).baselineCommand(options, terminal),
  db: async (options, terminal) => (await import('./results/db.ts')).dbCommand(options, terminal),
  plan: async (options, terminal) => (await import('./runs/plan.ts')).planCommand(options, terminal),
  view: async (options, terminal) => (await import('./results/view.ts')).viewCommand(options, terminal),
  replay: async (options, terminal) => (await import('./results/replay.ts')).replayCommand(options, terminal),
  reeval: async (options, terminal) => (await import('./results/reeval.ts')).reevalCommand(options, terminal),
  judgeCheck: async (options, terminal) =>
    (await import('./judges/judge-check.ts')).judgeCheckCommand(options, terminal),
  calibrate: async (options, terminal) => (await import('./judges/calibrate.ts')).calibrateCommand(options, terminal),
  score: async (options, terminal) =>
    (await import('../../../salvo-arena/src/cli/score.ts')).scoreCommand(options, terminal),
  export: async (options, terminal) => (await import('./results/export.ts')).exportCommand(options, terminal),
  schema: async (options, terminal) => (await import('./project/schema.ts')).schemaCommand(options, terminal),
  adapters: async (options, terminal) => (await import('./project/adapters.ts')).adaptersCommand(options, terminal),
  demo: async (options, terminal) => (await import('./project/demo.ts')).demoCommand(options, terminal, COMMANDS),
  completion: async (options, terminal) =>
    (await import('./completion/completion.ts')).completionCommand(options, terminal, COMMANDS),
  game: async (options, terminal) =>
    (await import('../../../salvo-arena/src/cli/game.ts')).gameCommand(options, terminal),
  play: async (options, terminal) =>
    (await import('../../../salvo-arena/src/cli/play.ts')).playCommand(options, terminal),
  scan: async (options, terminal) =>
    (await import('../../../salvo-arena/src/cli/scan.ts')).scanCommand(options, terminal),
  red: async (options, terminal) => (await import('../../../salvo-arena/src/cli/red.ts')).redCommand(options, terminal),
  blue: async (options, terminal) =>
    (await import('../../../salvo-arena/src/cli/blue.ts')).blueCommand(options, terminal),
  tools: async (options, terminal) =>
    (await import('../../../salvo-arena/src/cli/tools.ts')).toolsCommand(options, terminal),
  tasks: async (options, terminal) =>
    (await import('../../../salvo-arena/src/cli/tasks.ts')).tasksCommand(options, terminal),
  rules: async (options, terminal) =>
    (await import('../../../salvo-arena/src/cli/rules.ts')).rulesCommand(options, terminal),
  experiment: async (options, terminal) =>
    (await import('../../../salvo-arena/src/cli/experiment.ts')).experimentCommand(options, terminal),
  benchScanner: async (options, terminal) =>
    (await import('../../../salvo-arena/src/cli/bench-scanner.ts')).benchScannerCommand(options, terminal),
};
