/**
 * Schema of the rich text editor. It allows exactly the formats that the server stores
 * (server/platform/text/sanitize.ts).
 */
import { InputRule, Mark, mergeAttributes, Node } from '@tiptap/core';
import { Bold } from '@tiptap/extension-bold';
import { Document } from '@tiptap/extension-document';
import { HardBreak } from '@tiptap/extension-hard-break';
import { HorizontalRule } from '@tiptap/extension-horizontal-rule';
import { Image } from '@tiptap/extension-image';
import { Italic } from '@tiptap/extension-italic';
import { BulletList } from '@tiptap/extension-list/bullet-list';
import { ListItem } from '@tiptap/extension-list/item';
import { OrderedList } from '@tiptap/extension-list/ordered-list';
import { Paragraph } from '@tiptap/extension-paragraph';
import { Strike } from '@tiptap/extension-strike';
import { Subscript } from '@tiptap/extension-subscript';
import { Superscript } from '@tiptap/extension-superscript';
import { Text } from '@tiptap/extension-text';
import { TextAlign } from '@tiptap/extension-text-align';
import { Underline } from '@tiptap/extension-underline';
import { UndoRedo } from '@tiptap/extensions/undo-redo';
import { formulaHtml, isFormulaHtml } from './formulas.ts';
import { PendingPicture } from './pending-picture.ts';

/** A formula: `<span class="math" data-latex="…">`. The server renders it. */
const Formula = Node.create({
  name: 'formula',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes() {
    return {
      latex: {
        default: '',
        parseHTML: (element: HTMLElement) => element.getAttribute('data-latex') ?? '',
        renderHTML: ({ latex }: { latex: string }) => ({ 'data-latex': latex }),
      },
    };
  },
  parseHTML: () => [{ tag: 'span[data-latex]' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'span',
    mergeAttributes(HTMLAttributes, { class: 'math' }),
    String(node.attrs.latex),
  ],
  renderText: ({ node }) => `$${node.attrs.latex}$`,
  addNodeView() {
    return ({ node }) => {
      const dom = document.createElement('span');
      dom.className = 'math';
      dom.title = `公式：${node.attrs.latex}`;
      dom.textContent = node.attrs.latex;
      formulaHtml(node.attrs.latex).then((html) => {
        if (!html) return;
        // Safe, because the server rendered this HTML from LaTeX.
        dom.innerHTML = html;
        if (isFormulaHtml(html)) return;
        dom.dataset.invalid = '';
        dom.title = `公式写法有误，双击修改：${node.attrs.latex}`;
      });
      return { dom };
    };
  },
  addInputRules() {
    // Typing $$…$$ makes a formula. A single $ may be a price.
    return [
      new InputRule({
        find: /\$\$([^$]+)\$\$$/,
        handler: ({ range, match, commands }) => {
          commands.insertContentAt(range, { type: this.name, attrs: { latex: match[1] } });
        },
      }),
    ];
  },
});

/** 加点字: emphasis by a dot below the character. */
const EmphasisDot = Mark.create({
  name: 'emphasisDot',
  parseHTML: () => [
    {
      tag: 'span',
      getAttrs: (element: HTMLElement) => (/text-emphasis:/.test(element.getAttribute('style') ?? '') ? null : false),
    },
  ],
  renderHTML: () => ['span', { style: 'text-emphasis: filled dot; text-emphasis-position: under right' }, 0],
});

/** Preformatted text keeps its line breaks and spaces. */
const Preformatted = Node.create({
  name: 'preformatted',
  group: 'block',
  content: 'inline*',
  code: true,
  defining: true,
  parseHTML: () => [{ tag: 'pre', preserveWhitespace: 'full' }],
  renderHTML: () => ['pre', 0],
});

/** Tables only come from imported files. Users can edit the cells but not the structure. */
const tableNodes = [
  Node.create({
    name: 'table',
    group: 'block',
    content: 'tableRow+',
    isolating: true,
    parseHTML: () => [{ tag: 'table' }],
    renderHTML: () => ['table', ['tbody', 0]],
  }),
  Node.create({
    name: 'tableRow',
    content: '(tableCell | tableHeader)+',
    parseHTML: () => [{ tag: 'tr' }],
    renderHTML: () => ['tr', 0],
  }),
  ...(['td', 'th'] as const).map((tag) =>
    Node.create({
      name: tag === 'td' ? 'tableCell' : 'tableHeader',
      content: 'block+',
      isolating: true,
      addAttributes: () => ({ colspan: { default: null }, rowspan: { default: null } }),
      parseHTML: () => [{ tag }],
      renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
    }),
  ),
];

export const richSchema = [
  Document,
  Paragraph,
  Text,
  // Ctrl+Enter, its other key, saves the form.
  HardBreak.extend({
    addKeyboardShortcuts() {
      return { 'Shift-Enter': () => this.editor.commands.setHardBreak() };
    },
  }),
  HorizontalRule,
  Bold,
  Italic,
  Underline,
  Strike,
  Subscript,
  Superscript,
  EmphasisDot,
  Preformatted,
  Formula,
  BulletList,
  OrderedList,
  ListItem,
  UndoRedo,
  Image.configure({ inline: true, allowBase64: true }),
  PendingPicture,
  ...tableNodes,
  TextAlign.configure({ types: ['paragraph'] }),
];
