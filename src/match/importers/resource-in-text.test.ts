import { expect, it } from 'vitest';
import { resourceInText } from './resource-in-text.ts';

it.each([
  ["Resource 'aws_s3_bucket.data' has no logging.", 'aws_s3_bucket.data'],
  ['Resource "aws_s3_bucket.data[0]" has no logging.', 'aws_s3_bucket.data[0]'],
  ["Block 'github_provider.main' holds a secret.", 'github_provider.main'],
  ["Resource 'module.net:aws_network_acl_rule.in[0]' is open.", 'module.net.aws_network_acl_rule.in[0]'],
  [
    `Resource 'module.a:module.pool["blue"]:aws_launch_configuration.this' is open.`,
    'module.a.module.pool["blue"].aws_launch_configuration.this',
  ],
  ['The key is old.\nResource: aws_kms_key.main', 'aws_kms_key.main'],
])('%j is about %j', (text, resource) => {
  expect(resourceInText(text)).toBe(resource);
});

it.each(["resource 'type' is missing", 'a resource of the account', "Resource 'a b.c' is odd", ''])(
  '%j names no resource',
  (text) => {
    expect(resourceInText(text)).toBeUndefined();
  },
);

it('takes time linear in the length of the text', () => {
  const started = performance.now();
  resourceInText(`resource '${'a.'.repeat(500_000)}`);
  resourceInText("resource 'a[".repeat(100_000));
  expect(performance.now() - started).toBeLessThan(2000);
});
