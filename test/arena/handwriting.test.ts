import { describe, expect, it } from 'vitest';
import { areaUnderCurve, DETECTORS, learnDetector } from '../../bench/handwriting/form-detector.ts';
import { UNIT_KINDS } from '../../bench/handwriting/form-units.ts';
import { lineFeatures } from '../../bench/handwriting/line-features.ts';
import { detectForms, LANGUAGES, playForms, readForms } from '../../bench/handwriting.ts';
import { DIFFICULTIES } from '../../src/arena/game-settings.ts';

/** Fewer than in the benchmark, for time. */
const FEW = { seeds: 4, templates: 14 };
/** Some resources have no place for a flaw, which their type tells: on so few games, that is seen by chance as well. */
const LIMITS = { site: 0.6, declaration: 0.6, resource: 0.62 } as const;

async function areas(options: Pick<Parameters<typeof playForms>[0], 'language' | 'difficulty' | 'houseStyle'>) {
  const games = await playForms({ ...options, ...FEW });
  const forms = await readForms(games);
  const asked = DETECTORS.flatMap((detector) => UNIT_KINDS.map((kind) => ({ detector, kind })));
  return Object.fromEntries(
    asked.map(({ detector, kind }) => {
      const area = areaUnderCurve(detectForms(forms, kind, detector)) ?? 0.5;
      return [`${detector} of a ${kind}`, area];
    }),
  );
}

describe('the form of code', () => {
  const cells = LANGUAGES.flatMap((language) => DIFFICULTIES.map((difficulty) => [language, difficulty] as const));

  it.each(cells)('does not say where the flaws are: %s, %s', async (language, difficulty) => {
    const found = await areas({ language, difficulty, houseStyle: true });
    for (const kind of UNIT_KINDS) {
      for (const detector of DETECTORS) expect(found[`${detector} of a ${kind}`], kind).toBeLessThan(LIMITS[kind]);
    }
  });

  it('would say so if only flaws used the constructs that hide them', async () => {
    const found = await areas({ language: 'terraform', difficulty: 'hard', houseStyle: false });
    expect(found['form of a site']).toBeGreaterThan(0.8);
    expect(found['lines of a site']).toBeGreaterThan(0.8);
  });
});

describe('the detector', () => {
  it('learns a feature that only the guilty have, and nothing from one that all have', () => {
    const unit = (form: string[], isGuilty: boolean) => ({
      game: '',
      place: '',
      features: { form, lines: [] },
      isGuilty,
    });
    const units = Array.from({ length: 40 }, (_, at) => unit(['all', at % 4 === 0 ? 'sign' : 'none'], at % 4 === 0));
    const detect = learnDetector(units, 'form');
    expect(detect(unit(['all', 'sign'], true))).toBeGreaterThan(detect(unit(['all', 'none'], false)));
    expect(areaUnderCurve(units.map(({ isGuilty }) => ({ isGuilty, score: 1 })))).toBe(0.5);
  });

  it('of lines sees the kinds of values, and not the values', () => {
    const open = lineFeatures('aws_x', '  range = "0.0.0.0/0"\n  on    = false');
    expect(lineFeatures('aws_x', '  range = "10.0.0.0/8"\n  on    = true')).toEqual(open);
    expect(lineFeatures('aws_x', '  range = var.range\n  on    = true')).not.toEqual(open);
    expect(lineFeatures('aws_x', '  range = "10.0.0.0/8"')).not.toEqual(open);
  });
});
