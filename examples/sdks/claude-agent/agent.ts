import { createSdkMcpServer, query } from '@anthropic-ai/claude-agent-sdk';
import type { AgentTask } from 'salvo';
import { messagesOf, queryFor, toolsFor } from 'salvo/claude-agent';
import { options, tools } from './support.ts';

export default (task: AgentTask) => {
  const shop = createSdkMcpServer({ name: 'shop', tools: toolsFor(task, tools) });
  return messagesOf(query(queryFor(task, { ...options, mcpServers: { shop }, allowedTools: ['mcp__shop'] })));
};
