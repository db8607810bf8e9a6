import { existsSync } from 'node:fs';
import { freePort } from '../../adapters/program/free-port.ts';
import type { Service } from '../../scenario/schema/workspace-schema.ts';
import { commandWords } from '../../scenario/workspace/command-key.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { refuseUnpermitted } from '../../text/modules/permitted-code.ts';
import type { Trace } from '../../trace/trace.ts';
import { grantedVariables } from '../granted-variables.ts';
import { endText, WatchedProgram } from '../watched-program.ts';
import { SERVICE_HOST, untilReady } from './until-ready.ts';

/** Where a service of a trial is. */
export interface ServiceAddress {
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
  signal: AbortSignal;
}

/** Another program may take the port before the service does. */
const MOST_PORTS = 4;
const PORT_TAKEN = /EADDRINUSE|address (?:is )?already in use|port \d* ?is (?:already )?(?:in use|taken|allocated)/i;

/** Starts services one after the other, because later ones may need the addresses of earlier ones. */
export async function startServices(services: readonly Service[], options: ServiceOptions): Promise<StartedServices> {
  const running = new Map<string, WatchedProgram>();
  const addresses: StartedServices['addresses'] = {};
  const variables: Record<string, string> = {};
  const stop = async () => {
    await Promise.all([...running.values()].map((program) => program.stop()));
  };
  try {
    for (const service of services) {
      const { program, port } = await startService(service, {
        ...options,
        variables: { ...options.variables, ...variables },
      });
      running.set(service.name, program);
      const url = `http://${SERVICE_HOST}:${port}`;
      addresses[service.name] = { url, port };
      variables[service.url_env ?? `${service.name.toUpperCase().replaceAll('-', '_')}_URL`] = url;
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
        const end = await program.settled();
        if (!end) continue;
        const message = `The service "${name}" ${endText(end)} during the trial, so what the agent did cannot be judged.`;
        return new SalvoError('SERVICE_ENDED', `${message}${program.lastLines()}`);
      }
      return null;
    },
    record: () => [...running].map(([name, { output }]) => ({ name, output })),
    stop,
  };
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
    if (!isTaken || attempt >= MOST_PORTS) throw notReady(service, `${problem}${program.lastLines()}`);
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
  return program.end === null ? null : `${endText(program.end)} before it was up.`;
}

function notReady({ name }: Service, problem: string): SalvoError {
  return new SalvoError('SERVICE_NOT_READY', `The service "${name}" ${problem}`);
}
