import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSdkMcpServer, type Options, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';
import { messagesOf, queryFor, toolsFor } from '../../../packages/salvo/src/claude-agent.ts';
import type { AgentFunction } from '../../../packages/salvo/src/index.ts';
import { testSdk } from '../sdk-cases.ts';
import type { RealTools } from '../shop.ts';

const order = { id: z.string() };

const ownTools = (real: RealTools) => {
  const work = (name: 'lookup_order' | 'issue_refund' | 'refund_policy') => async () => {
    return { content: [{ type: 'text' as const, text: await real[name]() }] };
  };
  return [
    tool('lookup_order', 'Looks up an order.', order, work('lookup_order')),
    tool('issue_refund', 'Refunds an order.', order, work('issue_refund')),
    tool('refund_policy', 'When orders are refunded.', { country: z.string() }, work('refund_policy')),
  ];
};

/** The program of Claude Code without tools of its own, and with a home that no other test has. */
const optionsAt = (url: string): Options => ({
  model: 'claude-haiku-4-5',
  tools: [],
  settingSources: [],
  allowedTools: ['mcp__shop'],
  env: {
    PATH: process.env.PATH,
    HOME: mkdtempSync(join(tmpdir(), 'salvo-claude-')),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
  },
});

const agentWith =
  (options: Options, real: RealTools): AgentFunction =>
  (task) => {
    const shop = createSdkMcpServer({ name: 'shop', tools: toolsFor(task, ownTools(real)) });
    return messagesOf(query(queryFor(task, { ...options, mcpServers: { shop } })));
  };

testSdk({
  model: 'claude-haiku-4-5',
  prefix: 'mcp__shop__',
  streams: ['query() with pieces'],
  beginSeconds: 15,
  own: {
    'query()': (url, real) => agentWith(optionsAt(url), real),
    'query() with pieces': (url, real) => agentWith({ ...optionsAt(url), includePartialMessages: true }, real),
  },
  scenario: (url) => {
    const options = optionsAt(url);
    return (task) => {
      const shop = createSdkMcpServer({ name: 'shop', tools: toolsFor(task) });
      return messagesOf(query(queryFor(task, { ...options, mcpServers: { shop } })));
    };
  },
});
