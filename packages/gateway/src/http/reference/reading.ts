/**
 * Reads the OpenAPI documents for the reference: resolves references, lists operations by tag and webhooks by event.
 */
import { refusalsOf } from '../openapi-parts.ts';
import { resolved } from '../openapi-references.ts';

export interface Schema {
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: readonly unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
  description?: string;
}

export interface Content {
  schema: Schema;
  examples?: Readonly<Record<string, { value: unknown }>>;
}

export interface Described {
  summary: string;
  description?: string;
  tags: readonly string[];
  /** Absent = both credentials; empty = none. */
  security?: readonly object[];
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Readonly<Record<string, Content>> };
  responses: Readonly<Record<string, { description: string; content?: Readonly<Record<string, Content>> }>>;
}

export interface Operation extends Described {
  operationId: string;
  method: string;
  path: string;
}

export interface Reference {
  title: string;
  description: string;
  baseUrl: string;
  groups: { name: string; description: string; operations: Operation[] }[];
  events: { type: string; summary: string; content: Content }[];
}

interface Document {
  info: { title: string; description: string };
  servers: readonly { url: string }[];
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, Described & { operationId: string }>>>>;
  webhooks: Readonly<Record<string, { post: Described }>>;
}

/** The reference takes its title and description from the first document. */
export function readReference(documents: readonly object[]): Reference {
  const all = documents.map((one) => resolved<Document>(one));
  const { info, servers } = all[0]!;
  return {
    ...info,
    baseUrl: servers[0]!.url,
    groups: all.flatMap(groupsOf),
    events: all.flatMap(({ webhooks }) =>
      Object.entries(webhooks).map(([type, { post }]) => ({
        type,
        summary: post.summary,
        content: jsonOf(post.requestBody!.content)!,
      })),
    ),
  };
}

function groupsOf({ tags, paths }: Document): Reference['groups'] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...described,
      path,
      method: method.toUpperCase(),
      responses: spreadOut(described.responses),
    })),
  );
  return tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter((one) => one.tags.includes(name)),
  }));
}

/** Expands `default` into the answers that it stands for; an operation's own answers come first. */
function spreadOut({ default: others, ...own }: Described['responses']): Described['responses'] {
  const refusals = Object.entries(refusalsOf(others?.description ?? ''));
  return {
    ...Object.fromEntries(refusals.map(([status, description]) => [status, { ...others, description }])),
    ...own,
  };
}

export function jsonOf(content: Readonly<Record<string, Content>>): Content | undefined {
  return content['application/json'];
}

export function needsCredentials({ security }: Pick<Described, 'security'>): boolean {
  return security === undefined || security.length > 0;
}
