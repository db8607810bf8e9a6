import type { BlueMetadata } from './blue-team.ts';

/** Of a Blue Team that asks no model. */
export function toolMetadata(blue: string): BlueMetadata {
  return { blue, mode: 'tools_only', dropped: [], model_calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };
}
