import { z } from 'zod';
import { FINDINGS_FORMATS } from '../../../match/findings-format.ts';
import { COMBINATIONS, FRAMEWORKS, TECHNIQUES } from '../../blue/llm/technique.ts';
import { DIFFICULTIES, STRATEGIES } from '../../game-settings.ts';

const text = z.string().trim().min(1);

/** Which tasks are played: all of the catalogue, some by name, or so many drawn from either. */
const tasksSchema = z.union([
  z.literal('all'),
  z.array(text).min(1),
  z.strictObject({
    sample: z.int().positive().describe('So many are drawn, by the seed.'),
    of: z.array(text).min(1).optional().describe('From these; from the whole catalogue when it is missing.'),
  }),
]);

const stopSchema = z.strictObject({
  min_manifest_accuracy: z.number().gt(0).max(1).describe('The experiment ends when it is surely below this.'),
  after_games: z.int().positive().default(20).describe('Never before so many games.'),
});

/** `experiment.yaml`: a matrix of games. */
export const experimentSchema = z.strictObject({
  name: text.max(200).describe('As it is called in tables.'),
  tasks: tasksSchema.describe('Ids of tasks, `domain:storage`, or a text; `all`; or `{sample: 10}`.'),
  red: z.array(text).min(1).default(['mutation']).describe('Who hides: mutation, llm:MODEL.'),
  blue: z.array(text).min(1).default(['rules']).describe('Who looks: rules, checkov, llm:MODEL, "command:tool {dir}".'),
  difficulty: z.array(z.enum(DIFFICULTIES)).min(1).default(['medium']).describe('How well flaws are hidden.'),
  language: z
    .array(z.enum(['terraform', 'cloudformation']))
    .min(1)
    .default(['terraform'])
    .describe('Of the code.'),
  strategy: z.array(z.enum(STRATEGIES)).min(1).default(['balanced']).describe('How flaws are chosen.'),
  repetitions: z.int().min(1).max(10_000).default(1).describe('How often each combination is played, with other code.'),
  seed: z.int().default(0).describe('Everything that is drawn depends on it.'),
  category: text.optional().describe('What the targeted strategy aims at.'),
  flaws: z.int().min(1).max(50).optional().describe('How many a game has; the strategy decides when it is missing.'),
  matcher: z.enum(['documented', 'evidence']).default('evidence').describe('How findings are compared with the truth.'),
  technique: z.enum(TECHNIQUES).optional().describe('How models of Blue go about it.'),
  framework: z.enum(FRAMEWORKS).optional().describe('For the technique compliance.'),
  combine: z
    .enum(COMBINATIONS)
    .optional()
    .describe('Models of Blue are ensembles of specialists, and agree like this.'),
  red_architecture: z.enum(['single', 'pipeline']).optional().describe('How models of Red work.'),
  red_source: z.enum(['catalogue', 'novel', 'mixed']).optional().describe('Where models of Red have their flaws from.'),
  format: z.enum(FINDINGS_FORMATS).optional().describe("Of a command's report."),
  concurrency: z.int().min(1).max(1000).optional().describe('Games at once.'),
  budget_usd: z.number().positive().optional().describe('The experiment stops before it costs more than this.'),
  stop: stopSchema.optional().describe('When to give up.'),
});

export type ExperimentFile = z.infer<typeof experimentSchema>;
