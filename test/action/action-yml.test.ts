import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const FOLDER = fileURLToPath(new URL('../../action/', import.meta.url));
const text = readFileSync(`${FOLDER}action.yml`, 'utf8');
const action = z
  .object({
    inputs: z.record(z.string(), z.object({ description: z.string().min(1), default: z.string() })),
    outputs: z.record(z.string(), z.object({ description: z.string().min(1), value: z.string() })),
    runs: z.object({
      using: z.literal('composite'),
      steps: z.array(
        z.object({
          name: z.string(),
          id: z.string().optional(),
          if: z.string().optional(),
          run: z.string().optional(),
          uses: z.string().optional(),
          shell: z.string().optional(),
          env: z.record(z.string(), z.string()).default({}),
        }),
      ),
    }),
  })
  .parse(parse(text));
const { steps } = action.runs;
const scripts = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));
const sources = new Map(scripts.map((file) => [file, readFileSync(FOLDER + file, 'utf8')]));

describe('action.yml', () => {
  test('passes inputs as variables: an expression in a command would execute what somebody else wrote', () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands).toHaveLength(3);
    for (const command of commands) expect(command).toMatch(/^node "\$GITHUB_ACTION_PATH\/[a-z]+\.ts"$/);
  });

  test('uses every input, and gives its steps every variable that their scripts read', () => {
    for (const input of Object.keys(action.inputs)) expect(text).toContain(`inputs.${input} `);
    const given = new Set(steps.flatMap(({ env }) => Object.keys(env)));
    const read = [...sources.values()].flatMap((source) => source.match(/\bSALVO_[A-Z_]+/g) ?? []);
    expect(new Set(read)).toEqual(given);
  });

  test('sets every output that it promises', () => {
    for (const { value } of Object.values(action.outputs)) {
      const [, name] = /steps\.salvo\.outputs\.([a-z-]+)/.exec(value) ?? [];
      expect(sources.get('run.ts')).toMatch(new RegExp(`\\b'?${name}'?:`));
    }
  });

  test('names the actions of others by a major version', () => {
    for (const { uses } of steps) if (uses) expect(uses).toMatch(/^[\w-]+\/[\w/-]+@v\d+$/);
  });

  test('gives the token to the comment alone, and fails in its last step, whatever the others did', () => {
    expect(steps.filter(({ env }) => 'SALVO_GITHUB_TOKEN' in env).map(({ name }) => name)).toEqual([
      'Comment on the pull request',
    ]);
    expect(steps.at(-1)).toMatchObject({ name: 'Verdict', if: `\${{ !cancelled() }}` });
    expect(text).not.toContain('continue-on-error');
  });
});

test('the scripts need nothing but Node', () => {
  for (const [file, source] of sources) {
    const imports = [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name ?? '');
    for (const name of imports) expect(`${file}: ${name}`).toMatch(/: (?:node:|\.\/)/);
  }
});
