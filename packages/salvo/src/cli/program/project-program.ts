import { type Command, Option } from 'commander';
import { TEMPLATES } from '../../app/project/templates.ts';
import type { CommandParts } from './command-options.ts';
import { NO_CODE, turnRange } from './option-values.ts';

/** The commands that make and check the files of a project. */
export function addProjectCommands(program: Command, { commands, terminal, exit }: CommandParts): void {
  program
    .command('init')
    .description('create a project: salvo.yaml, a first scenario, and schemas for your editor')
    .argument('[dir]', 'folder of the project', '.')
    .addOption(new Option('--template <sdk>', 'with an agent on an SDK, or in Python').choices(TEMPLATES))
    .option('--force', 'overwrite existing files', false)
    .action(async (dir: string, { force, template }) => exit(await commands.init({ dir, force, template }, terminal)));

  program
    .command('validate')
    .description('check scenario files and salvo.yaml; report every problem with its position')
    .argument('[files...]', 'files, folders or globs (default: scenarios_dir)')
    .addOption(
      new Option('--format <format>', 'format of the report').choices(['text', 'json', 'github']).default('text'),
    )
    .option('--no-code', NO_CODE)
    .action(async (files: string[], { format }) => exit(await commands.validate({ files, format }, terminal)));

  program
    .command('scenario')
    .description('make a scenario file of recorded conversations')
    .addArgument(program.createArgument('<action>', 'from: of these conversations').choices(['from']))
    .argument('[traces...]', 'runs, scenarios, trials or traces, as for replay, or files', ['latest'])
    .option('--turns <range>', 'only these turns of the user, such as 3-4; those before become history', turnRange)
    .option('--failed <why>', 'what was wrong: the assertions are such that the trace fails them', joined)
    .option('--group', 'one scenario with data of all trials of a run, or of all conversations of a file', false)
    .option('--format <name>', 'the format of the files (default: recognised by their content)')
    .option('--name <name>', 'the name of the scenario')
    .option('-o, --out <file>', 'the file (default: named after the scenario, in scenarios_dir)')
    .option('--force', 'overwrite the file if it exists', false)
    .option('--dry-run', 'print the file, and write nothing', false)
    .action(async (_action: string, targets: string[], rest) =>
      exit(await commands.scenario({ targets, ...rest }, terminal)),
    );
}

/** An option that is given more than once. */
function joined(value: string, before: string | undefined): string {
  return before === undefined ? value : `${before}; ${value}`;
}
