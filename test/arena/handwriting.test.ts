import { describe, expect, it } from 'vitest';
import { areaInterval, areaUnderCurve, learnDetector } from '../../bench/handwriting/form-detector.ts';
import { detectForms, playForms } from '../../bench/handwriting.ts';

/** A few templates are enough to see a form that only flaws have, and take a second or two. */
const FEW = { seeds: 4, templates: 6 };
const LIMIT = 0.6;

async function lowestArea(options: Pick<Parameters<typeof playForms>[0], 'language' | 'difficulty' | 'houseStyle'>) {
  const games = await playForms({ ...options, ...FEW });
  const [low] = areaInterval(await detectForms(games, 'site'), areaUnderCurve);
  return low;
}

describe('the form of code', () => {
  it.each([
    ['terraform', 'medium'],
    ['cloudformation', 'hard'],
  ] as const)('does not say which resources are flawed: %s, %s', async (language, difficulty) => {
    expect(await lowestArea({ language, difficulty, houseStyle: true })).toBeLessThan(LIMIT);
  });

  it('would say so if only flaws used the constructs that hide them', async () => {
    expect(await lowestArea({ language: 'terraform', difficulty: 'medium', houseStyle: false })).toBeGreaterThan(LIMIT);
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
