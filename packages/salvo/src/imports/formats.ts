import { agentDojoFormat } from './formats/agentdojo.ts';
import { atifFormat } from './formats/atif.ts';
import { braintrustFormat } from './formats/braintrust.ts';
import { claudeCodeFormat } from './formats/claude-code/claude-code.ts';
import { codexFormat } from './formats/codex/codex.ts';
import { conversationFormat } from './formats/conversation.ts';
import { copilotFormat } from './formats/copilot/copilot.ts';
import { inspectFormat } from './formats/inspect/inspect.ts';
import { langfuseFormat } from './formats/langfuse.ts';
import { langsmithFormat } from './formats/langsmith.ts';
import { messageListFormat } from './formats/message-list.ts';
import { openHandsFormat, openHandsOutputFormat } from './formats/openhands/openhands.ts';
import { otelFormat } from './formats/otel.ts';
import { promptfooFormat } from './formats/promptfoo/promptfoo.ts';
import { salvoFormat } from './formats/salvo.ts';
import { sweAgentFormat } from './formats/swe-agent/swe-agent.ts';
import { tauBenchFormat } from './formats/tau/tau-bench.ts';
import { tau2Format } from './formats/tau/tau2.ts';
import type { ImportFormat } from './import-format.ts';

/** In the order in which they are asked: a form that others contain comes after them. */
export const FORMATS: readonly ImportFormat[] = [
  salvoFormat,
  copilotFormat,
  codexFormat,
  claudeCodeFormat,
  atifFormat,
  openHandsFormat,
  openHandsOutputFormat,
  sweAgentFormat,
  inspectFormat,
  tau2Format,
  tauBenchFormat,
  agentDojoFormat,
  promptfooFormat,
  langfuseFormat,
  langsmithFormat,
  braintrustFormat,
  otelFormat,
  messageListFormat,
  conversationFormat,
];
