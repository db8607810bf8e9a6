import type { CodePlace } from '../read/code-node.ts';
import type { Cloud, Thing } from './cloud.ts';

/** One of the facts that are a flaw together. */
export interface Fact {
  thing: Thing;
  /** The attribute that shows it, under its name in Terraform. */
  attribute?: string;
  /** What it says, without the name of the thing: "is trusted by the account 123456789012". */
  says: string;
}

/** What a relation finds: the facts in the order in which a reader would follow them. */
export type Facts = readonly Fact[];

/** A flaw that only the relation of several resources shows. */
export interface Relation {
  /** The id of a weakness of the catalogue. */
  weakness: string;
  family: string;
  find(cloud: Cloud): Facts[];
}

export interface RelationalFlaw {
  weakness: string;
  family: string;
  /** The addresses of all resources that are involved, the one to be changed first. */
  resources: string[];
  facts: (CodePlace & { resource: string; says: string })[];
}

export function fact(thing: Thing, says: string, attribute?: string): Fact {
  return attribute === undefined ? { thing, says } : { thing, says, attribute };
}
