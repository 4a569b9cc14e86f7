/** Writes a request as a program in six languages, each with its standard library only. */
import type { ExampleBody, ExampleRequest } from './example.ts';

/** Placeholders of the two credentials; the page replaces them by the sandbox's. */
export const placeholders = { auth: 'AUTH_TOKEN', bearer: 'BEARER_TOKEN' };

export const languages = ['curl', 'Node.js', 'Python', 'PHP', 'Go', 'Ruby'] as const;
export type Language = (typeof languages)[number];

export function sample(language: Language, request: ExampleRequest): string {
  return writers[language](request, headersOf(request));
}

type Headers = [name: string, value: string][];
const types: Record<ExampleBody['kind'], string> = { json: 'application/json', file: 'image/jpeg' };

function headersOf({ credentials, body }: ExampleRequest): Headers {
  return [
    ...(credentials
      ? ([
          ['Authorization', `Bearer ${placeholders.bearer}`],
          ['X-Api-Key', placeholders.auth],
        ] as Headers)
      : []),
    ...(body === null ? [] : ([['Content-Type', types[body.kind]]] as Headers)),
  ];
}

const json = (text: string) => JSON.stringify(text);
const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

type Writer = (request: ExampleRequest, headers: Headers) => string;

const writers: Readonly<Record<Language, Writer>> = {
  curl: ({ method, url, body }, headers) => {
    const data = {
      json: (value: unknown) => `-d ${shell(JSON.stringify(value))}`,
      file: (name: string) => `--data-binary @${name}`,
    };
    const isUsual = method === (body === null ? 'GET' : 'POST');
    return [
      `curl -sS ${isUsual ? '' : `-X ${method} `}${shell(url)}`,
      ...headers.map(([name, value]) => `  -H ${shell(`${name}: ${value}`)}`),
      ...(body === null ? [] : [`  ${bodyAs(body, data)}`]),
    ].join(' \\\n');
  },

  'Node.js': ({ method, url, body }, headers) => {
    const fields = headers.map(([name, value]) => `    ${json(name)}: ${json(value)},\n`).join('');
    const data = {
      json: (value: unknown) => `JSON.stringify(${literal(value, notations.javascript, 2)})`,
      file: (name: string) => `await readFile(${json(name)})`,
    };
    const init = [
      ...(method === 'GET' ? [] : [`  method: ${json(method)},`]),
      ...(fields === '' ? [] : [`  headers: {\n${fields}  },`]),
      ...(body === null ? [] : [`  body: ${bodyAs(body, data)},`]),
    ];
    const reads = body?.kind === 'file' ? "import { readFile } from 'node:fs/promises';\n\n" : '';
    return `${reads}const response = await fetch(${json(url)}${init.length === 0 ? '' : `, {\n${init.join('\n')}\n}`});
console.log(response.status, await response.text());`;
  },

  Python: ({ method, url, body }, headers) => {
    const fields = headers.map(([name, value]) => `        ${json(name)}: ${json(value)},\n`).join('');
    const data = {
      json: (value: unknown) => `json.dumps(${literal(value, notations.python, 4)}).encode()`,
      file: (name: string) => `open(${json(name)}, "rb").read()`,
    };
    return `${body?.kind === 'json' ? 'import json\n' : ''}import urllib.request

request = urllib.request.Request(
    ${json(url)},
    method=${json(method)},
${fields === '' ? '' : `    headers={\n${fields}    },\n`}${body === null ? '' : `    data=${bodyAs(body, data)},\n`})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`;
  },

  PHP: ({ method, url, body }, headers) => {
    const fields = headers.map(([name, value]) => `        ${phpText(`${name}: ${value}`)},\n`).join('');
    const data = {
      json: (value: unknown) => `json_encode(${literal(value, notations.php, 4)})`,
      file: (name: string) => `file_get_contents(${phpText(name)})`,
    };
    return `<?php
$context = stream_context_create(['http' => [
    'method' => ${phpText(method)},
${fields === '' ? '' : `    'header' => [\n${fields}    ],\n`}${body === null ? '' : `    'content' => ${bodyAs(body, data)},\n`}    'ignore_errors' => true, // a refusal has a body too
]]);
echo file_get_contents(${phpText(url)}, false, $context);`;
  },

  Go: ({ method, url, body }, headers) => {
    const data = {
      json: (value: unknown) => `strings.NewReader(${goText(JSON.stringify(value))})`,
      file: () => 'file',
    };
    const isFile = body?.kind === 'file';
    const uses = ['fmt', 'io', 'net/http', ...(isFile ? ['os'] : body === null ? [] : ['strings'])];
    const opened = isFile ? `\tfile, err := os.Open(${json(body.name)})\n${goCheck}` : '';
    return `package main

import (
${uses.map((name) => `\t${json(name)}\n`).join('')})

func main() {
${opened}\trequest, err := http.NewRequest(${json(method)}, ${json(url)}, ${body === null ? 'nil' : bodyAs(body, data)})
${goCheck}${headers.map(([name, value]) => `\trequest.Header.Set(${json(name)}, ${json(value)})\n`).join('')}\tresponse, err := http.DefaultClient.Do(request)
${goCheck}\tdefer response.Body.Close()
\tbody, err := io.ReadAll(response.Body)
${goCheck}\tfmt.Println(response.StatusCode, string(body))
}`;
  },

  Ruby: ({ method, url, body }, headers) => {
    const { text } = notations.ruby;
    const kind = `${method[0]}${method.slice(1).toLowerCase()}`;
    const data = {
      json: (value: unknown) => `JSON.generate(${literal(value, notations.ruby)})`,
      file: (name: string) => `File.binread(${text(name)})`,
    };
    return `${body?.kind === 'json' ? 'require "json"\n' : ''}require "net/http"

uri = URI(${text(url)})
request = Net::HTTP::${kind}.new(uri)
${headers.map(([name, value]) => `request[${text(name)}] = ${text(value)}\n`).join('')}${body === null ? '' : `request.body = ${bodyAs(body, data)}\n`}response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }
puts response.code, response.body`;
  },
};

const goCheck = '\tif err != nil {\n\t\tpanic(err)\n\t}\n';

/** A raw Go string has no escapes and cannot contain a backtick. */
function goText(text: string): string {
  return text.includes('`') ? json(text) : `\`${text}\``;
}

function bodyAs(body: ExampleBody, write: { json(value: unknown): string; file(name: string): string }): string {
  return body.kind === 'json' ? write.json(body.value) : write.file(body.name);
}

interface Notation {
  yes: string;
  no: string;
  nothing: string;
  /** Brackets of an object, and the sign between a name and its value. */
  object: readonly [open: string, close: string];
  pair: string;
  text(value: string): string;
}

const javascript: Notation = {
  ...{ yes: 'true', no: 'false', nothing: 'null' },
  ...{ object: ['{', '}'], pair: ': ', text: json },
};

export const notations = {
  javascript,
  python: { ...javascript, yes: 'True', no: 'False', nothing: 'None' },
  // Ruby interpolates `#{…}` in double quotes.
  ruby: { ...javascript, nothing: 'nil', pair: ' => ', text: (value: string) => json(value).replaceAll('#', '\\#') },
  php: { ...javascript, object: ['[', ']'], pair: ' => ', text: phpText },
} as const satisfies Record<string, Notation>;

function phpText(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A value up to this length stays on one line. */
const lineChars = 60;

/** `indent`: spaces before each line after the first. */
export function literal(value: unknown, notation: Notation, indent = 0): string {
  const { object, pair, text } = notation;
  const list = (open: string, items: string[], close: string): string => {
    if (items.length === 0) return `${open}${close}`;
    const short = `${open}${items.join(', ')}${close}`;
    if (short.length <= lineChars && !short.includes('\n')) return short;
    const inner = ' '.repeat(indent + 2);
    return `${open}\n${items.map((item) => `${inner}${item}`).join(',\n')}\n${' '.repeat(indent)}${close}`;
  };
  if (typeof value === 'string') return text(value);
  if (typeof value === 'boolean') return value ? notation.yes : notation.no;
  if (typeof value === 'number') return String(value);
  if (value === null || value === undefined) return notation.nothing;
  const nested = (one: unknown) => literal(one, notation, indent + 2);
  if (Array.isArray(value)) return list('[', value.map(nested), ']');
  const entries = Object.entries(value).map(([name, one]) => `${text(name)}${pair}${nested(one)}`);
  // An empty PHP array would become a JSON list, but an object is wanted.
  if (entries.length === 0 && object[0] === '[') return 'new stdClass()';
  return list(object[0], entries, object[1]);
}
