import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import type { Difficulty, Strategy } from '../game-settings.ts';

/** What the Red Team is asked for. */
export interface RedRequest {
  /** The task: what the infrastructure is for, as a text, or the id of one in the catalogue. */
  task: string;
  difficulty: Difficulty;
  language: CodeLanguage;
  /** Of the cloud. */
  provider: 'aws';
  /** Everything that is drawn depends on it. */
  seed: number;
  strategy: Strategy;
  /** For the `targeted` strategy: a category of weaknesses. */
  category?: string | undefined;
  /** How many flaws; the strategy decides when missing. */
  count?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Infrastructure code with flaws in it, and which. */
export interface RedOutcome {
  /** By name. */
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
  /** Addresses of resources that nobody touched: whoever flags one is wrong. Empty when nobody knows. */
  clean_resources: string[];
  /** The entries of the manifest are true by construction. */
  proven: boolean;
  model_calls: number;
  input_tokens: number | null;
  output_tokens: number | null;
  /** Null when nobody knows. */
  cost_usd: number | null;
}

export interface RedTeam {
  /** As it is called in tables: `mutation`, `llm:gpt-5`. */
  name: string;
  /** Rejects with a `RedTeamError`. */
  generate(request: RedRequest): Promise<RedOutcome>;
}

/** `salvo bench-scanner`'s second Red: the code of `mutation` without the flaws, under the same manifest. */
export const TWIN_RED = 'mutation-twin';
