import { describe, expect, it } from 'vitest';
import { runRules } from '../../blue/rules/run-rules.ts';
import { checkManifest } from '../../gate/check-manifest.ts';
import { terraformLayout } from '../../iac/edit/terraform-layout.ts';
import { referencesByAddress } from '../../iac/read/references.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import { DIFFICULTIES } from '../../tasks/game-settings.ts';
import { allTemplates, CANARY, type Template } from '../../templates/templates.ts';
import { createMutationRed } from './create-mutation-red.ts';
import { generatedTemplate } from './generated-template.ts';
import type { SecureTemplate } from './secure-template.ts';

const LANGUAGES = ['terraform', 'cloudformation'] as const;

function templateOf(language: Template['language']): Template {
  const found = allTemplates().find((one) => one.language === language);
  if (!found) throw new Error(`no template of ${language}`);
  return found;
}

const textOf = ({ project }: SecureTemplate) => project.files.map(({ text }) => text).join('\n');

describe.each(LANGUAGES)('generated code of %s', (language) => {
  const template = templateOf(language);
  const made = (seed: number, size?: number) => generatedTemplate(template, { size, seedParts: [seed] });

  it('is as safe as the templates: the rules find nothing but what is listed as present before', async () => {
    const { project, present } = await made(1);
    const unknown = runRules(project).filter(
      ({ rule_ids, resource }) =>
        !present.some((one) => rule_ids?.includes(one.weakness) && [resource].flat().includes(one.resource)),
    );
    expect(unknown).toEqual([]);
    expect(project.files.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('is the same for the same seed, and other code under other names for another one', async () => {
    const [one, other] = [await made(1, 41), await made(2, 41)];
    expect(textOf(await made(1, 41))).toBe(textOf(one));
    const addresses = new Set(one.resources.map(({ address }) => address));
    const shared = other.resources.filter(({ address }) => addresses.has(address));
    expect(shared.length).toBeLessThan(other.resources.length / 4);
  });

  it('has about as many resources as asked for', async () => {
    const { resources } = await made(3, 80);
    expect(resources.length).toBeGreaterThanOrEqual(80);
    expect(resources.length).toBeLessThan(100);
    expect((await made(4)).resources.length).toBeGreaterThanOrEqual(40);
  });

  it('refers to nothing that it does not have', async () => {
    const { project } = await made(1);
    const text = project.files.map((source) => source.text).join('\n');
    const named =
      language === 'terraform'
        ? (text.match(/\b(?:aws_\w+|data\.aws_\w+|var|local)\.[A-Za-z_]\w*/g) ?? []).filter((one) => !/^aws/.test(one))
        : (text.match(/(?<=!Ref |!GetAtt )[A-Za-z0-9]+(?![:A-Za-z0-9])/g) ?? []);
    const declared = new Set(
      project.files.flatMap(({ blocks }) =>
        blocks.flatMap(({ type, address, labels, attributes }) =>
          type === 'locals' ? attributes.map(({ name }) => `local.${name}`) : [address, labels.at(-1)],
        ),
      ),
    );
    expect(named.filter((one) => !declared.has(one))).toEqual([]);
    expect(referencesByAddress(project).size).toBeGreaterThan(40);
  });

  it.each(DIFFICULTIES)(
    'makes games whose flaws are proven, with the layout of terraform fmt: %s',
    async (difficulty) => {
      const request = { task: template.id, difficulty, language, provider: 'aws', strategy: 'balanced' } as const;
      const { files, vulnerabilities, metadata } = await createMutationRed().generate({
        ...request,
        seed: 5,
        size: 20,
      });
      const twin = metadata.twin ?? {};
      const statusesIn = async (code: Record<string, string>) =>
        (await checkManifest({ files: code, vulnerabilities })).entries.map(({ status }) => status);
      expect(vulnerabilities.length).toBeGreaterThan(1);
      expect(new Set(await statusesIn(files))).toEqual(new Set(['confirmed']));
      // In a medium twin, the gate reads some values that an evaluation would not choose.
      if (difficulty !== 'medium') expect(await statusesIn(twin)).not.toContain('confirmed');
      expect(files).not.toEqual(twin);
      expect(metadata.structure).toMatch(new RegExp(`^${template.id}-[0-9a-f]{12}$`));
      const typesIn = async (code: Record<string, string>) =>
        (await parseCode(code)).files.flatMap(({ blocks }) => blocks.map(({ labels }) => labels[0] ?? '')).sort();
      // Both forms of a relation have the same resources; other flaws may be a resource that is missing.
      if (difficulty === 'hard') expect(await typesIn(files)).toEqual(await typesIn(twin));
      for (const text of language === 'terraform' ? [...Object.values(files), ...Object.values(twin)] : [])
        expect(terraformLayout(text)).toBe(text);
    },
  );

  it('contains no canary', async () => {
    expect(textOf(await made(1))).not.toContain(CANARY);
  });
});

it('a secret makes other games of the same seeds', async () => {
  const request = { task: 'tamper-proof-archive', difficulty: 'easy', language: 'terraform', provider: 'aws' } as const;
  const game = async (secret: string) => {
    const { files } = await createMutationRed({ secret }).generate({ ...request, seed: 1, strategy: 'balanced' });
    return JSON.stringify(files);
  };
  expect(await game('one')).toBe(await game('one'));
  expect(await game('one')).not.toBe(await game('two'));
});
