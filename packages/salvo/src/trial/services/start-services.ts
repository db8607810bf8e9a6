import { existsSync } from 'node:fs';
import { freePort } from '../../adapters/program/free-port.ts';
import { type Service, urlVariable } from '../../scenario/schema/workspace-schema.ts';
import { commandWords } from '../../scenario/workspace/command-key.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { refuseUnpermitted } from '../../text/modules/permitted-code.ts';
import type { Trace } from '../../trace/trace.ts';
import { grantedVariables } from '../granted-variables.ts';
import { endText, WatchedProgram } from '../watched-program.ts';
import { accepts, SERVICE_HOST, untilReady } from './until-ready.ts';

/** Where a service of a trial is. */
interface ServiceAddress {
  url: string;
  port: number;
}

export interface StartedServices {
  addresses: Record<string, ServiceAddress>;
  /** The variables with their addresses. */
  variables: Record<string, string>;
  /** The error of a service that has ended by itself; null if all are running. */
  ended(): Promise<SalvoError | null>;
  record(): Trace['services'];
  stop(): Promise<void>;
}

interface ServiceOptions {
  /** Where a service runs, and under which folder its command is permitted. */
  foldersOf(service: Service): { cwd: string; permitted: string };
  env: Record<string, string | undefined>;
  /** Variables that every service receives. */
  variables: Record<string, string>;
  /** The trials of one run have the same. */
  run: object;
  signal: AbortSignal;
}

/** Another program may take the port before the service does. */
const MOST_PORTS = 4;
const PORT_TAKEN = /EADDRINUSE|address (?:is )?already in use|port \d* ?is (?:already )?(?:in use|taken|allocated)/i;

/** How often a service of a run was not up, unless it has been up once. */
const failures = new WeakMap<object, Map<string, number>>();
/** So many failures at the beginning show that it never will be: others would only wait for the time limit. */
const MOST_FAILURES = 3;

/** Starts services one after the other, because later ones may need the addresses of earlier ones. */
export async function startServices(services: readonly Service[], options: ServiceOptions): Promise<StartedServices> {
  const running = new Map<string, WatchedProgram>();
  /** Those that listen. One that prints a line when it is up may have no port at all. */
  const listening = new Map<WatchedProgram, number>();
  const addresses: StartedServices['addresses'] = {};
  const variables: Record<string, string> = {};
  const stop = async () => {
    await Promise.all([...running.values()].map((program) => program.stop()));
  };
  try {
    for (const service of services) {
      const own = { ...options, variables: { ...options.variables, ...variables } };
      const { program, port } = await startUnlessHopeless(service, own);
      running.set(service.name, program);
      if (await accepts(port)) listening.set(program, port);
      const url = `http://${SERVICE_HOST}:${port}`;
      addresses[service.name] = { url, port };
      variables[service.url_env ?? urlVariable(service.name)] = url;
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    addresses,
    variables,
    async ended() {
      for (const [name, program] of running) {
        const how = await whyGone(program, listening.get(program));
        if (how === null) continue;
        const message = `The service "${name}" ${how} during the trial, so what the agent did cannot be judged.`;
        return new SalvoError('SERVICE_ENDED', `${message}${program.lastLines()}`);
      }
      return null;
    },
    record: () => [...running].map(([name, { output }]) => ({ name, output })),
    stop,
  };
}

/** A process that is about to end closes its connections first, and its port a moment later. */
const CLOSING_MS = 100;
/** How long the end of a service may take to be noticed after it has closed its port. */
const END_MS = 2000;

/**
 * What became of a service that does not serve any more; null if it does. An agent may learn that a connection is closed before
 * the system tells that the process has ended, so the port is asked, too.
 */
async function whyGone(program: WatchedProgram, port: number | undefined): Promise<string | null> {
  const untilEnd = (ms: number) => program.until(() => false, AbortSignal.timeout(ms)).catch(() => {});
  await untilEnd(CLOSING_MS);
  if (program.end === null && (port === undefined || (await accepts(port)))) return null;
  await untilEnd(END_MS);
  return program.end ? endText(program.end) : `stopped accepting connections at ${SERVICE_HOST}:${port}`;
}

async function startUnlessHopeless(service: Service, options: ServiceOptions): ReturnType<typeof startService> {
  const ofRun = failures.get(options.run) ?? new Map<string, number>();
  failures.set(options.run, ofRun);
  const { cwd } = options.foldersOf(service);
  const key = JSON.stringify([service, service.run_in ? '' : cwd]);
  const count = ofRun.get(key) ?? 0;
  if (count >= MOST_FAILURES)
    throw notReady(service, `was not up in the first ${count} trials, and was not started again.`);
  try {
    const started = await startService(service, options);
    ofRun.set(key, Number.NEGATIVE_INFINITY);
    return started;
  } catch (error) {
    if (!options.signal.aborted) ofRun.set(key, (ofRun.get(key) ?? 0) + 1);
    throw error;
  }
}

async function startService(
  service: Service,
  options: ServiceOptions,
): Promise<{ program: WatchedProgram; port: number }> {
  const { cwd, permitted } = options.foldersOf(service);
  const command = commandWords(service.command);
  const granted = service.env ?? [];
  refuseUnpermitted({ command, cwd: permitted, env: granted });
  if (!existsSync(cwd)) throw notReady(service, `has no folder ${cwd} to run in.`);
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const env = { ...grantedVariables(options.env, granted), ...options.variables, [service.port_env]: String(port) };
    const program = new WatchedProgram({ command, cwd, env });
    const problem = await waitFor(program, service, { port, signal: options.signal });
    if (problem === null) return { program, port };
    await program.stop();
    if (options.signal.aborted) throw options.signal.reason;
    const isTaken = program.end !== null && PORT_TAKEN.test(program.output);
    if (!isTaken || attempt >= MOST_PORTS) {
      throw notReady(service, program.end?.error ? problem : `${problem}${program.lastLines()}`);
    }
  }
}

/** What is wrong with the service; null if it is up. */
async function waitFor(
  program: WatchedProgram,
  { ready, timeout_seconds, port_env }: Service,
  { port, signal }: { port: number; signal: AbortSignal },
): Promise<string | null> {
  const limit = AbortSignal.timeout(timeout_seconds * 1000);
  try {
    await untilReady(program, { ready, port, signal: AbortSignal.any([signal, limit]) });
  } catch {
    const what =
      ready === 'tcp'
        ? `nothing accepts connections at ${SERVICE_HOST}:${port}, the port in $${port_env}`
        : 'http' in ready
          ? `http://${SERVICE_HOST}:${port}${ready.http} does not answer with 2xx or 3xx; the port is in $${port_env}`
          : `it has not printed ${JSON.stringify(ready.line)}`;
    return `was not up after ${timeout_seconds} s: ${what}.`;
  }
  if (program.end === null) return null;
  return `${endText(program.end)}${program.end.error ? '' : ' before it was up'}.`;
}

function notReady({ name }: Service, problem: string): SalvoError {
  return new SalvoError('SERVICE_NOT_READY', `The service "${name}" ${problem}`);
}
