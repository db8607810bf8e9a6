import { errorText, foreignName, projectName, textFree } from 'salvo/kit/secrets';
import { atLeastSchema } from 'salvo/kit/trace';
import { z } from 'zod';
import { DIFFICULTIES, LANGUAGES, STRATEGIES } from '../tasks/game-settings.ts';

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);
const money = z.number().nonnegative().nullable();

/** A finding as a game's document names it. */
const listedFinding = z.object({
  /** Its index in Blue's report. */
  finding: count,
  rule: foreignName(z.string()).nullable(),
  resource: foreignName(z.string()).nullable(),
  title: z.string().nullable(),
  severity: foreignName(z.string()).nullable().optional(),
});

export type ListedFinding = z.infer<typeof listedFinding>;

/** One Red against one Blue on one task: the content of `game.json`, and what an experiment stores for each game. */
export const gameSchema = z.object({
  game_id: textFree(z.string()),
  /** Null for a game outside of experiments. */
  experiment_id: textFree(z.string()).nullable(),
  /** Identifies the code that the game is played on: equal for all Blues that look at the same code. */
  code_key: textFree(z.string()),
  seed: z.int(),
  task: projectName(z.string()),
  red: projectName(z.string()),
  blue: projectName(z.string()),
  difficulty: z.enum(DIFFICULTIES),
  language: z.enum(LANGUAGES),
  strategy: z.enum(STRATEGIES),
  repetition: count,
  /** From 1 on for further looks of the same Blue at the same code. */
  run: count.optional(),
  started_at: textFree(z.string()),
  duration_seconds: z.number().nonnegative(),
  /** `failed`: a stage failed, and nothing was scored. */
  status: z.enum(['scored', 'failed']),
  failed_stage: z.enum(['red', 'gate', 'blue', 'judge']).nullable(),
  error: errorText(z.string(), 'failed_stage').nullable(),
  template: projectName(z.string()).nullable(),
  /** What kind of code it is: games with the same structure are no independent observations. */
  structure: projectName(z.string()).optional(),
  /** How long Blue took for its looks at the code and at the twin. */
  blue_seconds: z.number().nonnegative().optional(),
  red_cost_usd: money,
  blue_cost_usd: money,
  judge_cost_usd: money,
  /** What is known of a cost that is not known exactly. Games of earlier versions do not have it. */
  red_cost_at_least: atLeastSchema.optional(),
  blue_cost_at_least: atLeastSchema.optional(),
  judge_cost_at_least: atLeastSchema.optional(),
  /** How many entries the manifest had, and what the gate decided about them. */
  claimed: count,
  confirmed: count,
  phantoms: count,
  unchecked: count,
  manifest_accuracy: share.nullable(),
  /** Null when nothing was scored. */
  scores: z
    .object({
      true_positives: count,
      false_positives: count,
      false_negatives: count,
      precision: share,
      recall: share,
      f1_score: share,
      evasion_rate: share,
      duplicates: count,
      /** Which precision decides: `twin` when Blue also looked at the clean twin. */
      precision_used: z.enum(['twin', 'classic']),
      /** Matches among the matches and the false alarms by the twin; null when Blue did not look at it, as below. */
      precision_by_twin: share.nullable(),
      f1_by_twin: share.nullable(),
      /** Findings that no flaw caused, and that are not about a weakness present before. */
      false_alarms_by_twin: count.nullable(),
      /** How many of them are about a value that only evaluation finds, and the precision without them. */
      unresolved: count.nullable().optional(),
      precision_without_unresolved: share.nullable().optional(),
      /** Findings that a flaw caused, about another weakness than the planted one. */
      consequences: count,
      /** Places that look flawed and are safe, and on how many of them Blue reports that flaw. */
      traps: z.object({ places: count, alarmed: count }).optional(),
      /** Findings about weaknesses that were there before flaws were planted. */
      present_before: count,
      /** What Blue reports on the clean twin. */
      twin: z
        .object({
          /** How many resources the twin has, and on how many of them Blue raises an alarm. */
          resources: count,
          flagged_resources: count,
          /** The same by category of the alarm, where Blue raises any. `unclassified` if the rule is not known. */
          flagged_by_category: z.array(z.object({ category: foreignName(z.string()), flagged_resources: count })),
          /** Findings on the twin that are not about a weakness present before. */
          alarms: count,
          /** The alarms, and the flagged resources, that are left without the unresolved ones. */
          resolved_alarms: count.optional(),
          resolved_flagged_resources: count.optional(),
        })
        .nullable(),
      clean_resources: count,
      flagged_clean_resources: count,
      false_positive_rate: share.nullable(),
      youden_j: z.number().min(-1).max(1).nullable(),
      /** For each vulnerability that was scored, in the manifest's order. */
      vulnerabilities: z.array(
        z.object({
          id: foreignName(z.string()),
          category: foreignName(z.string()),
          severity: foreignName(z.string()).nullable(),
          technique: foreignName(z.string()).nullable(),
          weakness: foreignName(z.string()).nullable(),
          resource: foreignName(z.string()).nullable(),
          found: z.boolean(),
          /** The finding that is about it; null when it was not found. */
          found_by: listedFinding.nullable(),
        }),
      ),
      /** What became of every other finding, so that all figures can be checked: the first thousand. */
      other_findings: z.array(
        listedFinding.extend({
          kind: z.enum(['duplicate', 'consequence', 'present_before', 'unresolved', 'false_alarm']),
          /** Of a duplicate or a consequence, the flaw. */
          vulnerability_id: foreignName(z.string()).nullable(),
          /** Of a consequence or an unresolved finding, why it is one. */
          why: z.string().nullable(),
        }),
      ),
      /** The alarms on the clean twin: the first thousand, with their indices in the report on the twin. */
      clean_alarms: z.array(listedFinding),
    })
    .nullable(),
});

export type Game = z.infer<typeof gameSchema>;

export type GameScores = NonNullable<Game['scores']>;
