import { type CommandHelp, PRINTED } from 'salvo/kit/commands';

const GROUP = 'Flaws in infrastructure code (salvo-arena):';
const GAME = { 0: 'scored', 1: 'below a minimum', 3: 'could not be scored' };
const GAMES = { 0: 'every game was scored', 3: 'games failed or were not played' };

const HELP: Record<string, Omit<CommandHelp, 'group'>> = {
  score: {
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
    examples: [
      ['salvo red --seed 7 --out game', 'code, twin and manifests'],
      ['salvo red --red llm:gpt-5 --task "a data lake" --difficulty hard --out game'],
    ],
    exitCodes: { 0: 'written', 3: 'Red failed, or nothing that it claims is true' },
  },
  blue: {
    examples: [
      ['salvo blue game --out findings.json', 'sees the code of the game alone'],
      ['salvo blue infra --blue checkov --json'],
    ],
    notes: `Scored with "salvo score --red game/scored_manifest.json --blue FILE".`,
    exitCodes: { 0: 'looked at', 3: 'not covered, or Blue failed' },
  },
  tools: {
    examples: [['salvo tools'], ['salvo tools --json']],
    exitCodes: PRINTED,
  },
  play: {
    examples: [
      ['salvo play', 'eight questions; Enter takes the default'],
      ['salvo play --blue rules --seed 7', 'asks for the rest'],
    ],
    exitCodes: GAME,
  },
  experiment: {
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
    examples: [
      ['salvo bench-scanner checkov'],
      ['salvo bench-scanner "my-scanner --json {dir}" --format sarif --language both'],
    ],
    notes: `Every flaw is played twice: in the code that has it, and in the same code
without it. A finding that is reported in both is a false positive.`,
    exitCodes: GAMES,
  },
  tasks: {
    examples: [['salvo tasks data lake'], ['salvo tasks --domain healthcare']],
    exitCodes: PRINTED,
  },
  rules: {
    examples: [['salvo rules encryption'], ['salvo rules aws_s3_bucket --json']],
    exitCodes: PRINTED,
  },
};

/** The help of the commands that test scanners and play games. */
export const ARENA_HELP: Record<string, CommandHelp> = Object.fromEntries(
  Object.entries(HELP).map(([command, help]) => [command, { group: GROUP, ...help }]),
);
