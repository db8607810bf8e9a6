import type { Command } from 'commander';

/** What the help of a command says besides its options. */
interface CommandHelp {
  group: keyof typeof GROUPS;
  /** Command lines, each with what it does where the line does not say it. Tests parse them. */
  examples: [line: string, what?: string][];
  notes?: string;
  exitCodes: Partial<Record<0 | 1 | 2 | 3, string>>;
}

const GROUPS = {
  agents: 'Test agents:',
  judge: 'Test the judge of a rubric:',
  scanners: 'Test scanners, and play games:',
  machines: 'Work on many machines:',
  other: 'Other commands:',
};

const SCORED = { 0: 'pass', 1: 'fail', 2: 'a required assertion failed', 3: 'could not be scored' };
const GAME = { 0: 'scored', 1: 'below a minimum', 3: 'could not be scored' };
const GAMES = { 0: 'every game was scored', 3: 'games failed or were not played' };
const PRINTED = { 0: 'printed' };

const HELP: Record<string, CommandHelp> = {
  init: {
    group: 'agents',
    examples: [
      ['salvo init', 'in this folder; existing files are kept'],
      ['salvo init my-agent', 'in a new folder'],
    ],
    exitCodes: { 0: 'created' },
  },
  validate: {
    group: 'agents',
    examples: [
      ['salvo validate', 'salvo.yaml and all scenarios'],
      ['salvo validate scenarios/refund.yaml', 'one file'],
      ['salvo validate --format github', 'as annotations of a pull request'],
    ],
    exitCodes: { 0: 'no errors; there may be warnings' },
  },
  run: {
    group: 'agents',
    examples: [
      ['salvo run', 'every scenario, 3 trials each'],
      ['salvo run scenarios/refund.yaml -n 20 --seed 1', 'one scenario, 20 trials'],
      ['salvo run --tag tier=1 --model gpt-4o-mini --budget-usd 0.50'],
      ['salvo run -n 10 --min-pass-rate 90% --junit salvo.xml'],
      ['salvo run -n 10 --against git:main', 'fail if it got worse'],
      ['salvo run -n 20 --models gpt-4o-mini,gpt-5', 'compare models'],
      ['salvo run -n 50 --estimate', 'the expected cost'],
      ['salvo run --resume latest', 'the missing trials'],
      ['salvo run --shard 2/4 --out parts', 'the second of four parts'],
      ['salvo run -n 1000 --local-workers 4', 'by four processes'],
    ],
    exitCodes: SCORED,
  },
  worker: {
    group: 'machines',
    examples: [
      ['salvo worker', 'takes whatever there is, until Ctrl-C'],
      ['salvo worker --concurrency 16 --labels gpu,eu'],
      ['salvo worker --allow-code', 'also modules, plugins and commands of projects'],
      ['salvo worker --idle-exit 60', 'leaves when there is nothing to do'],
    ],
    notes: `All need SALVO_DATABASE_URL=postgres://..., or database_url in salvo.yaml.
Ctrl-C finishes what is under way; a second Ctrl-C gives it to others.`,
    exitCodes: { 0: 'left', 3: 'the database was lost' },
  },
  attach: {
    group: 'machines',
    examples: [
      ['salvo attach', 'the newest that is under way'],
      ['salvo attach k7 --json', 'the run whose id begins with k7'],
    ],
    notes: `Ctrl-C only leaves; the workers go on. If nobody leads the run any more, this
process does, and needs no files of the project for it.`,
    exitCodes: SCORED,
  },
  merge: {
    group: 'agents',
    examples: [
      ['salvo merge parts', 'all parts in a folder and in its folders'],
      ['salvo merge parts --junit salvo.xml --markdown salvo.md'],
    ],
    notes: 'A missing part is exit code 3. Merging the same parts again gives the same run.',
    exitCodes: SCORED,
  },
  view: {
    group: 'agents',
    examples: [
      ['salvo view', 'all runs and experiments'],
      ['salvo view k7 --no-open', 'the address of the run whose id begins with k7'],
    ],
    exitCodes: { 0: 'ended by Ctrl-C' },
  },
  report: {
    group: 'agents',
    examples: [
      ['salvo report', 'the latest run'],
      ['salvo report k7 --junit salvo.xml', 'the run whose id begins with k7'],
      ['salvo report --history', 'all runs, and how pass rates changed'],
    ],
    notes: 'The exit code is that of the run; with --history it is 0.',
    exitCodes: SCORED,
  },
  compare: {
    group: 'agents',
    examples: [
      ['salvo compare', 'the latest run with the one before it'],
      ['salvo compare latest~3 latest', 'with an earlier run'],
      ['salvo compare git:main latest', 'with the baseline committed on main'],
      ['salvo compare base.json new.json', 'what salvo run --json printed'],
      ['salvo compare k7@gpt-4o k7@gpt-5', 'two models of one run'],
    ],
    notes: `A scenario is compared if both runs have it and measured it by the same
assertions, judges and threshold. The model, the adapter and the prompts may
differ. It is called better or worse if the difference is more than luck:
p < 0.05, corrected for the number of scenarios.`,
    exitCodes: { 0: 'not worse', 1: 'worse', 3: 'nothing can be compared' },
  },
  baseline: {
    group: 'agents',
    examples: [
      ['salvo baseline set', 'the latest run, in salvo-baseline.json'],
      ['salvo baseline set k7 -o nightly.json', 'the run whose id begins with k7'],
    ],
    notes: `The file has outcomes, scores, costs and hashes, and no conversations.
Commit it, then let later runs fail if they are worse: salvo run --against FILE.`,
    exitCodes: { 0: 'written', 3: 'the run has no scored trial' },
  },
  db: {
    group: 'machines',
    examples: [
      ['salvo db migrate', 'create or update the tables'],
      ['salvo db status', 'what is stored and under way'],
      ['salvo db import .salvo/salvo.db', 'copy the results of a machine'],
      ['salvo db prune --older-than 90d --dry-run', 'what would be removed'],
    ],
    notes: `The database is SALVO_DATABASE_URL, or database_url in salvo.yaml:
postgres://USER@HOST/DATABASE. Without either it is the file in storage_dir.
Importing again copies only what is not there yet. Pruning removes runs and
experiments that ended, and what only they refer to; never the run of the
project's baseline.`,
    exitCodes: { 0: 'done', 3: 'interrupted, or the database was lost' },
  },
  plan: {
    group: 'agents',
    examples: [
      ['salvo plan', 'to find a change by 10%'],
      ['salvo plan refund --effect 5% --power 90%', 'a smaller change, found more often'],
      ['salvo plan --precision 5%', 'to know the rate within 5%'],
    ],
    notes: `The pass rate, its spread over cases, costs and times are those of the newest
stored runs. Without any, the plan is for the worst case. salvo compare uses
the same formula.`,
    exitCodes: PRINTED,
  },
  replay: {
    group: 'agents',
    examples: [
      ['salvo replay', 'the first failure of the latest run'],
      ['salvo replay 13', 'trial 13 of the latest run'],
      ['salvo replay refund 13', 'of a scenario, by name or file'],
      ['salvo replay refund', 'the first failure of a scenario'],
      ['salvo replay refund@gpt-5 13', 'of a scenario that ran with several models'],
      ['salvo replay k7/refund/13', 'of the run whose id begins with k7'],
      ['salvo replay 3fa09c1b --full', 'a trace, with its long texts'],
    ],
    notes: `A number at the end is a trial: a scenario named 7 is "7/13" or "7 13". If a
case is named a/2, "refund/a/2" is that case, and "refund/a 2" is trial 2 of a.
Names and ids can be shortened to a beginning that only one of them has.`,
    exitCodes: PRINTED,
  },
  reeval: {
    group: 'agents',
    examples: [
      ['salvo reeval', 'the latest run, with the assertions as they are now'],
      ['salvo reeval k7 --scenario stricter/refund.yaml'],
      ['salvo reeval refund 13', 'one trial; targets are those of replay'],
      ['salvo reeval --estimate', 'the expected cost of the judges'],
    ],
    exitCodes: SCORED,
  },
  export: {
    group: 'agents',
    examples: [
      ['salvo export -o run.jsonl', 'the latest run'],
      ['salvo export k7', 'the run whose id begins with k7'],
      ['salvo export --html run.html', 'the latest run as a file for a browser'],
      ['salvo export m3 --html games.html', 'an experiment with its games'],
    ],
    exitCodes: { 0: 'written' },
  },
  calibrate: {
    group: 'judge',
    examples: [
      ['salvo calibrate', 'by labels given in salvo view; asks no model'],
      ['salvo calibrate labels.jsonl', 'the judge of the project, if it has only one'],
      ['salvo calibrate labels.jsonl --rubric rubrics/tone.yaml'],
      ['salvo calibrate labels.jsonl --scenario scenarios/tone.yaml'],
      ['salvo calibrate labels.jsonl --rubric tone.yaml -k 5 --budget-usd 1'],
    ],
    notes: `Lines of the file:
  {"task": "Is 7 prime?", "response": "Yes.", "passed": true}
  {"task": "Is 8 prime?", "response": "Yes.", "labels": {"correct": 0}}
Or verdicts that some other judge has given; then no model is called:
  {"human": true, "judge": false}
  {"human": true, "votes": [true, false, true]}
  {"human": true, "votes": {"gpt-4o-mini": true, "claude": false}}
A table (labels.csv) has the same keys as columns:
  task,response,labels.correct,passed
  human,judge`,
    exitCodes: {
      0: 'usable',
      1: 'weak or no better than chance',
      3: 'too few labels to tell, or too little could be scored',
    },
  },
  'judge-check': {
    group: 'judge',
    examples: [
      ['salvo judge-check', 'the judge of salvo.yaml'],
      ['salvo judge-check --judge openai --model gpt-4o-mini -k 3'],
      ['salvo judge-check --rubric rubrics/tone.yaml', 'with your own criteria'],
    ],
    exitCodes: {
      0: 'no attempt succeeded',
      1: 'an attempt succeeded or an honest answer failed',
      3: 'not every case could be scored',
    },
  },
  score: {
    group: 'scanners',
    examples: [
      ['salvo score --red manifest.json --blue findings.json'],
      ['salvo score --red manifest.json --blue checkov.json trivy.json kics.json'],
      ['salvo score --red manifest.json --blue results.sarif --source infra'],
      ['salvo score --red manifest.json --blue findings.json --min-recall 80%'],
      ['salvo score --red manifest.json --blue checkov.json trivy.json --view'],
    ],
    exitCodes: { 0: 'good enough', 1: 'below a minimum', 3: 'could not be scored' },
  },
  game: {
    group: 'scanners',
    examples: [
      ['salvo game', 'offline, a random task'],
      ['salvo game --difficulty hard --seed 7 --out game', 'keep its files'],
      ['salvo game --blue checkov --language cloudformation --count 10'],
      ['salvo game --task "a data lake" --red llm:gpt-5 --blue llm:claude-sonnet-5'],
    ],
    notes: `Blue wins if it finds more than half of the flaws and does not flag clean
resources as often. Red wins if more than half of the flaws evade detection.`,
    exitCodes: GAME,
  },
  scan: {
    group: 'scanners',
    examples: [
      ['salvo scan', 'this folder, with the embedded rules'],
      ['salvo scan infra modules/network/main.tf --fail-on high'],
      ['salvo scan infra --sarif salvo.sarif', 'for a code host'],
      ['salvo scan infra --blue checkov+trivy --json'],
    ],
    exitCodes: {
      0: 'no finding is severe enough to fail',
      1: 'a finding is at least as severe as --fail-on',
      3: 'not covered: nothing of the code could be looked at',
    },
  },
  red: {
    group: 'scanners',
    examples: [
      ['salvo red --seed 7 --out game', 'code, twin and manifests'],
      ['salvo red --red llm:gpt-5 --task "a data lake" --difficulty hard --out game'],
    ],
    exitCodes: { 0: 'written', 3: 'Red failed, or nothing that it claims is true' },
  },
  blue: {
    group: 'scanners',
    examples: [
      ['salvo blue game --out findings.json', 'sees the code of the game alone'],
      ['salvo blue infra --blue checkov --json'],
    ],
    notes: `Scored with "salvo score --red game/scored_manifest.json --blue FILE".`,
    exitCodes: { 0: 'looked at', 3: 'not covered, or Blue failed' },
  },
  tools: {
    group: 'scanners',
    examples: [['salvo tools'], ['salvo tools --json']],
    exitCodes: PRINTED,
  },
  play: {
    group: 'scanners',
    examples: [
      ['salvo play', 'eight questions; Enter takes the default'],
      ['salvo play --blue rules --seed 7', 'asks for the rest'],
    ],
    exitCodes: GAME,
  },
  experiment: {
    group: 'scanners',
    examples: [
      ['salvo experiment experiment.yaml --estimate'],
      ['salvo experiment experiment.yaml --csv games.csv --latex tables.tex'],
      ['salvo experiment --resume latest', 'the failed and missing games'],
    ],
    notes: `A small file:
  name: rules against hiding
  tasks: { sample: 10 }
  difficulty: [easy, medium, hard]
  blue: [rules, checkov]`,
    exitCodes: GAMES,
  },
  'bench-scanner': {
    group: 'scanners',
    examples: [
      ['salvo bench-scanner checkov'],
      ['salvo bench-scanner "my-scanner --json {dir}" --format sarif --language both'],
    ],
    notes: `Every flaw is played twice: in the code that has it, and in the same code
without it. A finding that is reported in both is a false positive.`,
    exitCodes: GAMES,
  },
  tasks: {
    group: 'scanners',
    examples: [['salvo tasks data lake'], ['salvo tasks --domain healthcare']],
    exitCodes: PRINTED,
  },
  rules: {
    group: 'scanners',
    examples: [['salvo rules encryption'], ['salvo rules aws_s3_bucket --json']],
    exitCodes: PRINTED,
  },
  schema: {
    group: 'other',
    examples: [
      ['salvo schema', 'of scenarios, with the types of your plugins'],
      ['salvo schema rubric -o rubric.schema.json'],
    ],
    exitCodes: PRINTED,
  },
  adapters: {
    group: 'other',
    examples: [['salvo adapters'], ['salvo adapters --json']],
    exitCodes: PRINTED,
  },
  demo: {
    group: 'other',
    examples: [
      ['salvo demo'],
      ['salvo demo --keep demo', 'with its projects, to look around in'],
      ['salvo demo --full', 'every line of every command'],
    ],
    exitCodes: { 0: 'shown' },
  },
  completion: {
    group: 'other',
    examples: [['salvo completion bash'], ['salvo completion zsh'], ['salvo completion fish']],
    notes: `To complete in every new shell, add a line to its start file:
  ~/.bashrc                    source <(salvo completion bash)
  ~/.zshrc, after compinit     source <(salvo completion zsh)
  ~/.config/fish/config.fish   salvo completion fish | source`,
    exitCodes: PRINTED,
  },
};

export const OTHER_COMMANDS = GROUPS.other;
export const EXIT_CODES_OF_RUNS = exitCodes(SCORED);

/** Puts every command into its group, and adds examples, notes and exit codes to its help. */
export function addCommandHelp(program: Command): void {
  for (const command of program.commands) {
    const help = HELP[command.name()];
    if (help === undefined) throw new Error(`The command ${command.name()} has no entry in command-help.ts.`);
    const notes = help.notes === undefined ? '' : `\n${help.notes}\n`;
    command
      .helpGroup(GROUPS[help.group])
      .showHelpAfterError(`(salvo ${command.name()} --help lists its options)`)
      .addHelpText('after', `\nExamples:\n${examples(help)}${notes}\n${exitCodes(help.exitCodes)}`);
  }
}

function examples({ examples }: CommandHelp): string {
  const width = Math.max(...examples.map(([line, what]) => (what === undefined ? 0 : line.length)));
  return examples
    .map(([line, what]) => `  ${what === undefined ? line : `${line.padEnd(width)}   ${what}`}\n`)
    .join('');
}

function exitCodes(meanings: CommandHelp['exitCodes']): string {
  const lines = Object.entries(meanings).map(([code, meaning]) => `  ${code}  ${meaning}\n`);
  return `Exit codes:\n${lines.join('')}  4  wrong usage or input`;
}
