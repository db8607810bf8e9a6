import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFindings } from '../../src/match/read-findings.ts';
import { locateFindings } from '../../src/match/source/locate-in-source.ts';
import { REPORT_NAMES, report } from './report-fixture.ts';

const PROJECT = join(import.meta.dirname, '../../../../test/fixtures/reports/project');
const FILES = Object.fromEntries(
  ['main.tf', 'network.tf', 'modules/storage/main.tf', 'template.yaml'].map((file) => [
    file,
    readFileSync(join(PROJECT, file), 'utf8'),
  ]),
);

test('the samples are about the project: a resource that a report names is the one at the line', async () => {
  let compared = 0;
  for (const name of REPORT_NAMES) {
    for (const finding of readFindings(report(name))) {
      if (typeof finding.resource !== 'string' || !finding.line) continue;
      const [located] = await locateFindings([{ ...finding, resource: null }], FILES);
      const nameInCode = (address: string) =>
        address
          .replace(/\[\d+\]$/, '')
          .split('.')
          .at(-1);
      expect(nameInCode(String(located?.resource)), `${name}: ${finding.rule_id}`).toBe(nameInCode(finding.resource));
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(REPORT_NAMES.length);
});

test('findings without a resource get it from the code', async () => {
  const located = await locateFindings(readFindings(report('semgrep.json')), FILES);
  expect(located.map(({ resource }) => resource)).toEqual(['aws_db_instance.bookings', 'aws_db_instance.bookings']);
  const [, , , queue] = await locateFindings(readFindings(report('trivy.json')), FILES);
  expect(queue?.resource).toBe('AWS::SQS::Queue.WaitingList');
});
