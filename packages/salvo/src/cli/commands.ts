import type { Commands } from './program/command-options.ts';

/** Each module is loaded when its command runs, so that no command imports what it does not need. */
export const COMMANDS: Commands = {
  init: async (options, terminal) => (await import('./project/init.ts')).initCommand(options, terminal),
  validate: async (options, terminal) => (await import('./project/validate.ts')).validateCommand(options, terminal),
  run: async (options, terminal) => (await import('./runs/run.ts')).runCommand(options, terminal),
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
  export: async (options, terminal) => (await import('./results/export.ts')).exportCommand(options, terminal),
  schema: async (options, terminal) => (await import('./project/schema.ts')).schemaCommand(options, terminal),
  adapters: async (options, terminal) => (await import('./project/adapters.ts')).adaptersCommand(options, terminal),
  demo: async (options, terminal) => (await import('./project/demo.ts')).demoCommand(options, terminal, COMMANDS),
  completion: async (options, terminal) =>
    (await import('./completion/completion.ts')).completionCommand(options, terminal, COMMANDS),
};
