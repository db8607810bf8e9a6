import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProjectFixture, projectFixture } from '../../../../../test/project-fixture.ts';
import { budgetOfResume, spendingSentence } from './resume-budget.ts';
import { type ViewedProject, viewProject } from './viewed-project.ts';

let project: ProjectFixture;
let viewed: ViewedProject;

beforeAll(async () => {
  project = await projectFixture({ 'salvo.yaml': '' });
  viewed = await viewProject({ cwd: project.root, env: {} });
});
afterAll(async () => {
  await viewed[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

describe('the budget of a run that is resumed from the page', () => {
  it.each([
    ['the one of the project if none is asked for', '2', undefined, undefined, 2],
    ['the one of the viewer if none is asked for', '', undefined, 3, 3],
    ['the lower one of both', '2', undefined, 3, 2],
    ['the lower one of both', '4', undefined, 3, 3],
    ['what is asked for, up to the limit', '2', 2, undefined, 2],
    ['what is asked for, below the limit', '', 1, 3, 1],
    ['none on the machine of the owner, who has set no limit', '', undefined, undefined, undefined],
  ])('is %s', async (_, ofProject, asked, maxBudgetUsd, expected) => {
    await project.write('salvo.yaml', ofProject === '' ? '' : `budget_usd: ${ofProject}\n`);
    expect(await budgetOfResume(viewed, asked, { maxBudgetUsd })).toBe(expected);
  });

  it.each([
    ['more than the project allows', '2', 2.01, undefined, false, 'The largest budget of this project is $2'],
    ['more than the viewer allows', '9', 4, 3, false, 'salvo view --max-budget-usd` is $3'],
    ['any if nobody has set a limit', '', 0.01, undefined, false, 'Nobody has set a limit'],
    ['none for others if nobody has set a limit', '', undefined, undefined, true, 'Nobody has set a limit'],
  ])('is not %s', async (_, ofProject, asked, maxBudgetUsd, isOpenToOthers, message) => {
    await project.write('salvo.yaml', ofProject === '' ? '' : `budget_usd: ${ofProject}\n`);
    await expect(budgetOfResume(viewed, asked, { maxBudgetUsd, isOpenToOthers })).rejects.toThrow(message);
  });

  it('is said in words', () => {
    expect(spendingSentence({ maxBudgetUsd: 3, budgetUsd: 2 })).toBe('A resumed run spends at most $2.');
    expect(spendingSentence({ budgetUsd: undefined })).toContain('has no limit of money');
    expect(spendingSentence({ budgetUsd: undefined, isOpenToOthers: true })).toContain('cannot be resumed');
  });
});
