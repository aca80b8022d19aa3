/**
 * Places in the editor that wait for a picture or for pasted content. They are nodes of the text, so they move with it
 * while the user goes on typing.
 */
import { type Editor, Node } from '@tiptap/core';
import { DOMParser as ContentParser } from '@tiptap/pm/model';
import { stillUploading } from './upload-picture.ts';

/** Keys of the places that are still waited for. A draft that was restored has places that nobody fills. */
const waiting = new Set<string>();

const words = { picture: '图片上传中…', paste: '正在粘贴…' } as const;

/** Stored by a form that is sent too early, so that the gap is seen. */
export const picturePlaceholder = '［图片］';

export const PendingPicture = Node.create({
  name: 'pendingPicture',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({ key: { default: '' }, kind: { default: 'picture' } }),
  parseHTML: () => [
    {
      tag: 'span[data-pending]',
      getAttrs: ({ dataset: { pending = '' } }: HTMLElement) => (waiting.has(pending) ? { key: pending } : false),
    },
  ],
  renderHTML: ({ node }) => ['span', { 'data-pending': node.attrs.key }, picturePlaceholder],
  renderText: () => picturePlaceholder,
  addNodeView() {
    return ({ node }) => {
      const dom = document.createElement('span');
      dom.dataset.unfinished = stillUploading;
      dom.textContent = words[node.attrs.kind as keyof typeof words];
      return { dom };
    };
  },
});

/** Says that places with these keys are in content that is filled in next. */
export function expectPlaces(keys: readonly string[]): void {
  for (const key of keys) waiting.add(key);
}

export function holdPlaces(editor: Editor, keys: readonly string[], kind: keyof typeof words): void {
  expectPlaces(keys);
  editor
    .chain()
    .focus()
    .insertContent(keys.map((key) => ({ type: 'pendingPicture', attrs: { key, kind } })))
    .run();
}

/** Fills a place, unless the user has removed it. Undo removes place and content together. */
export function fillPlace(
  editor: Editor,
  key: string,
  content: HTMLElement | { path: string } | string | undefined,
): void {
  const place = placeOf(editor, key);
  waiting.delete(key);
  if (place === undefined) return;
  const { schema, doc, tr } = editor.state;
  if (content === undefined) tr.delete(place, place + 1);
  else if (typeof content === 'string') tr.replaceWith(place, place + 1, schema.text(content));
  else if (content instanceof HTMLElement) {
    const slice = ContentParser.fromSchema(schema).parseSlice(content, { context: doc.resolve(place) });
    tr.replaceRange(place, place + 1, slice);
  } else tr.replaceWith(place, place + 1, schema.node('image', { src: content.path, alt: '图片' }));
  editor.view.dispatch(tr.setMeta('addToHistory', false));
}

function placeOf(editor: Editor, key: string): number | undefined {
  let place: number | undefined;
  editor.state.doc.descendants((node, position) => {
    if (node.type.name === 'pendingPicture' && node.attrs.key === key) place = position;
  });
  return place;
}
