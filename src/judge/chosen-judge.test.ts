import { describe, expect, it } from 'vitest';
import { judgeAssertionSchema } from '../scenario/schema/assertion-schema.ts';
import { projectSchema } from '../scenario/schema/project-schema.ts';
import { chosenJudge, readyJudges } from './chosen-judge.ts';

const rubric = [{ name: 'correct', description: 'Is it right?', weight: 1 }];
const panel = judgeAssertionSchema.parse({
  type: 'judge',
  criteria: rubric,
  judges: [{ model: 'a' }, { model: 'b' }],
  judge_model: 'c',
  k: 5,
  threshold: 0.6,
});
const project = { root: '/nowhere', file: null, config: projectSchema.parse({ judge: { model: 'from-project' } }) };

describe('chosenJudge', () => {
  it('is as the scenario asks for it, but for what the command line says', () => {
    expect(chosenJudge(panel, {})).toEqual(panel);
    expect(chosenJudge(panel, { k: 1, threshold: 0.9 })).toMatchObject({ k: 1, threshold: 0.9, judges: panel.judges });
  });

  it('is one judge and no panel when the command line names one', () => {
    expect(chosenJudge(panel, { model: 'd' })).toMatchObject({ judge_model: 'd', judges: undefined });
    expect(chosenJudge(panel, { judge: 'house' })).toMatchObject({ judge_adapter: 'house', judge_model: 'c' });
  });

  it('judges by a rubric alone with what the project says', () => {
    const assertion = chosenJudge(rubric, {});
    const env = { OPENAI_API_KEY: 'key' };
    expect(readyJudges({ assertion, project, env })).toEqual([{ adapter: 'openai', model: 'from-project', weight: 1 }]);
  });
});

describe('readyJudges', () => {
  it('refuses a judge that cannot be called', () => {
    const assertion = chosenJudge(rubric, {});
    expect(() => readyJudges({ assertion, project, env: {} })).toThrow(/OPENAI_API_KEY/);
  });
});
