/** Renders the API reference as HTML from the OpenAPI documents: the list of operations and their descriptions. */
import { fieldList } from './fields.ts';
import { codeBox, escaped, prose } from './html.ts';
import { methodBadge, operationSection } from './operation.ts';
import { type Reference, readReference } from './reading.ts';

export interface ReferenceParts {
  /** The groups and their operations, as links. */
  contents: string;
  main: string;
}

export function referenceParts(documents: readonly object[]): ReferenceParts {
  const reference = readReference(documents);
  return { contents: contentsOf(reference), main: mainOf(reference) };
}

const anchorOf = (name: string) => name.toLowerCase().replaceAll(' ', '-');

function contentsOf({ groups, events }: Reference): string {
  const lists = groups.map(({ name, operations }) => {
    const items = operations.map(
      ({ operationId, method, summary }) =>
        `<li><a href="#${operationId}">${methodBadge(method)}<span>${escaped(summary)}</span></a></li>`,
    );
    return `<p>${escaped(name)}</p><ul>${items.join('')}</ul>`;
  });
  const types = events.map(({ type }) => `<li><a href="#event-${type}"><span>${type}</span></a></li>`);
  const start = '<ul><li><a href="/docs">All documentation</a></li></ul>';
  return `${start}${lists.join('')}<p>Events</p><ul>${types.join('')}</ul>`;
}

function mainOf({ title, description, baseUrl, groups, events }: Reference): string {
  const sections = groups.map(
    ({ name, description: about, operations }) =>
      `<h2 id="${anchorOf(name)}">${escaped(name)}</h2><p class="lead">${escaped(about)}</p>${operations.map((one) => operationSection(one, baseUrl)).join('\n')}`,
  );
  return `<h1>${escaped(title)}</h1>
<p>${prose(description)}</p>
<p>Base URL: <code>${escaped(baseUrl)}</code>. The same as a document for programs: <a href="/openapi.json">OpenAPI 3.1</a>. Codes: <a href="/docs/reasons">reasons</a>.</p>
${credentials}
${sections.join('\n')}
<h2 id="events">Events</h2><p class="lead">What the gateway posts to your endpoints. <a href="/docs/webhooks">Webhooks</a> says how they are signed and repeated.</p>
${events.map(eventSection).join('\n')}`;
}

/** The script shows the fields, and whether the person is signed in. */
const credentials = `<section class="credentials" id="credentials"><h2>Credentials</h2>
<p>A request needs two: the Bearer Token in the header <code>Authorization</code>, the Auth Token in <code>X-Api-Key</code> or as <code>?apikey=</code>. The header keeps it out of the logs of proxies.</p>
<form hidden aria-label="Credentials"><p role="status"></p><a href="/login" hidden>Sign in</a><label><span>Bearer Token</span><input name="bearer" type="password" autocomplete="off" spellcheck="false"></label><label><span>Auth Token</span><input name="auth" type="password" autocomplete="off" spellcheck="false"></label><button type="button" hidden>Reveal</button></form></section>`;

function eventSection({ type, summary, content }: Reference['events'][number]): string {
  const [example] = Object.values(content.examples ?? {});
  const shown = example === undefined ? '' : codeBox(escaped(JSON.stringify(example.value, null, 2)), 'Body');
  return `<section class="operation" id="event-${type}"><div class="about"><h3>${escaped(type)} <a class="anchor" href="#event-${type}" aria-label="Link to ${escaped(type)}">#</a></h3><p>${escaped(summary)}.</p><h4>Body</h4>${fieldList(content.schema)}</div><div class="beside-it">${shown}</div></section>`;
}
