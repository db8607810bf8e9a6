import { type CommandHelp, GROUPS } from './help-entry.ts';

/** The help of commands about judges. */
export const JUDGE_HELP: Record<string, CommandHelp> = {
  calibrate: {
    group: GROUPS.judge,
    examples: [
      ['salvo calibrate', 'by labels given in salvo view; asks no model'],
      ['salvo calibrate --given', 'by outcomes of an import'],
      ['salvo calibrate labels.jsonl', 'the judge of the project, if it has only one'],
      ['salvo calibrate labels.jsonl --rubric rubrics/tone.yaml'],
      ['salvo calibrate labels.jsonl --scenario scenarios/tone.yaml'],
      ['salvo calibrate labels.jsonl --rubric tone.yaml -k 5 --budget-usd 1'],
      ['salvo calibrate labels.jsonl --judges judges.yaml'],
      ['salvo calibrate labels.jsonl --judges judges.yaml --cascade --agreement 95%'],
      ['salvo calibrate labels.jsonl --judges judges.yaml --judge fast'],
      ['salvo calibrate --forget', 'remove the stored calibration'],
    ],
    notes: `The result is stored. If the labels say enough, salvo run corrects the
pass rates of this judge by it from then on; --forget undoes that.
Lines of the file:
  {"task": "Is 7 prime?", "response": "Yes.", "passed": true}
  {"task": "Is 8 prime?", "response": "Yes.", "labels": {"correct": 0}}
Or verdicts that some other judge has given; then no model is called:
  {"human": true, "judge": false, "case": "late parcel"}
  {"human": true, "votes": [true, false, true]}
  {"human": true, "votes": {"gpt-6-luna": true, "claude": false}}
A table (labels.csv) has the same keys as columns:
  task,response,labels.correct,passed
  human,judge`,
    exitCodes: {
      0: 'usable, or forgotten',
      1: 'weak or no better than chance',
      3: 'too few labels to tell, or too little could be scored',
    },
  },
  'judge-check': {
    group: GROUPS.judge,
    examples: [
      ['salvo judge-check', 'the judge of salvo.yaml'],
      ['salvo judge-check --judge openai --model gpt-6-luna -k 3'],
      ['salvo judge-check --judges judges.yaml --judge fast', 'a judge of a file'],
      ['salvo judge-check --rubric rubrics/tone.yaml', 'with your own criteria'],
    ],
    exitCodes: {
      0: 'no attempt succeeded',
      1: 'an attempt succeeded or an honest answer failed',
      3: 'not every case could be scored',
    },
  },
  rank: {
    group: GROUPS.judge,
    examples: [
      ['salvo rank latest latest~1 latest~2', 'three runs'],
      ['salvo rank latest', 'the models of one run'],
      ['salvo rank latest@gpt-6-luna latest~1 --rubric rubrics/tone.yaml'],
      ['salvo rank latest latest~1 --judges judges.yaml --judge fast --budget-usd 2'],
    ],
    notes: `Answers to the same case with the same trial number are compared. Nothing
is stored but votes: after Ctrl-C, or with a larger budget, the same
command goes on where it was.`,
    exitCodes: {
      0: 'ranked, whether or not a difference was shown',
      3: 'too few common cases, or not every pair was judged',
    },
  },
};
