import { describe, expect, it } from 'vitest';
import { sampleLabel } from '../../../../../test/sample-label.ts';
import { peoplesAgreement, peoplesVerdict } from './people.ts';

const says = (labelled_by: string, passed: boolean, trace_id = 'trace-1') =>
  sampleLabel({ labelled_by, passed, trace_id });

describe('what people say together', () => {
  it.each([
    [[true], true],
    [[true, false, true], true],
    [[false, false, true], false],
    [[true, false], null],
    [[], null],
  ])('of the verdicts %j it is %j', (verdicts, expected) => {
    expect(peoplesVerdict(verdicts.map((passed, index) => says(`person ${index}`, passed))).passed).toBe(expected);
  });

  it('is the mean score of a criterion, where pass is 1 and fail is 0', () => {
    const about = { assertion_id: 'tone', criterion: 'polite' };
    const labels = [
      sampleLabel({ ...about, score: 0.5, passed: false }),
      sampleLabel({ ...about, labelled_by: 'Bob', passed: true }),
    ];
    expect(peoplesVerdict(labels)).toEqual({ passed: null, labels: { polite: 0.75 } });
  });
});

describe('how far people agree', () => {
  it('is about what several of them labelled', () => {
    const labels = [says('Ada', true), says('Bob', true), says('Ada', false, 'trace-2'), says('Ada', true, 'trace-3')];
    const alone = { people: ['Ada', 'Bob'], shared: 1, unanimous: 1, alpha: null };
    expect(peoplesAgreement(labels)).toEqual(alone);
    const more = [...labels, says('Bob', false, 'trace-2'), says('Bob', false, 'trace-3')];
    expect(peoplesAgreement(more)).toMatchObject({ shared: 3, unanimous: 2, alpha: expect.closeTo(0.44, 2) });
  });

  it('is unknown for one person', () => {
    expect(peoplesAgreement([says('Ada', true)])).toMatchObject({ shared: 0, unanimous: 0, alpha: null });
  });
});
