import { type Command, InvalidArgumentError } from 'commander';
import type { CommandParts } from './command-options.ts';
import { NO_CODE, QUIET } from './option-values.ts';

/** `salvo import` */
export function addImportCommand(program: Command, { commands, terminal, exit }: CommandParts): void {
  const command = program
    .command('import')
    .description('store recorded conversations as a run: traces, session files, results of benchmarks')
    .argument('<files...>', 'files, folders, or - for standard input')
    .option('--format <name>', 'the format of the files (default: recognised by their content)')
    .option('--case <field>', 'the field that names the case: conversations with the same case are its trials')
    .option('--trial <field>', 'the field with the number of the trial')
    .option('--passed <field>', 'the field that says whether it passed')
    .option('--reward <field>', 'the field with the reward')
    .option('--pass-at <reward>', 'the reward from which it passes (default: 1)', anyNumber)
    .option('--name <name>', 'the name of the scenario, if the files have none')
    .option('--dry-run', 'only read, and say what is there', false)
    .option('--strict', 'store nothing if anything would be lost', false)
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', QUIET, false)
    .action(async (files: string[], rest) => exit(await commands.import({ files, ...rest }, terminal)));
  for (const { tool, description, argument } of TOOLS) {
    command
      .command(tool)
      .description(description)
      .argument(argument.name, argument.about)
      .requiredOption('--out <folder>', 'the folder to write')
      .option('--adapter <name>', 'the adapter of all scenarios, instead of what the files say')
      .option('--model <name>', 'the model of all scenarios')
      .option('--force', 'write into a folder that has files already', false)
      .option('--strict', 'write nothing if anything is left out', false)
      .option('--dry-run', 'only read, and say what would be written', false)
      .option('--no-code', NO_CODE)
      .option('--json', 'print one JSON document', false)
      .action(async (given: string[] | string | undefined, { code: _, ...rest }) => {
        const files = given === undefined ? [] : [given].flat();
        // Commander gives an option that `import` has as well to that one.
        const { strict, dryRun, json } = command.opts();
        const all = { ...rest, strict: rest.strict || strict, dryRun: rest.dryRun || dryRun, json: rest.json || json };
        exit(await commands.migrate({ tool, files, ...all }, terminal));
      });
  }
}

/** Other tools, whose files become a project. A file with such a name is given as ./promptfoo. */
const TOOLS = [
  {
    tool: 'promptfoo',
    description: 'make a project of a config of promptfoo',
    argument: { name: '[config]', about: 'YAML, JSON, JS or TS (default: promptfooconfig.yaml)' },
  },
  {
    tool: 'openai-evals',
    description: "make a project of an eval of OpenAI's API",
    argument: { name: '<files...>', about: 'the eval with its graders, and files with items' },
  },
  {
    tool: 'deepeval',
    description: 'make a project of a dataset of DeepEval',
    argument: { name: '<files...>', about: 'JSON or CSV' },
  },
  {
    tool: 'inspect-samples',
    description: 'make a project of samples of Inspect',
    argument: { name: '<files...>', about: 'JSON, JSON lines or CSV' },
  },
] as const;

function anyNumber(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError('It is no number.');
  return number;
}
