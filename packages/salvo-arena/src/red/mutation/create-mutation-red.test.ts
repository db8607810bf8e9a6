import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { triedOf } from '../../../../../test/thorough.ts';
import { runRules } from '../../blue/rules/run-rules.ts';
import { createScope, type Scope } from '../../iac/evaluate/scope.ts';
import { codeBlocks } from '../../iac/read/code-blocks.ts';
import { writtenAttributes } from '../../iac/read/written-code.ts';
import { relationalFlaws } from '../../iac/relations/relations.ts';
import type { Expression } from '../../iac/syntax/expression.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import { vulnerabilitySchema } from '../../match/claims/vulnerability.ts';
import { DIFFICULTIES, STRATEGIES } from '../../tasks/game-settings.ts';
import { allTasks } from '../../tasks/tasks.ts';
import { allTemplates, type Template, templateFiles } from '../../templates/templates.ts';
import { operatorsFor } from '../operators/operators.ts';
import type { RedOutcome, RedRequest } from '../red-team.ts';
import { createMutationRed } from './create-mutation-red.ts';
import { techniquesFor } from './technique-registry.ts';

const TEMPLATES = triedOf(allTemplates());
const red = createMutationRed({ fixed: true });
const GAME: RedRequest = {
  task: 'tamper-proof-archive',
  difficulty: 'easy',
  language: 'terraform',
  provider: 'aws',
  seed: 1,
  strategy: 'balanced',
};
const play = (request: Partial<RedRequest>) => red.generate({ ...GAME, ...request });
const on = (template: Template, request: Partial<RedRequest>) =>
  play({ task: template.id, language: template.language, ...request });

const blitzes = new Map<string, Promise<RedOutcome>>();
/** A game with as many flaws as possible, generated once for all tests that only look at it. */
function blitzOn(template: Template, difficulty: RedRequest['difficulty']): Promise<RedOutcome> {
  const key = `${template.language} ${template.id} ${difficulty}`;
  const made = blitzes.get(key) ?? on(template, { difficulty, strategy: 'blitz', density: 70, seed: 7 });
  blitzes.set(key, made);
  return made;
}

function linesOf(text: string | undefined, from: number, to: number): string {
  return (text ?? '')
    .split('\n')
    .slice(from - 1, to)
    .join('\n');
}

async function expectTrueManifest({ files, vulnerabilities, metadata }: RedOutcome): Promise<void> {
  const project = await parseCode(files);
  expect(project.files.flatMap(({ file, problems }) => problems.map((problem) => ({ file, ...problem })))).toEqual([]);
  expect(project.files.map(({ file }) => file).sort()).toEqual(Object.keys(files).sort());
  const scope = createScope(project);
  const twin = createScope(await parseCode(metadata.twin ?? {}));
  expect(vulnerabilities).not.toHaveLength(0);
  for (const { weakness, resource, attribute, evidence, file, line, end_line, facts } of vulnerabilities) {
    const there = linesOf(files[file ?? ''], line ?? 0, end_line ?? 0);
    expect(evidence).not.toBe('');
    expect(there.trimStart().startsWith(evidence ?? '?')).toBe(true);
    if (metadata.difficulty === 'hard') {
      const isFound = (all: Scope) =>
        relationalFlaws(all, [String(weakness)]).some(({ resources }) => isDeepStrictEqual(resources, resource));
      expect([isFound(scope), isFound(twin), facts?.length]).toEqual([true, false, expect.any(Number)]);
      continue;
    }
    const target = {
      address: String(resource),
      file: file ?? '',
      attribute: attribute ? String(attribute) : null,
      related: [],
    };
    const operators = operatorsFor(metadata.language).filter(
      (one) => one.weakness === weakness && one.resourceTypes.includes(target.address.split('.')[0] ?? ''),
    );
    expect(operators.some((one) => one.isPresent(scope, target))).toBe(true);
    expect(operators.some((one) => one.isPresent(scope, target) && one.isPresent(twin, target))).toBe(false);
  }
}

/** How many were checked: code with many flaws may have none, but not all code. */
let cleanResources = 0;
afterAll(() => expect(cleanResources).toBeGreaterThan(0));

async function expectCleanResources({ files, vulnerabilities, metadata }: RedOutcome): Promise<void> {
  const codeOf = async (all: Record<string, string>) =>
    new Map(
      (await codeBlocks(all)).map((block) => [block.address, linesOf(all[block.file], block.line, block.end_line)]),
    );
  const [before, after] = [await codeOf(metadata.twin ?? {}), await codeOf(files)];
  const flawed = vulnerabilities.flatMap(({ resource }) => resource);
  cleanResources += metadata.clean_resources.length;
  for (const address of metadata.clean_resources) {
    expect(after.get(address)).toBeDefined();
    expect(after.get(address)).toBe(before.get(address));
    expect(flawed).not.toContain(address);
  }
}

const OTHER_STRATEGIES = STRATEGIES.filter((one) => one !== 'targeted' && one !== 'blitz');

describe.each(TEMPLATES.map((template, index) => [template.id, template, index] as const))(
  'a game on %s',
  (_id, template, index) => {
    // Each of the others is played on some of the templates.
    const other = OTHER_STRATEGIES[index % OTHER_STRATEGIES.length] ?? 'balanced';
    const played = (strategy: RedRequest['strategy'], difficulty: RedRequest['difficulty']) =>
      strategy === 'blitz' ? blitzOn(template, difficulty) : on(template, { difficulty, strategy, seed: 7 });

    it('is repeatable', async () => {
      const difficulty = DIFFICULTIES[Math.floor(index / OTHER_STRATEGIES.length) % DIFFICULTIES.length] ?? 'medium';
      const strategy = index % 2 === 0 ? 'blitz' : other;
      const density = strategy === 'blitz' ? 70 : undefined;
      const again = await on(template, { difficulty, strategy, density, seed: 7 });
      expect(JSON.stringify(again)).toBe(JSON.stringify(await played(strategy, difficulty)));
    });

    it.each(DIFFICULTIES)('has the flaws that its manifest claims: %s', async (difficulty) => {
      const usual = difficulty === 'medium' ? (['blitz', other] as const) : (['blitz'] as const);
      for (const strategy of usual) {
        const outcome = await played(strategy, difficulty);
        if (difficulty === 'easy') await expectNothingNew(template, outcome);
        expect(outcome.vulnerabilities.every((one) => one.difficulty === difficulty)).toBe(true);
        await expectTrueManifest(outcome);
        await expectCleanResources(outcome);
      }
    });

    it('differs from seed to seed', async () => {
      const games = await Promise.all([1, 2].map((seed) => on(template, { seed, difficulty: 'medium' })));
      expect(new Set(games.map(({ files }) => JSON.stringify(files))).size).toBe(2);
    });

    it('has exactly as many flaws as requested', async () => {
      for (const count of [1, 2, 6]) {
        const { vulnerabilities } = await on(template, { count, difficulty: 'medium' });
        expect(vulnerabilities.map(({ id }) => id)).toEqual(
          Array.from({ length: count }, (_, index) => `V${index + 1}`),
        );
      }
    });
  },
);

describe('a strategy', () => {
  it('balanced plants flaws of several categories', async () => {
    const counts: number[] = [];
    for (const template of allTemplates().slice(0, 10)) {
      const { vulnerabilities } = await on(template, { count: 4 });
      counts.push(new Set(vulnerabilities.map(({ type }) => type)).size);
    }
    expect(Math.min(...counts)).toBeGreaterThan(1);
    expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeGreaterThan(3);
  });

  it('targeted plants flaws of its category only', async () => {
    const { vulnerabilities } = await play({ strategy: 'targeted', category: 'encryption' });
    expect(vulnerabilities.length).toBeGreaterThan(0);
    for (const { type } of vulnerabilities) expect(type).toMatch(/^encryption_/);
  });

  it('targeted needs a category that the code has a place for', async () => {
    await expect(play({ strategy: 'targeted' })).rejects.toThrow(/needs a category/);
    await expect(play({ strategy: 'targeted', category: 'cookies' })).rejects.toThrow(
      /no place for a flaw of the category "cookies".*It has places for: /,
    );
  });

  it('blitz plants many', async () => {
    const { vulnerabilities } = await createMutationRed().generate({ ...GAME, strategy: 'blitz' });
    expect(vulnerabilities.length).toBeGreaterThanOrEqual(7);
  });

  it('chained plants pairs, and says which', async () => {
    const { vulnerabilities } = await play({ strategy: 'chained', count: 4 });
    expect(vulnerabilities).toHaveLength(4);
    for (const { id, chained_with: others } of vulnerabilities) {
      expect(others).toHaveLength(1);
      const other = vulnerabilities.find((one) => Array.isArray(others) && one.id === others[0]);
      expect(other?.chained_with).toEqual([id]);
    }
  });
});

describe('a manifest', () => {
  it('is one that a judge can read, with rule ids of scanners', async () => {
    const { vulnerabilities } = await play({ strategy: 'blitz' });
    expect(vulnerabilitySchema.array().parse(vulnerabilities)).toEqual(vulnerabilities);
    expect(vulnerabilities.every(({ source }) => source === 'mutation')).toBe(true);
    expect(vulnerabilities.flatMap(({ rule_ids: ids }) => ids).some((id) => id?.startsWith('CKV'))).toBe(true);
  });

  it('names no place twice', async () => {
    for (const template of TEMPLATES) {
      const { vulnerabilities } = await blitzOn(template, 'medium');
      const places = vulnerabilities.map(({ resource, attribute, title }) => `${resource} ${attribute} ${title}`);
      expect(new Set(places).size).toBe(places.length);
    }
  });

  it('is the only place that mentions the flaws', async () => {
    for (const template of TEMPLATES) {
      const { files } = await blitzOn(template, 'hard');
      for (const [name, text] of Object.entries(files)) {
        expect(`${name}\n${text}`).not.toMatch(
          /\b(?:salvo|vulnerab\w*|insecure\w*|weak\w*|mutation|flaw\w*|open_entry)\b/i,
        );
      }
    }
  });
});

describe('a task', () => {
  it('of the catalogue is played on one of its templates', async () => {
    for (const task of triedOf(allTasks().slice(0, 20))) {
      for (const language of ['terraform', 'cloudformation'] as const) {
        const { metadata } = await play({ task: task.id, language });
        expect(task.templates).toContain(metadata.template);
      }
    }
  });

  it('in free words is played on a template that fits the words', async () => {
    const { metadata } = await play({ task: 'a Kubernetes cluster for our teams' });
    expect(metadata.template).toBe('kubernetes-platform');
  });

  it('with unknown words only is still played', async () => {
    const { vulnerabilities } = await play({ task: 'zzz' });
    expect(vulnerabilities.length).toBeGreaterThanOrEqual(2);
  });

  it('that has no place for so many flaws is refused, and the message says how many fit', async () => {
    await expect(play({ count: 500 })).rejects.toThrow(/no place for 500 flaws.*at most \d+ fit/s);
    await expect(play({ count: 0 })).rejects.toThrow(/one flaw or more/);
  });
});

describe('the techniques', () => {
  it.each([
    [
      'terraform',
      'medium',
      [
        'broader_entry',
        'broader_resource',
        'environment_condition',
        'environment_map',
        'environment_module',
        'feature_switch',
        'keyed_entry',
        'local_value',
        'misleading_tag',
        'module_input',
        'override_file',
        'switched_off_block',
        'switched_off_guard',
        'tfvars_value',
        'unusual_form',
        'variable_default',
      ],
    ],
    [
      'cloudformation',
      'medium',
      [
        'broader_entry',
        'broader_resource',
        'environment_condition',
        'environment_mapping',
        'feature_switch',
        'mapping_value',
        'misleading_tag',
        'parameter_default',
        'switched_off_guard',
        'unusual_form',
      ],
    ],
  ] as const)('of %s at %s are all reached within 200 seeds', async (language, difficulty, techniques) => {
    const ids = techniquesFor(language, difficulty).map(({ id }) => id);
    expect(ids.sort()).toEqual([...techniques]);
    const templates = allTemplates().filter((template) => template.language === language);
    const seen = new Set<unknown>();
    for (let seed = 0; seed < 200 && seen.size < techniques.length; seed += 1) {
      const template = templates[seed % templates.length];
      if (!template) break;
      const { vulnerabilities } = await on(template, { difficulty, seed, density: 35 });
      for (const { technique } of vulnerabilities) seen.add(technique);
    }
    expect([...seen].sort()).toEqual([...techniques]);
  });
});

/** Plain edits change values in the code as it is: a construct would make the game harder. */
async function expectNothingNew(template: Template, { metadata }: RedOutcome): Promise<void> {
  const before = await formOf(templateFiles(template));
  expect((await formOf(metadata.twin ?? {})).filter((one) => !before.includes(one))).toEqual([]);
}

/** The declarations and resources of code: their names and files. */
async function formOf(files: Record<string, string>): Promise<string[]> {
  const { files: sources } = await parseCode(files);
  return sources.flatMap(({ file, blocks, attributes }) => [
    ...attributes.map(({ name }) => `${file} ${name}`),
    ...blocks.flatMap((block) => [
      `${file} ${block.address}`,
      ...(/^(?:locals|mappings|conditions)$/.test(block.type) ? block.attributes : []).map(({ name }) => name),
    ]),
  ]);
}

describe('the twin', () => {
  it.each(['easy', 'medium', 'hard'] as const)('has the same constructs as the code: %s', async (difficulty) => {
    for (const template of TEMPLATES) {
      const { files, metadata } = await blitzOn(template, difficulty);
      const [code, twin] = [await formOf(files), await formOf(metadata.twin ?? {})];
      expect(code.filter((one) => !twin.includes(one))).toEqual([]);
    }
  });

  // In the style of medium and hard games, a rule that does not follow a value may take it for an unsafe one.
  it('has nothing in an easy game that our rules do not find in the template', async () => {
    for (const template of TEMPLATES) {
      const { metadata } = await blitzOn(template, 'easy');
      const rulesOn = async (files: Record<string, string>) =>
        runRules(await parseCode(files)).map(({ rule_id, resource }) => `${rule_id} ${resource}`);
      const known = await rulesOn(templateFiles(template));
      expect((await rulesOn(metadata.twin ?? {})).filter((one) => !known.includes(one))).toEqual([]);
    }
  });
});

describe('the locations of a flaw', () => {
  it('are the resource first, then every declaration that carries its value', async () => {
    const seen = new Set<string>();
    for (const template of TEMPLATES) {
      for (const difficulty of ['medium', 'hard'] as const) {
        const { files, vulnerabilities } = await blitzOn(template, difficulty);
        for (const { technique, resource, locations } of vulnerabilities) {
          const places = locations ?? [];
          expect(places[0]).toMatchObject({ kind: 'resource', resource: [resource].flat()[0] });
          for (const { kind, file, line, resource: address } of places) {
            const name = String(address).split('.').at(-1) ?? '';
            expect(linesOf(files[file ?? ''], line ?? 0, line ?? 0)).toMatch(name === '' ? /./ : name);
            if (kind === 'definition') seen.add(String(technique));
          }
        }
      }
    }
    for (const technique of ['variable_default', 'tfvars_value', 'override_file', 'module_input', 'mapping_value']) {
      expect(seen).toContain(technique);
    }
  });
});

describe('code with flaws', () => {
  it.each(['terraform', 'cloudformation'] as const)('has some in variables of the template: %s', async (language) => {
    const nameOf = (address: unknown) => String(address).split('.').at(-1);
    for (const difficulty of ['medium'] as const) {
      let bent = 0;
      for (const template of TEMPLATES.filter((one) => one.language === language)) {
        const blocks = await codeBlocks(templateFiles(template));
        const own = new Set(blocks.flatMap(({ kind, address }) => (kind === 'variable' ? [nameOf(address)] : [])));
        const { vulnerabilities } = await blitzOn(template, difficulty);
        const places = vulnerabilities.flatMap(({ locations }) => locations ?? []);
        bent += places.filter(({ kind, resource }) => kind === 'definition' && own.has(nameOf(resource))).length;
      }
      expect(bent).toBeGreaterThan(0);
    }
  });

  it('declares nothing that is never used, which would show where a value was replaced', async () => {
    for (const template of TEMPLATES) {
      for (const difficulty of DIFFICULTIES) {
        const { files } = await blitzOn(template, difficulty);
        const code = Object.values(files).join('\n');
        const isHcl = template.language === 'terraform';
        for (const { kind, address } of await codeBlocks(files)) {
          if (kind !== 'variable') continue;
          const name = isHcl ? address.replace('.', '\\.') : (address.split('.').at(-1) ?? '');
          const uses = code.split(new RegExp(`(?<![\\w.])${name}(?![\\w-])`)).length - 1;
          expect(`${address} ${uses > (isHcl ? 0 : 1)}`).toBe(`${address} true`);
        }
      }
    }
  });
});

describe('mutated code could be deployed', () => {
  it('has variables whose defaults are of their type', async () => {
    const { files } = await play({
      task: 'private-service-endpoints',
      difficulty: 'medium',
      seed: 16970417,
      strategy: 'blitz',
    });
    expect(files['variables.tf']).toMatch(/type += string/);
    expect(files['variables.tf']).not.toMatch(/type += string\n +default += \[/);
  });

  it('has conditions whose results are both of one type', async () => {
    const games = TEMPLATES.filter(({ language }) => language === 'terraform').map((template) =>
      blitzOn(template, 'medium'),
    );
    // A text with an expression in it is a text, too.
    const kindOf = ({ kind }: Expression) => (kind === 'template' ? 'literal' : kind);
    const formOf = (value: Expression) =>
      value.kind === 'object' ? value.entries.map((entry) => `${entry.name} ${kindOf(entry.value)}`) : kindOf(value);
    // Terraform converts null, and what a reference is cannot be seen here.
    const isOpen = (value: Expression) =>
      value.kind === 'reference' || (value.kind === 'literal' && value.value === null);
    let conditions = 0;
    for (const { files } of await Promise.all(games)) {
      for (const source of (await parseCode(files)).files) {
        for (const { attribute } of writtenAttributes(source)) {
          if (attribute.value.kind !== 'conditional') continue;
          const { whenTrue, whenFalse } = attribute.value;
          if (isOpen(whenTrue) || isOpen(whenFalse)) continue;
          conditions += 1;
          expect(formOf(whenTrue)).toEqual(formOf(whenFalse));
        }
      }
    }
    expect(conditions).toBeGreaterThan(20);
  });

  it('overrides only existing blocks', async () => {
    const { files } = await play({
      task: 'regulatory-archive',
      difficulty: 'medium',
      seed: 1,
      strategy: 'targeted',
      category: 'encryption_at_rest',
    });
    const heads = (isOverride: boolean) =>
      Object.entries(files)
        .filter(([name]) => name.endsWith('_override.tf') === isOverride)
        .flatMap(([, text]) => text.match(/^(?:resource|data) .*\{$/gm) ?? []);
    expect(heads(true)).not.toHaveLength(0);
    expect(heads(false)).toEqual(expect.arrayContaining(heads(true)));
  });

  it('has no empty properties, and lists under conditions that are still lists', async () => {
    const games = TEMPLATES.filter(({ language }) => language === 'cloudformation').flatMap((template) =>
      DIFFICULTIES.map((difficulty) => blitzOn(template, difficulty)),
    );
    const code = (await Promise.all(games)).flatMap(({ files }) => Object.values(files)).join('\n');
    expect(code).not.toMatch(/^ +Properties:\n(?:\n|$| {0,4}\S)/m);
    // `- - one` with a line `- two` further in than `one` is one long text.
    const lists = [...code.matchAll(/^( +)- - (?!.*: )(?!.*:$).+\n( +)- /gm)];
    expect(lists).not.toHaveLength(0);
    for (const [, indent = '', next = ''] of lists) {
      expect([indent.length, indent.length + 2]).toContain(next.length);
    }
  });
});
