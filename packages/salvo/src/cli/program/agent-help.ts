import { type CommandHelp, GROUPS, PRINTED, SCORED } from './help-entry.ts';
import { JUDGE_HELP } from './judge-help.ts';

/** The help of Salvo's own commands. */
export const AGENT_HELP: Record<string, CommandHelp> = {
  init: {
    group: GROUPS.agents,
    examples: [
      ['salvo init', 'in this folder; existing files are kept'],
      ['salvo init my-agent', 'in a new folder'],
      ['salvo init --template ai-sdk', 'with an agent on the Vercel AI SDK'],
    ],
    exitCodes: { 0: 'created' },
  },
  validate: {
    group: GROUPS.agents,
    examples: [
      ['salvo validate', 'salvo.yaml and all scenarios'],
      ['salvo validate scenarios/refund.yaml', 'one file'],
      ['salvo validate --format github', 'as annotations of a pull request'],
    ],
    exitCodes: { 0: 'no errors; there may be warnings' },
  },
  scenario: {
    group: GROUPS.agents,
    examples: [
      ['salvo scenario from latest --failed "refunded twice"'],
      ['salvo scenario from refund/13', 'demands what a good trial did'],
      ['salvo scenario from chat.json --turns 3-4', 'earlier turns are history'],
      ['salvo scenario from chats.jsonl#3 -o scenarios/late.yaml'],
      ['salvo scenario from k7 --group', 'a case for each case of a run'],
    ],
    notes: `The tools answer as they did in the recording. Each assertion was tried on it:
it passes them, or, with --failed, it fails them.`,
    exitCodes: { 0: 'written' },
  },
  run: {
    group: GROUPS.agents,
    examples: [
      ['salvo run', 'every scenario, 3 trials each'],
      ['salvo run scenarios/refund.yaml -n 20 --seed 1', 'one scenario, 20 trials'],
      ['salvo run --tag tier=1 --model gpt-6-luna --budget-usd 0.50'],
      ['salvo run -n 10 --min-pass-rate 90% --junit salvo.xml'],
      ['salvo run -n 10 --against git:main', 'fail if it got worse'],
      ['salvo run -n 20 --models gpt-6-luna,gpt-5', 'compare models'],
      ['salvo run -n 50 --estimate', 'the expected cost'],
      ['salvo run --resume latest', 'the missing trials'],
      ['salvo run --shard 2/4 --out parts', 'the second of four parts'],
    ],
    exitCodes: SCORED,
  },
  merge: {
    group: GROUPS.agents,
    examples: [
      ['salvo merge parts', 'all parts in a folder and in its folders'],
      ['salvo merge parts --junit salvo.xml --markdown salvo.md'],
    ],
    notes: 'A missing part is exit code 3. Merging the same parts again gives the same run.',
    exitCodes: SCORED,
  },
  chaos: {
    group: GROUPS.agents,
    examples: [
      ['salvo chaos scenarios/refund.yaml', 'four doses, and each fault alone'],
      ['salvo chaos --doses 0,0.2,0.5 --alone 0 -n 10 --budget-usd 2'],
      ['salvo chaos --max-false-success 0', 'a gate for CI'],
      ['salvo chaos --faults outage.yaml'],
      ['salvo chaos --estimate', 'how many trials, and their cost'],
      ['salvo chaos --show latest --csv doses.csv', 'a stored run again'],
    ],
    notes: `A dose is the chance that a call of a tool with faults has one. Without faults
in the scenarios and without --faults, all tools have the usual ones.`,
    exitCodes: {
      0: 'measured, whatever the pass rates',
      1: 'more false successes than --max-false-success',
      3: 'trials are missing or could not be scored',
    },
  },
  view: {
    group: GROUPS.agents,
    examples: [
      ['salvo view', 'all runs and experiments'],
      ['salvo view k7 --no-open', 'the address of the run whose id begins with k7'],
    ],
    exitCodes: { 0: 'ended by Ctrl-C' },
  },
  report: {
    group: GROUPS.agents,
    examples: [
      ['salvo report', 'the latest run'],
      ['salvo report --full', 'with all statistics'],
      ['salvo report k7 --junit salvo.xml', 'the run whose id begins with k7'],
      ['salvo report --history', 'all runs, and how pass rates changed'],
    ],
    notes: 'The exit code is that of the run; with --history it is 0.',
    exitCodes: SCORED,
  },
  compare: {
    group: GROUPS.agents,
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
    group: GROUPS.agents,
    examples: [
      ['salvo baseline set', 'the latest run, in salvo-baseline.json'],
      ['salvo baseline set k7 -o nightly.json', 'the run whose id begins with k7'],
    ],
    notes: `The file has outcomes, scores, costs and hashes, and no conversations.
Commit it, then let later runs fail if they are worse: salvo run --against FILE.
Refused, unless --force is given: a run that is not finished or not scored, in
which a required assertion failed, nothing passed or a minimum that was set is
missed, and one that lacks scenarios of the file.`,
    exitCodes: { 0: 'written' },
  },
  db: {
    group: GROUPS.other,
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
    group: GROUPS.agents,
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
    group: GROUPS.agents,
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
    group: GROUPS.agents,
    examples: [
      ['salvo reeval', 'the latest run, with the assertions as they are now'],
      ['salvo reeval k7 --scenario stricter/refund.yaml'],
      ['salvo reeval refund 13', 'one trial; targets are those of replay'],
      ['salvo reeval --estimate', 'the expected cost of the judges'],
    ],
    exitCodes: SCORED,
  },
  mutate: {
    group: GROUPS.agents,
    examples: [
      ['salvo mutate', 'traces of the latest run'],
      ['salvo mutate k7 --scenario stricter/refund.yaml'],
      ['salvo mutate --min-score 80%', 'a gate for CI'],
      ['salvo mutate --judge-mutants --budget-usd 1', 'what do the judges miss?'],
      ['salvo mutate --operators', 'what is changed, and why'],
    ],
    exitCodes: { 0: 'done, and the score is reached', 1: 'the score is not reached', 3: 'cannot be said' },
  },
  export: {
    group: GROUPS.agents,
    examples: [
      ['salvo export -o run.jsonl', 'the latest run'],
      ['salvo export k7', 'the run whose id begins with k7'],
      ['salvo export --html run.html', 'the latest run, for a browser'],
      ['salvo export m3 --html games.html', 'an experiment with its games'],
      ['salvo export --otel spans.jsonl', 'spans that can be imported'],
      ['salvo export k7 --otel http://localhost:4318', 'to a collector'],
      ['salvo export --openai tuning.jsonl'],
      ['salvo export --atif trajectories'],
      ['salvo export --langfuse https://cloud.langfuse.com'],
    ],
    notes: `Without a file, or with -, a form goes to standard output. An id comes before
the form. A URL gets its headers from OTEL_EXPORTER_OTLP_HEADERS, or its keys
from LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY. What a form cannot carry is
listed on standard error.`,
    exitCodes: { 0: 'written or sent', 3: 'a server did not take everything' },
  },
  import: {
    group: GROUPS.agents,
    examples: [
      ['salvo import results.json', 'of a benchmark, with its outcomes'],
      ['salvo import traces/ --dry-run', 'what is in a folder'],
      ['salvo import rows.jsonl --case task_id --reward info.reward --pass-at 0.8'],
      ['salvo import - --format conversation', 'standard input'],
      ['salvo import promptfoo --out salvo', 'a project of a config of promptfoo'],
      ['salvo import openai-evals eval.json items.jsonl --out salvo'],
    ],
    notes: `The format is recognised by the content. Whether a conversation passed is given
by its file and not judged: salvo reeval RUN --scenario FILE judges it, and
keeps the given outcome beside. The same import twice is stored once.`,
    exitCodes: { 0: 'imported, or there already', 3: 'interrupted' },
  },
  ...JUDGE_HELP,
  schema: {
    group: GROUPS.other,
    examples: [
      ['salvo schema', 'of scenarios, with the types of your plugins'],
      ['salvo schema rubric -o rubric.schema.json'],
      ['salvo schema run', 'of what salvo run --json prints'],
    ],
    exitCodes: PRINTED,
  },
  adapters: {
    group: GROUPS.other,
    examples: [['salvo adapters'], ['salvo adapters --json']],
    exitCodes: PRINTED,
  },
  demo: {
    group: GROUPS.other,
    examples: [
      ['salvo demo'],
      ['salvo demo --keep demo', 'with its projects, to look around in'],
      ['salvo demo --full', 'every line of every command'],
    ],
    exitCodes: { 0: 'shown' },
  },
  completion: {
    group: GROUPS.other,
    examples: [['salvo completion bash'], ['salvo completion zsh'], ['salvo completion fish']],
    notes: `To complete in every new shell, add a line to its start file:
  ~/.bashrc                    source <(salvo completion bash)
  ~/.zshrc, after compinit     source <(salvo completion zsh)
  ~/.config/fish/config.fish   salvo completion fish | source`,
    exitCodes: PRINTED,
  },
};
