import { z } from 'zod';

const memberSchema = z.object({
  /** Requests that it may have under way, and those that it would have if it could. */
  slots: z.number(),
  wants: z.number(),
  /** Requests that it may begin and has not reported. */
  permits: z.number(),
  wants_permits: z.number(),
  /** Of its own settings; null for none. */
  max_concurrency: z.number().nullable(),
  requests_per_minute: z.number().nullable(),
  /** Since when it has had slots or permits, or none: the one that has waited longest is next. */
  since: z.number(),
  /** When it was heard of on this page. */
  asked_at: z.number(),
  /** The number of its last statement, so that none counts twice. */
  statement: z.number(),
});

/** How the processes of a database share what one provider allows. */
export const providerSharesSchema = z.object({
  members: z.record(z.string(), memberSchema),
  /** When requests began, rounded up, and how many: the oldest first. */
  starts: z.array(z.tuple([z.number(), z.number()])),
});

export type ProviderShares = z.infer<typeof providerSharesSchema>;
type Member = z.infer<typeof memberSchema>;

/** What a process uses of a provider, and what it would like. All that is not named here is given back. */
export interface ShareStatement {
  number: number;
  max_concurrency: number | null;
  requests_per_minute: number | null;
  /** Requests under way. */
  running: number;
  /** Requests that wait. */
  waiting: number;
  /** How long ago requests began that were not reported before, in milliseconds. */
  started: number[];
}

export interface ShareAnswer {
  /** How many requests may be under way; null for any number. If there are more, some have to end first. */
  slots: number | null;
  /** How many requests may begin; null for any number. */
  permits: number | null;
  /** When there may be more, in milliseconds. */
  retryMs: number;
  isWanted: boolean;
}

/** A process that got a slot keeps it for this time, so that not every request changes it. */
const TURN_MS = 1000;
/** A process that waits asks again well within this time. */
const ASKS_MS = 5000;
const SHORTEST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 2000;
/** Permits are given for this time in advance. */
const AHEAD_MS = 5000;
/** Starts are counted by these steps. */
const STEP_MS = 100;

export function newShares(): ProviderShares {
  return { members: {}, starts: [] };
}

/** Notes what a process uses, and gives it its share. Changes `shares`. */
export function takeShare(
  shares: ProviderShares,
  memberId: string,
  statement: ShareStatement,
  { nowMs, isAlive }: { nowMs: number; isAlive: (member: string) => boolean },
): ShareAnswer {
  for (const [id, { permits }] of Object.entries(shares.members)) {
    if (id === memberId || isAlive(id)) continue;
    // It is unknown whether it has begun them.
    if (permits > 0) addStarts(shares, [nowMs, permits]);
    delete shares.members[id];
  }
  const before = shares.members[memberId];
  const hadSome = before !== undefined && hasSome(before);
  const member = note(shares, memberId, statement, nowMs);
  const rivals = Object.entries(shares.members).filter(([id]) => id !== memberId);
  const others = rivals.map(([, other]) => other);
  // A process that began just now goes on for a turn. Of the others, those that have waited longest are first.
  const place = (each: Member): number => {
    const isServed = each === member ? hadSome : hasSome(each);
    if (!isServed) return each.since;
    return nowMs - each.since < TURN_MS ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  };
  const line = [member, ...others].filter((each) => demand(each, nowMs) > 0).sort((a, b) => place(a) - place(b));
  const most = strictest([member, ...others].map(({ max_concurrency }) => max_concurrency));
  let slots = most === null ? null : slotsOf(member, { others, line, most, nowMs });
  const rate = strictest([member, ...others].map(({ requests_per_minute }) => requests_per_minute));
  const given =
    rate === null
      ? null
      : permitsOf(shares, { member, others, line, rate, nowMs, soon: soonNeeded(statement, before, nowMs) });
  // One is of no use without the other, but of use to somebody else.
  const permits = given && (slots === 0 ? 0 : given.permits);
  if (permits === 0 && slots !== null) slots = Math.min(slots, statement.running);
  member.slots = Math.max(statement.running, slots ?? 0);
  member.permits = permits ?? 0;
  if (hasSome(member) !== hadSome || before === undefined) member.since = nowMs;
  return {
    slots,
    permits,
    retryMs: Math.min(Math.max(given?.freeInMs ?? 0, SHORTEST_RETRY_MS), LONGEST_RETRY_MS),
    isWanted: others.some((other) => waits(other, nowMs)),
  };
}

function hasSome({ slots, permits }: Member): boolean {
  return slots > 0 || permits > 0;
}

/** Whether a member waits for what another one may have. */
export function isAnyoneWaiting(shares: ProviderShares, nowMs: number): boolean {
  return Object.values(shares.members).some((member) => waits(member, nowMs));
}

function waits(member: Member, nowMs: number): boolean {
  const { slots, wants, permits, wants_permits, max_concurrency, asked_at } = member;
  const needsSlots = max_concurrency !== null && slots < wants;
  return asked_at > nowMs - ASKS_MS && (needsSlots || permits < wants_permits);
}

/** A process that has not asked for long may have given up what it waited for. */
function demand({ slots, wants, asked_at }: Member, nowMs: number): number {
  return asked_at > nowMs - ASKS_MS ? Math.max(slots, wants) : slots;
}

function note(shares: ProviderShares, id: string, statement: ShareStatement, nowMs: number): Member {
  const { number, max_concurrency, requests_per_minute, running, waiting, started } = statement;
  const known = shares.members[id];
  if ((known?.statement ?? -1) < number) {
    for (const age of started) addStarts(shares, [nowMs - age, 1]);
  }
  const member: Member = {
    slots: running,
    wants: running + waiting,
    permits: 0,
    wants_permits: requests_per_minute === null ? 0 : waiting,
    max_concurrency,
    requests_per_minute,
    since: known?.since ?? nowMs,
    asked_at: nowMs,
    statement: number,
  };
  shares.members[id] = member;
  return member;
}

/** How many requests it will begin soon, if it goes on like this. */
function soonNeeded({ started }: ShareStatement, before: Member | undefined, nowMs: number): number {
  const elapsedMs = Math.max(1, nowMs - (before?.asked_at ?? nowMs));
  return Math.min(2 * started.length, Math.ceil((started.length * AHEAD_MS) / elapsedMs));
}

interface Rivals {
  others: readonly Member[];
  /** All that want something, the next first. */
  line: readonly Member[];
  nowMs: number;
}

/** A fair share of the slots, except that no process loses one that is in use. */
function slotsOf(member: Member, { others, line, most, nowMs }: Rivals & { most: number }): number {
  const free = Math.max(0, most - others.reduce((sum, { slots }) => sum + slots, 0));
  const wanted = line.reduce((sum, each) => sum + demand(each, nowMs), 0);
  if (wanted > most) return Math.min(free, fairShares(line, most, nowMs).get(member) ?? 0);
  // Some more than it needs at once, so that not every request has to ask.
  const spare = Math.min(2 * member.wants, Math.floor(most / Math.max(1, line.length)));
  return Math.min(free, Math.max(member.wants, spare));
}

/** As equal as what they want allows; what cannot be divided goes to the first. */
function fairShares(line: readonly Member[], most: number, nowMs: number): Map<Member, number> {
  const shares = new Map<Member, number>();
  let left = most;
  let open = [...line];
  while (left > 0 && open.length > 0) {
    const each = Math.max(1, Math.floor(left / open.length));
    for (const member of open) {
      const given = Math.min(each, left, demand(member, nowMs) - (shares.get(member) ?? 0));
      shares.set(member, (shares.get(member) ?? 0) + given);
      left -= given;
    }
    open = open.filter((member) => demand(member, nowMs) > (shares.get(member) ?? 0));
  }
  return shares;
}

/** Permits to begin requests, so that no window of a minute has more starts than allowed, whenever they are used. */
function permitsOf(
  shares: ProviderShares,
  { member, others, line, rate, nowMs, soon }: Rivals & { member: Member; rate: number; soon: number },
): { permits: number; freeInMs: number } {
  // For a fraction of a request per minute the window is longer.
  const most = Math.max(1, Math.floor(rate));
  const windowMs = (60_000 * most) / rate;
  shares.starts = shares.starts.filter(([at]) => at > nowMs - windowMs);
  const begun = shares.starts.reduce((sum, [, count]) => sum + count, 0);
  const outstanding = others.reduce((sum, { permits }) => sum + permits, 0);
  const free = Math.max(0, most - begun - outstanding);
  const first = shares.starts[0]?.[0];
  const freeInMs = first === undefined || outstanding > 0 ? 0 : first + windowMs - nowMs;
  const rivals = line.filter((each) => each === member || (waits(each, nowMs) && each.wants_permits > each.permits));
  const ahead = Math.max(0, rivals.indexOf(member));
  const share = Math.max(1, Math.floor(free / Math.max(1, rivals.length)));
  const needed = Math.max(0, Math.min(member.wants_permits, share, free - ahead));
  // Some more than it needs at once, so that not every request has to ask.
  const spare = rivals.length > 1 ? 0 : Math.min(soon, Math.floor((free - needed) / (2 * (others.length + 1))));
  return { permits: needed + spare, freeInMs };
}

function addStarts(shares: ProviderShares, [at, count]: [number, number]): void {
  const step = Math.ceil(at / STEP_MS) * STEP_MS;
  const same = shares.starts.find(([known]) => known === step);
  if (same) same[1] += count;
  else {
    shares.starts.push([step, count]);
    shares.starts.sort(([a], [b]) => a - b);
  }
}

function strictest(limits: readonly (number | null)[]): number | null {
  const given = limits.filter((limit) => limit !== null);
  return given.length === 0 ? null : Math.min(...given);
}
