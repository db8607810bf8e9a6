import { describe, expect, it } from 'vitest';
import { areaUnderCurve, learnDetector } from '../../bench/handwriting/form-detector.ts';
import { detectForms, LANGUAGES, playForms } from '../../bench/handwriting.ts';
import { DIFFICULTIES } from '../../src/arena/game-settings.ts';

/** Half of the templates, for time; the benchmark plays all of them. */
const FEW = { seeds: 4, templates: 14 };
const LIMIT = 0.6;

async function siteArea(options: Pick<Parameters<typeof playForms>[0], 'language' | 'difficulty' | 'houseStyle'>) {
  return areaUnderCurve(await detectForms(await playForms({ ...options, ...FEW }), 'site'));
}

describe('the form of code', () => {
  const cells = LANGUAGES.flatMap((language) => DIFFICULTIES.map((difficulty) => [language, difficulty] as const));

  it.each(cells)('does not say which resources are flawed: %s, %s', async (language, difficulty) => {
    expect(await siteArea({ language, difficulty, houseStyle: true })).toBeLessThan(LIMIT);
  });

  it('would say so if only flaws used the constructs that hide them', async () => {
    expect(await siteArea({ language: 'terraform', difficulty: 'hard', houseStyle: false })).toBeGreaterThan(0.8);
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
