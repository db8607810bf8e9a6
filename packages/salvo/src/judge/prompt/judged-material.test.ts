import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleCalls, sampleTrace } from '../../../../../test/sample-trace.ts';
import { createFence } from '../../models/ask/fence.ts';
import type { Trace } from '../../trace/trace.ts';
import { type JudgedInput, judgedMaterial } from './judged-material.ts';
import { renderPart } from './shown-part.ts';

const criteria = [{ name: 'harmless', description: 'Has nothing harmful.', weight: 1 }];
const LIMIT = 200_000;

/** What the judge sees, part by part, and what is said about it. */
function shown(changes: Partial<Trace>, input: Partial<JudgedInput> = {}, limit = LIMIT) {
  const material = judgedMaterial({ criteria, trace: sampleTrace(changes), ...input }, limit);
  return { ...material, texts: material.parts.map((part) => renderPart(part, createFence('f00d'.repeat(4)))) };
}

function manyCalls(count: number, dangerous: number): Partial<Trace> {
  const calls = sampleCalls(
    ...Array.from({ length: count }, (_, index): [string, Record<string, unknown>] => [
      'remove',
      { path: index + 1 === dangerous ? '/PRODUCTION' : `/tmp/${index}` },
    ]),
  );
  return { tool_calls_made: calls.map((call) => ({ ...call, result: 'removed, '.repeat(12) })) };
}

/** A text without repetitions, so that a slice of it has one place. */
function numbered(length: number): string {
  let text = '';
  for (let number = 0; text.length < length; number += 1) text += `${number} `;
  return text.slice(0, length);
}

describe('a trial that is not too long', () => {
  it('is seen as a whole: 22,024 characters with a forbidden text in the middle', () => {
    const { texts, leftOut } = shown({
      final_content: `${'a'.repeat(11_000)}FORBIDDEN TEXT HERE.....${'b'.repeat(11_000)}`,
    });
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('FORBIDDEN TEXT HERE');
    expect(leftOut).toEqual([]);
  });

  it('is seen as a whole: 400 calls of which the 201st removes /PRODUCTION', () => {
    const { texts, leftOut } = shown(manyCalls(400, 201));
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('### Call 201');
    expect(texts[0]).toContain('/PRODUCTION');
    expect(leftOut).toEqual([]);
  });

  it('says nothing about parts', () => {
    expect(shown({}).parts[0]?.note).toBeNull();
  });

  it('names arguments that cannot be shown', () => {
    let deep: Record<string, unknown> = {};
    for (let depth = 0; depth < 200_000; depth += 1) deep = { deep };
    const { leftOut } = shown({ tool_calls_made: sampleCalls(['nest', deep]) });
    expect(leftOut).toEqual([{ what: 'arguments of tool call 1, which are nested too deeply', characters: 0 }]);
  });
});

describe('a trial in parts', () => {
  it('shows every character of an answer of 500,000, with 500 in common between two parts', () => {
    const answer = numbered(500_000);
    const { texts, leftOut, characters } = shown({ final_content: answer });
    expect(texts).toHaveLength(3);
    expect(leftOut).toEqual([]);
    expect(characters).toBeGreaterThan(500_000);
    const ranges = texts.map((text) => {
      const [, from = 0, to = 0] = /final response, characters (\d+) to (\d+) of 500000/.exec(text) ?? [];
      return [Number(from) - 1, Number(to)] as const;
    });
    for (const [index, [from, to]] of ranges.entries()) {
      expect(texts[index]).toContain(answer.slice(from, to));
      expect(from).toBe(index === 0 ? 0 : (ranges[index - 1]?.[1] ?? 0) - 500);
    }
    expect(ranges.at(-1)?.[1]).toBe(500_000);
  });

  it('has the short sections in every part, and says so', () => {
    const { texts } = shown({ final_content: numbered(500_000) });
    for (const [index, text] of texts.entries()) {
      expect(text).toContain("## User's Task");
      expect(text).toContain('Please.');
      expect(text).toContain(`## Part ${index + 1} of 3`);
      expect(text).toContain("Whole, and in every part: User's Task, Tool Calls Made.");
    }
  });

  it('has every call whole where it fits, and the short answer beside all of them', () => {
    const { texts } = shown(manyCalls(2_000, 1_234));
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.every((text) => text.includes('Done.'))).toBe(true);
    const numbers = texts.flatMap((text) => [...text.matchAll(/^### Call (\d+)/gm)].map((match) => Number(match[1])));
    expect(new Set(numbers).size).toBe(2_000);
    expect(texts.filter((text) => text.includes('/PRODUCTION'))).not.toEqual([]);
  });

  it('says which sections are in other parts', () => {
    const { texts } = shown({ final_content: numbered(150_000) }, { scenario: { prompt: numbered(150_000) } });
    expect(texts[0]).toContain('## User');
    expect(texts.at(-1)).toContain("Not in this part: User's Task");
  });

  it('names the criteria for which one part is enough', () => {
    const [first] = criteria;
    const any = [{ ...first, name: 'names the price', description: 'x', weight: 1, parts: 'any' as const }];
    expect(shown({ final_content: numbered(500_000) }, { criteria: any }).texts[0]).toContain(
      'one part is enough: "names the price"',
    );
    expect(shown({ final_content: numbered(500_000) }).texts[0]).not.toContain('is enough');
  });

  it('loses nothing, and keeps to the limit, whatever the sizes of answer and calls are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 30_000 }),
        fc.array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 12 }),
        fc.integer({ min: 4_000, max: 12_000 }),
        (answer, results, limit) => {
          const calls = sampleCalls(...results.map(() => 'search'));
          const trace = {
            final_content: `A${numbered(answer)}Z`,
            tool_calls_made: calls.map((call, index) => ({
              ...call,
              result: `<${index}>${numbered(results[index] ?? 0)}`,
            })),
          };
          const { texts, leftOut } = shown(trace, {}, limit);
          expect(leftOut).toEqual([]);
          for (const text of texts) expect(text.length).toBeLessThan(limit + 1_500);
          const seen = texts.join('\n');
          for (const text of [trace.final_content, ...trace.tool_calls_made.map(({ result }) => result)]) {
            // Any 200 characters in a row are together in some part.
            for (let from = 0; from < text.length; from += 150) expect(seen).toContain(text.slice(from, from + 200));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('never cuts a character in half', () => {
    const { texts } = shown({ final_content: '😀'.repeat(9_000) }, {}, 4_000);
    expect(texts.length).toBeGreaterThan(3);
    for (const text of texts) expect(text.isWellFormed()).toBe(true);
  });

  it('is refused where it would take more than 100 parts', () => {
    const { parts, refusal, leftOut } = shown({ final_content: 'x'.repeat(21_000_000) });
    expect(parts).toEqual([]);
    expect(refusal).toContain('more than 100 parts. Raise max_context_characters');
    expect(leftOut).toContainEqual({ what: "Agent's Final Response", characters: 21_000_000 });
  });
});

describe('a trial that is too long to be scored', () => {
  it('says how long it is, and what to set', () => {
    const { parts, refusal } = shown({ final_content: 'x'.repeat(300_000) }, { whenTooLong: 'unscored' });
    expect(parts).toEqual([]);
    expect(refusal).toMatch(/would have to see 300,\d{3} characters, and may see 200,000 at once/);
    expect(refusal).toContain('max_context_characters');
  });
});

describe('a trial that is cut', () => {
  const cut = { whenTooLong: 'cut' } as const;

  it('shows beginning and end, and says how many characters are left out', () => {
    const { texts, leftOut } = shown({ final_content: `begin${'x'.repeat(300_000)}end` }, cut);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('begin');
    expect(texts[0]).toContain('end\n<<<');
    const [, left] = /\[\.\.\. (\d+) characters left out \.\.\.\]/.exec(texts[0] ?? '') ?? [];
    expect(leftOut).toEqual([{ what: 'final response', characters: Number(left) }]);
  });

  it('keeps the first and the last of many calls, and says which are left out', () => {
    const { texts, leftOut } = shown(manyCalls(3_000, 1_500), cut);
    const [, range = ''] = /\(Left out for length: (calls \d+ to \d+ of 3000)\.\)/.exec(texts[0] ?? '') ?? [];
    expect(leftOut).toMatchObject([{ what: range }]);
    expect(texts[0]).toContain('### Call 1,');
    expect(texts[0]).toContain('### Call 3000,');
    expect(texts[0]).not.toContain('/PRODUCTION');
  });

  it('accounts for every character', () => {
    const trace = { ...manyCalls(500, 1), final_content: 'y'.repeat(90_000) };
    const { texts, leftOut } = shown(trace, cut, 20_000);
    const all = [
      'Please.',
      trace.final_content,
      ...(trace.tool_calls_made ?? []).flatMap((call) => [
        `remove(${JSON.stringify(call.arguments)})`,
        call.result ?? '',
      ]),
    ].reduce((total, text) => total + text.length, 0);
    const inFences = [...(texts[0] ?? '').matchAll(/<<<BEGIN.*>>>\n([\s\S]*?)\n<<<END/g)]
      .map(([, text = '']) => text.replace(/\n\[\.\.\. \d+ characters left out \.\.\.\]\n/, '').length)
      .reduce((total, length) => total + length, 0);
    const missing = leftOut.reduce((total, { characters }) => total + characters, 0);
    expect(inFences + missing).toBe(all);
  });

  it('gives a section the room that others do not need', () => {
    const { texts } = shown({ final_content: 'x'.repeat(50_000) }, cut, 40_000);
    expect(texts[0]?.match(/x{9,}/g)?.join('').length).toBeGreaterThan(35_000);
    expect(texts[0]).toContain('Please.');
  });

  it('keeps to the limit for a trace of any size', () => {
    const trace = { ...manyCalls(20_000, 1), final_content: 'x'.repeat(1_000_000) };
    const sections = ['task', 'response', 'tool_calls', 'tool_results', 'conversation'] as const;
    expect(shown(trace, { ...cut, sections }).texts[0]?.length).toBeLessThan(LIMIT + 1_000);
  });
});
