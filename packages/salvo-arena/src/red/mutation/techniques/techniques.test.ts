import { describe, expect, it } from 'vitest';
import { checkManifest } from '../../../gate/check-manifest.ts';
import { createRulesChecker } from '../../../gate/create-rules-checker.ts';
import { DIFFICULTIES } from '../../../tasks/game-settings.ts';
import { allTemplates } from '../../../templates/templates.ts';
import { createMutationRed } from '../create-mutation-red.ts';
import { techniquesFor } from '../technique-registry.ts';

const LANGUAGES = ['terraform', 'cloudformation'] as const;
const ROUNDS = 6;

describe.each(LANGUAGES)('every technique for %s', (language) => {
  it.each(['easy', 'medium'] as const)('occurs in a manifest, and the gate confirms it: %s', async (difficulty) => {
    const missing = new Set(techniquesFor(language, difficulty).map(({ id }) => id));
    expect(missing.size).toBeGreaterThan(0);
    const red = createMutationRed({ fixed: true });
    const templates = allTemplates().filter((template) => template.language === language);
    // Red reports only what proves itself, so a technique that never does would silently never occur.
    for (let game = 0; game < ROUNDS * templates.length && missing.size > 0; game += 1) {
      const task = templates[game % templates.length]?.id ?? '';
      const made = await red.generate({
        task,
        difficulty,
        language,
        provider: 'aws',
        seed: game,
        strategy: 'balanced',
        density: 35,
      });
      if (!made.vulnerabilities.some(({ technique }) => missing.has(technique ?? ''))) continue;
      const { files, vulnerabilities } = made;
      const checker = await createRulesChecker(files);
      const { entries } = await checkManifest({ files, vulnerabilities, checker });
      for (const { vulnerability, status } of entries) {
        if (status === 'confirmed') missing.delete(vulnerability.technique ?? '');
      }
    }
    expect([...missing]).toEqual([]);
  });

  it('is a function of its name, so that a search finds it', () => {
    const all = DIFFICULTIES.flatMap((difficulty) => techniquesFor(language, difficulty));
    const camelCase = (words: string) => words.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const lost = all.filter(({ id, hide }) => ![id, `template_${id}`].map(camelCase).includes(hide.name));
    expect(all.length).toBeGreaterThan(0);
    expect(lost).toEqual([]);
  });
});
