import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dataFile } from '../../../salvo/src/text/modules/data-file.ts';
import { codeBlocks } from '../iac/read/code-blocks.ts';
import { parseCode } from '../iac/syntax/parse-code.ts';
import { weaknessById } from '../match/weaknesses/weaknesses.ts';
import { allTemplates, CANARY, presentBefore, type Template, templateFiles } from './templates.ts';

const templates = allTemplates();
const ofLanguage = (language: Template['language']) => templates.filter((template) => template.language === language);
const each = templates.map((template) => [template.id, template] as const);

describe('the template library', () => {
  it('has lost no template: the numbers change only together with the library', () => {
    expect(ofLanguage('terraform')).toHaveLength(28);
    expect(ofLanguage('cloudformation')).toHaveLength(20);
  });

  it('names every template once', () => {
    expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length);
  });

  it.each(['terraform', 'cloudformation'] as const)('covers every domain in %s', (language) => {
    const covered = new Set(ofLanguage(language).flatMap(({ domains }) => domains));
    expect([...covered].sort()).toEqual([
      'analytics',
      'backup',
      'compute',
      'containers',
      'databases',
      'delivery',
      'edge',
      'identity',
      'logging',
      'messaging',
      'network',
      'secrets',
      'storage',
    ]);
  });

  it.each(['terraform', 'cloudformation'] as const)('lists every folder of %s', (language) => {
    const folders = readdirSync(new URL(language, import.meta.url));
    const ids = ofLanguage(language).map(({ id }) => id);
    expect(folders.sort()).toEqual(ids.sort());
  });

  it('lists weaknesses as present before only for templates that it has', () => {
    const listed = z
      .record(z.string(), z.unknown())
      .parse(JSON.parse(dataFile(import.meta.url, './present-before.json')));
    expect(Object.keys(listed).filter((id) => !templates.some((template) => template.id === id))).toEqual([]);
    expect(Object.keys(listed).length).toBeGreaterThan(templates.length / 2);
  });

  it('gives each caller files of its own', () => {
    const [template] = templates;
    if (!template) throw new Error('there is no template');
    const [file = ''] = template.files;
    const mine = templateFiles(template);
    mine[file] = 'changed';
    expect(templateFiles(template)[file]).not.toBe('changed');
  });
});

describe.each(each)('%s', (id, template) => {
  const files = templateFiles(template);

  it('has a canary in each file of the package, and in no code', () => {
    for (const [file, text] of Object.entries(files)) {
      const written = readFileSync(new URL(`${template.language}/${id}/${file}`, import.meta.url), 'utf8');
      expect(written.split('\n')[0]).toContain(CANARY);
      expect(text).not.toContain(CANARY);
    }
  });

  it('lists every file of its folder', () => {
    const folder = readdirSync(new URL(`${template.language}/${id}`, import.meta.url));
    expect([...template.files].sort()).toEqual(folder.sort());
  });

  it('parses, every file in its language', async () => {
    const project = await parseCode(files);
    expect(project.files.map(({ file }) => file).sort()).toEqual([...template.files].sort());
    for (const source of project.files) {
      expect(source.language).toBe(template.language);
      expect(source.problems).toEqual([]);
    }
  });

  it('has eight to thirty resources, so that most stay untouched', async () => {
    const resources = (await codeBlocks(files)).filter(({ kind }) => kind === 'resource');
    expect(resources.length).toBeGreaterThanOrEqual(8);
    expect(resources.length).toBeLessThanOrEqual(30);
  });

  it('lists weaknesses of the catalogue as present before, at resources that it has', async () => {
    const addresses = new Set((await codeBlocks(files)).map(({ address }) => address));
    const present = presentBefore(template);
    expect(present.filter(({ weakness }) => !weaknessById(weakness))).toEqual([]);
    expect(present.filter(({ resource }) => !addresses.has(resource))).toEqual([]);
  });

  it('names every block once', async () => {
    const addresses = (await codeBlocks(files)).filter(({ kind }) => kind !== 'other').map(({ address }) => address);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('is formatted: spaces only, none at the end of a line, one newline at the end', () => {
    for (const text of Object.values(files)) {
      expect(text).not.toMatch(/\t|\r|[ ]\n|\n\n\n/);
      expect(text).toMatch(/[^\n]\n$/);
    }
  });

  it('says nothing that gives it away as material of a game', () => {
    const text = Object.values(files).join('\n');
    expect(text).not.toMatch(
      /\b(?:salvo|vulnerab\w*|insecure|secure by|mutation|fixture|for tests|example code|checkov|trivy|kics)\b/i,
    );
  });

  it('has no credential written out', () => {
    const text = Object.values(files).join('\n');
    expect(text).not.toMatch(/AKIA[0-9A-Z]{16}|-----BEGIN/);
    expect(text).not.toMatch(/\b(?:password|auth_token|MasterUserPassword|AuthToken)\s*[=:]\s*"?[A-Za-z0-9!$]+"?$/im);
  });
});

describe('what the templates cover', () => {
  it.each([
    ['terraform', 120, 70],
    ['cloudformation', 85, 45],
  ] as const)(
    '%s: at least %i resource types, and %i of them in two templates or more',
    async (language, types, twice) => {
      const templatesOf = new Map<string, number>();
      for (const template of ofLanguage(language)) {
        const blocks = await codeBlocks(templateFiles(template));
        const resources = blocks.filter(({ kind }) => kind === 'resource');
        for (const type of new Set(resources.map((block) => block.type))) {
          templatesOf.set(type, (templatesOf.get(type) ?? 0) + 1);
        }
      }
      expect(templatesOf.size).toBeGreaterThanOrEqual(types);
      expect([...templatesOf.values()].filter((count) => count >= 2).length).toBeGreaterThanOrEqual(twice);
    },
  );
});
