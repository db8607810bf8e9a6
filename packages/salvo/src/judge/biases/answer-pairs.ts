import type { Bias } from './bias-document.ts';
import { biasTexts } from './bias-texts.ts';
import { whyNotProse, wordsOf } from './prose.ts';

/** Two versions of an answer that say the same; `changed` has what the bias is about, and `plain` has not. */
export interface AnswerPair {
  plain: string;
  changed: string;
}

export interface PairRequest {
  answer: string;
  /** What the user and the system prompt ask for. */
  asked: readonly string[];
  /** The family of the judge's model; null if it is unknown. */
  family: string | null;
  random: () => number;
}

/** The biases that can be measured on any answer. */
export type AnswerBias = Exclude<Bias, 'language'>;

/** A pair, or why there is none. The same request has the same pair. */
export function answerPair(bias: AnswerBias, request: PairRequest): AnswerPair | { reason: string } {
  const reason = whyNotProse(request);
  return reason === null ? PAIRS[bias](request) : { reason };
}

const PAIRS: Record<AnswerBias, (request: PairRequest) => AnswerPair | { reason: string }> = {
  length: padded,
  formatting: formatted,
  tone: (request) =>
    SURE.test(request.answer) ? { reason: 'says itself how sure it is' } : opened(request, biasTexts().tone),
  authority: (request) => opened(request, biasTexts().authority),
  family: signed,
};

const SURE =
  /\b(?:certain|certainly|sure|definitely|undoubtedly|confident|perhaps|maybe|probably|possibly|likely|I think|I believe|might|may be|could be)\b/i;

const FEWEST_SENTENCES = 2;
const MOST_SENTENCES = 8;
const WORDS_OF_SENTENCE = 9;

/** About half as long again. */
function padded({ answer, random }: PairRequest): AnswerPair {
  const { openings, endings } = biasTexts();
  const wanted = Math.round(wordsOf(answer).length / 2 / WORDS_OF_SENTENCE);
  const count = Math.min(MOST_SENTENCES, Math.max(FEWEST_SENTENCES, wanted));
  const opening = openings[Math.floor(random() * openings.length)] ?? '';
  const drawn = endings.map((text) => ({ text, at: random() })).toSorted((a, b) => a.at - b.at);
  const ending = drawn.slice(0, count - 1).map(({ text }) => text);
  return { plain: answer, changed: `${opening}\n\n${answer}\n\n${ending.join(' ')}` };
}

/** Sentences become bullet points below a heading. An answer that has them already loses them in its plain version. */
function formatted({ answer, asked }: PairRequest): AnswerPair | { reason: string } {
  if (/```|^ *\d+[.)]|\|.*\||<[a-z/]/m.test(answer)) return { reason: 'has code, a table or numbered steps' };
  if (asked.some((text) => /\b(?:list|bullet|table|heading|steps|format)/i.test(text))) {
    return { reason: 'the task asks for a certain form' };
  }
  if (MARKED_LINE.test(answer) || BOLD.test(answer)) return { plain: withoutMarks(answer), changed: answer };
  const sentences = answer.split(/\n+/).flatMap(sentencesOf);
  if (sentences.length < FEWEST_SENTENCES) return { reason: 'a single sentence' };
  const points = sentences.map((sentence) => `- ${sentence}`).join('\n');
  return { plain: answer, changed: `## ${biasTexts().heading}\n\n${points}` };
}

const MARKED_LINE = /^[ \t]{0,8}(?:[-*•]|#{1,6})[ \t]/m;
const BOLD = /\*\*[^*\n]{1,400}\*\*/;

function withoutMarks(answer: string): string {
  return answer
    .split('\n')
    .map((line) => line.replace(MARKED_LINE, '').replaceAll(/\*\*([^*\n]{1,400})\*\*/g, '$1'))
    .join('\n');
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** An abbreviation may look like the end of a sentence, so short pieces stay with their neighbour. */
function sentencesOf(line: string): string[] {
  const found: string[] = [];
  for (const { segment } of segmenter.segment(line)) {
    const piece = segment.trim();
    if (piece === '') continue;
    const last = found.at(-1);
    const isPart =
      last !== undefined && (wordsOf(last).length < 3 || wordsOf(piece).length < 3 || !/[.!?]$/.test(last));
    if (isPart) found[found.length - 1] = `${last} ${piece}`;
    else found.push(piece);
  }
  return found;
}

function opened({ answer }: PairRequest, texts: { without: string; with: string }): AnswerPair {
  const between = /^\s*[-*#>`|\d]/.test(answer) || answer.includes('\n') ? '\n\n' : ' ';
  return { plain: `${texts.without}${between}${answer}`, changed: `${texts.with}${between}${answer}` };
}

function signed({ answer, family, random }: PairRequest): AnswerPair | { reason: string } {
  if (family === null) return { reason: "the name of the judge's model does not tell its family" };
  const { families, family: text } = biasTexts();
  const others = families.filter(({ name }) => name !== family);
  const other = others[Math.floor(random() * others.length)]?.name ?? '';
  const by = (name: string) => `${answer}\n\n${text.replace('%', name)}`;
  return { plain: by(other), changed: by(family) };
}
