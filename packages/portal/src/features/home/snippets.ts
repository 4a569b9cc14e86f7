/** The first request in the languages people try it from; the same bytes in each. Pure. */

export interface SnippetFacts {
  baseUrl: string;
  bearerToken: string;
  authToken: string;
  from: string;
  to: string;
  text: string;
}

export const languages = ['curl', 'Node', 'Python', 'PHP'] as const;
export type Language = (typeof languages)[number];

export function snippet(language: Language, facts: SnippetFacts): string {
  return writers[language](facts, bodyOf(facts));
}

export function bodyOf({ from, to, text }: Pick<SnippetFacts, 'from' | 'to' | 'text'>) {
  return { from, to: [to], text };
}

type Body = ReturnType<typeof bodyOf>;

const writers: Readonly<Record<Language, (facts: SnippetFacts, body: Body) => string>> = {
  curl: ({ baseUrl, bearerToken, authToken }, body) =>
    [
      `curl -s ${shell(`${baseUrl}/SendSMS?apikey=${authToken}`)}`,
      `  -H ${shell(`Authorization: Bearer ${bearerToken}`)}`,
      `  -H 'Content-Type: application/json'`,
      `  -d ${shell(JSON.stringify(body))}`,
    ].join(' \\\n'),
  Node: ({ baseUrl, bearerToken, authToken }, body) => `const response = await fetch(${js(`${baseUrl}/SendSMS`)}, {
  method: 'POST',
  headers: {
    Authorization: ${js(`Bearer ${bearerToken}`)},
    'X-Api-Key': ${js(authToken)},
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${JSON.stringify(body)}),
});
console.log(await response.json());`,
  Python: ({ baseUrl, bearerToken, authToken }, body) => `import json, urllib.request

request = urllib.request.Request(
    ${js(`${baseUrl}/SendSMS`)},
    data=json.dumps(${JSON.stringify(body)}).encode(),
    headers={
        "Authorization": ${js(`Bearer ${bearerToken}`)},
        "X-Api-Key": ${js(authToken)},
        "Content-Type": "application/json",
    },
)
print(urllib.request.urlopen(request).read().decode())`,
  PHP: ({ baseUrl, bearerToken, authToken }, body) => `<?php
$curl = curl_init(${php(`${baseUrl}/SendSMS`)});
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_POSTFIELDS => ${php(JSON.stringify(body))},
    CURLOPT_HTTPHEADER => [
        ${php(`Authorization: Bearer ${bearerToken}`)},
        ${php(`X-Api-Key: ${authToken}`)},
        'Content-Type: application/json',
    ],
]);
echo curl_exec($curl);`,
};

function shell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A JSON string is also a valid string in JavaScript and Python. */
function js(text: string): string {
  return JSON.stringify(text);
}

function php(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Only its beginning, which identifies the token and is useless alone. */
export function masked(token: string): string {
  const [, prefix = ''] = /^([a-z]+_(?:sbx_)?)/.exec(token) ?? [];
  return `${prefix}••••`;
}
