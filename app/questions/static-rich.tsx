/**
 * Renders rich text that is not saved yet. The server has not sanitized it, so it is parsed in an inert document, and
 * only known elements are rendered.
 */
import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { storedFile } from '../files/screens.ts';
import { formulaHtml } from './formulas.ts';

export function StaticRich({ html }: { html: string }) {
  if (!/[<&]/.test(html)) return html;
  return childrenOf(new DOMParser().parseFromString(html, 'text/html').body);
}

const childrenOf = (parent: ParentNode & Node): ReactNode[] =>
  // biome-ignore lint/suspicious/noArrayIndexKey: it is shown once and thrown away.
  [...parent.childNodes].map((node, index) => <Fragment key={index}>{renderNode(node)}</Fragment>);

const plain = [
  'pre',
  'strong',
  'em',
  'u',
  's',
  'sub',
  'sup',
  'ul',
  'ol',
  'li',
  'table',
  'thead',
  'tbody',
  'tr',
] as const;
const unread = new Set(['script', 'style', 'template', 'iframe', 'object', 'svg', 'math']);
const inlinePicture = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/;
export const isOwnPicture = (source: string) =>
  inlinePicture.test(source) || (/^[\w/.-]+$/.test(source) && storedFile.covers(source));

function renderNode(node: Node): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof HTMLElement)) return null;
  const name = node.localName;
  const latex = name === 'span' ? node.dataset.latex : undefined;
  if (latex) return <Formula latex={latex} />;
  if (unread.has(name)) return null;
  if (name === 'br' || name === 'hr') return name === 'br' ? <br /> : <hr />;
  if (name === 'img') return picture(node);
  const children = childrenOf(node);
  if (name === 'p') return <p style={{ textAlign: alignment(node) }}>{children}</p>;
  if (name === 'td' || name === 'th') {
    const Cell = name;
    const span = (attribute: string) => Number(node.getAttribute(attribute)) || undefined;
    return (
      <Cell colSpan={span('colspan')} rowSpan={span('rowspan')}>
        {children}
      </Cell>
    );
  }
  const Tag = plain.find((tag) => tag === name);
  return Tag ? <Tag>{children}</Tag> : children;
}

function picture(image: HTMLElement): ReactNode {
  const source = image.getAttribute('src') ?? '';
  if (!isOwnPicture(source)) return null;
  const size = (attribute: string) => Number(image.getAttribute(attribute)) || undefined;
  return <img src={source} alt={image.getAttribute('alt') ?? ''} width={size('width')} height={size('height')} />;
}

const alignment = (node: HTMLElement) =>
  (['center', 'right', 'justify'] as const).find((align) => align === node.style.textAlign);

/** A rendered formula. It shows its LaTeX source until the rendering has loaded, and if the LaTeX is invalid. */
function Formula({ latex }: { latex: string }) {
  const place = useRef<HTMLSpanElement>(null);
  // Changes the DOM without React, because users edit the text around the formula: React would look for nodes that a
  // key press has removed.
  useEffect(() => {
    let isOver = false;
    formulaHtml(latex).then((html) => {
      // Safe, because the server rendered this HTML from LaTeX.
      if (!isOver && html && place.current) place.current.innerHTML = html;
    });
    return () => {
      isOver = true;
    };
  }, [latex]);
  return (
    <span ref={place} data-latex={latex} contentEditable={false}>
      {latex}
    </span>
  );
}
