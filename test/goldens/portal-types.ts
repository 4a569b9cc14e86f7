/**
 * Generates the types of the portal's client from the routes of the running gateway: one file for each subject, which
 * is the first part of the path. `npm run goldens` writes them; the test beside it fails when they are out of date.
 */
import { isContent, nameOf, time } from '../../packages/gateway/src/http/shape.ts';
import type { Route } from '../contract/isolation-world.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Above this length the types of a subject get a file of their own. */
const ownFileCharacters = 9_000;

const head = '/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */\n';

/** Text by file name, `numbers.ts` and so on; `index.ts` brings them together. */
export function portalTypes(routes: readonly Route[], base: string): Record<string, string> {
  const bySubject = Map.groupBy(
    routes.filter(({ needs }) => needs.record !== undefined),
    ({ url }) => url.slice(base.length + 1).split(/[/.]/)[0]!,
  );
  const subjects = [...bySubject.keys()].sort();
  const owners = new Map<string, string>();
  const files: Record<string, string> = {};
  for (const subject of subjects) {
    Object.assign(files, subjectFiles(subject, bySubject.get(subject)!, { owners, base }));
  }
  const imports = subjects.map((one) => `import type { ${interfaceOf(one)} } from './${one}';`);
  const all = subjects.map(interfaceOf).join(', ');
  files['index.ts'] = `${head}${imports.join('\n')}\n\nexport interface Routes extends ${all} {}\n`;
  return files;
}

function interfaceOf(subject: string): string {
  return `${subject.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Routes`;
}

/** `owners`: the subject whose file contains each named type. */
function subjectFiles(
  subject: string,
  routes: readonly Route[],
  { owners, base }: { owners: Map<string, string>; base: string },
): Record<string, string> {
  const own = new Map<string, string>();
  /** Types that are written as interfaces. */
  const objects = new Set<string>();
  const borrowed = new Map<string, Set<string>>();

  function reference(name: string, schema: Schema): string {
    const owner = owners.get(name) ?? subject;
    if (owner !== subject) {
      borrowed.set(owner, (borrowed.get(owner) ?? new Set()).add(name));
    } else if (!own.has(name)) {
      owners.set(name, subject);
      own.set(name, '');
      own.set(name, whole(schema));
      if (schema.type === 'object') objects.add(name);
    }
    return name;
  }

  function typed(schema: Schema): string {
    const name = nameOf(schema);
    return name === undefined ? whole(schema) : reference(name, schema);
  }

  function whole(schema: Schema): string {
    if (isContent(schema)) return 'string | null';
    if ('const' in schema) return JSON.stringify(schema.const);
    if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
    if (Array.isArray(schema.anyOf)) return schema.anyOf.map(typed).join(' | ');
    if (Array.isArray(schema.allOf)) return schema.allOf.map((one) => `(${typed(one)})`).join(' & ');
    const types = [schema.type ?? 'anything'].flat() as string[];
    return types.map((type) => ofType(type, schema)).join(' | ');
  }

  function ofType(type: string, schema: Schema): string {
    switch (type) {
      case 'object':
        return ofObject(schema);
      case 'array':
        return `(${typed((schema.items ?? {}) as Schema)})[]`;
      case 'integer':
        return 'number';
      case 'anything':
        return 'unknown';
      default:
        return type;
    }
  }

  function ofObject({ properties, required = [], additionalProperties }: Schema): string {
    if (properties === undefined) {
      const of = typeof additionalProperties === 'object' ? typed(additionalProperties as Schema) : 'unknown';
      return `Record<string, ${of}>`;
    }
    if (Object.keys(properties as object).length === 0) return 'Record<string, never>';
    const fields = Object.entries(properties as Record<string, Schema>).flatMap(([name, one]) => [
      `${documented(one)}${JSON.stringify(name)}${(required as string[]).includes(name) ? '' : '?'}: ${typed(one)};`,
      // Without permission to read texts the text is null, and this is its length.
      ...(isContent(one) && !(`${name}Length` in (properties as object))
        ? [`${JSON.stringify(`${name}Length`)}?: number;`]
        : []),
    ]);
    return `{ ${fields.join('\n')} }`;
  }

  const entries = routes.map(({ method, url, needs: { record } }) => {
    const { query = {}, body, answer } = record!;
    const queryFields = Object.entries(query).map(
      ([name, { schema }]) => `${JSON.stringify(name)}?: ${typed(schema)} | null;`,
    );
    const sent = (body?.content as { 'application/json'?: { schema: Schema } } | undefined)?.['application/json'];
    return [
      `${JSON.stringify(`${method} ${url.slice(base.length)}`)}: {`,
      `query: ${queryFields.length === 0 ? 'Record<never, never>' : `{ ${queryFields.join(' ')} }`};`,
      `body: ${sent === undefined ? bodyWithout(body) : typed(sent.schema)};`,
      `answer: ${answer.data === null ? 'never' : typed(answer.data)};`,
      '};',
    ].join('\n');
  });
  const types = [...own].map(([name, text]) =>
    objects.has(name) ? `export interface ${name} ${text}` : `export type ${name} = ${text};`,
  );
  const uses = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
  const routesOf = `export interface ${interfaceOf(subject)} {\n${entries.sort().join('\n')}\n}`;
  function file(...parts: string[]): string {
    const text = parts.join('\n\n');
    const imports = [...borrowed].flatMap(([owner, names]) => {
      const used = [...names].filter((name) => uses(text, name)).sort();
      return used.length === 0 ? [] : [`import type { ${used.join(', ')} } from './${owner}';`];
    });
    return `${head}${imports.join('\n')}\n\n${text}\n`;
  }
  if (types.join('').length < ownFileCharacters) return { [`${subject}.ts`]: file(...types, routesOf) };
  const named = [...own.keys()].filter((name) => uses(routesOf, name)).join(', ');
  const answers = `./${subject}-answers`;
  return {
    [`${subject}-answers.ts`]: file(...types),
    [`${subject}.ts`]: file(
      `import type { ${named} } from '${answers}';`,
      `export type * from '${answers}';`,
      routesOf,
    ),
  };
}

/** The type of a body without a schema: a file or a table is no JSON, and some routes parse their JSON themselves. */
function bodyWithout(body: { kind: string } | undefined): string {
  return body?.kind.endsWith('json') === true ? 'unknown' : 'undefined';
}

/** The description that all times share is left out. */
function documented({ description }: Schema): string {
  if (description === time.description) return '';
  return typeof description === 'string' ? `/** ${description.replaceAll('*/', '')} */\n` : '';
}
