import type { AtLeast } from 'salvo/kit/stats';
import type { CodeLanguage } from '../iac/syntax/code-block.ts';
import type { PresentBefore } from '../match/claims/present-before.ts';
import type { Vulnerability } from '../match/claims/vulnerability.ts';
import type { Difficulty, Strategy } from '../tasks/game-settings.ts';

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
  signal?: AbortSignal | undefined;
}

/** Infrastructure code with planted flaws, and the list of them. */
export interface RedOutcome {
  /** Texts by file name. */
  files: Record<string, string>;
  vulnerabilities: Vulnerability[];
  metadata: RedMetadata;
}

export interface RedMetadata {
  /** `mutation`, or `llm:<model>`. */
  red: string;
  seed: number;
  strategy: Strategy;
  difficulty: Difficulty;
  language: CodeLanguage;
  provider: string;
  /** The template that was mutated; null when a model wrote the code. */
  template: string | null;
  /** The same code without the flaws; null when there is none. */
  twin: Record<string, string> | null;
  /** Addresses of untouched resources: a finding about one is wrong. Empty when they are unknown. */
  clean_resources: string[];
  /** Weaknesses that the twin has: a finding about one is neither right nor wrong. */
  present_before: PresentBefore[];
  /** The entries of the manifest are true by construction. */
  proven: boolean;
  model_calls: number;
  input_tokens: number | null;
  output_tokens: number | null;
  /** Null when it is unknown. */
  cost_usd: number | null;
  /** What is known of the cost, if it is not known exactly. */
  cost_at_least?: AtLeast | undefined;
}

/** Writes code with planted flaws. */
export interface RedTeam {
  /** Its name in tables: `mutation`, `llm:gpt-5`. */
  name: string;
  /** Rejects with a `RedTeamError`. */
  generate(request: RedRequest): Promise<RedOutcome>;
}
