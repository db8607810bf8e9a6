import { z } from 'zod';

const memberSchema = z.object({
  /** Requests that it may have under way, and those that it would have if it could. */
  slots: z.number(),
  wants: z.number(),
  /** Requests that it may start and has not reported, and those that it would start if it could. */
  may_start: z.number(),
  wants_to_start: z.number(),
  /** Of its own settings; null for none. */
  max_concurrency: z.number().nullable(),
  requests_per_minute: z.number().nullable(),
  /** Since when it has had a lease, or none: the one that has waited longest is next. */
  since: z.number(),
  /** When it reported last. */
  asked_at: z.number(),
  /** The number of its last report, so that none counts twice. */
  report: z.number(),
});

/** How the processes of a database share what one provider allows. Stored by PostgreSQL as JSON. */
export const requestLimitSchema = z.object({
  members: z.record(z.string(), memberSchema).default(() => ({})),
  /** When requests started, rounded up, and how many: the oldest first. */
  starts: z.array(z.tuple([z.number(), z.number()])).default(() => []),
});

export type RequestLimit = z.infer<typeof requestLimitSchema>;
type Member = z.infer<typeof memberSchema>;

/** What a process uses of a provider, and what it would like. All that is not named here is given back. */
export interface RequestReport extends Pick<Member, 'max_concurrency' | 'requests_per_minute'> {
  number: number;
  /** Requests under way. */
  running: number;
  /** Requests that wait. */
  waiting: number;
  /** How long ago requests started that were not reported before, in milliseconds. */
  started: number[];
}

export interface RequestLease {
  /** How many requests may be under way; null for any number. If there are more, some have to end first. */
  slots: number | null;
  /** How many requests may start; null for any number. */
  mayStart: number | null;
  /** When there may be more, in milliseconds. */
  retryMs: number;
}

/** A process that got a slot keeps it for this time, so that not every request changes it. */
const TURN_MS = 1000;
/** A process that waits asks again well within this time. */
const ASKS_MS = 5000;
const SHORTEST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 2000;
/** Starts are leased for this time in advance. */
const AHEAD_MS = 5000;
/** Starts are counted by these steps. */
const STEP_MS = 100;

/** Notes what a process uses, and leases it its share. Changes the limit. */
export function leaseRequests(
  limit: RequestLimit,
  memberId: string,
  report: RequestReport,
  { nowMs, isAlive }: { nowMs: number; isAlive: (member: string) => boolean },
): RequestLease {
  for (const [id, { may_start }] of Object.entries(limit.members)) {
    if (id === memberId || isAlive(id)) continue;
    // It is unknown whether it has started them.
    if (may_start > 0) addStarts(limit, [nowMs, may_start]);
    delete limit.members[id];
  }
  const before = limit.members[memberId];
  const hadLease = before !== undefined && hasLease(before);
  const member = note(limit, memberId, report, nowMs);
  const others = Object.values(limit.members).filter((other) => other !== member);
  // A process that got a lease just now goes on for a turn. Of the others, those that have waited longest are first.
  const place = (each: Member): number => {
    const isServed = each === member ? hadLease : hasLease(each);
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
      : startsOf(limit, { member, others, line, rate, nowMs, soon: soonNeeded(report, before, nowMs) });
  // One is of no use without the other, but of use to somebody else.
  const mayStart = given && (slots === 0 ? 0 : given.mayStart);
  if (mayStart === 0 && slots !== null) slots = Math.min(slots, report.running);
  member.slots = Math.max(report.running, slots ?? 0);
  member.may_start = mayStart ?? 0;
  if (hasLease(member) !== hadLease || before === undefined) member.since = nowMs;
  return {
    slots,
    mayStart,
    retryMs: Math.min(Math.max(given?.freeInMs ?? 0, SHORTEST_RETRY_MS), LONGEST_RETRY_MS),
  };
}

function hasLease({ slots, may_start }: Member): boolean {
  return slots > 0 || may_start > 0;
}

/** Whether a process waits for what another one may have leased. */
export function areRequestsWanted(limit: RequestLimit, nowMs: number): boolean {
  return Object.values(limit.members).some((member) => waits(member, nowMs));
}

function waits(member: Member, nowMs: number): boolean {
  const { slots, wants, may_start, wants_to_start, max_concurrency, asked_at } = member;
  const needsSlots = max_concurrency !== null && slots < wants;
  return asked_at > nowMs - ASKS_MS && (needsSlots || may_start < wants_to_start);
}

/** A process that has not asked for long may have given up what it waited for. */
function demand({ slots, wants, asked_at }: Member, nowMs: number): number {
  return asked_at > nowMs - ASKS_MS ? Math.max(slots, wants) : slots;
}

function note(limit: RequestLimit, id: string, report: RequestReport, nowMs: number): Member {
  const { number, max_concurrency, requests_per_minute, running, waiting, started } = report;
  const known = limit.members[id];
  if ((known?.report ?? -1) < number) {
    for (const age of started) addStarts(limit, [nowMs - age, 1]);
  }
  const member: Member = {
    slots: running,
    wants: running + waiting,
    may_start: 0,
    wants_to_start: requests_per_minute === null ? 0 : waiting,
    max_concurrency,
    requests_per_minute,
    since: known?.since ?? nowMs,
    asked_at: nowMs,
    report: number,
  };
  limit.members[id] = member;
  return member;
}

/** How many requests it will start soon, if it goes on like this. */
function soonNeeded({ started }: RequestReport, before: Member | undefined, nowMs: number): number {
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

/** How many requests may start, so that no window of a minute has more starts than allowed, whenever these start. */
function startsOf(
  limit: RequestLimit,
  { member, others, line, rate, nowMs, soon }: Rivals & { member: Member; rate: number; soon: number },
): { mayStart: number; freeInMs: number } {
  // For a fraction of a request per minute the window is longer.
  const most = Math.max(1, Math.floor(rate));
  const windowMs = (60_000 * most) / rate;
  limit.starts = limit.starts.filter(([at]) => at > nowMs - windowMs);
  const started = limit.starts.reduce((sum, [, count]) => sum + count, 0);
  const outstanding = others.reduce((sum, { may_start }) => sum + may_start, 0);
  const free = Math.max(0, most - started - outstanding);
  const first = limit.starts[0]?.[0];
  const freeInMs = first === undefined || outstanding > 0 ? 0 : first + windowMs - nowMs;
  const rivals = line.filter((each) => each === member || (waits(each, nowMs) && each.wants_to_start > each.may_start));
  const ahead = Math.max(0, rivals.indexOf(member));
  const share = Math.max(1, Math.floor(free / Math.max(1, rivals.length)));
  const needed = Math.max(0, Math.min(member.wants_to_start, share, free - ahead));
  // Some more than it needs at once, so that not every request has to ask.
  const spare = rivals.length > 1 ? 0 : Math.min(soon, Math.floor((free - needed) / (2 * (others.length + 1))));
  return { mayStart: needed + spare, freeInMs };
}

function addStarts(limit: RequestLimit, [at, count]: [number, number]): void {
  const step = Math.ceil(at / STEP_MS) * STEP_MS;
  const same = limit.starts.find(([known]) => known === step);
  if (same) same[1] += count;
  else {
    limit.starts.push([step, count]);
    limit.starts.sort(([a], [b]) => a - b);
  }
}

function strictest(limits: readonly (number | null)[]): number | null {
  const given = limits.filter((limit) => limit !== null);
  return given.length === 0 ? null : Math.min(...given);
}
