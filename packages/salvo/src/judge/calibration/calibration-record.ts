import { z } from 'zod';
import { projectName, textFree } from '../../secrets/text-marks.ts';
import { judgeFactsSchema } from '../judge-facts.ts';
import { CALIBRATION_VERDICTS } from './calibration-verdict.ts';
import { anchorsSchema } from './drift/anchors-schema.ts';

export const rate = z.number().min(0).max(1);
export const interval = z.tuple([z.number(), z.number()]);

/** A share of the items that people judged one way, with the counts behind it. */
const countedRateSchema = z.object({
  correct: z.int().nonnegative(),
  total: z.int().nonnegative(),
  /** Null when there was nothing to count. Labels that were drawn by doubt are weighted, so it may differ from the counts. */
  rate: rate.nullable(),
  /** 95%, Wilson, of as many items as these are worth. */
  ci: interval.nullable(),
  /** How many independent items tell as much: fewer, if cases have several trials. Missing in earlier records. */
  worth: z.number().nonnegative().optional(),
});

/** How far judge and people agree on pass or fail. Null where a number is undefined. */
export const agreementSchema = z.object({
  /** Answers that both people and the judge gave a verdict; copies of one answer count once. */
  n: z.int().nonnegative(),
  /** How many cases they are of; missing if each is of its own, and in earlier records. */
  cases: z.int().positive().optional(),
  /** How many of them people passed. */
  human_passed: z.int().nonnegative(),
  kappa: z.number().nullable(),
  /** 95%, by a seeded bootstrap of as many items as these are worth. */
  kappa_ci: interval.nullable(),
  /** Of what people passed, how much the judge passed. */
  sensitivity: countedRateSchema,
  /** Of what people failed, how much the judge failed. */
  specificity: countedRateSchema,
});

/** How a judge compares with people, on one criterion or overall. Null where a number is undefined. */
const calibrationMetricsSchema = agreementSchema.extend({
  agreement: rate.nullable(),
  /** Items that both gave a score; the metrics of scores are about these. */
  n_scores: z.int().nonnegative(),
  spearman: z.number().nullable(),
  kendall: z.number().nullable(),
  /** Judge minus people: above 0 the judge is too lenient. */
  mean_error: z.number().nullable(),
  mean_absolute_error: z.number().nullable(),
  /** How often two single votes on an item differ. */
  vote_flip_rate: rate.nullable(),
  /** How often the verdict of all votes differs when an item is judged again; null when none was. */
  repeat_flip_rate: rate.nullable(),
  best_threshold: z.object({ threshold: z.number(), kappa: z.number() }).nullable(),
  /** The fewest votes whose majority is stable; null when 21 are not enough, or it is unknown. */
  votes_needed: z.int().positive().nullable(),
  /** Votes on each item, and how many independent votes they are worth. Null when it is unknown. */
  effective_votes: z.object({ votes: z.int().positive(), worth: z.number(), error_correlation: z.number() }).nullable(),
  verdict: z.enum(CALIBRATION_VERDICTS),
  reason: z.string(),
});

/** How often the judges of a panel agree with people, each alone and together. */
const panelAgreementSchema = z.object({
  items: z.int().nonnegative(),
  judges: z.array(z.object({ judge_model: projectName(z.string()), agreement: rate })),
  majority: rate,
  /** The agreement of the best judge minus that of the majority, with a 95% interval over the items. */
  best_minus_majority: z.number(),
  best_minus_majority_ci: interval.nullable(),
});

/** What a calibration found. A document: stored and printed as it is. */
const calibrationReportSchema = z.object({
  threshold: rate,
  /** All labelled items, and how many of them the judge could score. */
  items: z.int().nonnegative(),
  scored: z.int().nonnegative(),
  /** Items the judge could not score, by the line of their label. They count neither for nor against it. */
  unscored: z.array(z.object({ line: z.int().positive(), error: z.string().nullable() })),
  votes: z.int().nonnegative(),
  /** Votes without an answer, because the call failed. */
  failed_votes: z.int().nonnegative(),
  /** Answers that could not be read. */
  unreadable_votes: z.int().nonnegative(),
  criteria: z.array(calibrationMetricsSchema.extend({ name: z.string() })),
  /** By the scenario that the labels name; null for labels that name none. */
  scenarios: z.array(agreementSchema.extend({ scenario: projectName(z.string()).nullable() })),
  /** Of a panel: each judge alone and the majority of all, on the items that all of them scored. */
  panel: panelAgreementSchema.nullable(),
  overall: calibrationMetricsSchema,
  verdict: z.enum(CALIBRATION_VERDICTS),
  reason: z.string(),
  /** What the figures take into account, and what they assume: a sentence each. None in earlier records. */
  notes: z.array(textFree(z.string())).default([]),
});

const verdictSchema = z.object({ passed: z.boolean(), score: z.number().nullable() });

/** An item on which judge and people differ. A document: stored and printed as it is. */
const disagreementSchema = z.object({
  /** Of the label in its file. */
  line: z.int().positive(),
  /** The command that shows it, if it is a stored trial and no line of a file. */
  shown_by: z.string().optional(),
  scenario: projectName(z.string()).nullable(),
  /** Long texts lose their middle. */
  task: z.string().nullable(),
  response: z.string().nullable(),
  human: verdictSchema,
  judge: verdictSchema,
  /** Readable votes, and how many of them gave the judge's verdict. */
  votes: z.int().nonnegative(),
  votes_for: z.int().nonnegative(),
  /** The criterion that says most about it, and the reasoning of the vote nearest its score. */
  criterion: z.string().nullable(),
  reasoning: z.string().nullable(),
});

/** A calibration as it is stored: which judge it is about, and what was found. */
export const calibrationRecordSchema = z.object({
  /** Of `judge`: a judge that differs in any of these facts was never calibrated. */
  judge_hash: textFree(z.string().min(1)),
  created_at: textFree(z.string()),
  judge_adapter: projectName(z.string()),
  judge_model: projectName(z.string()),
  k: z.int().positive(),
  judge: judgeFactsSchema,
  ...calibrationReportSchema.shape,
  /** The worst of them; none in records of earlier versions. */
  disagreements: z.array(disagreementSchema).default([]),
  /** Items that are judged again before a run. Missing in earlier records, and by labels that were given in the viewer. */
  anchors: anchorsSchema.optional(),
});

export type Agreement = z.infer<typeof agreementSchema>;
export type PanelAgreement = z.infer<typeof panelAgreementSchema>;
export type CalibrationMetrics = z.infer<typeof calibrationMetricsSchema>;
export type CalibrationReport = z.infer<typeof calibrationReportSchema>;
export type Disagreement = z.infer<typeof disagreementSchema>;
export type CalibrationRecord = z.infer<typeof calibrationRecordSchema>;
