import { describe, expect, test } from 'vitest';
import type { ProjectHooks } from '../../scenario/code/load-hooks.ts';
import type { ScenarioHooks } from '../../scenario/code/scenario-definition.ts';
import { scenarioFieldsSchema } from '../../scenario/schema/scenario-schema.ts';
import { TrialStopped } from '../../trial/trial-result.ts';
import { createRunHooks, SetupError } from './run-hooks.ts';

const TRIAL = { index: 0, scenario: 's', case: '', row: {}, trialNumber: 1 };

function hooksOf(given: { project?: ProjectHooks; own?: ScenarioHooks; seconds?: number; abort?: AbortSignal }) {
  const { project = {}, own = {}, seconds = 60 } = given;
  const fields = scenarioFieldsSchema.parse({ prompt: 'Hi', timeout_seconds: seconds });
  const functions = { agent: null, mocks: new Map(), checks: new Map(), hooks: own };
  return createRunHooks({
    runId: 'run',
    root: '/',
    hooks: project,
    scenarios: [{ scenario: { ...fields, name: 's', assertions: [] }, functions }],
    timeoutSeconds: seconds,
    abort: given.abort,
  });
}

/** Hooks that write down when they are called. */
function traced(log: string[], prefix: string, names: readonly string[]): ProjectHooks & ScenarioHooks {
  return Object.fromEntries(names.map((name) => [name, () => void log.push(`${prefix}${name}`)]));
}

describe('hooks', () => {
  test('run from the outside in, and back out; what is shared runs once', async () => {
    const log: string[] = [];
    const hooks = hooksOf({
      project: traced(log, 'project.', [
        'setup',
        'teardown',
        'setupScenario',
        'teardownScenario',
        'setupTrial',
        'teardownTrial',
      ]),
      own: traced(log, 'own.', ['setup', 'teardown', 'setupTrial', 'teardownTrial']),
    });
    for (const trialNumber of [1, 2]) {
      const { end } = await hooks.startTrial({ ...TRIAL, trialNumber });
      log.push('trial');
      await end();
    }
    expect(await hooks.close()).toEqual([]);
    const trial = ['project.setupTrial', 'own.setupTrial', 'trial', 'own.teardownTrial', 'project.teardownTrial'];
    expect(log).toEqual([
      ...['project.setup', 'project.setupScenario', 'own.setup', ...trial, ...trial],
      ...['own.teardown', 'project.teardownScenario', 'project.teardown'],
    ]);
  });

  test('give what they return to those after them', async () => {
    const hooks = hooksOf({
      project: { setup: () => 'r', setupTrial: () => 'p' },
      own: {
        setup: async ({ hooks }) => `${hooks.run}s`,
        setupTrial: ({ hooks }) => `${hooks.scenario}${hooks.trial}t`,
      },
    });
    const { context } = await hooks.startTrial(TRIAL);
    expect(context.hooks).toEqual({ run: 'r', scenario: 'rs', trial: 'rspt' });
  });

  test('are not called if no trial runs', async () => {
    const log: string[] = [];
    expect(await hooksOf({ project: traced(log, '', ['setup', 'teardown']) }).close()).toEqual([]);
    expect(log).toEqual([]);
  });
});

describe('a setup that fails', () => {
  test('fails every trial that needs it, is not repeated, and leaves nothing behind', async () => {
    const log: string[] = [];
    const setup = () => {
      log.push('setup');
      throw new Error('no database');
    };
    const project = traced(log, 'project.', ['setup', 'teardown']);
    const hooks = hooksOf({ project, own: { ...traced(log, 'own.', ['teardown', 'setupTrial']), setup } });
    for (const trialNumber of [1, 2]) {
      const started = hooks.startTrial({ ...TRIAL, trialNumber });
      await expect(started).rejects.toThrow(SetupError);
      await expect(started).rejects.toThrow('setup of the scenario failed: no database');
    }
    await hooks.close();
    expect(log).toEqual(['project.setup', 'setup', 'project.teardown']);
  });

  test('of a trial undoes what was set up before it in this trial', async () => {
    const log: string[] = [];
    const setupTrial = () => Promise.reject(new Error('no'));
    const hooks = hooksOf({ project: traced(log, '', ['setupTrial', 'teardownTrial']), own: { setupTrial } });
    await expect(hooks.startTrial(TRIAL)).rejects.toThrow('setupTrial of the scenario failed: no');
    expect(log).toEqual(['setupTrial', 'teardownTrial']);
  });

  test('may be one that never ends', async () => {
    const hooks = hooksOf({ own: { setup: () => new Promise(() => {}) }, seconds: 0.05 });
    await expect(hooks.startTrial(TRIAL)).rejects.toThrow('setup of the scenario failed: no end after 0.05 s');
  });

  test('is no failure if the user gave up', async () => {
    const abort = new AbortController();
    const hooks = hooksOf({ own: { setup: () => abort.abort() ?? new Promise(() => {}) }, abort: abort.signal });
    await expect(hooks.startTrial(TRIAL)).rejects.toThrow(TrialStopped);
  });
});

describe('a teardown', () => {
  test('that fails or never ends is a warning, and keeps no other from running', async () => {
    const log: string[] = [];
    const hooks = hooksOf({
      project: traced(log, '', ['teardown']),
      own: { teardown: () => new Promise(() => {}), teardownTrial: () => Promise.reject(new Error('busy')) },
      seconds: 0.05,
    });
    await (await hooks.startTrial(TRIAL)).end();
    expect(await hooks.close()).toEqual([
      'teardownTrial of the scenario (s) failed: busy',
      'teardown of the scenario (s) failed: no end after 0.05 s (timeout_seconds)',
    ]);
    expect(log).toEqual(['teardown']);
  });

  test('runs after the user gave up', async () => {
    const log: string[] = [];
    const abort = new AbortController();
    const hooks = hooksOf({ own: traced(log, '', ['teardown', 'teardownTrial']), abort: abort.signal });
    const { end } = await hooks.startTrial(TRIAL);
    abort.abort();
    await end();
    await hooks.close();
    expect(log).toEqual(['teardownTrial', 'teardown']);
  });
});
