import { adapterSecrets } from '../adapters/adapter-secrets.ts';
import { openResources } from '../app/open-resources.ts';
import { SCANNERS } from '../arena/blue/scanners/scanners.ts';
import { newExperiment } from '../arena/experiment/new-experiment.ts';
import { experimentSchema } from '../arena/experiment/plan/experiment-schema.ts';
import { selectTasks } from '../arena/experiment/plan/select-tasks.ts';
import { DIFFICULTIES } from '../arena/game-settings.ts';
import { TWIN_RED } from '../arena/red/twin-red.ts';
import { loadProject } from '../scenario/load-project.ts';
import { openStore } from '../store/open-store.ts';
import { SalvoError } from '../text/salvo-error.ts';
import { playExperiment } from './play-experiment.ts';
import type { BenchScannerCommandOptions } from './program/commands.ts';
import type { Terminal } from './terminal/terminal.ts';
import { checkExperimentTargets, writeExperiment } from './terminal/write-experiment.ts';

/** `salvo bench-scanner`: the embedded Red against one scanner, each flaw beside the same code without it. */
export async function benchScannerCommand(options: BenchScannerCommandOptions, terminal: Terminal): Promise<number> {
  await checkExperimentTargets(options, terminal);
  const project = await loadProject(terminal.cwd);
  const { tasks, wrong } = selectTasks({ sample: options.tasks }, options.seed);
  if (wrong[0]) throw new SalvoError('BENCH_OPTIONS', `--tasks: ${wrong[0].message}.`);
  const { concurrency, strategy, seed, format } = options;
  const blue = blueName(options.scanner);
  const language = options.language === 'both' ? ['terraform', 'cloudformation'] : [options.language];
  const plan = {
    ...experimentSchema.parse({
      name: `bench-scanner ${options.scanner}`.slice(0, 200),
      tasks: 'all',
      red: ['mutation', TWIN_RED],
      blue: [blue],
      difficulty: [...DIFFICULTIES],
      language,
      strategy: [strategy],
      seed,
      format,
    }),
    tasks,
  };
  await using resources = openResources();
  const secrets = adapterSecrets({ adapters: project.config.adapters, env: terminal.env });
  const open = async () => resources.adopt(await openStore(project, { secrets }), (store) => store.close());
  const experiment = newExperiment(plan, 'scanner');
  const played = await playExperiment({ experiment, project, openStore: open, concurrency, terminal });
  return await writeExperiment({ ...played, targets: options, terminal });
}

/** A name that a Blue has, or a command of one's own. */
function blueName(scanner: string): string {
  const text = scanner.trim();
  const isName = text === 'rules' || /^(?:command|llm|hybrid):/.test(text) || !/\s/.test(text);
  if (!isName) return `command:${text}`;
  const [first = ''] = text.split(/[:+]/);
  if (['rules', 'command', 'llm', 'hybrid', ...SCANNERS.map(({ name }) => name)].includes(first)) return text;
  throw new SalvoError(
    'UNKNOWN_BLUE',
    `There is no scanner "${text.slice(0, 100)}". Known are rules, ${SCANNERS.map(({ name }) => name).join(', ')}; any other as a command: "my-scanner --json {dir}".`,
  );
}
