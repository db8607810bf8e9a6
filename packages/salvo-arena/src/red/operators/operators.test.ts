import { describe, expect, it } from 'vitest';
import { isThorough, triedOf } from '../../../../../test/thorough.ts';
import { remembered } from '../../../../salvo/src/text/memo.ts';
import { dataFile } from '../../../../salvo/src/text/modules/data-file.ts';
import { compareNames } from '../../../../salvo/src/text/words/names.ts';
import { applyEdits } from '../../iac/edit/edits.ts';
import { createScope, type Scope } from '../../iac/evaluate/scope.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import { type CodeProject, parseCode } from '../../iac/syntax/parse-code.ts';
import { weaknessById } from '../../match/weaknesses/weaknesses.ts';
import { allTemplates, templateFiles } from '../../templates/templates.ts';
import { RedTeamError } from '../red-team-error.ts';
import type { CodeEdit, MutationOperator, MutationTarget } from './operator.ts';
import { operatorsFor } from './operators.ts';

const LANGUAGES = ['terraform', 'cloudformation'] as const;
const all = LANGUAGES.flatMap(operatorsFor);
const templates = triedOf(allTemplates()).map((template) => [template.language, template.id, template] as const);
const unusuallyWritten = new Set<string>();
const templatesBy = { terraform: new Map<string, Set<string>>(), cloudformation: new Map<string, Set<string>>() };
const fitting = new Map<CodeLanguage, Set<MutationOperator>>(LANGUAGES.map((language) => [language, new Set()]));

describe('the library of operators', () => {
  it('has lost no operator, type or weakness: change these numbers when you add one', () => {
    const typesOf = (language: CodeLanguage) => new Set(operatorsFor(language).flatMap((one) => one.resourceTypes));
    expect(LANGUAGES.map((language) => operatorsFor(language).length)).toEqual([270, 239]);
    expect(LANGUAGES.map((language) => typesOf(language).size)).toEqual([113, 81]);
    expect(new Set(all.map(({ weakness }) => weakness)).size).toBe(251);
  });

  it('covers all sixteen categories of flaws', () => {
    const categories = new Set(all.map(({ weakness }) => weaknessById(weakness)?.category));
    expect(categories.size).toBe(16);
  });

  it('names every operator once in a language, and its weakness as the catalogue does', () => {
    for (const language of LANGUAGES) {
      const ids = operatorsFor(language).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
    expect(all.filter(({ weakness }) => !weaknessById(weakness))).toEqual([]);
  });

  it('changes only types of resources that the weakness names, unless it names none', () => {
    const strangers = all.flatMap(({ id, weakness, resourceTypes }) => {
      const named = LANGUAGES.flatMap((language) => weaknessById(weakness)?.[language]?.types ?? []);
      return named.length === 0 ? [] : resourceTypes.filter((type) => !named.includes(type)).map((type) => [id, type]);
    });
    expect(strangers).toEqual([]);
  });

  it('means the same weakness by the same id in both languages', () => {
    for (const operator of operatorsFor('terraform')) {
      const twin = operatorsFor('cloudformation').find(({ id }) => id === operator.id);
      expect(twin?.weakness ?? operator.weakness).toBe(operator.weakness);
    }
  });

  it('names who calls each flaw one: sections of a standard, or rules that the catalogue lists for the weakness', () => {
    const strangers = all.flatMap(({ id, weakness, calledBy }) =>
      calledBy.filter((caller) => !isKnownCaller(caller, weakness)).map((caller) => `${id}: ${caller}`),
    );
    expect(strangers).toEqual([]);
    expect(all.filter(({ calledBy }) => calledBy.length === 0)).toEqual([]);
  });

  it('implies operators that exist', () => {
    const ids = new Set(all.map(({ id }) => id));
    expect(all.flatMap(({ implies }) => implies).filter((id) => !ids.has(id))).toEqual([]);
  });

  it('describes a flaw in one sentence that names the resource', () => {
    const target = { address: 'aws_x.y', file: 'main.tf', attribute: null, related: [] };
    for (const operator of all) expect(operator.describe(target)).toMatch(/^aws_x\.y [a-z][^{}]+\.$/);
  });

  it('refuses to change a resource that is no target', async () => {
    const project = await parseCode({ 'main.tf': 'resource "aws_sns_topic" "a" {}\n' });
    const target = { address: 'aws_sns_topic.b', file: 'main.tf', attribute: null, related: [] };
    for (const operator of operatorsFor('terraform')) {
      expect(() => operator.apply(project, target)).toThrow(RedTeamError);
    }
  });
});

describe.each(templates)('operators on the %s template %s', (language, id, template) => {
  it('add one flaw each, and show it', async () => {
    const operators = operatorsFor(language);
    const files = templateFiles(template);
    const project = await parseCode(files);
    const scope = createScope(project);
    const before = flawsIn(scope, operators);
    for (const operator of operators) {
      for (const target of operator.targets(project, scope)) {
        fitting.get(language)?.add(operator);
        remembered(templatesBy[language], operator.weakness, () => new Set<string>()).add(id);
        const edits = operator.apply(project, target);
        const changed = await edited(project, edits);
        const after = createScope(changed);
        const what = `${operator.id} ${target.address}`;

        expect(operator.isPresent(scope, target), `${what} before`).toBe(false);
        expect(operator.isPresent(after, target), `${what} after`).toBe(true);
        expect(
          changed.files.flatMap(({ problems }) => problems),
          what,
        ).toEqual([]);
        expect(
          [...flawsIn(after, operators)].filter((flaw) => !before.has(flaw) && !isMeant(operator, target, flaw)),
          what,
        ).toEqual([]);
        expect(unformatted(changed, edits), what).toEqual([]);
        expect(lineOf(changed, operator, after, target), what).toMatch(/\S/);

        for (const { edits: form } of operator.unusual(project, target)) {
          const unusual = await edited(project, form);
          expect(operator.isPresent(createScope(unusual), target), `${what} in an unusual form`).toBe(true);
          expect(
            unusual.files.flatMap(({ problems }) => problems),
            `${what} in an unusual form`,
          ).toEqual([]);
          expect(unformatted(unusual, form), `${what} in an unusual form`).toEqual([]);
          unusuallyWritten.add(operator.id);
        }
      }
    }
  });
});

describe.runIf(isThorough())('every operator', () => {
  it('has a weakness of known rarity', async () => {
    const counted = LANGUAGES.map((language) => {
      const sorted = [...templatesBy[language]].sort(([a], [b]) => compareNames(a, b));
      return [language, Object.fromEntries(sorted.map(([weakness, ids]) => [weakness, ids.size]))];
    });
    const text = `${JSON.stringify(Object.fromEntries(counted), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('./weakness-rarity.json');
  });

  it('that has unusual forms can write one of them in a template', () => {
    const lines = dataFile(import.meta.url, './operators.jsonl').split('\n');
    const ids = lines.filter((line) => /^\{.*"unusual"/.test(line)).map((line) => /"id": "([^"]+)"/.exec(line)?.[1]);
    expect(ids.filter((id) => id === undefined || !unusuallyWritten.has(id))).toEqual([]);
  });

  it.each(LANGUAGES)('of %s fits a template', (language) => {
    const idle = operatorsFor(language).filter((operator) => !fitting.get(language)?.has(operator));
    expect(idle.map(({ id }) => id)).toEqual([]);
  });
});

/** Sections of the CIS AWS Foundations Benchmark 3.0 that code can violate. */
const CIS_SECTIONS = [
  ...['1.8', '1.9', '1.16', '1.18', '2.1.1', '2.1.4', '2.2.1', '2.3.1', '2.3.2', '2.3.3', '2.4.1'],
  ...['3.1', '3.2', '3.3', '3.5', '3.6', '3.7', '3.8', '3.9', '5.1', '5.2', '5.4', '5.6'],
];

function isKnownCaller(caller: string, weakness: string): boolean {
  const [standard, section = ''] = caller.split(' ');
  if (standard === 'CIS') return CIS_SECTIONS.includes(section);
  const rules = weaknessById(weakness)?.rules ?? {};
  if (standard === 'SecurityHub') return rules.security_hub?.includes(section) === true;
  return Object.values(rules).some((ids) => ids.includes(caller));
}

/** Every flaw that any operator finds anywhere. */
function flawsIn(scope: Scope, operators: readonly MutationOperator[]): Set<string> {
  const flaws = operators.flatMap((operator) => {
    const views = operator.resourceTypes.flatMap((type) => scope.instances(type));
    const addresses = new Set(views.filter(({ kind }) => kind === 'resource').map(({ block }) => block.address));
    return [...addresses].flatMap((address) => {
      const target = { address, file: '', attribute: null, related: [] };
      return operator.isPresent(scope, target) ? [`${operator.id} ${address}`] : [];
    });
  });
  return new Set(flaws);
}

function isMeant({ id, implies }: MutationOperator, { address }: MutationTarget, flaw: string): boolean {
  return [id, ...implies].some((one) => flaw === `${one} ${address}`);
}

/** Only changed files are parsed again, since parsing takes most of the time. */
async function edited(project: CodeProject, edits: readonly CodeEdit[]): Promise<CodeProject> {
  const texts = edits.map(({ file, edits: changes }) => [file, applyEdits(textOf(project, file), changes)]);
  const { files: changed } = await parseCode(Object.fromEntries(texts));
  return { files: project.files.map((source) => changed.find(({ file }) => file === source.file) ?? source) };
}

function textOf({ files }: CodeProject, file: string): string {
  return files.find((source) => source.file === file)?.text ?? '';
}

/** As for the templates: no blanks at the end of a line, no two empty lines, one line break at the end. */
function unformatted(project: CodeProject, edits: readonly CodeEdit[]): string[] {
  const texts = edits.map(({ file }) => textOf(project, file));
  return texts.filter((text) => /[ ]\n|\n\n\n|\t/.test(text) || !/[^\n]\n$/.test(text));
}

/** The first of the lines that a manifest would name. They must be in the file. */
function lineOf(project: CodeProject, operator: MutationOperator, scope: Scope, target: MutationTarget): string {
  const place = operator.locate(scope, target);
  const lines = place ? textOf(project, place.file).split('\n') : [];
  return place && place.line <= place.end_line && place.end_line <= lines.length ? (lines[place.line - 1] ?? '') : '';
}
