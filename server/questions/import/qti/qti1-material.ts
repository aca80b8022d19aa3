/** The texts of QTI 1.2, as HTML elements. */
import { withMarkedBlanks } from './qti-question.ts';
import { type Element, escapeText, findAll, isElement, type Node, parseHtml } from './tree.ts';

/** Replaces `material` and the like by their content. Text is HTML only if the file says so. */
export function materialNodes(nodes: readonly Node[]): Node[] {
  const elements = nodes.filter(isElement);
  return elements.flatMap((node, index): Node[] => {
    const { name, attributes, children } = node;
    const before = elements[index - 1];
    const isNextLine = name === 'material' && before?.name === 'material' && isPlain(node) && isPlain(before);
    if (isNextLine) return [lineBreak, ...materialNodes([node])];
    switch (name) {
      case 'mattext':
      case 'mat_formattedtext':
      case 'matemtext': {
        const isHtml = /html/i.test(attributes.texttype ?? attributes.type ?? '');
        const content = children.flatMap((child): Node[] => {
          if (typeof child !== 'string') return [child];
          return isHtml ? parseHtml(child) : plainNodes(child);
        });
        // Text in a file of its own.
        return name === 'matemtext' ? [{ name: 'em', attributes: {}, children: content }] : content;
      }
      case 'matbreak':
        return [lineBreak];
      case 'matimage':
        return [{ name: 'img', attributes: imageAttributes(node), children: [] }];
      case 'mataudio':
      case 'matvideo':
      case 'matapplet':
      case 'matapplication':
        return [{ name: 'audio', attributes: {}, children: [] }];
      case 'material':
      case 'flow':
      case 'flow_mat':
      case 'flow_label':
      case 'response_label':
      case 'itemfeedback':
      case 'solution':
      case 'solutionmaterial':
      case 'hint':
      case 'hintmaterial':
      case 'mat_extension':
        return [{ name: containerName(node), attributes: {}, children: materialNodes(children) }];
      default:
        return name.startsWith('response_') ? [node] : [];
    }
  });
}

const lineBreak: Element = { name: 'br', attributes: {}, children: [] };

const isPlain = (material: Element): boolean =>
  findAll(material, ({ attributes }) => /html/i.test(attributes.texttype ?? attributes.type ?? '')).length === 0;

/** `flow` with the class `Block` is a paragraph; pieces of a text with blanks follow each other on the line. */
const containerName = ({ name, attributes }: Element): string =>
  name === 'flow' && attributes.class !== 'Inline' ? 'div' : 'span';

function plainNodes(text: string): Node[] {
  const lines = text.trim() === '' ? [text] : text.replace(/^\s*\n|\n\s*$/g, '').split(/\r?\n/);
  return lines.flatMap((line, index): Node[] => (index === 0 ? [line] : [lineBreak, line]));
}

const imageAttributes = ({ attributes }: Element): Record<string, string> => {
  const { uri = '', label = '', width, height } = attributes;
  return { src: uri, alt: label, ...(width && { width }), ...(height && { height }) };
};

/** Replaces places that a text names, such as `[colour]`; blanks without a place stand after its end. */
export function replacePlaces(
  stem: string,
  places: readonly { name: string }[],
  mark: (name: string, index: number) => string,
): string {
  const written = places.reduce(
    (text, { name }, index) => text.replaceAll(`[${escapeText(name)}]`, mark(name, index)),
    stem,
  );
  return withMarkedBlanks(written, places.length);
}
