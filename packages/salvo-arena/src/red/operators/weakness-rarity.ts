import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';

/**
 * In how many templates of a language a weakness can be planted. It is counted by the tests, because reading all
 * templates takes too long for one game: after a change of operators or templates, run
 * `npx vitest run src/arena/red/operators -u`.
 */
export function templatesWith(weakness: string, language: CodeLanguage): number {
  return counts()[language][weakness] ?? 1;
}

const byWeaknessSchema = z.record(z.string(), z.number());
const countsSchema = z.strictObject({ terraform: byWeaknessSchema, cloudformation: byWeaknessSchema });

const counts = once(() => countsSchema.parse(JSON.parse(dataFile(import.meta.url, './weakness-rarity.json'))));
