import { atifFormat } from './formats/atif.ts';
import { claudeCodeFormat } from './formats/claude-code/claude-code.ts';
import { codexFormat } from './formats/codex/codex.ts';
import { conversationFormat } from './formats/conversation.ts';
import { copilotFormat } from './formats/copilot/copilot.ts';
import { openHandsFormat, openHandsOutputFormat } from './formats/openhands/openhands.ts';
import { sweAgentFormat } from './formats/swe-agent/swe-agent.ts';
import type { ImportFormat } from './import-format.ts';

/** In the order in which they are asked: a form that others contain comes after them. */
export const FORMATS: readonly ImportFormat[] = [
  copilotFormat,
  codexFormat,
  claudeCodeFormat,
  atifFormat,
  openHandsFormat,
  openHandsOutputFormat,
  sweAgentFormat,
  conversationFormat,
];
