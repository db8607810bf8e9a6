import type { ToolDefinition } from '../../adapters/adapter.ts';
import { oneLine } from '../ask/prompts.ts';
import { closedObject } from '../ask/tool-schema.ts';
import { criterionKeys } from './criterion-keys.ts';

/** What a model needs to know of a criterion to score it. Scores of a binary one are 0 or 1. */
export interface ScoredCriterion {
  name: string;
  binary?: boolean | undefined;
}

export const SCORING_TOOL_NAME = 'score_criteria';

/** The tool that a judge calls with its scores. Reasoning comes before the score, since models write in this order. */
export function buildScoringTool(criteria: readonly ScoredCriterion[]): ToolDefinition {
  const keys = criterionKeys(criteria);
  const properties = new Map(
    criteria.map((criterion) => [keys.get(criterion.name) ?? '', scoreSchema(criterion, keys)]),
  );
  return {
    name: SCORING_TOOL_NAME,
    description: 'Hands in your judgement: for every criterion the reasoning, then the score from 0.0 to 1.0.',
    parameters: closedObject(Object.fromEntries(properties)),
  };
}

function scoreSchema({ name, binary }: ScoredCriterion, keys: ReadonlyMap<string, string>): Record<string, unknown> {
  const schema = closedObject({
    reasoning: { type: 'string', description: 'What in the material decided the score, in one to three sentences.' },
    score: binary
      ? { type: 'integer', minimum: 0, maximum: 1, description: 'Either 0 or 1.' }
      : { type: 'number', minimum: 0, maximum: 1, description: 'From 0.0 (completely fails) to 1.0 (fully meets).' },
  });
  if (keys.get(name) === name) return schema;
  // Cached votes are found by the tool as JSON, so the order of the fields must not change.
  return { type: schema.type, description: `The criterion "${oneLine(name)}"`, ...schema };
}
