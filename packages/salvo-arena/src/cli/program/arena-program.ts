import type { Terminal } from 'salvo/kit/cli';
import { type Command, decimalNumber, InvalidArgumentError, NO_CODE, Option, wholeNumber } from 'salvo/kit/commands';
import { FAIL_ON } from '../../match/claims/severity.ts';
import { LANGUAGES, STANDARDS, type Standard } from '../../tasks/game-settings.ts';
import type { ArenaCommands } from './command-options.ts';
import { oneOf, withBlueOptions, withGameOptions, withRedOptions, withTaskOptions } from './game-options.ts';

const ADAPTER = 'adapter of models named without one (default: default_adapter of salvo.yaml)';
/** `cis,fsbp`. */
function standards(text: string): Standard[] {
  return text.split(',').map((each) => {
    const name = each.trim().toLowerCase();
    const known = STANDARDS.find((one) => one === name);
    if (known) return known;
    throw new InvalidArgumentError(`There is no standard "${name.slice(0, 50)}". Known are ${STANDARDS.join(', ')}.`);
  });
}

const BUDGET = 'stop before more than this is spent on models';

interface ProgramParts {
  commands: ArenaCommands;
  terminal: Terminal;
  exit: (code: number) => void;
}

/** The commands of the arena: games, their tasks and rules. */
export function addArenaCommands(program: Command, parts: ProgramParts): void {
  const { commands, terminal, exit } = parts;
  withGameOptions(
    program
      .command('game')
      .description('play one game: Red hides flaws in infrastructure code, Blue looks for them, the Judge decides'),
  )
    .option('--sarif <file>', 'write the flaws that evaded Blue as SARIF, which code hosts show in the code')
    .action(async ({ votes, ...options }) => exit(await commands.game({ ...options, k: votes }, terminal)));

  withGameOptions(
    program.command('play').description('play one game interactively: asks for every option that is not given'),
  ).action(async ({ votes, ...options }) => exit(await commands.play({ ...options, k: votes }, terminal)));

  addScanCommand(program, parts);

  withRedOptions(
    withTaskOptions(
      program.command('red').description("play Red's side: write code with hidden flaws, its twin and the manifest"),
    ),
  )
    .option('--adapter <name>', ADAPTER)
    .option('--no-code', NO_CODE)
    .option('--budget-usd <usd>', BUDGET, decimalNumber(0))
    .optionsGroup('Output:')
    .option('-o, --out <dir>', 'write code, twin and manifests to this folder')
    .option('--force', 'replace an earlier game in that folder', false)
    .addOption(
      new Option('--dry-run', 'list which resources of --template can carry a flaw, and why others cannot')
        .default(false)
        .conflicts('out'),
    )
    .option('--json', 'print one JSON document', false)
    .action(async (options) => exit(await commands.red(options, terminal)));

  withBlueOptions(
    program
      .command('blue')
      .description("play Blue's side: look for flaws in the code of a folder, and write the findings")
      .argument('<dir>', 'a folder of code, or the folder that `salvo red` wrote'),
  )
    .addOption(oneOf('--language <language>', 'only code of this language', LANGUAGES))
    .option('--seed <n>', 'seed for all random choices', wholeNumber(Number.MIN_SAFE_INTEGER))
    .option('--adapter <name>', ADAPTER)
    .option('--no-code', NO_CODE)
    .option('--budget-usd <usd>', BUDGET, decimalNumber(0))
    .optionsGroup('Output:')
    .option('-o, --out <file>', 'write the findings as JSON')
    .option('--json', 'print the findings as JSON', false)
    .action(async (dir: string, rest) => exit(await commands.blue({ dir, ...rest }, terminal)));

  addListCommands(program, parts);
}

function addScanCommand(program: Command, { commands, terminal, exit }: ProgramParts): void {
  withBlueOptions(
    program
      .command('scan')
      .description('look for flaws in your own infrastructure code')
      .argument('[paths...]', 'files and folders (default: this folder)'),
  )
    .option('--adapter <name>', ADAPTER)
    .option('--no-code', NO_CODE)
    .option('--budget-usd <usd>', BUDGET, decimalNumber(0))
    .optionsGroup('Verdict:')
    .addOption(oneOf('--fail-on <severity>', 'fail if a finding is at least this severe', FAIL_ON).default('medium'))
    .option(
      '--standard <names>',
      `only weaknesses of these standards: ${STANDARDS.join(', ')} (several with commas)`,
      standards,
    )
    .option('--known <file>', 'only findings that are not in this file of known ones')
    .addOption(
      new Option('--write-known <file>', 'write all findings to such a file, and do not fail on them').conflicts(
        'known',
      ),
    )
    .optionsGroup('Output:')
    .option('--all', 'a line for each finding, not one for each rule', false)
    .option('--json', 'print one JSON document', false)
    .option('--sarif <file>', 'write the findings as SARIF, which code hosts show in the code')
    .option('--markdown <file>', 'write a Markdown summary')
    .action(async (paths: string[], rest) =>
      exit(await commands.scan({ paths: paths.length > 0 ? paths : ['.'], ...rest }, terminal)),
    );
}

/** The commands that list scanners, tasks and rules. */
function addListCommands(program: Command, { commands, terminal, exit }: ProgramParts): void {
  program
    .command('tools')
    .description('list scanners: which are installed, their version, and what they lack')
    .option('--json', 'print one JSON document', false)
    .action(async (rest) => exit(await commands.tools(rest, terminal)));

  program
    .command('tasks')
    .description('list the tasks of games')
    .argument('[text...]', 'words to search for, or the id of a task')
    .option('--domain <domain>', 'only tasks of this domain, such as healthcare')
    .option('--json', 'print one JSON document', false)
    .action(async (text: string[], rest) => exit(await commands.tasks({ text: text.join(' '), ...rest }, terminal)));

  program
    .command('rules')
    .description('list the rules that the embedded Blue checks')
    .argument('[text...]', 'words to search for: an id, a category, a resource')
    .option('--json', 'print one JSON document', false)
    .action(async (text: string[], rest) => exit(await commands.rules({ text: text.join(' '), ...rest }, terminal)));
}
