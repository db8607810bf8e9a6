import { claudeCodeFormat } from './formats/claude-code/claude-code.ts';
import { conversationFormat } from './formats/conversation.ts';
import type { ImportFormat } from './import-format.ts';

/** In the order in which they are asked: a form that others contain comes after them. */
export const FORMATS: readonly ImportFormat[] = [claudeCodeFormat, conversationFormat];
