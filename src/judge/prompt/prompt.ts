import type { ToolDefinition } from '../../adapters/adapter.ts';
import { fillTemplate, JUDGE_SYSTEM_TEMPLATE } from '../../models/templates.ts';
import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import { criterionKeys } from './criterion-key.ts';

export const SCORING_TOOL_NAME = 'score_criteria';

/** The rubric as the judge reads it: a line for each criterion, and what it brings of its own indented below. */
export function buildCriteriaBlock(criteria: readonly CriterionLike[]): string {
  return criteria.flatMap((criterion) => [criterionLine(criterion), ...ownLines(criterion)]).join('\n');
}

/** The whole system prompt for a rubric. */
export function buildJudgePrompt(criteria: readonly CriterionLike[]): string {
  return fillTemplate(JUDGE_SYSTEM_TEMPLATE, { criteria_block: buildCriteriaBlock(criteria) });
}

/** The tool with which a judge hands in its vote. Reasoning comes before the score: models write in this order. */
export function buildScoringTool(criteria: readonly CriterionLike[]): ToolDefinition {
  const keys = criterionKeys(criteria);
  const properties = new Map(
    criteria.map((criterion) => [keys.get(criterion.name) ?? '', scoreSchema(criterion, keys)]),
  );
  return {
    name: SCORING_TOOL_NAME,
    description: 'Hands in your judgement: for every criterion the reasoning, then the score from 0.0 to 1.0.',
    parameters: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: [...properties.keys()],
      additionalProperties: false,
    },
  };
}

/** Makes the model call this tool, in the words of its provider; nothing for a provider that is not known. */
export function formatToolChoice(providerName: string, toolName: string): Record<string, unknown> {
  const provider = providerName.toLowerCase();
  if (provider.includes('openai')) return openAiToolChoice(toolName);
  if (provider.includes('anthropic')) return { tool_choice: { type: 'tool', name: toolName } };
  return {};
}

/**
 * The `extras` of a judge's request. Like `formatToolChoice`, but the model adapters that translate a tool choice for
 * their provider (llama, and whatever the AI SDK speaks to) get one as well. Whole agents answer as they like.
 */
export function judgeExtras(providerName: string, toolName: string): Record<string, unknown> {
  if (WHOLE_AGENTS.has(providerName)) return {};
  const known = formatToolChoice(providerName, toolName);
  return Object.keys(known).length > 0 ? known : openAiToolChoice(toolName);
}

const WHOLE_AGENTS: ReadonlySet<string> = new Set(['scripted', 'exec', 'http', 'module']);

function openAiToolChoice(name: string): Record<string, unknown> {
  return { tool_choice: { type: 'function', function: { name } } };
}

function criterionLine({ name, weight, description }: CriterionLike): string {
  return `- **${oneLine(name)}** (weight: ${weight}): ${oneLine(description)}`;
}

function ownLines({ scale, binary, reference }: CriterionLike): string[] {
  const bands = Object.entries(scale ?? {}).sort(([a], [b]) => Number(a) - Number(b));
  return [
    ...(bands.length > 0 ? ['  Scale of this criterion:'] : []),
    ...bands.map(([score, meaning]) => `    ${score}: ${oneLine(meaning)}`),
    ...(binary ? ['  Score only 0 or 1, nothing between.'] : []),
    ...(reference === undefined
      ? []
      : [
          '  Reference to compare with:',
          ...reference
            .trim()
            .split(LINE_BREAK)
            .map((line) => `    ${line}`),
        ]),
  ];
}

function scoreSchema({ name, binary }: CriterionLike, keys: ReadonlyMap<string, string>): Record<string, unknown> {
  return {
    type: 'object',
    ...(keys.get(name) !== name && { description: `The criterion "${oneLine(name)}"` }),
    properties: {
      reasoning: { type: 'string', description: 'What in the material decided the score, in one to three sentences.' },
      score: binary
        ? { type: 'integer', minimum: 0, maximum: 1, description: 'Either 0 or 1.' }
        : { type: 'number', minimum: 0, maximum: 1, description: 'From 0.0 (completely fails) to 1.0 (fully meets).' },
    },
    required: ['reasoning', 'score'],
    additionalProperties: false,
  };
}

const LINE_BREAK = /\r\n?|[\n\u0085\u2028\u2029]/;

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*[\r\n\u0085\u2028\u2029]\s*/g, ' ');
}
