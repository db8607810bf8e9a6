import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../stats/seeded-random.ts';
import { type AnswerBias, answerPair } from './answer-pairs.ts';
import { BIASES } from './bias-document.ts';
import { biasTexts, familyOf, languageExchanges } from './bias-texts.ts';
import { wordsOf } from './prose.ts';

const ANSWER =
  'Order A-17 has been shipped with Dr. Smith Logistics. It will arrive on 4 March. You can follow it with the link in your e-mail.';
const ON_ANSWERS = BIASES.filter((bias): bias is AnswerBias => bias !== 'language');

function pair(bias: AnswerBias, answer = ANSWER, asked = ['Where is my order?']) {
  return answerPair(bias, { answer, asked, family: 'GPT', random: seededRandom(bias) });
}

function both(bias: AnswerBias, answer?: string, asked?: string[]) {
  const found = pair(bias, answer, asked);
  if ('reason' in found) throw new Error(found.reason);
  return found;
}

describe('the two versions of an answer', () => {
  test.each(ON_ANSWERS)(
    '%s: both say all of it in the same words and order, and the same seed gives the same',
    (bias) => {
      const { plain, changed } = both(bias);
      for (const version of [plain, changed]) expect(wordsOf(version).join(' ')).toContain(wordsOf(ANSWER).join(' '));
      expect(plain).not.toBe(changed);
      expect(pair(bias)).toEqual({ plain, changed });
    },
  );

  test('length: about half as long again, by sentences of the list alone', () => {
    const long = `${ANSWER} `.repeat(6).trim();
    const { plain, changed } = both('length', long);
    expect(plain).toBe(long);
    expect(wordsOf(changed).length / wordsOf(long).length).toBeGreaterThan(1.3);
    expect(wordsOf(changed).length / wordsOf(long).length).toBeLessThan(1.7);
    const { openings, endings } = biasTexts();
    const added = changed.replace(long, '').split(/(?<=\.)\s+/);
    for (const sentence of added.filter((each) => each !== '')) expect([...openings, ...endings]).toContain(sentence);
  });

  test('formatting: sentences become bullet points, and an abbreviation does not end one', () => {
    expect(both('formatting').changed.split('\n')).toEqual([
      '## Answer',
      '',
      '- Order A-17 has been shipped with Dr. Smith Logistics.',
      '- It will arrive on 4 March.',
      '- You can follow it with the link in your e-mail.',
    ]);
  });

  test('formatting: an answer that is formatted loses its marks in the plain version', () => {
    const formatted = '## Your order\n\n- It **has been** shipped.\n- It will arrive on 4 March.';
    expect(both('formatting', formatted)).toEqual({
      plain: 'Your order\n\nIt has been shipped.\nIt will arrive on 4 March.',
      changed: formatted,
    });
  });

  test.each(['tone', 'authority', 'family'] as const)('%s: both versions are about equally long', (bias) => {
    const { plain, changed } = both(bias);
    expect(Math.abs(plain.length - changed.length)).toBeLessThan(8);
  });

  test('family: of the judge against another one', () => {
    const { plain, changed } = both('family');
    expect(changed).toContain('written by GPT.');
    expect(plain).not.toContain('GPT');
  });
});

describe('an answer without a pair says why', () => {
  test.each<[string, string, string]>([
    ['empty', '', 'empty'],
    ['blank', ' \n\t ', 'empty'],
    ['huge', 'This is a sentence. '.repeat(2000), 'longer than 20,000 characters'],
    ['only code', '```python\ndef f(x):\n    return x\n```', 'code or data'],
    ['code without a fence', 'const x = (a) => { return [a, { b: (c) }]; };', 'code or data'],
    ['JSON', '{"the": "answer", "is": "this"}', 'code or data'],
    ['HTML', '<p>This is the answer to it.</p>', 'code or data'],
    ['one word', 'Pacific', 'shorter than four words'],
    ['German', 'Die Bestellung wurde gestern verschickt und kommt am Montag an.', 'not in English'],
    [
      'Chinese',
      '订单已经发货，将于三月四日送达。感谢您的耐心等待，祝您生活愉快。再见，再见，再见，再见。',
      'not in English',
    ],
    ['Russian', 'Ваш заказ уже отправлен и прибудет в понедельник утром.', 'not in English'],
    ['right to left', 'تم شحن طلبك وسيصل يوم الاثنين في الصباح الباكر', 'not in English'],
    ['lone surrogates', '\ud800 \udfff \ud800 \udfff', 'shorter than four words'],
  ])('%s', (_, answer, reason) => {
    for (const bias of ON_ANSWERS) expect(pair(bias, answer)).toEqual({ reason });
  });

  test.each([
    ['Answer with a single colon and nothing else.'],
    ['Translate it. Only the translation.'],
    ['Give it as JSON.'],
    ['Answer in at most 20 words.'],
  ])('%s: nothing may be added', (task) => {
    for (const bias of ON_ANSWERS)
      expect(pair(bias, ANSWER, [task])).toEqual({ reason: 'the task asks for a certain form' });
  });

  test.each<[AnswerBias, string, string]>([
    ['formatting', 'It has been shipped to you.', 'a single sentence'],
    ['formatting', '1. Open the door of it.\n2. Go in.', 'has code, a table or numbered steps'],
    ['tone', 'I think that it is on its way to you.', 'says itself how sure it is'],
  ])('%s of %s', (bias, answer, reason) => expect(pair(bias, answer)).toEqual({ reason }));

  test('family of a judge whose model does not tell it', () => {
    const request = { answer: ANSWER, asked: [], family: null, random: seededRandom(0) };
    expect(answerPair('family', request)).toEqual({ reason: "the name of the judge's model does not tell its family" });
  });
});

test('a model is of a family by a part of its name', () => {
  const models = ['gpt-6-luna', 'openai/o3-mini', 'claude-haiku-5', 'meta-llama/Llama-4', 'house-judge', '', 'egpt'];
  expect(models.map(familyOf)).toEqual(['GPT', 'GPT', 'Claude', 'Llama', null, null, null]);
});

test('every exchange has all languages', () => {
  const exchanges = languageExchanges();
  expect(exchanges.length).toBe(36);
  for (const exchange of exchanges) expect(Object.keys(exchange)).toEqual(['en', 'de', 'es', 'zh']);
});
