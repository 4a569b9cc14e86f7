/** The operations of the API as sections of the index, each at its place in the reference. */
import type { Section } from './search-index';

export interface OpenApi {
  paths: Record<string, Record<string, { operationId: string; summary: string; description?: string }>>;
}

export function operationsOf({ paths }: OpenApi): Section[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, description = '' }]) => ({
      id: `/docs/api#${operationId}`,
      page: 'API reference',
      heading: `${method.toUpperCase()} ${path}`,
      text: `${summary}. ${description.replaceAll('`', '')}`,
    })),
  );
}
