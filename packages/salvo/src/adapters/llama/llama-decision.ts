import type { Message } from '../../trace/message.ts';
import type { AdapterTurnResult } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import { decisionTurn } from '../decision.ts';
import type { DecisionAnswer, DecisionQuestion } from '../decision-question.ts';
import { llamaHistory } from './llama-history.ts';
import type { LlamaChat, LlamaSequence, LlamaToken } from './llama-library.ts';
import { evaluateTokens, promptTokens } from './llama-prompt.ts';

interface LlamaDecision {
  chat: LlamaChat;
  sequence: LlamaSequence;
  messages: Message[];
  questions: readonly DecisionQuestion[];
  signal: AbortSignal;
  /** The model, as the start of a sentence. */
  callee: string;
}

/** One letter for each possible answer. A scale has at most as many bands as there are letters. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * Asks each question after the messages, and reads the probabilities of the letters of its answers from the next token.
 * Nothing is generated. What the questions have in common is evaluated once.
 */
export async function llamaDecision(decision: LlamaDecision): Promise<AdapterTurnResult> {
  const { sequence, questions } = decision;
  const before = sequence.tokenMeter.usedInputTokens;
  const answers: DecisionAnswer[] = [];
  for (const question of questions) answers.push(await answerOf(question, decision));
  const usage = { input_tokens: sequence.tokenMeter.usedInputTokens - before, output_tokens: 0 };
  return decisionTurn(answers, { usage, raw_response: null, cost_usd: 0 });
}

async function answerOf(question: DecisionQuestion, decision: LlamaDecision): Promise<DecisionAnswer> {
  const labels = question.type === 'predicate' ? ['true', 'false'] : question.levels.map(({ label }) => label);
  const letters = [...LETTERS].slice(0, labels.length);
  if (letters.length < labels.length) {
    const message = `The question "${question.name}" has more than ${LETTERS.length} levels.`;
    throw new AdapterError('bad_request', message);
  }
  const likely = await nextToken(withQuestion(decision.messages, question), decision);
  const weights = letters.map((letter) =>
    tokensOf(letter, decision.sequence).reduce((total, token) => total + (likely.get(token) ?? 0), 0),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (!(total > 0)) {
    const message = `${decision.callee} gives no probability to any answer of the question "${question.name}".`;
    throw new AdapterError('bad_response', message);
  }
  const shares = weights.map((weight) => weight / total);
  const { name } = question;
  if (question.type === 'predicate') return { type: 'predicate', name, probability: shares[0] ?? 0 };
  return {
    type: 'score',
    name,
    probabilities: labels.map((label, index) => ({ label, probability: shares[index] ?? 0 })),
  };
}

/** The tokens that write a letter at the begin of an answer, with and without a space before it. */
function tokensOf(letter: string, { model }: LlamaSequence): LlamaToken[] {
  const last = [letter, ` ${letter}`].flatMap((text) => model.tokenize(text, false, 'trimLeadingSpace').slice(-1));
  return [...new Set(last)];
}

function withQuestion(messages: Message[], question: DecisionQuestion): Message[] {
  const answers =
    question.type === 'predicate'
      ? ['The statement is true.', 'The statement is false.']
      : question.levels.map(({ label, description }) => [label, description].filter(Boolean).join(': '));
  const choices = answers.map((answer, index) => `${LETTERS[index]}. ${answer}`);
  const asked = [question.instructions, ...choices, 'Answer with one letter and nothing else.'].join('\n');
  const [last] = messages.slice(-1);
  // Chat templates expect the roles to take turns.
  if (last?.role !== 'user') return [...messages, { role: 'user', content: asked }];
  return [...messages.slice(0, -1), { ...last, content: `${last.content ?? ''}\n\n${asked}` }];
}

/** The probability of every token to be the next one. */
async function nextToken(messages: Message[], decision: LlamaDecision): Promise<ReadonlyMap<LlamaToken, number>> {
  const { chat, sequence, signal, callee } = decision;
  const prompt = { chat, sequence, history: llamaHistory(messages), functions: undefined, signal, callee };
  const tokens = promptTokens(prompt);
  const [last] = tokens.slice(-1);
  if (last === undefined) throw new AdapterError('bad_request', 'There is nothing to decide about.');
  // Always evaluated afresh: its evaluation gives the probabilities.
  await sequence.adaptStateToTokens(tokens.slice(0, -1), false);
  await evaluateTokens(prompt, tokens.slice(0, -1), sequence.nextTokenIndex);
  const outputs = await sequence.controlledEvaluate([[last, { generateNext: { probabilities: true } }]]);
  const likely = outputs[0]?.next?.probabilities;
  if (!(likely instanceof Map)) {
    const message = 'The installed version of node-llama-cpp gives no probabilities. Run: npm install node-llama-cpp@3';
    throw new AdapterError('missing_dependency', message);
  }
  return likely;
}
