/** Pictures of the editor: inserted, pasted, dropped, turned and cropped. Each has its place while it is uploaded. */
import type { Editor } from '@tiptap/react';
import { useState } from 'react';
import { newId } from '../lib/new-id.ts';
import { hasText, needsCleaning, pasteProblem, readPasted, type WaitingPicture } from './paste.ts';
import { expectPlaces, fillPlace, holdPlaces, picturePlaceholder } from './pending-picture.ts';
import { htmlOf } from './rich-text.ts';
import { picturesAmong, uploadPicture } from './upload-picture.ts';

const nothingRead = '公式和图片没有读出来，只粘贴了文字，请稍后再试';

export function usePictures() {
  const [problem, setProblem] = useState<string>();
  /** Number of pictures that are not uploaded yet. */
  const [left, setLeft] = useState(0);

  /** Uploads pictures into their places. `instead` takes the place of one that cannot be uploaded. */
  const upload = async (editor: Editor, pictures: WaitingPicture[], instead: { path: string } | string | undefined) => {
    const lost = { pictures: 0, refused: [] as string[] };
    setLeft((before) => before + pictures.length);
    for (const { key, file } of pictures) {
      const kept = file && (await uploadPicture(file, editor.view.dom));
      setLeft((before) => before - 1);
      if (editor.isDestroyed) continue;
      if (kept && 'path' in kept) {
        fillPlace(editor, key, kept);
        continue;
      }
      if (kept) lost.refused.push(kept.msg);
      lost.pictures += 1;
      fillPlace(editor, key, instead);
    }
    return lost;
  };

  const insert = async (editor: Editor, files: File[]) => {
    const pictures = files.map((file) => ({ key: newId(), file }));
    setProblem(undefined);
    holdPlaces(
      editor,
      pictures.map(({ key }) => key),
      'picture',
    );
    const { refused } = await upload(editor, pictures, undefined);
    if (refused.length > 0) setProblem([...new Set(refused)].join('；'));
  };

  /** Takes a paste or a drop; false leaves it to the editor. */
  const take = (editor: Editor, clipboard: DataTransfer | null): boolean => {
    if (!clipboard) return false;
    const html = clipboard.getData('text/html');
    const files = picturesAmong(clipboard.files);
    if (!needsCleaning(html)) {
      setProblem(undefined);
      // If the clipboard has text, its picture is ignored: some programs also copy a picture of the text.
      if (hasText(html) || files.length === 0) return false;
      void insert(editor, files);
      return true;
    }
    // The clipboard is empty once the event is over.
    void paste(editor, html, { files, rtf: clipboard.getData('text/rtf'), text: clipboard.getData('text/plain') });
    return true;
  };

  const paste = async (
    editor: Editor,
    html: string,
    { files, rtf, text }: { files: File[]; rtf: string; text: string },
  ) => {
    const key = newId();
    setProblem(undefined);
    holdPlaces(editor, [key], 'paste');
    const pasted = await readPasted(html, { files, rtf }).catch(() => undefined);
    if (editor.isDestroyed) return;
    if (!pasted) {
      const body = document.createElement('div');
      body.innerHTML = htmlOf(text);
      fillPlace(editor, key, body);
      return setProblem(nothingRead);
    }
    const { body, pictures, unread } = pasted;
    expectPlaces(pictures.map((picture) => picture.key));
    fillPlace(editor, key, body);
    const lost = await upload(editor, pictures, picturePlaceholder);
    const found = pasteProblem({ ...lost, formulas: unread });
    if (found) setProblem(found);
  };

  /** Turns and crops the selected picture. A failure leaves the picture unchanged. */
  const edit = async (editor: Editor) => {
    const path = String(editor.getAttributes('image').src);
    try {
      const { editPhoto } = await import('../ui/client/photo-editor.ts');
      const photo = await (await fetch(path)).blob();
      const edited = await editPhoto(photo, editor.view.dom.closest<HTMLElement>('#screen') ?? document.body);
      if (!edited || edited === photo || editor.isDestroyed) return editor.view.focus();
      const picture = { key: newId(), file: new File([edited], '图片.jpg', { type: edited.type }) };
      holdPlaces(editor, [picture.key], 'picture');
      const { refused } = await upload(editor, [picture], { path });
      setProblem(refused[0]);
    } catch {
      setProblem('这张图片现在不能编辑，请稍后再试');
    }
  };

  return { problem, setProblem, left, insert, take, edit };
}
