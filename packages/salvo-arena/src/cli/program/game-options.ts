import { type Command, decimalNumber, NO_CODE, Option, QUIET, share, wholeNumber } from 'salvo/kit/commands';
import { COMBINATIONS, FRAMEWORKS, TECHNIQUES } from '../../blue/llm/technique.ts';
import { FINDINGS_FORMATS } from '../../match/importers/findings-format.ts';
import { DIFFICULTIES, LANGUAGES, STRATEGIES, TRUTH_CHECKERS, TWIN_POLICIES } from '../../tasks/game-settings.ts';

/** No option has a default here: `play` asks for missing options, and `game` has the defaults. */
export function withGameOptions(command: Command): Command {
  return withBlueOptions(withRedOptions(withTaskOptions(command)))
    .addOption(oneOf('--twin <which>', 'which Blues also look at the clean twin (default: scanners)', TWIN_POLICIES))
    .optionsGroup('Models:')
    .option('--adapter <name>', 'adapter of models named without one (default: default_adapter of salvo.yaml)')
    .option('--no-code', NO_CODE)
    .option('--budget-usd <usd>', 'stop before more than this is spent on models', decimalNumber(0))
    .optionsGroup('The Judge:')
    .addOption(
      oneOf('--matcher <matcher>', 'how findings are compared (default: evidence)', ['documented', 'evidence']),
    )
    .option('--llm <model...>', 'ask models about unclear matches (model, or adapter=model; several vote together)')
    .addOption(
      oneOf('--verify <how>', 'let these models debate first (default: judge.model of salvo.yaml)', ['debate']),
    )
    .option('--judge <adapter>', "the models' adapter (default: judge.adapter of salvo.yaml)")
    .option('-k, --votes <n>', 'votes of each model per unclear match', wholeNumber(1, 21))
    .option('--no-judge-cache', 'ignore cached votes')
    .optionsGroup('Verdict:')
    .option('--min-recall <share>', 'fail below this recall (0.9 or 90%)', share)
    .option('--min-precision <share>', 'fail below this precision', share)
    .option('--min-f1 <share>', 'fail below this F1', share)
    .optionsGroup('Output:')
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', QUIET, false)
    .option('-o, --out <dir>', 'write code, manifests, findings and scores to this folder')
    .option('--force', 'replace an earlier game in that folder', false)
    .option('--view', 'look at the game in a browser: the code, what evaded, and why', false);
}

/** What Red is asked for. */
export function withTaskOptions(command: Command): Command {
  return command
    .optionsGroup('The game:')
    .option('--task <task>', 'the id of a task, or a sentence (default: a random task)')
    .option(
      '--template <source>',
      'plant flaws in code of your own: a folder, or https://host/repo.git//folder?ref=tag',
    )
    .addOption(oneOf('--difficulty <difficulty>', 'how well flaws are hidden (default: medium)', DIFFICULTIES))
    .addOption(
      oneOf('--language <language>', 'language of the code (default: terraform, or that of --template)', LANGUAGES),
    )
    .addOption(oneOf('--strategy <strategy>', 'what Red hides (default: balanced)', STRATEGIES))
    .option('--category <category>', 'the target of the strategy targeted, such as encryption_at_rest')
    .option('--count <n>', 'how many flaws (default: the strategy decides)', wholeNumber(1, 100))
    .option(
      '--size <n>',
      'about how many resources the code has (default: 40 to 60, in hard games 80 to 110)',
      wholeNumber(8, 200),
    )
    .option(
      '--density <percent>',
      'how many percent of the resources are flawed (default: 6 to 14)',
      decimalNumber(0, 100),
    )
    .option('--housekeeping', 'also plant weaknesses without an effect on security: descriptions, tags, tracing')
    .option('--seed <n>', 'seed for all random choices (default: random)', wholeNumber(Number.MIN_SAFE_INTEGER));
}

export function withRedOptions(command: Command): Command {
  return command
    .optionsGroup('Red:')
    .option('--red <red>', 'mutation, llm:MODEL or llm:ADAPTER/MODEL (default: mutation)')
    .addOption(oneOf('--red-architecture <kind>', 'how a model of Red works', ['single', 'pipeline']))
    .addOption(
      oneOf('--red-source <source>', 'where a model of Red takes its flaws from', ['catalogue', 'novel', 'mixed']),
    )
    .addOption(
      oneOf(
        '--checker <checker>',
        'how Red’s claims are checked (default: rules, unless Blue is rules)',
        TRUTH_CHECKERS,
      ),
    );
}

export function withBlueOptions(command: Command): Command {
  return command
    .optionsGroup('Blue:')
    .option('--blue <blue>', 'rules, checkov, trivy, kics, tfsec, semgrep, cfn-guard, llm:MODEL, a+b (default: rules)')
    .addOption(
      new Option('--blue-command <command>', 'any other scanner: "tool --json {dir}"').conflicts(['blue', 'mode']),
    )
    .addOption(oneOf('--blue-format <format>', 'format of its report (default: auto)', FINDINGS_FORMATS))
    .addOption(oneOf('--mode <mode>', 'which part of Blue analyzes the code', ['llm_only', 'tools_only', 'hybrid']))
    .addOption(oneOf('--technique <technique>', 'how a model of Blue analyzes the code', TECHNIQUES))
    .addOption(oneOf('--framework <framework>', 'for the technique compliance', FRAMEWORKS))
    .option('--blue-category <category>', 'for the technique targeted')
    .addOption(
      oneOf('--combine <how>', 'use an ensemble of specialists, and combine their findings this way', COMBINATIONS),
    );
}

/** An option with one of several values. */
export function oneOf(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).choices(values);
}
