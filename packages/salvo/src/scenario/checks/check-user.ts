import { dirname } from 'node:path';
import { isRecord } from '../../text/json/is-record.ts';
import type { Report } from '../diagnostics/problem.ts';
import { checkAskedAdapter } from './check-adapter.ts';
import { checkPattern } from './check-field.ts';
import type { ScenarioChecks } from './scenario-checks.ts';
import { adapterFromFile } from './written-path.ts';

/** The default of `max_turns` with a simulated user, who asks more than once. */
export const TURNS_WITH_USER = 100;

/** Checks what the schema of a simulated user cannot. Values of the wrong type are reported by the schema. */
export function checkUser(report: Report, user: unknown, checks: ScenarioChecks): void {
  if (!isRecord(user)) return;
  const { goal, script } = user;
  if (goal === undefined && script === undefined) {
    report({
      code: 'missing-key',
      message: 'the simulated user has neither a goal nor a script',
      hint: 'write what it wants, for a model that plays it: goal: ..., or what it says: script: [...]',
      path: ['user'],
      missing: ['goal', 'script'],
    });
  }
  if (script !== undefined) {
    // With a goal, `--user` can replace the script by a model.
    const unused = goal === undefined ? ['facts', 'persona', 'check', 'stop'] : [];
    for (const key of ['adapter', 'model', ...unused]) {
      if (user[key] === undefined) continue;
      const message = `"${key}" is for a user that a model plays, and this one has a script`;
      report({ code: 'conflicting-keys', message, path: ['user', key], at: 'key' });
    }
  }
  for (const [index, entry] of Array.isArray(script) ? script.entries() : []) {
    if (isRecord(entry)) checkPattern(report, entry.when, ['user', 'script', index, 'when']);
  }
  checkAdapters(report, user, checks);
}

function checkAdapters(report: Report, user: Record<string, unknown>, checks: ScenarioChecks): void {
  const check = isRecord(user.check) ? user.check : {};
  for (const [name, path] of [
    [user.adapter, ['user', 'adapter']],
    [check.adapter, ['user', 'check', 'adapter']],
  ] as const) {
    const folder = dirname(checks.fileAt?.(path) ?? checks.file);
    const { adapterNames: names, projectRoot: root, readRoot } = checks;
    checkAskedAdapter(report, { name, names, folder, root, readRoot, path }, 'user');
  }
}

/** The same user, with the paths of its adapters relative to the project. */
export function withRebasedUser<U extends { adapter?: string | undefined; check?: unknown }>(
  user: U,
  checks: ScenarioChecks,
): U {
  const rebased = (name: unknown, path: (string | number)[]) =>
    typeof name === 'string'
      ? {
          adapter: adapterFromFile(name, {
            names: checks.adapterNames,
            file: checks.fileAt?.(path) ?? checks.file,
            projectRoot: checks.projectRoot,
          }),
        }
      : {};
  const check = isRecord(user.check)
    ? { check: { ...user.check, ...rebased(user.check.adapter, ['user', 'check', 'adapter']) } }
    : {};
  return { ...user, ...rebased(user.adapter, ['user', 'adapter']), ...check };
}
