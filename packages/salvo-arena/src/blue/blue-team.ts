import type { AtLeast } from 'salvo/kit/stats';
import { z } from 'zod';
import type { CodeLanguage } from '../iac/syntax/code-block.ts';
import type { Finding } from '../match/claims/finding.ts';

/** What a Blue Team receives: code, and nothing else. */
export interface BlueRequest {
  files: Record<string, string>;
  language?: CodeLanguage | undefined;
  seed?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface BlueOutcome {
  findings: Finding[];
  metadata: BlueMetadata;
}

export interface BlueMetadata {
  /** `rules`, `checkov`, `llm:<model>`. */
  blue: string;
  mode: DetectionMode;
  /** What did not become a finding, and why: a quote that is not in the file, a duplicate, a check that failed. */
  dropped: { reason: string; count: number }[];
  model_calls: number;
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
  /** What is known of the cost, if it is not known exactly. */
  cost_at_least?: AtLeast | undefined;
  /** What the team cannot look at; undefined for a team that does not say. */
  not_covered?: NotCovered[] | undefined;
}

/** Code of a cloud or language that a team has no rules for. */
export const notCoveredSchema = z.object({
  /** `azurerm`, `Kubernetes`, `module git::https://...`. */
  what: z.string(),
  kind: z.enum(['provider', 'language', 'module']),
  /** Blocks of a provider, calls of a module, files of a language. */
  count: z.int(),
  files: z.array(z.string()),
});

export type NotCovered = z.infer<typeof notCoveredSchema>;

/**
 * Looks for flaws in files. Rejects with a `BlueTeamError` when it could not look, which is not the same as no
 * findings.
 */
export interface BlueTeam {
  /** Its name in tables. */
  name: string;
  analyze(request: BlueRequest): Promise<BlueOutcome>;
}

/** What looks at the code: a model, tools (scanners and the embedded rules), or both. */
export const DetectionMode = { llm_only: 'llm_only', tools_only: 'tools_only', hybrid: 'hybrid' } as const;

export type DetectionMode = (typeof DetectionMode)[keyof typeof DetectionMode];

/** The metadata of a Blue Team that asks no model. */
export function toolMetadata(blue: string): BlueMetadata {
  return { blue, mode: 'tools_only', dropped: [], model_calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };
}

/** `azurerm (3 blocks), Kubernetes (2 files)` */
export function notCoveredText(entries: readonly NotCovered[]): string {
  return entries
    .map(({ what, kind, count }) => `${what} (${count} ${UNITS[kind]}${count === 1 ? '' : 's'})`)
    .join(', ');
}

const UNITS: Record<NotCovered['kind'], string> = { provider: 'block', language: 'file', module: 'call' };
