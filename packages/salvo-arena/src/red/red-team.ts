import { atLeastSchema } from 'salvo/kit/trace';
import { z } from 'zod';
import type { OwnCode } from '../code/own-code.ts';
import type { CodeLanguage } from '../iac/syntax/code-block.ts';
import { vulnerabilitySchema } from '../match/claims/vulnerability.ts';
import { DIFFICULTIES, type Difficulty, LANGUAGES, STRATEGIES, type Strategy } from '../tasks/game-settings.ts';

/** What a Red Team is asked for. */
export interface RedRequest {
  /** What the infrastructure is for: a text, or the id of a task in the catalogue. */
  task: string;
  difficulty: Difficulty;
  language: CodeLanguage;
  /** The cloud provider. */
  provider: 'aws';
  /** The seed of all random choices. */
  seed: number;
  strategy: Strategy;
  /** For the `targeted` strategy: a category of weaknesses. */
  category?: string | undefined;
  /** How many flaws; the strategy decides when missing. */
  count?: number | undefined;
  /** About how many resources the code has; drawn when missing. Only `mutation` looks at it. */
  size?: number | undefined;
  /** The percentage of resources that are flawed, when there is no count; drawn when missing. */
  density?: number | undefined;
  /** Code of the user to plant flaws in, instead of code that Red has or writes. Only Red without a model can. */
  template?: OwnCode | undefined;
  /** Whether weaknesses without an effect on security are planted, too: descriptions, tags, tracing (default: no). */
  housekeeping?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

const files = z.record(z.string(), z.string());
const amount = z.number().nonnegative().nullable();

export const redMetadataSchema = z.object({
  /** `mutation`, or `llm:<model>`. */
  red: z.string(),
  seed: z.int(),
  strategy: z.enum(STRATEGIES),
  difficulty: z.enum(DIFFICULTIES),
  language: z.enum(LANGUAGES),
  provider: z.string(),
  /** The template that was mutated; null when a model wrote the code. */
  template: z.string().nullable(),
  /** Of code of the user: how much of it Red can use in this game. */
  own_code: z
    .object({
      /** All resources of the code. */
      resources: z.int(),
      /** Those in which a flaw is possible, and how many different flaws are, all together. */
      usable: z.int(),
      places: z.int(),
      /** What is left as it is, and what shows where Red was: each as a sentence. */
      notes: z.array(z.string()),
    })
    .optional(),
  /** The structure of the code that was drawn, if a template has several; missing: the template. */
  structure: z.string().optional(),
  /** The same code without the flaws; null when there is none. */
  twin: files.nullable(),
  /** Addresses of untouched resources: a finding about one is wrong. Empty when they are unknown. */
  clean_resources: z.array(z.string()),
  /** Weaknesses that the twin has: a finding about one is neither right nor wrong. */
  present_before: z.array(z.object({ weakness: z.string(), resource: z.string() })),
  /** Places that look as if they had this weakness, and are safe. Blue never sees this list. */
  traps: z.array(z.object({ weakness: z.string(), resource: z.string() })).optional(),
  /** The entries of the manifest are true by construction. */
  proven: z.boolean(),
  model_calls: z.int().nonnegative(),
  input_tokens: amount,
  output_tokens: amount,
  /** Null when it is unknown. */
  cost_usd: amount,
  /** What is known of the cost, if it is not known exactly. */
  cost_at_least: atLeastSchema.optional(),
});

export type RedMetadata = z.infer<typeof redMetadataSchema>;

/** Infrastructure code with planted flaws, and the list of them. It is stored until an experiment is resumed. */
export const redOutcomeSchema = z.object({
  /** Texts by file name. */
  files,
  vulnerabilities: z.array(vulnerabilitySchema),
  metadata: redMetadataSchema,
});

export type RedOutcome = z.infer<typeof redOutcomeSchema>;

/** Writes code with planted flaws. */
export interface RedTeam {
  /** Its name in tables: `mutation`, `llm:gpt-5`. */
  name: string;
  /** Rejects with a `RedTeamError`. */
  generate(request: RedRequest): Promise<RedOutcome>;
}
