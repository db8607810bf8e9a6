import { describe, expect, it } from 'vitest';
import { checkManifest } from './check-manifest.ts';
import { createRulesChecker } from './create-rules-checker.ts';

const FILES = {
  'main.tf': `
resource "aws_db_instance" "open" {
  storage_encrypted = false
}
resource "aws_db_instance" "safe" {
  storage_encrypted = true
}
resource "aws_db_instance" "unclear" {
  storage_encrypted = var.encrypted
}
variable "encrypted" {
  type = bool
}
`,
};
const claim = (name: string) => ({ id: name, resource: `aws_db_instance.${name}`, rule_ids: ['CKV_AWS_16'] });

describe('the rules as a checker', () => {
  it('cover entries with a known rule id and a resource type of a rule', async () => {
    const checker = await createRulesChecker(FILES);
    expect(checker.covers(claim('open'))).toBe(true);
    expect(checker.covers({ ...claim('open'), rule_ids: ['NO_SUCH_RULE'] })).toBe(false);
    expect(checker.covers({ ...claim('open'), rule_ids: [] })).toBe(false);
    expect(checker.covers({ ...claim('open'), resource: 'aws_db_instance.nowhere' })).toBe(false);
  });

  it('fire, do not fire, or cannot decide', async () => {
    const checker = await createRulesChecker(FILES);
    expect(await checker.fires(claim('open'))).toBe(true);
    expect(await checker.fires(claim('safe'))).toBe(false);
    expect(await checker.fires(claim('unclear'))).toBeNull();
  });

  it('decide in the gate, unless the manifest is proven', async () => {
    const checker = { name: 'mute', covers: () => true, fires: () => false };
    const vulnerabilities = [{ ...claim('open'), attribute: 'storage_encrypted', description: 'Not encrypted.' }];
    const status = async (proven: boolean) =>
      (await checkManifest({ files: FILES, vulnerabilities, checker, proven })).entries[0]?.status;
    expect(await status(false)).toBe('phantom');
    expect(await status(true)).toBe('confirmed');
  });

  it('decide nothing when they throw', async () => {
    const checker = {
      name: 'broken',
      covers: () => true,
      fires: () => {
        throw new Error('out of order');
      },
    };
    const { entries } = await checkManifest({ files: FILES, vulnerabilities: [claim('open')], checker });
    expect(entries[0]?.checks).toContainEqual({
      check: 'rule',
      outcome: 'unchecked',
      reason: 'broken failed: out of order',
    });
  });
});
