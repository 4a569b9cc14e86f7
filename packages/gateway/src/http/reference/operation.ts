/** Renders one operation of the reference: its description on the left; samples, trial and answer on the right. */
import { exampleBody, exampleOfParameter, exampleRequest, isPlaceholder } from './example.ts';
import { fieldList, parameterList } from './fields.ts';
import { codeBox, escaped, prose } from './html.ts';
import { jsonOf, needsCredentials, type Operation, type Parameter } from './reading.ts';
import { languages, placeholders, sample } from './samples.ts';

export function operationSection(operation: Operation, baseUrl: string): string {
  const { operationId, method, path, summary, description = '' } = operation;
  const open = needsCredentials(operation) ? '' : '<p class="open">Needs no credentials.</p>';
  return `<section class="operation" id="${operationId}">
<div class="about"><h3>${escaped(summary)} <a class="anchor" href="#${operationId}" aria-label="Link to ${escaped(summary)}">#</a></h3>
<p class="endpoint">${methodBadge(method)} <code>${escaped(path)}</code></p>
${description === '' ? '' : `<p>${prose(description)}</p>`}${open}${parametersOf(operation)}${bodyOf(operation)}${answersOf(operation)}</div>
<div class="beside-it">${samplesOf(operation, baseUrl)}${trialOf(operation)}${exampleAnswer(operation)}</div>
</section>`;
}

export function methodBadge(method: string): string {
  return `<span class="method ${method.toLowerCase()}">${method}</span>`;
}

const kinds: [Parameter['in'], string][] = [
  ['path', 'In the path'],
  ['query', 'In the query'],
  ['header', 'Headers'],
];

function parametersOf({ parameters = [] }: Operation): string {
  return kinds
    .map(([kind, title]) => {
      const own = parameters.filter((one) => one.in === kind);
      return own.length === 0 ? '' : `<h4>${title}</h4>${parameterList(own)}`;
    })
    .join('');
}

function bodyOf({ requestBody }: Operation): string {
  if (requestBody === undefined) return '';
  const { content, required = false } = requestBody;
  const types = Object.keys(content).map((type) => (type === '*/*' ? 'the bytes of a file' : type));
  const json = jsonOf(content);
  const title = `<h4>Body <span class="type">${escaped(types.join(' or '))}${required ? '' : ', optional'}</span></h4>`;
  return `${title}${json === undefined ? '' : fieldList(json.schema)}`;
}

function answersOf({ responses }: Operation): string {
  const items = Object.entries(responses).map(([status, { description, content = {} }]) => {
    const json = status === '200' ? jsonOf(content) : undefined;
    const fields = json === undefined ? '' : fieldList(json.schema, 1);
    const inside = fields === '' ? '' : `<details><summary>Fields</summary>${fields}</details>`;
    return `<li><p><code>${status}</code> ${prose(description)}</p>${inside}</li>`;
  });
  return `<h4>Answers</h4><ul class="fields">${items.join('')}</ul>`;
}

/** Radio buttons and CSS choose one; without CSS all are shown. */
function samplesOf(operation: Operation, baseUrl: string): string {
  const request = exampleRequest(operation, baseUrl);
  const tabs = languages.map(
    (language, place) =>
      `<label><input type="radio" name="language-${operation.operationId}" value="${language}"${place === 0 ? ' checked' : ''}><span>${language}</span></label>`,
  );
  const codes = languages.map((language) =>
    codeBox(
      withTokens(sample(language, request)),
      `${operation.method} ${operation.path}`,
      ` data-language="${language}"`,
    ),
  );
  return `<fieldset class="samples"><legend class="visually-hidden">Language of the sample</legend><div class="tabs">${tabs.join('')}</div>${codes.join('')}</fieldset>`;
}

/** Marks the tokens, so that the script can find them. */
function withTokens(code: string): string {
  return escaped(code)
    .replaceAll(placeholders.auth, `<span data-token="auth">${placeholders.auth}</span>`)
    .replaceAll(placeholders.bearer, `<span data-token="bearer">${placeholders.bearer}</span>`);
}

function exampleAnswer({ responses }: Operation): string {
  const [example] = Object.values(jsonOf(responses[200]?.content ?? {})?.examples ?? {});
  return example === undefined ? '' : codeBox(escaped(JSON.stringify(example.value, null, 2)), 'Answer');
}

/** A form that a person fills in and the script sends, after showing the request. */
function trialOf(operation: Operation): string {
  const { operationId, method, path, parameters = [] } = operation;
  const inputs = parameters.map((one) => {
    const required = one.required === true;
    const example = exampleOfParameter(one);
    const filled = required && !isPlaceholder(example) ? example : '';
    return `<label><span>${escaped(one.name)}${required ? ' (required)' : ''}</span><input name="${escaped(one.name)}" data-in="${one.in}" value="${escaped(filled)}"${required ? ' required' : ''} autocomplete="off" spellcheck="false"></label>`;
  });
  return `<details class="try" hidden><summary>Try it</summary><form data-method="${method}" data-path="${escaped(path)}" data-credentials="${needsCredentials(operation)}" aria-label="Try ${escaped(operationId)}">${inputs.join('')}${bodyInput(operation)}<button type="submit">Send</button><div class="answer" role="status"></div></form></details>`;
}

function bodyInput(operation: Operation): string {
  const body = exampleBody(operation);
  if (body === null) return '';
  if (body.kind === 'file') return '<label><span>File</span><input type="file" data-in="file" required></label>';
  const text = JSON.stringify(body.value, null, 2);
  return `<label><span>Body</span><textarea data-in="body" data-type="application/json" rows="${Math.min(14, text.split('\n').length + 1)}" spellcheck="false">${escaped(text)}</textarea></label>`;
}
