/** Small trees of XML and HTML, for the items of QTI packages. */
import { Parser as HtmlParser } from 'htmlparser2';
import { Parser as XmlParser } from 'saxen';
import { DamagedFile, decodeReferences } from '#server/platform/office/xml.ts';

export interface Element {
  /** Local name. Names of QTI 3 become names of QTI 2: `qti-choice-interaction` is `choiceInteraction`. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: Node[];
}

export type Node = Element | string;

/** Thrown if XML declares entities. They could name files of the server, or grow without bounds. */
export class DeclaredEntities extends Error {}

const maxDepth = 200;

/** Bytes that are decoded and parsed at a time. */
const chunkBytes = 2 ** 19;

interface TakenElements {
  names: ReadonlySet<string>;
  /** Called with each complete element of these names; `path`: the elements around it. */
  take: (element: Element, path: readonly Element[]) => void;
}

/**
 * Parses XML to a tree. Elements that `taken` names do not stay in the tree, so that a file of thousands of items fits
 * into memory.
 * @throws DamagedFile if it is not well-formed
 */
export function parseXml(bytes: Uint8Array, taken?: TakenElements): Element {
  const root: Element = { name: '', attributes: {}, children: [] };
  const path: Element[] = [root];
  const parser = new XmlParser();
  const addText = (text: string) => {
    if (path.length > 1) appendText(path.at(-1) as Element, text);
  };
  parser.on('openTag', (name, attributes) => {
    if (path.length > maxDepth) throw new DamagedFile('The elements are nested too deeply.');
    const element = newElement(name, attributes() ?? {});
    path.at(-1)?.children.push(element);
    path.push(element);
  });
  parser.on('closeTag', () => {
    const element = path.pop() as Element;
    if (!taken?.names.has(element.name)) return;
    path.at(-1)?.children.pop();
    taken.take(element, path);
  });
  parser.on('text', (text) => addText(decodeReferences(text).replaceAll('&nbsp;', '\u00a0')));
  parser.on('cdata', addText);
  parser.on('attention', refuseEntities);
  parser.on('error', (error) => {
    throw new DamagedFile(error.message);
  });
  const decoder = decoderOf(bytes);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const text = decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true });
    parser.write(at === 0 ? text.replace(documentType, refuseEntities) : text);
  }
  parser.write(decoder.decode());
  const error = parser.end();
  if (error) throw new DamagedFile(error.message);
  const [top] = elementsOf(root);
  if (!top) throw new DamagedFile('There is no element.');
  return top;
}

/** A document type, which old files name; nothing is fetched. It may declare elements, but no entities. */
const documentType = /<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>/i;

function refuseEntities(declaration: string): string {
  if (/<!ENTITY/i.test(declaration)) throw new DeclaredEntities();
  return '';
}

/** Decodes by the byte order mark or the XML declaration; a file in Chinese may be in GBK. */
function decoderOf(bytes: Uint8Array): InstanceType<typeof TextDecoder> {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const declared = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)/.exec(head)?.[1] ?? 'utf-8';
  const marked = head.startsWith('\xff\xfe') ? 'utf-16le' : head.startsWith('\xfe\xff') ? 'utf-16be' : declared;
  try {
    return new TextDecoder(marked);
  } catch {
    return new TextDecoder();
  }
}

function newElement(written: string, raw: Readonly<Record<string, string>>): Element {
  const name = written.slice(written.indexOf(':') + 1);
  const isQti3 = name.startsWith('qti-');
  const attributes: Record<string, string> = {};
  for (const [key, value] of Object.entries(raw)) {
    attributes[isQti3 && !key.startsWith('data-') ? camelCase(key) : key] = decodeReferences(value);
  }
  return { name: isQti3 ? camelCase(name.slice(4)) : name, attributes, children: [] };
}

/** Parsers report a text in pieces; formulas in it are only found in the whole. */
function appendText({ children }: Element, text: string): void {
  const last = children.at(-1);
  if (typeof last === 'string') children[children.length - 1] = last + text;
  else children.push(text);
}

const camelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const voidElements = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source']);

/** Parses HTML to a list of nodes. Never fails: browsers show any HTML. */
export function parseHtml(html: string): Node[] {
  const root: Element = { name: '', attributes: {}, children: [] };
  const path: Element[] = [root];
  const parser = new HtmlParser(
    {
      onopentag: (name, attributes) => {
        const element: Element = { name: name.slice(name.indexOf(':') + 1), attributes, children: [] };
        // Deeper elements become siblings: their text stays.
        path.at(-1)?.children.push(element);
        path.push(path.length > maxDepth ? (path.at(-1) as Element) : element);
      },
      ontext: (text) => appendText(path.at(-1) as Element, text),
      onclosetag: () => path.pop(),
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return root.children;
}

/** Writes nodes as HTML, unchanged. */
export function serialize(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return escapeText(node);
      const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
      const open = `<${node.name}${attributes.join('')}>`;
      return voidElements.has(node.name) ? open : `${open}${serialize(node.children)}</${node.name}>`;
    })
    .join('');
}

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const escapeAttribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;');

export const isElement = (node: Node): node is Element => typeof node !== 'string';

export const elementsOf = (element: Element | undefined): Element[] => element?.children.filter(isElement) ?? [];

export const childrenNamed = (element: Element | undefined, name: string): Element[] =>
  elementsOf(element).filter((child) => child.name === name);

export const childNamed = (element: Element | undefined, name: string): Element | undefined =>
  elementsOf(element).find((child) => child.name === name);

/** Returns all descendants that `is` accepts, in order. Does not look into accepted ones. */
export function findAll(element: Element | undefined, is: (element: Element) => boolean): Element[] {
  return elementsOf(element).flatMap((child) => (is(child) ? [child] : findAll(child, is)));
}

export const findNamed = (element: Element | undefined, name: string): Element | undefined =>
  findAll(element, (child) => child.name === name)[0];

/** Text of an element, with white space at its ends removed. */
export const textOf = (element: Element | undefined): string => (element ? rawText(element).trim() : '');

const rawText = (element: Element): string =>
  element.children.map((child) => (typeof child === 'string' ? child : rawText(child))).join('');
