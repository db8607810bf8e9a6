import { expect, it } from 'vitest';
import { alarmCategory } from './alarm-category.ts';

it.each([
  [{ rule_id: 'CKV_AWS_18', title: 'Something' }, 'logging'],
  [
    { rule_id: 'cloudwatch_log_group_encrypted_check', title: 'Require a log group to be encrypted' },
    'encryption_at_rest',
  ],
  [{ rule_id: 'own-7', title: 'Listeners must use TLS 1.2' }, 'encryption_in_transit'],
  [{ rule_id: 'own-8', title: 'Access logging is off' }, 'logging'],
  [{ rule_id: 'own-9', type: 'network', title: 'Too wide' }, 'network'],
  [{ rule_id: 'own-10', title: 'Names follow our convention' }, 'unclassified'],
  [{}, 'unclassified'],
])('the category of an alarm comes from its rule, or else from its words: %j', (finding, category) => {
  expect(alarmCategory(finding)).toBe(category);
});
