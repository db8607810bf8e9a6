import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { AdapterError } from '../adapter-error.ts';
import type { ServerCaller } from '../agent/call-server.ts';

/** Where and how an agent is called by A2A. */
export interface A2aEndpoint {
  url: URL;
  /** Version 1.0 has other names for methods, roles and states than those before. */
  version: 'v1' | 'v0.3';
  canStream: boolean;
}

const CARDS = ['.well-known/agent-card.json', '.well-known/agent.json'];

/** Reads the card of an agent: at the URL itself, or at the usual place. Without a card, the URL is the agent. */
export async function findEndpoint(server: ServerCaller, signal: AbortSignal): Promise<A2aEndpoint> {
  const { url, callee } = server;
  const folder = url.pathname.endsWith('/') ? url : new URL(`${url.pathname}/`, url);
  const places = url.pathname.endsWith('.json')
    ? [url]
    : [...CARDS.map((path) => new URL(path, folder)), ...CARDS.map((path) => new URL(`/${path}`, url))];
  for (const place of new Map(places.map((each) => [each.href, each])).values()) {
    const card = await readCard(server, place, signal);
    if (card) return endpointOf(card, { callee, place, url });
  }
  return { url, version: 'v0.3', canStream: false };
}

async function readCard(server: ServerCaller, url: URL, signal: AbortSignal): Promise<Record<string, unknown> | null> {
  const response = await server.get({ accept: 'application/json', url, signal }).catch((error: unknown) => {
    const isAbsent = error instanceof AdapterError && /^(?:400|404|405|501)$/.test(String(error.status));
    if (isAbsent) return null;
    throw error;
  });
  if (response === null) return null;
  const card = jsonOrUndefined(await server.read(() => response.text()));
  return isRecord(card) && ('url' in card || 'supportedInterfaces' in card) ? card : null;
}

interface Place {
  callee: string;
  /** Of the card. */
  place: URL;
  /** Of the adapter. */
  url: URL;
}

function endpointOf(card: Record<string, unknown>, { callee, place, url }: Place): A2aEndpoint {
  const list = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);
  const offered = [
    ...list(card.supportedInterfaces).map((each) => ({ ...each, transport: each.protocolBinding })),
    { url: card.url, transport: card.preferredTransport ?? 'JSONRPC', protocolVersion: card.protocolVersion },
    ...list(card.additionalInterfaces),
  ].map((each: Record<string, unknown>) => each);
  const found = offered.find((each) => typeof each.url === 'string' && each.transport === 'JSONRPC');
  const fail = (problem: string): never => {
    throw new AdapterError('bad_request', `${callee} cannot be called: its card at ${place.pathname} ${problem}.`);
  };
  if (!found) {
    const names = offered.flatMap(({ transport, url: at }) => (typeof at === 'string' ? [String(transport)] : []));
    return fail(`offers no JSON-RPC, but ${quoteOutput(names.join(', ')) || 'nothing'}`);
  }
  const target = URL.parse(String(found.url), place.href) ?? fail('has an address that is not a URL');
  if (target.origin !== url.origin && !(isOwnMachine(target) && isOwnMachine(url))) {
    // It would take the prompt and the key to an address that was not configured.
    const other = quoteOutput(`${target.origin}${target.pathname}`);
    return fail(`names another server, ${other}. Use that address as "url" if you trust it`);
  }
  const isFirst = /^0\./.test(String(found.protocolVersion ?? '0.3'));
  const canStream = isRecord(card.capabilities) && card.capabilities.streaming === true;
  return { url: target, version: isFirst ? 'v0.3' : 'v1', canStream };
}

function isOwnMachine({ hostname }: URL): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
