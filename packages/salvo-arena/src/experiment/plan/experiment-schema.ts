import { z } from 'zod';
import { DetectionMode } from '../../blue/blue-team.ts';
import { COMBINATIONS, FRAMEWORKS, TECHNIQUES } from '../../blue/llm/technique.ts';
import { FINDINGS_FORMATS } from '../../match/importers/findings-format.ts';
import { DIFFICULTIES, LANGUAGES, STRATEGIES, TRUTH_CHECKERS, TWIN_POLICIES } from '../../tasks/game-settings.ts';

const text = z.string().trim().min(1);

/** Which tasks are played: all of the catalogue, some by name, or a random sample of either. */
const tasksSchema = z.union([
  z.literal('all'),
  z.array(text).min(1),
  z.strictObject({
    sample: z.int().positive().describe('How many tasks to choose at random, by the seed.'),
    of: z.array(text).min(1).optional().describe('The tasks to choose from (default: the whole catalogue).'),
  }),
]);

const stopSchema = z.strictObject({
  min_manifest_accuracy: z
    .number()
    .gt(0)
    .max(1)
    .describe('The experiment stops when manifest accuracy is certainly below this.'),
  after_games: z.int().positive().default(20).describe('Do not stop before this many games.'),
});

/** `experiment.yaml`: a matrix of games. */
export const experimentSchema = z.strictObject({
  name: text.max(200).describe('The name in tables.'),
  tasks: tasksSchema.optional().describe('Ids of tasks, `domain:storage`, or a text; `all`; or `{sample: 10}`.'),
  templates: z
    .array(text.max(2000))
    .min(1)
    .max(1000)
    .optional()
    .describe('Code of your own instead of tasks: folders, by their paths from this file, or git addresses.'),
  red: z.array(text).min(1).default(['mutation']).describe('Red Teams: mutation, llm:MODEL.'),
  blue: z
    .array(text)
    .min(1)
    .default(['rules'])
    .describe('Blue Teams: rules, checkov, llm:MODEL, "command:tool {dir}".'),
  difficulty: z.array(z.enum(DIFFICULTIES)).min(1).default(['medium']).describe('How well flaws are hidden.'),
  language: z.array(z.enum(LANGUAGES)).min(1).default(['terraform']).describe('The language of the code.'),
  strategy: z.array(z.enum(STRATEGIES)).min(1).default(['balanced']).describe('How flaws are chosen.'),
  repetitions: z
    .int()
    .min(1)
    .max(10_000)
    .default(1)
    .describe('How often each combination is played, each time with different code.'),
  runs: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('How often each Blue looks at the same code, to see how much its answers differ (default: 1).'),
  seed: z.int().default(0).describe('The seed of all random choices.'),
  category: text.optional().describe('The category that the strategy targeted aims at.'),
  flaws: z.int().min(1).max(50).optional().describe('How many flaws a game has (default: the strategy decides).'),
  size: z
    .int()
    .min(8)
    .max(200)
    .optional()
    .describe('About how many resources the code has (default: 40 to 60, in hard games 80 to 110).'),
  density: z
    .number()
    .positive()
    .max(100)
    .optional()
    .describe('How many percent of the resources are flawed, without `flaws` (default: 6 to 14).'),
  housekeeping: z
    .boolean()
    .optional()
    .describe(
      'Also plants weaknesses without an effect on security: missing descriptions, tags, tracing (default: no).',
    ),
  matcher: z.enum(['documented', 'evidence']).default('evidence').describe('How findings are compared with the truth.'),
  verify: z.literal('debate').optional().describe('Lets models debate unclear matches before they vote.'),
  llm: z
    .array(text)
    .min(1)
    .optional()
    .describe(
      'Models that decide unclear matches together: model, or adapter=model (default with verify: judge.model).',
    ),
  judge: text.optional().describe('The adapter of these models (default: judge.adapter of salvo.yaml).'),
  votes: z.int().min(1).max(21).optional().describe('Votes of each of these models per unclear match.'),
  checker: z
    .enum(TRUTH_CHECKERS)
    .optional()
    .describe('How claims of models of Red are checked (default: rules, unless a Blue is rules).'),
  adapter: text.optional().describe('The adapter of teams named without one (default: default_adapter of salvo.yaml).'),
  mode: z.enum(DetectionMode).optional().describe('Which part of each Blue analyzes the code.'),
  twin: z
    .enum(TWIN_POLICIES)
    .default('scanners')
    .describe('Which Blues also look at the clean twin: always, only scanners (those that ask no model), or never.'),
  technique: z.enum(TECHNIQUES).optional().describe('How models of Blue review code.'),
  framework: z.enum(FRAMEWORKS).optional().describe('For the technique compliance.'),
  blue_category: text.optional().describe('For the technique targeted: what models of Blue look for.'),
  combine: z
    .enum(COMBINATIONS)
    .optional()
    .describe('Makes models of Blue ensembles of specialists, and says how they agree.'),
  red_architecture: z.enum(['single', 'pipeline']).optional().describe('How models of Red work.'),
  red_source: z.enum(['catalogue', 'novel', 'mixed']).optional().describe('Where models of Red take flaws from.'),
  format: z.enum(FINDINGS_FORMATS).optional().describe("The format of a command's report."),
  concurrency: z.int().min(1).max(1000).optional().describe('Games at once.'),
  budget_usd: z.number().positive().optional().describe('The experiment stops before it costs more than this.'),
  stop: stopSchema.optional().describe('When to stop early.'),
});

export type ExperimentFile = z.infer<typeof experimentSchema>;
