import { fillTemplate, oneLine } from '../../models/ask/prompts.ts';
import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import { dataFile } from '../../text/modules/data-file.ts';

/** The instructions of the rubric judge, with `{criteria_block}` for the rubric. */
export const JUDGE_SYSTEM_TEMPLATE = dataFile(import.meta.url, './judge-system.md').trim();

/** The instructions of a decision model, whose questions have the rubric. */
export const DECIDE_SYSTEM_TEMPLATE = dataFile(import.meta.url, './decide-system.md').trim();

/** The rubric as the judge reads it: a line for each criterion, with its scale and reference indented below. */
export function buildCriteriaBlock(criteria: readonly CriterionLike[]): string {
  return criteria.flatMap(criterionLines).join('\n');
}

/** The whole system prompt for a rubric. */
export function buildJudgePrompt(criteria: readonly CriterionLike[]): string {
  return fillTemplate(JUDGE_SYSTEM_TEMPLATE, { criteria_block: buildCriteriaBlock(criteria) });
}

function criterionLines({ name, weight, description, scale, binary, reference }: CriterionLike): string[] {
  const bands = Object.entries(scale ?? {}).sort(([a], [b]) => Number(a) - Number(b));
  return [
    `- **${oneLine(name)}** (weight: ${weight}): ${oneLine(description)}`,
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

const LINE_BREAK = /\r\n?|[\n\u0085\u2028\u2029]/;
