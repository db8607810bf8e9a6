import { describe, expect, it } from 'vitest';
import { terraformLayout } from '../../iac/edit/terraform-layout.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import { DIFFICULTIES } from '../../tasks/game-settings.ts';
import { allTemplates } from '../../templates/templates.ts';
import type { RedOutcome, RedRequest } from '../red-team.ts';
import { createMutationRed } from './create-mutation-red.ts';

const played = new Map<string, Promise<RedOutcome[]>>();

/** Games on every second template with many flaws, generated once for all tests. */
function gamesOf(language: RedRequest['language'], difficulty: RedRequest['difficulty']): Promise<RedOutcome[]> {
  const key = `${language} ${difficulty}`;
  const red = createMutationRed({ fixed: true });
  const templates = allTemplates().filter((one) => one.language === language);
  const made =
    played.get(key) ??
    Promise.all(
      templates
        .filter((_, at) => at % 2 === 0)
        .map(({ id: task }) =>
          red.generate({ task, language, difficulty, provider: 'aws', strategy: 'balanced', density: 25, seed: 3 }),
        ),
    );
  played.set(key, made);
  return made;
}

describe('the layout', () => {
  /** Two blanks that align nothing, a blank inside of round or square brackets or before a comma, none in braces. */
  const ODD_BLANKS = /\S {2,}(?![ =#])|[[(] | [\])]|\{[^\s}]|[^\s{]\}|,\S| ,/;

  it('is what terraform fmt writes, in the code and in the twin', async () => {
    for (const difficulty of DIFFICULTIES) {
      for (const { files, metadata } of await gamesOf('terraform', difficulty)) {
        for (const text of [...Object.values(files), ...Object.values(metadata.twin ?? {})]) {
          expect(terraformLayout(text)).toBe(text);
          const unquoted = text.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""').split('\n');
          expect(unquoted.map((line) => line.trim()).filter((line) => ODD_BLANKS.test(line))).toEqual([]);
        }
      }
    }
  });
});

describe('the values', () => {
  it('has no value beside the one that it replaces, so that a comparison of the two shows nothing', async () => {
    const seen = { values: 0, overrides: 0, inputs: 0 };
    for (const { files } of await gamesOf('terraform', 'medium')) {
      const sources = (await parseCode(files)).files;
      const isDefaulted = (folder: string, name: string) => {
        const variables = sources.find(({ file }) => file === `${folder}variables.tf`)?.blocks ?? [];
        const declared = variables.find(({ address }) => address === `var.${name}`);
        expect(declared).toBeDefined();
        return declared?.attributes.some((one) => one.name === 'default');
      };
      for (const { file, blocks, attributes } of sources) {
        for (const { name } of attributes) {
          seen.values += 1;
          expect(isDefaulted('', name)).toBe(false);
        }
        for (const block of blocks.filter(({ type }) => type === 'module')) {
          const source = block.attributes.find(({ name }) => name === 'source')?.value;
          const folder = source?.kind === 'literal' ? `${String(source.value).slice(2)}/` : '';
          for (const { name } of block.attributes.filter((one) => one.name !== 'source')) {
            seen.inputs += 1;
            expect(isDefaulted(folder, name)).toBe(false);
          }
        }
        if (!file.endsWith('_override.tf')) continue;
        const original = sources.find((one) => one.file === file.replace('_override', ''))?.blocks ?? [];
        for (const block of blocks) {
          const base = original.find(({ address }) => address === block.address);
          const written = [
            ...(base?.attributes ?? []).map(({ name }) => name),
            ...(base?.blocks ?? []).map(({ type }) => type),
          ];
          seen.overrides += 1;
          expect(base).toBeDefined();
          for (const { name } of block.attributes) expect(written).not.toContain(name);
          for (const { type } of block.blocks) expect(written).not.toContain(type);
        }
      }
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  });

  it.each(['terraform', 'cloudformation'] as const)(
    'has flaws in switches that are on and off: %s',
    async (language) => {
      const seen = new Set<string>();
      for (const { files, vulnerabilities } of await gamesOf(language, 'medium')) {
        const lines = new Set(vulnerabilities.flatMap(({ locations }) => locations ?? []).map(({ line }) => line));
        for (const { blocks } of (await parseCode(files)).files) {
          for (const { labels, attributes, line } of blocks) {
            if (!/^(?:shared|managed|standard|common)[_A-Z]/i.test(labels.at(-1) ?? '')) continue;
            const standard = attributes.find(({ name }) => /^default$/i.test(name))?.value.text.replaceAll('"', '');
            if (standard === 'true' || standard === 'false') seen.add(`${standard} ${lines.has(line)}`);
          }
        }
      }
      expect([...seen].sort()).toEqual(['false false', 'false true', 'true false', 'true true']);
    },
  );
});
