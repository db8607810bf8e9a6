import { expect, test } from 'vitest';
import { sampleExperiment } from '../../test/arena-experiment/sample-experiment.ts';
import { refuseOtherVersion } from './experiment-record.ts';

test('an experiment is resumed only with the version that started it', () => {
  const experiment = sampleExperiment({ salvo_version: '1.2.3' });
  expect(() => refuseOtherVersion(experiment, '1.2.3')).not.toThrow();
  expect(() => refuseOtherVersion(experiment, '1.3.0')).toThrow(/started with Salvo 1\.2\.3, and this is 1\.3\.0/);
});
