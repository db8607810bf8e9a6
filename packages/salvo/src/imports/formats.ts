import { agentDojoFormat } from './formats/agentdojo.ts';
import { conversationFormat } from './formats/conversation.ts';
import { inspectFormat } from './formats/inspect.ts';
import { messageListFormat } from './formats/message-list.ts';
import { promptfooFormat } from './formats/promptfoo.ts';
import { tauBenchFormat } from './formats/tau-bench.ts';
import { salvoFormat } from './formats/salvo.ts';
import { tau2Format } from './formats/tau2.ts';
import type { ImportFormat } from './import-format.ts';

/** In the order in which they are asked: a form that others contain comes after them. */
export const FORMATS: readonly ImportFormat[] = [
  salvoFormat,
  inspectFormat,
  tau2Format,
  tauBenchFormat,
  agentDojoFormat,
  promptfooFormat,
  messageListFormat,
  conversationFormat,
];
