import { z } from 'zod';
import { mean } from '../../stats/mean.ts';
import { harmlessJson } from '../../text/output/plain-text.ts';
import { scenarioSummarySchema } from '../record/run-document.ts';
import type { ComparedTrial } from './comparable-trials.ts';
import { yardstickSchema } from './yardstick.ts';

/** Of the agent, over the trials of all cases. */
const measurementSchema = z.object({ trials: z.int().positive(), mean: z.number(), sd: z.number().nonnegative() });

/** The trials of a case. */
const baselineCaseSchema = z.object({
  /** Null in a scenario without data. */
  case: z.string().max(10_000).nullable(),
  /** A hash of the row; null without data, or if it is unknown. */
  row: z.string().max(64).nullable(),
  /** The outcome of trial 1, 2 and so on: 1 passed, 0 failed, - could not be scored, . was not run. */
  trials: z
    .string()
    .max(1_000_000)
    .regex(/^[01.-]*$/, 'only 1, 0, - and . are outcomes'),
  /** By trial; missing if they are 1 for each that passed and 0 for each that failed. */
  scores: z.array(z.number().min(0).max(1).nullable()).max(1_000_000).optional(),
  /** The row is held out: it runs only with `--holdout`. Missing if it is not, or if no row is. */
  held_out: z.literal(true).optional(),
  /** Whether the agent gave the same answer in all trials. */
  identical: z.literal(true).optional(),
});

const baselineScenarioSchema = z.object({
  name: z.string().max(1000),
  file: z.string().max(10_000),
  adapter: z.string().max(10_000),
  model: z.string().max(10_000),
  /** With `prompts`: the name of the scenario, and of the prompt. */
  prompt_of: scenarioSummarySchema.shape.prompt_of,
  /** Null if none was given. */
  seed: z.int().nullable(),
  yardstick: yardstickSchema,
  /** Null if a trial's is unknown. */
  cost_usd: measurementSchema.nullable(),
  latency_seconds: measurementSchema.nullable(),
  cases: z.array(baselineCaseSchema).max(100_000),
});

/** It increases when a baseline changes so that an earlier Salvo would misunderstand it. */
export const BASELINE_VERSION = 1;

/** The results of a run, as far as another run is compared with them. Without conversations, small enough to commit. */
export const baselineSchema = z.object({
  salvo_baseline: z.literal(BASELINE_VERSION),
  salvo_version: z.string().max(100),
  run_id: z.string().max(200),
  created_at: z.string().max(100),
  /** Of git, when the baseline was set; null if it is unknown. */
  commit: z.string().max(100).nullable(),
  /** What the agents are made of: hashes of files and versions of packages. Missing if it is unknown. */
  agent_files: z.record(z.string().max(10_000), z.string().max(1000)).optional(),
  scenarios: z.array(baselineScenarioSchema).max(100_000),
});

export type Baseline = z.infer<typeof baselineSchema>;
export type BaselineScenario = z.infer<typeof baselineScenarioSchema>;
export type BaselineCase = z.infer<typeof baselineCaseSchema>;
export type Measurement = z.infer<typeof measurementSchema>;

/** The text of a baseline's file: a line for each case, so that a diff shows which cases changed. */
export function baselineText({ scenarios, ...head }: Baseline): string {
  const members = (document: object, indent: string) =>
    Object.entries(document).map(([key, value]) => `${indent}${JSON.stringify(key)}: ${harmlessJson(value)},\n`);
  const blocks = scenarios.map(({ cases, ...scenario }) => {
    const lines = cases.map((each) => `\n        ${harmlessJson(each)}`);
    return `\n    {\n${members(scenario, '      ').join('')}      "cases": [${lines.join(',')}\n      ]\n    }`;
  });
  return `{\n${members(head, '  ').join('')}  "scenarios": [${blocks.join(',')}\n  ]\n}\n`;
}

/** The share of the scored trials that passed; every case weighs the same. Null if nothing was scored. */
export function passRateOf({ cases }: BaselineScenario): { rate: number | null; passed: number; scored: number } {
  const counts = cases.map(outcomesOf).filter(({ scored }) => scored > 0);
  const sum = (of: 'passed' | 'scored') => counts.reduce((total, each) => total + each[of], 0);
  const rate = mean(counts.map(({ passed, scored }) => passed / scored));
  return { rate, passed: sum('passed'), scored: sum('scored') };
}

export function outcomesOf({ trials }: Pick<BaselineCase, 'trials'>): { passed: number; scored: number } {
  const passed = trials.split('1').length - 1;
  return { passed, scored: passed + trials.split('0').length - 1 };
}

/** The trials of a case in the form that is compared. `key` is what pairs the cases of two runs. */
export function trialsOfCase({ trials, scores, identical }: BaselineCase, key: string | null): ComparedTrial[] {
  return [...trials].flatMap((outcome, index) => {
    if (outcome === '.') return [];
    const passed = outcome === '-' ? null : outcome === '1';
    const score = passed === null ? null : scores ? (scores[index] ?? null) : Number(passed);
    return [{ case: key, trial: index + 1, passed, score, answer: identical ? 'same' : null }];
  });
}
