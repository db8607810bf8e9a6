import { describe, expect, it } from 'vitest';
import { areaUnderCurve, learnDetector } from '../../bench/handwriting/form-detector.ts';
import { DETECTORS, UNIT_KINDS } from '../../bench/handwriting/form-units.ts';
import { detectForms, LANGUAGES, playForms } from '../../bench/handwriting.ts';
import { DIFFICULTIES } from '../../src/arena/game-settings.ts';

/** Half of the templates, for time; the benchmark plays all of them. */
const FEW = { seeds: 4, templates: 14 };
const LIMIT = 0.6;

async function areas(options: Pick<Parameters<typeof playForms>[0], 'language' | 'difficulty' | 'houseStyle'>) {
  const games = await playForms({ ...options, ...FEW });
  const asked = DETECTORS.flatMap((detector) => UNIT_KINDS.map((kind) => ({ detector, kind })));
  const found = asked.map(async ({ detector, kind }) => {
    const area = areaUnderCurve(await detectForms(games, kind, detector)) ?? 0.5;
    return [`${detector} of a ${kind}`, area] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

describe('the form of code', () => {
  const cells = LANGUAGES.flatMap((language) => DIFFICULTIES.map((difficulty) => [language, difficulty] as const));

  it.each(cells)('does not say where the flaws are: %s, %s', async (language, difficulty) => {
    const found = await areas({ language, difficulty, houseStyle: true });
    expect(Object.entries(found).filter(([, area]) => area >= LIMIT)).toEqual([]);
  });

  it('would say so if only flaws used the constructs that hide them', async () => {
    const found = await areas({ language: 'terraform', difficulty: 'hard', houseStyle: false });
    expect(found['form of a site']).toBeGreaterThan(0.8);
    expect(found['lines of a site']).toBeGreaterThan(0.8);
  });
});

describe('the detector', () => {
  it('learns a feature that only the guilty have, and nothing from one that all have', () => {
    const unit = (features: string[], isGuilty: boolean) => ({ game: '', place: '', features, isGuilty });
    const units = Array.from({ length: 40 }, (_, at) => unit(['all', at % 4 === 0 ? 'sign' : 'none'], at % 4 === 0));
    const detect = learnDetector(units);
    expect(detect({ features: ['all', 'sign'] })).toBeGreaterThan(detect({ features: ['all', 'none'] }));
    expect(areaUnderCurve(units.map(({ isGuilty }) => ({ isGuilty, score: 1 })))).toBe(0.5);
  });
});
