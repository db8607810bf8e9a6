import { describe, expect, it } from 'vitest';
import { judgedPart } from '../../../../../test/judged-part.ts';
import { sampleTrace } from '../../../../../test/sample-trace.ts';
import { createFence } from '../../models/ask/fence.ts';
import { buildJudgeMessages, type JudgeMessagesInput } from './judge-messages.ts';
import type { JudgedInput } from './judged-material.ts';
import { buildCriteriaBlock, buildJudgePrompt } from './prompt.ts';
import { renderPart } from './shown-part.ts';

const criteria = [
  { name: 'accuracy', description: 'Is right.', weight: 1 },
  { name: 'tone', description: 'Is friendly.', weight: 2 },
];
const trace = sampleTrace();
const nonce = '0123456789abcdef';

function contents(options: Partial<JudgeMessagesInput & JudgedInput> = {}): { system: string; user: string } {
  const part = judgedPart({ trace, ...options });
  const [system, user, ...others] = buildJudgeMessages({ criteria, nonce, ...options, part });
  expect([system?.role, user?.role, others]).toEqual(['system', 'user', []]);
  return { system: system?.content ?? '', user: user?.content ?? '' };
}

describe('buildJudgeMessages', () => {
  it('gives the instructions and the rubric first, then the material and the question', () => {
    const { system, user } = contents();
    expect(system.startsWith(buildJudgePrompt(criteria))).toBe(true);
    expect(user).toContain(renderPart(judgedPart({ trace }), createFence(nonce)));
    expect(user).toContain('`score_criteria` tool');
    expect(user.indexOf('score_criteria')).toBeGreaterThan(user.lastIndexOf('<<<END'));
  });

  it('shows the judge the lines that its fences consist of', () => {
    const { system, user } = contents();
    const [begin, end] = [`<<<BEGIN MATERIAL ${nonce}: `, `<<<END MATERIAL ${nonce}: `];
    for (const line of [begin, end]) {
      expect(system).toContain(`\n${line}label>>>\n`);
      expect(user).toContain(`\n${line}final response>>>\n`);
    }
    expect(system).not.toContain('{nonce}');
  });

  it('is the same for every trial except for the material and the nonce, which comes last', () => {
    const [one, other] = [contents(), contents({ nonce: 'ffffffffffffffff' })];
    expect(other.system.replaceAll('ffffffffffffffff', nonce)).toBe(one.system);
    expect(one.system.indexOf(nonce)).toBeGreaterThan(buildJudgePrompt(criteria).length);
  });

  it('gives a custom prompt the rubric and the same fence', () => {
    const { system, user } = contents({ customPrompt: 'Be merciless.' });
    const rules = contents().system.slice(buildJudgePrompt(criteria).length);
    expect(system).toBe(`Be merciless.\n\n## Criteria\n${buildCriteriaBlock(criteria)}${rules}`);
    expect(user).toBe(contents().user);
  });

  it('puts the rubric in the place that a custom prompt has for it, and only there', () => {
    const { system } = contents({ customPrompt: 'These:\n{criteria_block}\nThat is all. {"a": 1}' });
    expect(system).toContain(`These:\n${buildCriteriaBlock(criteria)}\nThat is all. {"a": 1}\n\n## The fences`);
    expect(system.split('**accuracy**')).toHaveLength(2);
  });

  it('adds the system prompt and the tools when they are to be included', () => {
    const scenario = { system_prompt: 'You are a clerk.', tools: [{ name: 'search', description: 'Finds.' }] };
    expect(contents({ scenario }).user).not.toContain('You are a clerk.');
    const { user } = contents({ scenario, includeSystemPrompt: true });
    expect(user).toContain('You are a clerk.');
    expect(user).toContain('- search: Finds.');
    expect(user).toContain("## User's Task");
  });

  it('shows only the sections that are asked for', () => {
    const { user } = contents({ sections: ['response'] });
    expect(user.match(/^## .*$/gm)).toEqual(["## Agent's Final Response"]);
  });

  it('inserts texts unchanged', () => {
    const { user } = contents({ trace: sampleTrace({ final_content: '$& {context_block} {criteria_block}' }) });
    expect(user).toContain('\n$& {context_block} {criteria_block}\n');
  });
});
