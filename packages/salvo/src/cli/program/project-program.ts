import { type Command, Option } from 'commander';
import { TEMPLATES } from '../../app/project/templates.ts';
import type { CommandParts } from './command-options.ts';
import { NO_CODE } from './option-values.ts';

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
}
