import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProjectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { HOSTILE_ANSWER, projectWithTrials } from './stored-trials.ts';
import { type ViewerFixture, viewerFixture } from './viewer-fixture.ts';

let project: ProjectFixture;
let viewer: ViewerFixture;

beforeAll(async () => {
  project = await projectWithTrials();
  viewer = await viewerFixture(project.root);
});

afterAll(async () => {
  await viewer[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

const address = (trial: number, place = '') => `#/runs/run-1/trials/0/0/${trial}${place}`;
const LONGEST_TEXT = "Math.max(...[...document.querySelectorAll('pre')].map((pre) => pre.textContent.length))";
const answer = async (path: string) => JSON.parse(await (await viewer.request(path)).text());
const openTrial = (trial: number) => openPage(`${viewer.url}${address(trial)}`);

it('shows a trial as it went, links each assertion to its place, and steps through the failures', async () => {
  await using opened = await openTrial(1);
  const { page } = opened;
  const call = page.getByRole('article', { name: 'Tool refund (error), turn 1' });
  expect(await call.textContent()).toContain('Arguments{\n  "amount": 50\n}ErrorThe bank is busy.');
  expect(await page.getByRole('article', { name: /^Retry 1/ }).textContent()).toContain('status 429: slow down');
  await page.getByText('connected to the shop').waitFor();
  const times = await page.getByRole('region', { name: 'Time and tokens by turn' }).getByRole('row').allTextContents();
  expect(times.slice(1)).toEqual(['11.0s1,20030', '21.5s——']);

  const assertions = page.getByRole('region', { name: 'Assertions' });
  expect(await assertions.getByRole('article').first().textContent()).toContain(
    'never-no✕ failed, required · 0.00Expectedthe answer does not contain "never"',
  );
  expect(await page.locator('mark').allTextContents()).toEqual(['I will ', 'never', ' refund']);
  await assertions.getByRole('link', { name: 'call 1: refund' }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe(address(1, '/3.1'));
  await page.locator('#event-m2c0:focus').waitFor();

  const search = page.getByRole('searchbox', { name: 'Search the conversation' });
  await search.fill('BANK');
  await page.getByText('1 of 7 events').waitFor();
  expect(await page.locator('mark').allTextContents()).toEqual(['bank']);
  // A link and the way back keep the search; what a link names is never hidden by one.
  await expect.poll(() => new URL(page.url()).hash).toBe(address(1, '/where/BANK'));
  await assertions.getByRole('link', { name: 'call 1: refund' }).click();
  await page.getByText('7 events', { exact: true }).waitFor();
  expect(await search.inputValue()).toBe('');
  await page.goBack();
  await page.getByText('1 of 7 events').waitFor();
  await page.reload();
  await page.getByText('1 of 7 events').waitFor();
  expect(await search.inputValue()).toBe('BANK');
  await search.fill('100% / #');
  await expect.poll(() => new URL(page.url()).hash).toBe(address(1, '/where/100%25%20%2F%20%23'));
  await page.reload();
  await page.getByText('0 of 7 events').waitFor();
  expect(await search.inputValue()).toBe('100% / #');
  await search.fill('');
  await page.getByText('7 events', { exact: true }).waitFor();
  expect(new URL(page.url()).hash).not.toContain('BANK');
  await page.getByRole('checkbox', { name: 'Tools' }).uncheck();
  await page.getByText('6 of 7 events').waitFor();

  await page.getByRole('heading', { name: 'Trial 1' }).click();
  await page.keyboard.press('j');
  await page.getByText('failure 2 of 4').waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe(address(3));
  await page.getByText('at answer (agent.ts:7:3)').waitFor();
  await page.getByText('2.0s, no answer').waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.getByText('trial 2 of 5').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).getByText('Next failure').waitFor();
});

it('shows what a judge said, where its votes disagree, and how it compares with people', async () => {
  await using opened = await openTrial(1);
  const { page } = opened;
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'tone' }) });
  expect(await card.textContent()).toMatch(
    /needs 0\.80 to pass · 5 votes · in 3 parts; left out: nothing · 1 dissenting · 1 cached · \$0\.0021/,
  );
  await card
    .getByRole('img', { name: 'polite: votes 0.20, 1.00, 1.00, 1.00, 1.00; median 1.00; needed 0.80' })
    .waitFor();
  await card.getByText('votes disagree').waitFor();
  await card.getByText('The votes were not unanimous.').waitFor();
  await card.getByText('Vote 1 ✕ fails it · 0.20 · dissents').click();
  await card.getByText('It says "I will never refund" it.').waitFor();
  await card.getByText('polite · 0.20 (by part: 1.00, 0.20, 1.00)').waitFor();
  await card.getByRole('link', { name: 'This judge' }).click();

  await page.getByRole('heading', { name: 'judge-model' }).waitFor();
  const matrix = page.getByRole('region', { name: 'Judge against people' });
  expect(await matrix.getByRole('row', { name: /^People passed/ }).textContent()).toMatch(/18agree.*2differ.*90%/);
  const found = page.getByRole('region', { name: 'What it found' });
  await found.getByRole('img', { name: /^75%, 95% interval 5/ }).waitFor();
  expect(await page.getByRole('region', { name: 'Where judge and people differ' }).textContent()).toContain(
    'People: ✕ fail (0.00) Judge: ✓ pass (0.90)3 of 3 votes',
  );
  await page.getByRole('link', { name: 'Judges' }).first().click();
  const row = page.getByRole('row', { name: /judge-model/ });
  expect(await row.textContent()).toContain('usable');
});

it('shows a hostile trace as text, and stays responsive', async () => {
  await using opened = await openTrial(4);
  const { page } = opened;
  await page.getByText('␛[31mred␛[0m ⟨U+202E⟩txt.exe⟨U+202C⟩ zero⟨U+200B⟩width').waitFor();
  await page.getByText(HOSTILE_ANSWER, { exact: true }).first().waitFor();
  await page.getByRole('article', { name: 'Tool <script>window.hacked = 1</script>, turn 1' }).waitFor();
  const more = page.getByRole('button', { name: /^Show 100,000 more of 5,000,000 characters/ });
  await more.click();
  await expect.poll(() => page.evaluate(LONGEST_TEXT)).toBeGreaterThan(100_000);
  expect(await page.evaluate("'hacked' in window")).toBe(false);
  expect(await page.locator('main img, main script, a[href^="javascript"]').count()).toBe(0);
  expect(await page.evaluate('document.body.textContent.length')).toBeLessThan(200_000);
});

it('opens a trace of 2,000 messages at any of them, with only some in the page', async () => {
  await using opened = await openPage(`${viewer.url}${address(5, '/1500')}`);
  const { page } = opened;
  await page.locator('#event-m1499:focus').waitFor();
  await page.getByText('2000 events').waitFor();
  expect(await page.getByRole('article').count()).toBeLessThan(60);
  await expect.poll(() => page.getByRole('article', { name: 'Agent, turn 750' }).isVisible()).toBe(true);
});

it('answers with messages in pages, shortened, and with one in full', async () => {
  const trial = await answer('/api/runs/run-1/trials/0/0/4');
  const messages = `/api/traces/${trial.trace.trace_id}/messages`;
  const page = await answer(`${messages}?offset=1&limit=2`);
  expect(page.messages).toMatchObject([
    { index: 1, tool_calls: [{}, { arguments: { full_length: 6 * 20_000 + 1 } }] },
    { index: 2, content: { text: 'y'.repeat(20_000), full_length: 5_000_000 } },
  ]);
  const whole = await answer(`${messages}/2`);
  expect(whole.content.text).toHaveLength(5_000_000);
  expect((await viewer.request(`${messages}/99`)).status).toBe(404);
  expect((await viewer.request('/api/judges/unknown')).status).toBe(404);
  const byTrace = await answer(`/api/traces/${trial.trace.trace_id}`);
  expect(byTrace.trial).toEqual({ run_id: 'run-1', scenario_index: 0, case_index: 0, trial_number: 4 });
});
