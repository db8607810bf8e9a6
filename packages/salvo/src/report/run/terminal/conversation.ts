import { formatCost, formatCount, formatPlural, formatSeconds } from '../../../stats/format.ts';
import { firstFrame } from '../../../text/errors/own-stack.ts';
import { displayWidth, safeBlock, safeLine } from '../../../text/output/safe-text.ts';
import { cutMiddle } from '../../../text/words/cut-text.ts';
import { callMark } from '../../../trace/call-mark.ts';
import { agentCost, userCostOfTrace } from '../../../trace/cost-fields.ts';
import type { AssistantMessage, Message, ToolResultMessage } from '../../../trace/message.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { Style } from '../../terminal/look.ts';
import { type Look, renderFor } from '../../terminal/look.ts';
import { joinBlocks, wrap } from '../../terminal/wrap.ts';

export interface ConversationLook extends Look {
  /** The longest content that is shown in full. The middle of longer content is left out. */
  maxChars?: number | undefined;
}

interface Page {
  trace: Trace;
  width: number;
  maxChars: number;
  style: Style;
}

/** A stored conversation, for `salvo replay`. Text of agents and tools cannot control the terminal. */
export function renderConversation(trace: Trace, look: ConversationLook): string {
  return renderFor(look, ({ width, style }) => {
    const page: Page = { trace, width, style, maxChars: look.maxChars ?? 4000 };
    return joinBlocks([header(page), ...messageBlocks(page), agentLog(page), ending(page)]);
  });
}

function header({ trace, width, style }: Page): string[] {
  const tokens =
    trace.input_tokens === null && trace.output_tokens === null
      ? 'tokens unknown'
      : `${count(trace.input_tokens)} tokens in, ${count(trace.output_tokens)} out`;
  const cost = formatCost(agentCost(trace), 'cost unknown');
  const time = trace.latency_seconds === null ? 'time unknown' : formatSeconds(trace.latency_seconds);
  const user = userCostOfTrace(trace);
  const usage = [
    formatPlural(trace.turn_count, 'turn'),
    tokens,
    cost,
    ...(user.usd === 0 ? [] : [`user ${formatCost(user, 'cost unknown')}`]),
    time,
    ...(trace.tools_seen === 'unknown' ? [`tool calls ${trace.tools_declared ? 'declared' : 'unknown'}`] : []),
  ];
  const { model, provider, timestamp } = trace;
  const from = provider === 'unknown' ? '' : provider;
  const when = Date.parse(timestamp) === 0 ? '' : timestamp;
  const origin = [model, from, when].filter((part) => part !== '').join(' · ');
  return [style.bold(safeLine(origin, width)), ...wrap(usage.join(' · '), width).map(style.dim)];
}

function messageBlocks(page: Page): string[][] {
  const { trace, style } = page;
  const answers = trace.messages.filter((message) => message.role === 'assistant').length;
  // Answers beyond the turns of the trial were given by the scenario, as the beginning of the conversation.
  let turn = Math.min(0, trace.turn_count - answers);
  const blocks: string[][] = [];
  for (const message of trace.messages) {
    if (message.role !== 'assistant') {
      blocks.push(messageBlock(message, page));
      continue;
    }
    turn += 1;
    const agent = message.agent === undefined ? '' : ` · ${safeLine(message.agent, 40)}`;
    const title = turn > 0 ? `assistant · turn ${turn}${agent}` : 'assistant · given by the scenario';
    blocks.push([
      ...retryLines(page, (each) => turn > 0 && each === turn),
      style.green(title),
      ...assistantLines(message, turn, page),
    ]);
  }
  const unanswered = retryLines(page, (each) => each > Math.max(0, turn));
  return unanswered.length > 0 ? [...blocks, unanswered] : blocks;
}

function messageBlock(message: Exclude<Message, AssistantMessage>, page: Page): string[] {
  const { style } = page;
  if (message.role === 'system') return [style.magenta('system'), ...body(message.content, page).map(style.dim)];
  if (message.role === 'user') {
    return [style.cyan(message.simulated ? 'user · simulated' : 'user'), ...body(message.content, page)];
  }
  return toolResultBlock(message, page);
}

function toolResultBlock(message: ToolResultMessage, page: Page): string[] {
  const { style, width, trace } = page;
  const short = message.content.length <= width - 2;
  const content = body(short ? message.content : prettyJson(message.content, page.maxChars), page);
  if (!message.is_error) return [style.yellow(`← ${safeLine(message.name, width - 2)}`), ...content];
  const kind = trace.tool_errors.find((error) => error.tool_call_id === message.tool_call_id)?.kind;
  const title = `✖ ${message.name} ${kind ? kind.replaceAll('_', ' ') : 'error'}`;
  return [style.red(safeLine(title, width)), ...content.map(style.red)];
}

function assistantLines(message: AssistantMessage, turn: number, page: Page): string[] {
  const said = message.content === null || message.content === '' ? [] : body(message.content, page);
  const calls = message.tool_calls.flatMap((call) => {
    const given = call.raw_arguments ?? compactJson(call.arguments);
    const mark = callMark(page.trace, { id: call.id, turn });
    const lines = toolCallLines(call.name, given, call.raw_arguments !== undefined, page);
    return mark === null
      ? lines
      : [...lines, ...wrap(mark, page.width - 4).map((line) => `    ${page.style.dim(line)}`)];
  });
  const lines = [...said, ...calls];
  return lines.length > 0 ? lines : [page.style.dim('  (no content)')];
}

function toolCallLines(name: string, given: string, malformed: boolean, page: Page): string[] {
  const { style, width } = page;
  const shownName = safeLine(name, Math.floor(width / 2));
  const head = `  ${style.yellow('→')} ${style.bold(shownName)}`;
  const oneLine = given === '{}' ? '' : safeBlock(given.slice(0, width + 1));
  const note = malformed ? style.red(' arguments are not a JSON object') : '';
  if (!malformed && displayWidth(oneLine) + displayWidth(shownName) + 5 <= width && given.length <= width) {
    return [oneLine === '' ? head : `${head} ${oneLine}`];
  }
  return [
    malformed && displayWidth(shownName) + 38 > width ? `${head}${style.red(' malformed')}` : head + note,
    ...body(prettyJson(given, page.maxChars), page, 4),
  ];
}

function retryLines({ trace, width, style }: Page, ofTurn: (turn: number) => boolean): string[] {
  return trace.retries
    .filter(({ turn }) => ofTurn(turn))
    .flatMap(({ attempt, reason, status, delay_seconds }) => {
      const answer = status === null ? '' : `${status} `;
      const line = `↻ attempt ${attempt} failed: ${answer}${reason}; waited ${formatSeconds(delay_seconds)}`;
      return wrap(safeLine(line, 400), width).map(style.yellow);
    });
}

/** What the agent printed is none of its answers, but often says why they are as they are. */
function agentLog(page: Page): string[] {
  const { agent_log: log } = page.trace;
  if (log === undefined || log.trim() === '') return [];
  return [page.style.cyan('printed by the agent'), ...body(log, page).map(page.style.dim)];
}

const ENDS = {
  user: 'the user ended the conversation',
  script: 'the user had nothing more to say',
  limit: 'a limit ended the conversation',
};

function ending(page: Page): string[] {
  const { trace, width, style } = page;
  const lines = wrap(`finished: ${safeLine(trace.finish_reason, 80)}`, width).map(style.dim);
  const end = trace.conversation_end && ENDS[trace.conversation_end.by];
  const turns = trace.max_turns_hit ? wrap('the turn limit was reached before the agent was done', width) : [];
  const error = trace.error === null ? [] : wrap(`✖ ${safeBlock(trace.error)}`, width);
  return [
    ...lines,
    ...(end ? [style.dim(end)] : []),
    ...turns.map(style.yellow),
    ...error.map(style.red),
    ...stackLines(page).map(style.dim),
  ];
}

/** Where the agent's code threw. A stack begins with the message, which is shown already. */
function stackLines(page: Page): string[] {
  const { error, error_stack: stack } = page.trace;
  if (stack === undefined) return [];
  const lines = stack.split('\n');
  const first = lines.findIndex((line) => /^\s*at /.test(line));
  if (first === -1) return otherStackLines(stack, page);
  const heading = lines.slice(0, first).join('\n');
  // "TypeError: it failed" begins with the name of the error, and the error shown above may add where it happened.
  const isRepeated = error?.includes(heading.replace(/^\w*: /, '').trim()) === true;
  return body((isRepeated ? lines.slice(first) : lines).map((line) => line.trim()).join('\n'), page);
}

const MOST_STACK_LINES = 12;

/** Of another language, such as Python: the place, and the end of the stack unless the agent's log has it already. */
function otherStackLines(stack: string, page: Page): string[] {
  const lines = stack.split('\n');
  const isPrinted = page.trace.agent_log?.includes(stack) === true;
  const cut = lines.length > MOST_STACK_LINES ? ['...'] : [];
  const end = isPrinted ? [] : [...cut, ...lines.slice(-MOST_STACK_LINES)];
  return [firstFrame(stack), ...end].flatMap((line) => (line === null ? [] : body(line, page)));
}

function body(text: string, { width, maxChars }: Page, indent = 2): string[] {
  return wrap(safeBlock(cutMiddle(text.trimEnd(), maxChars)), width - indent).map((line) =>
    line === '' ? '' : ' '.repeat(indent) + line,
  );
}

function count(tokens: number | null): string {
  return tokens === null ? 'unknown' : formatCount(tokens);
}

/** A JSON object or array on several lines. Other texts, and JSON that is too long or too deep, stay as they are. */
function prettyJson(text: string, maxChars: number): string {
  if (text.length > maxChars || !/^\s*[[{]/.test(text)) return text;
  try {
    const pretty = JSON.stringify(JSON.parse(text), null, 2);
    // Deep nesting would be more indentation than content.
    return pretty.length > text.length * 4 + 1000 ? text : pretty;
  } catch {
    return text;
  }
}

/** JSON on one line. A value that is nested deeper than the stack allows is not an error. */
function compactJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return '(nested too deeply to be shown)';
  }
}
