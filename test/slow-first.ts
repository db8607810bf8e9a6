import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes more than 10 s. If one of them began last, the other cores would wait for it. */
const SLOW = [
  'test/docs/readme.test.ts',
  'test/api/package.test.ts',
  'test/cli/agents.test.ts',
  'test/cli/calibrate.test.ts',
  'test/cli/experiment.test.ts',
  'test/view/stop-and-resume.test.ts',
  'test/store/postgres-store.test.ts',
];

/** On a fresh clone, Vitest does not know yet which files take long. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = SLOW.findIndex((name) => moduleId.endsWith(name));
      return at === -1 ? SLOW.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
