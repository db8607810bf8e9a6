import type { Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calibrateProjectJudge } from '../../packages/salvo/src/app/judges/calibrate-project-judge.ts';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import type { LabelAgreement } from '../../packages/salvo/src/app/view/labels/label-agreement.ts';
import type { LabelQueue } from '../../packages/salvo/src/app/view/labels/label-queue.ts';
import type { HumanLabel } from '../../packages/salvo/src/judge/calibration/human-label.ts';
import { done, sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { type ViewerFixture, viewerFixture } from './viewer-fixture.ts';

let project: ProjectFixture;
let viewer: ViewerFixture;
let runId: string;

const vote = (score: number) => [
  {
    tool_calls: [{ name: 'score_criteria', arguments: { polite: { reasoning: 'Because.', score } } }],
    usage: { input_tokens: 1, output_tokens: 1 },
  },
];

/** Six trials. The judge, which is a script, says yes or no by chance, and never sees what they say. */
beforeAll(async () => {
  const script = { variants: [{ turns: vote(1) }, { turns: vote(0) }] };
  project = await projectFixture({
    'salvo.yaml': JSON.stringify({
      adapters: { coin: { type: 'scripted', script } },
      judge: { adapter: 'coin', model: 'coin', k: 3 },
    }),
    'scenarios/greeting.yaml': sampleScenario({
      name: 'greeting',
      assertions: [{ type: 'judge', id: 'tone', criteria: [{ name: 'polite', description: 'It greets.' }] }],
      script: [done('Hello!')],
    }),
  });
  await using finished = await runFiles({ cwd: project.root, env: {}, trials: 6, seed: 3 });
  runId = finished.run.run_id;
  viewer = await viewerFixture(project.root);
});
afterAll(async () => {
  await viewer[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

const QUEUE = '/api/labels/queue?scenario=0&assertion=tone';

async function queue(more = ''): Promise<LabelQueue> {
  return (await (await viewer.request(`${QUEUE}&run=${runId}${more}`)).json()) as LabelQueue;
}

async function labels(): Promise<HumanLabel[]> {
  return (await queue()).items.flatMap((item) => item.labels);
}

async function agreement(): Promise<LabelAgreement> {
  const response = await viewer.request(
    '/api/labels/agreement?file=scenarios/greeting.yaml&scenario=greeting&assertion=tone',
  );
  return (await response.json()) as LabelAgreement;
}

async function post(change: Record<string, unknown>): Promise<Response> {
  const body = { run_id: runId, scenario_index: 0, case_index: 0, trial_number: 1, assertion_id: 'tone' };
  const said = { criterion: null, verdict: true, note: '', labelled_by: 'Bob' };
  return viewer.request('/api/labels', { method: 'POST', body: JSON.stringify({ ...body, ...said, ...change }) });
}

describe('what the server takes', () => {
  it.each([
    [{ verdict: 'yes' }, 400, 'verdict'],
    [{ verdict: 1.5 }, 400, 'verdict'],
    [{ labelled_by: '  ' }, 400, 'labelled_by'],
    [{ note: 'x'.repeat(10_001) }, 400, 'note'],
    [{ more: 1 }, 400, 'more'],
    [{ trial_number: 7 }, 404, 'no such trial'],
    [{ scenario_index: 1 }, 404, 'no scenario 1'],
    [{ assertion_id: 'other' }, 404, 'no judge "other"'],
    [{ criterion: '__proto__' }, 404, 'no criterion "__proto__"'],
  ])('refuses %j', async (change, status, words) => {
    const response = await post(change);
    const answer = await response.json();
    expect([response.status, answer]).toEqual([status, { error: expect.stringContaining(words) }]);
    expect(await labels()).toEqual([]);
  });

  it('refuses what is no JSON', async () => {
    const response = await viewer.request('/api/labels', { method: 'POST', body: '{' });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'The request cannot be read. It is no JSON.' },
    ]);
  });
});

describe('labels', () => {
  it('are given with the keyboard, blind to the judge, and become a calibration', async () => {
    await using opened = await openPage(`${viewer.url}#/labels`);
    const { page } = opened;
    const status = (done: number) => page.getByText(`${done} of 6 labelled`).waitFor();
    await page.getByLabel('Labels by').fill('Ada');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Labels' }).click();
    await status(0);
    // Nothing of the verdicts is on the page, or was sent to it.
    const blind = await queue('&blind_for=Ada');
    expect(blind.items.map(({ judge }) => judge)).toEqual([null, null, null, null, null, null]);
    expect(await page.getByText('The judge passes it').or(page.getByText('The judge fails it')).count()).toBe(0);

    await page.keyboard.press('n');
    await page.keyboard.type('<img src=x onerror=alert(1)> \u202e\u001b[31m no');
    await page.keyboard.press('Escape');
    await page.keyboard.press('2');
    await status(1);
    await page.keyboard.press('1');
    await status(2);
    await page.keyboard.press('u');
    await status(1);
    // The last label is undone, also before it is stored.
    const held = Promise.withResolvers<Route>();
    await page.route('**/api/labels', held.resolve, { times: 1 });
    // Says that no request came, instead of waiting for ever.
    const requested = page.waitForRequest((request) => request.method() === 'POST');
    await page.keyboard.press('1');
    await requested;
    const storing = await held.promise;
    await page.keyboard.press('u');
    const undone = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await storing.continue();
    await undone;
    expect(await labels()).toMatchObject([{ note: expect.stringMatching(/^<img/) }]);
    await page.keyboard.press('0');
    await page.keyboard.press('ArrowLeft');
    for (const [index, key] of ['1', '2', '1', '2', '1'].entries()) {
      await page.keyboard.press(key);
      await status(index + 2);
    }
    const score = page.getByRole('button', { name: 'polite: 0.75' });
    await score.focus();
    await page.keyboard.press('Enter');
    await score.and(page.locator('[aria-pressed=true]:focus')).waitFor();
    await expect.poll(labels).toHaveLength(7);
    const stored = await labels();
    expect(stored.filter(({ note }) => note.startsWith('<img'))).toHaveLength(1);
    expect(new Set(stored.map(({ labelled_by }) => labelled_by))).toEqual(new Set(['Ada']));
    expect(stored.filter(({ criterion }) => criterion === 'polite')).toMatchObject([{ score: 0.75, passed: false }]);

    // Each was drawn, in the order of the queue, and its chance is stored with it.
    const order = (await queue()).items.map(({ drawn }) => drawn?.position);
    expect(order).toEqual([1, 2, 3, 4, 5, 6]);
    const verdicts = stored.filter(({ criterion }) => criterion === null);
    expect(verdicts.map(({ drawn }) => drawn?.position)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(verdicts.every(({ drawn }) => drawn && drawn.rate > 0 && drawn.of === 6)).toBe(true);

    // Another person, about the same trials.
    for (const trial_number of [1, 2]) expect((await post({ trial_number, verdict: true })).status).toBe(201);
    await page.getByRole('checkbox', { name: /^Blind/ }).uncheck();
    await page.getByText('The judge passes it').or(page.getByText('The judge fails it')).waitFor();
    await page.getByText('Labels by Ada, Bob. Of 2 that several labelled').waitFor();
    await page.getByRole('button', { name: 'Store as the calibration of this judge' }).click();
    await page.getByText('Stored on').waitFor();
    const shown = await agreement();
    expect(shown.n).toBe(shown.both_passed + shown.both_failed + shown.only_judge_passed + shown.only_people_passed);
    expect(shown.people).toMatchObject({ people: ['Ada', 'Bob'], shared: 2 });
    expect(shown.stored_at).not.toBeNull();
    expect(shown.notes.join(' ')).toContain('weighted by its chance of being drawn');
    await page.getByText('A trial that you skip stays in the draw').waitFor();

    // The command computes the same, and asks nobody.
    const { report, judge, judgeCost } = await calibrateProjectJudge({ cwd: project.root, env: {} });
    expect(report.overall).toMatchObject({ n: shown.n, kappa: shown.kappa, kappa_ci: shown.kappa_ci });
    expect([judge?.judge_model, judgeCost.usd]).toEqual(['coin', 0]);

    // A hostile note is text, also for others.
    await page.goto(`${viewer.url}#/runs/${runId}/trials/0/0/${stored.find(({ note }) => note !== '')?.trial_number}`);
    await page.getByText('<img src=x onerror=alert(1)> ⟨U+202E⟩␛[31m no').first().waitFor();
  });
});
