import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../../test/hostile-texts.ts';
import { type ScenarioEstimate, totalEstimate } from '../../../run/estimate/estimate.ts';
import { displayWidth } from '../../../text/output/safe-text.ts';
import { renderEstimate } from './estimate-report.ts';

const judge: ScenarioEstimate['judges'][number] = {
  assertion_id: 'tone',
  adapter: 'openai',
  model: 'gpt-4o-mini',
  calls: { fewest: 60, most: 60 },
  cached_votes: 0,
  input_tokens: 72_000,
  cost_usd: { typical: 0.0162, most: 0.0477 },
};
const scenario: ScenarioEstimate = {
  name: 'refund',
  file: 'refund.yaml',
  trials: 20,
  agent: { adapter: 'openai', model: 'gpt-4o', runs: 20, cost_usd: 0.124 },
  judges: [judge],
  traces: 20,
};
const plain = { width: 80, color: false };

describe('an estimate', () => {
  it('says who would be called, how often, and at what cost', () => {
    expect(renderEstimate(totalEstimate([scenario]), plain)).toMatchInlineSnapshot(`
      "Scenario  Who                Calls  Tokens in    About  At most
      refund    agent gpt-4o          20              $0.124
                judge gpt-4o-mini     60     72,000  $0.0162  $0.0477

      20 agent runs: about $0.124
      60 judge calls: about $0.0162, at most $0.0477

      Tokens are estimated at four characters each, a vote at 150 tokens. At most:
      every answer has max_tokens, cannot be read, and is asked for once more.
      Nothing was called and nothing was stored.
      "
    `);
  });

  it('is a range when votes may be saved, and leaves out what is in the cache', () => {
    const stopping = { ...judge, calls: { fewest: 35, most: 55 }, cached_votes: 5 };
    const text = renderEstimate(totalEstimate([{ ...scenario, agent: null, judges: [stopping] }]), plain);
    expect(text).toContain('no agent run\n35–55 judge calls (5 votes already in the cache): about $0.0162');
  });

  it('is unknown where a price is, or nothing was ever run', () => {
    const unrun = {
      ...scenario,
      agent: { adapter: 'openai', model: 'house', runs: 20, cost_usd: null },
      judges: [judge, { ...judge, cost_usd: null }],
      traces: 0,
    };
    const text = renderEstimate(totalEstimate([unrun]), plain);
    expect(text).toContain('20 agent runs: cost unknown\n120 judge calls: cost unknown');
    expect(text).toContain("the agent's cost is unknown");
    expect(text).not.toContain('$0.00\n');
  });

  it('of a scenario without judges and agents is nothing', () => {
    const text = renderEstimate(totalEstimate([{ ...scenario, agent: null, judges: [] }]), plain);
    expect(text).toContain('no agent run\nno judge call');
  });

  it.each(HOSTILE_TEXTS)('acts on no terminal and fits any: %j', (hostile) => {
    const evil = { ...scenario, name: hostile, judges: [{ ...judge, model: hostile }] };
    for (const width of [24, 40, 120]) {
      for (const line of renderEstimate(totalEstimate([evil]), { width, color: false }).split('\n')) {
        expect(displayWidth(line)).toBeLessThanOrEqual(width);
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }
    }
  });
});
