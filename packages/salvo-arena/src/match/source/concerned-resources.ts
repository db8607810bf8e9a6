import type { References } from '../../iac/read/references.ts';

/** Types of resources that only hold settings of others. */
const SETTINGS =
  /(?:parameter_?group|launch_?template|launch_?configuration|security_?configuration|response_?headers_?policy|(?:msk|mq)(?:::|_)configuration)$/i;
/** Policies that are attached to the resource whose type is in front: `AWS::SQS::Queue` of `AWS::SQS::QueuePolicy`. */
const ATTACHED = /^(.+?)_?policy$/i;

/**
 * The resources at which scanners report a flaw of another one: what uses flawed settings, such as the cluster of a
 * parameter group, and what a flawed policy is attached to.
 */
export function concernedResources(references: References, address: string): string[] {
  const type = typeOf(address);
  if (SETTINGS.test(type)) return [...references].flatMap(([user, used]) => (used.has(address) ? [user] : []));
  const owner = ATTACHED.exec(type)?.[1];
  return owner === undefined ? [] : [...(references.get(address) ?? [])].filter((other) => typeOf(other) === owner);
}

function typeOf(address: string): string {
  return address.slice(0, Math.max(0, address.lastIndexOf('.')));
}
