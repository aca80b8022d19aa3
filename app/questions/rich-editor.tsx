/**
 * Rich text editor for formats, pictures and formulas. It is loaded when a rich text field is first focused.
 * rich-field.work.module.css gives it the look of the field that it replaces, so the package's own style sheet is left
 * out.
 */

import { Button, Textarea } from '@mantine/core';
import { RichTextEditor } from '@mantine/tiptap';
import { IconMathFunction, IconPhoto } from '@tabler/icons-react';
import { type Content, type Editor, useEditor } from '@tiptap/react';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { fileUpload } from '../files/screens.ts';
import { isComposing } from '../lib/composing.ts';
import { ownerHeadersAt } from '../lib/form-owner.ts';
import { controlClass } from '../ui/control.ts';
import { richClass } from '../ui/rich-html.tsx';
import { formulaHtml } from './formulas.ts';
import { hasText, needsCleaning, readPasted } from './paste.ts';
import styles from './rich-field.work.module.css';
import { richSchema } from './rich-schema.ts';
import { fieldHeight, withShownSpaces } from './rich-text.ts';

const classNames = {
  root: styles.editor ?? '',
  toolbar: styles.toolbar ?? '',
  controlsGroup: styles.group ?? '',
  control: styles.control ?? '',
  controlIcon: styles.icon ?? '',
};

/** State that the editor takes over from the field that it replaces. */
export interface EditorHandover {
  content: Content;
  /** Offsets of the selection in the editor's document, which is made from `content`. */
  selection?: { from: number; to: number };
  /** Present if `content` itself marks the ends of the selection, by a private-use character each. */
  isMarked?: true;
  /** Position of the pointer that focused the field. */
  at?: { left: number; top: number } | undefined;
}

interface RichEditorProps {
  id: string;
  described: Record<string, string | true | undefined>;
  html: string;
  rows: number;
  from: EditorHandover;
  onChange: (html: string) => void;
}

export function RichEditor({ id, described, html, rows, from, onChange }: RichEditorProps) {
  const [problem, setProblem] = useState<string>();
  const shown = useRef(html);
  const attributes: Record<string, string> = {
    id,
    role: 'textbox',
    'aria-multiline': 'true',
    class: `${controlClass} ${richClass} ${styles.box}`,
    style: `min-height: ${fieldHeight(rows)}`,
  };
  for (const [name, value] of Object.entries(described)) if (value !== undefined) attributes[name] = String(value);

  const editor = useEditor({
    extensions: richSchema,
    content: from.content,
    editorProps: {
      attributes,
      handlePaste: (_, event) => takePaste(event.clipboardData),
      handleDrop: (_, event) => takePictures((event as DragEvent).dataTransfer?.files),
    },
    onUpdate: ({ editor: changed }) => {
      shown.current = changed.isEmpty ? '' : withShownSpaces(changed.getHTML());
      onChange(shown.current);
    },
  });

  const insertPictures = async (files: File[]) => {
    for (const file of files) {
      const kept = await uploadPicture(file, editor.view.dom);
      setProblem('path' in kept ? undefined : kept.msg);
      if ('path' in kept) editor.chain().focus().setImage({ src: kept.path, alt: '图片' }).run();
    }
  };
  const takePaste = (clipboard: DataTransfer | null): boolean => {
    const html = clipboard?.getData('text/html') ?? '';
    if (!clipboard || !needsCleaning(html)) {
      setProblem(undefined);
      // If the clipboard has text, its picture is ignored: some programs also copy a picture of the text.
      return !hasText(html) && takePictures(clipboard?.files);
    }
    const files = [...clipboard.files].filter((file) => file.type.startsWith('image/'));
    readPasted(html, {
      files,
      rtf: clipboard.getData('text/rtf'),
      upload: (file) => uploadPicture(file, editor.view.dom),
    }).then((pasted) => {
      if (editor.isDestroyed) return;
      editor.view.pasteHTML(pasted.html);
      setProblem(pasted.problem);
    });
    return true;
  };
  const takePictures = (files: FileList | null | undefined): boolean => {
    const pictures = [...(files ?? [])].filter((file) => file.type.startsWith('image/'));
    if (pictures.length === 0) return false;
    insertPictures(pictures);
    return true;
  };

  // The editor is focused at once, not in the next frame, because the user is already typing.
  const entered = useRef(from);
  useEffect(() => {
    // On a busy page the first editor may be destroyed before this runs; then the effect runs again for the next one.
    if (editor.isDestroyed) return;
    const { selection, isMarked, at } = entered.current;
    const place = at && editor.view.posAtCoords(at);
    if (isMarked) takeMarks(editor);
    else editor.commands.setTextSelection(selection ?? (place ? place.pos : editor.state.doc.content.size));
    editor.view.focus();
  }, [editor]);
  // Shows changes made outside the editor, such as options that swap places.
  useEffect(() => {
    if (html === shown.current || editor.isDestroyed) return;
    shown.current = html;
    editor.commands.setContent(html, { emitUpdate: false });
  }, [editor, html]);
  useEffect(() => {
    if (!editor.isDestroyed) editor.setOptions({ editorProps: { ...editor.options.editorProps, attributes } });
  });

  return (
    <>
      <RichTextEditor editor={editor} withTypographyStyles={false} classNames={classNames}>
        <RichTextEditor.Toolbar>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Bold aria-label="加粗" title="加粗" />
            <RichTextEditor.Italic aria-label="斜体" title="斜体" />
            <RichTextEditor.Underline aria-label="下划线" title="下划线" />
            <RichTextEditor.Strikethrough aria-label="删除线" title="删除线" />
            <RichTextEditor.Subscript aria-label="下标" title="下标" />
            <RichTextEditor.Superscript aria-label="上标" title="上标" />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.BulletList aria-label="项目符号" title="项目符号" />
            <RichTextEditor.OrderedList aria-label="编号" title="编号" />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <PictureControl onPictures={insertPictures} />
            <FormulaControl editor={editor} />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Undo aria-label="撤销" title="撤销" />
            <RichTextEditor.Redo aria-label="重做" title="重做" />
          </RichTextEditor.ControlsGroup>
        </RichTextEditor.Toolbar>
        <RichTextEditor.Content />
      </RichTextEditor>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** Restores the selection from its two markers, and removes them from the text. */
function takeMarks(editor: Editor): void {
  const places: number[] = [];
  editor.state.doc.descendants((node, position) => {
    for (const found of node.text?.matchAll(/\ue000/g) ?? []) places.push(position + found.index);
  });
  const [start = editor.state.doc.content.size, end = start] = places;
  const { tr } = editor.state;
  for (const place of [...places].reverse()) tr.delete(place, place + 1);
  editor.view.dispatch(tr);
  editor.commands.setTextSelection({ from: start, to: Math.max(start, end - 1) });
}

/** Uploads a picture for the form around `field`; returns its path, or the message of a refusal. */
async function uploadPicture(file: File, field: Element): Promise<{ path: string } | { msg: string }> {
  const form = new FormData();
  form.set('file', file, file.name || `图片.${file.type.split('/')[1]}`);
  try {
    const response = await fetch(fileUpload.href(), { method: 'POST', headers: ownerHeadersAt(field), body: form });
    const answer = (await response.json()) as { path?: string; msg?: string };
    return answer.path ? { path: answer.path } : { msg: answer.msg ?? '图片上传失败，请稍后再试' };
  } catch {
    return { msg: '图片上传失败，请稍后再试' };
  }
}

function PictureControl({ onPictures }: { onPictures: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <RichTextEditor.Control onClick={() => input.current?.click()} aria-label="插入图片" title="插入图片">
      <IconPhoto size={16} stroke={1.5} />
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        hidden
        onChange={(event) => {
          onPictures([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
    </RichTextEditor.Control>
  );
}

/** Toolbar button that inserts a formula, or edits the selected one. */
function FormulaControl({ editor }: { editor: Editor }) {
  const [latex, setLatex] = useState<string>();
  const [preview, setPreview] = useState<string>();
  const begin = () => {
    const isSelected = editor.isActive('formula');
    setLatex(isSelected ? String(editor.getAttributes('formula').latex) : '');
  };
  useEffect(() => {
    if (!latex) return;
    const timer = setTimeout(() => formulaHtml(latex).then(setPreview), 300);
    return () => clearTimeout(timer);
  }, [latex]);
  const insert = (event: SyntheticEvent) => {
    event.preventDefault();
    editor.view.focus();
    if (latex?.trim())
      editor
        .chain()
        .focus()
        .insertContent({ type: 'formula', attrs: { latex: latex.trim() } })
        .run();
    setLatex(undefined);
  };
  return (
    <>
      <RichTextEditor.Control onClick={begin} aria-label="公式" title="公式" aria-expanded={latex !== undefined}>
        <IconMathFunction size={16} stroke={1.5} />
      </RichTextEditor.Control>
      {latex !== undefined && (
        <div className={styles.formula}>
          <Textarea
            label="LaTeX 公式"
            className={styles.latex}
            rows={2}
            value={latex}
            autoFocus
            onChange={(event) => setLatex(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (isComposing(event.nativeEvent)) return;
              if (event.key === 'Escape') setLatex(undefined);
              if (event.key === 'Enter' && !event.shiftKey) insert(event);
            }}
          />
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made by the server of LaTeX alone. */}
          <div className={styles.shown} dangerouslySetInnerHTML={{ __html: (latex && preview) || '预览' }} />
          <Button type="button" onClick={insert}>
            插入
          </Button>
          <Button type="button" variant="default" onClick={() => setLatex(undefined)}>
            取消
          </Button>
        </div>
      )}
    </>
  );
}
