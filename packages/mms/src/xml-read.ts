/**
 * XML documents of peers to a tree, by local name. A document type is refused, so no entity can be declared, expanded
 * or fetched; size, depth, elements and attributes are counted before parsing.
 */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { isMalformed, type Malformed, malformed, quoted } from './failure.ts';
import type { MmsLimits } from './limits.ts';
import { decodeXmlText } from './xml-text.ts';

export interface XmlElement {
  /** Without prefix. */
  name: string;
  /** '' when there is none, or its prefix was never declared. */
  namespace: string;
  /** By local name, without namespace declarations. */
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  /** The text directly inside, trimmed. */
  text: string;
}

const charsets: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  'iso-8859-1': 'iso-8859-1',
  'windows-1252': 'windows-1252',
};

/** `charset`: from the Content-Type; '' leaves it to the document. */
export const readXml = (bytes: Buffer, charset: string, limits: MmsLimits): XmlElement | Malformed => {
  if (bytes.length > limits.xmlBytesMax) return malformed('limit', `XML of over ${limits.xmlBytesMax} octets`);
  const text = textOf(bytes, charset);
  if (isMalformed(text)) return text;
  const refusal = refusalOf(text, limits);
  if (refusal !== null) return refusal;
  try {
    const verdict = XMLValidator.validate(text);
    if (verdict !== true) return malformed('syntax', `line ${verdict.err.line}: ${quoted(verdict.err.msg)}`);
    const roots = elementsOf(parser(limits).parse(text) as OrderedNode[], new Map());
    if (roots.length !== 1) return malformed('syntax', `${roots.length} root elements`);
    return roots[0]!;
  } catch (error) {
    // The library throws at names that it considers dangerous and at faults that its validator missed: the peer's
    // fault.
    return malformed('syntax', quoted(error instanceof Error ? error.message : 'unreadable'));
  }
};

const textOf = (bytes: Buffer, charset: string): string | Malformed => {
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]{0,200}?encoding=["']([\w.-]{1,40})["']/.exec(
    bytes.toString('latin1', 0, 300),
  );
  const name = (charset || declared?.[1] || 'utf-8').toLowerCase();
  const decoder = Object.hasOwn(charsets, name) ? charsets[name]! : null;
  if (decoder === null) return malformed('value', `XML in ${quoted(name)}`);
  try {
    return new TextDecoder(decoder, { fatal: true }).decode(bytes);
  } catch {
    // The octets do not match their charset: the peer's fault.
    return malformed('syntax', 'XML that is not in its charset');
  }
};

/** Faults to find before parsing. Counts characters, not elements: an upper bound from one scan. */
const refusalOf = (text: string, limits: MmsLimits): Malformed | null => {
  if (/<!(?!--|\[CDATA\[)/.test(text)) return malformed('value', 'a document type in XML');
  let opened = 0;
  let equals = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x3c) opened++;
    else if (code === 0x3d) equals++;
    else if (code >= 0xfffe || (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d)) {
      return malformed('syntax', 'a character that XML cannot hold');
    }
  }
  // An element has two `<`, in its start tag and in its end tag.
  if (opened > 2 * limits.xmlNodesMax || equals > limits.xmlNodesMax) {
    return malformed('limit', `over ${limits.xmlNodesMax} elements or attributes`);
  }
  return null;
};

const parser = (limits: MmsLimits): XMLParser =>
  new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    processEntities: false,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    maxNestedTags: limits.xmlDepthMax,
  });

/** The library's tree: `{ [name]: children, ':@': attributes }` or `{ '#text': … }`. */
type OrderedNode = { readonly [name: string]: unknown };
type Scope = ReadonlyMap<string, string>;

const elementsOf = (nodes: readonly OrderedNode[], scope: Scope): XmlElement[] =>
  nodes.flatMap((node) => {
    const tag = Object.keys(node).find((key) => key !== ':@' && key !== '#text');
    return tag === undefined ? [] : [elementOf(tag, node[tag] as OrderedNode[], attributesOf(node), scope)];
  });

const attributesOf = (node: OrderedNode): [string, string][] =>
  Object.entries((node[':@'] ?? {}) as Record<string, string>).map(([name, value]) => [name, decodeXmlText(value)]);

const elementOf = (
  tag: string,
  nodes: readonly OrderedNode[],
  written: readonly (readonly [string, string])[],
  outer: Scope,
): XmlElement => {
  const declared = written.filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  const scope =
    declared.length === 0
      ? outer
      : new Map([...outer, ...declared.map(([name, uri]) => [name.slice('xmlns:'.length), uri] as const)]);
  const attributes = written
    .filter((entry) => !declared.includes(entry))
    .map(([name, value]) => [localOf(name), value]);
  return {
    name: localOf(tag),
    namespace: scope.get(tag.includes(':') ? tag.slice(0, tag.indexOf(':')) : '') ?? '',
    attributes: new Map(attributes as [string, string][]),
    children: elementsOf(nodes, scope),
    text: nodes.map(nodeText).join('').trim(),
  };
};

const nodeText = (node: OrderedNode): string => (typeof node['#text'] === 'string' ? decodeXmlText(node['#text']) : '');

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The first child of this name; undefined when there is none. */
export const child = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((inner) => inner.name === name);

/** The text of the first child of this name; '' when there is none. */
export const childText = (element: XmlElement | undefined, name: string): string => child(element, name)?.text ?? '';
