/** XML output, built inside out from strings that are XML already. All escaping of text and attributes is here. */
import { encodeXmlText } from './xml-text.ts';

type Attributes = Readonly<Record<string, string>>;

/** `content` is XML. */
export const element = (name: string, content: readonly string[], attributes: Attributes = {}): string =>
  `<${name}${writeAttributes(attributes)}>${content.join('')}</${name}>`;

export const emptyElement = (name: string, attributes: Attributes): string =>
  `<${name}${writeAttributes(attributes)}/>`;

/** `text` is text; '' and null write nothing. */
export const textElement = (name: string, text: string | null): string =>
  text === null || text === '' ? '' : `<${name}>${encodeXmlText(text)}</${name}>`;

const writeAttributes = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${encodeXmlText(value)}"`)
    .join('');
