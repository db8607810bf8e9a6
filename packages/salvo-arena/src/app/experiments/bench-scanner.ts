import { loadProject } from 'salvo/kit/project';
import { SalvoError } from 'salvo/kit/text';
import { newExperiment } from '../../experiment/experiment-record.ts';
import { experimentSchema } from '../../experiment/plan/experiment-schema.ts';
import { selectTasks } from '../../experiment/plan/select-tasks.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { FindingsFormat } from '../../match/importers/findings-format.ts';
import { DIFFICULTIES, LANGUAGES, type Strategy } from '../../tasks/game-settings.ts';
import { type ExperimentOptions, playExperiment } from './run-experiment.ts';
import type { OpenExperiment } from './stored-experiments.ts';

export interface BenchScannerOptions extends ExperimentOptions {
  /** `checkov` or another Blue's name, or a command such as `my-scanner --json {dir}`. */
  scanner: string;
  /** The format of the command's report. */
  format?: FindingsFormat | undefined;
  /** How many tasks, each at three difficulties. */
  tasks?: number | undefined;
  language?: CodeLanguage | 'both' | undefined;
  strategy?: Strategy | undefined;
  seed?: number | undefined;
  /** How often the scanner looks at the same code; more than once says how much a model's answers differ. */
  runs?: number | undefined;
}

/** Plays the embedded Red against one scanner, which also looks at the same code without the flaws. */
export async function benchScanner(options: BenchScannerOptions): Promise<OpenExperiment> {
  const { tasks: count = 12, language = 'terraform', strategy = 'blitz', seed = 0, format, runs } = options;
  const project = await loadProject(options.cwd ?? process.cwd());
  const { tasks, problems } = selectTasks({ sample: count }, seed);
  if (problems[0]) throw new SalvoError('OPTIONS_INVALID', `{option:tasks}: ${problems[0].message}.`);
  const file = experimentSchema.parse({
    name: `bench-scanner ${options.scanner}`.slice(0, 200),
    tasks: 'all',
    twin: 'always',
    blue: [blueName(options.scanner)],
    difficulty: [...DIFFICULTIES],
    language: language === 'both' ? [...LANGUAGES] : [language],
    strategy: [strategy],
    seed,
    runs,
    format,
  });
  const experiment = newExperiment({ ...file, tasks }, 'scanner');
  return await playExperiment({ experiment, project, options });
}

/** The name of a Blue. A text with blanks is a command. */
function blueName(scanner: string): string {
  const text = scanner.trim();
  return /\s/.test(text) && !/^(?:command|llm|hybrid):/.test(text) ? `command:${text}` : text;
}
