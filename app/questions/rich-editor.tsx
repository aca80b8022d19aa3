/**
 * Rich text editor for formats, pictures and formulas. It is loaded when a rich text field is first focused.
 * rich-field.work.module.css gives it the look of the field that it replaces, so the package's own style sheet is left
 * out.
 */

import { RichTextEditor } from '@mantine/tiptap';
import { IconMathFunction, IconPhoto } from '@tabler/icons-react';
import { type Content, type Editor, useEditor } from '@tiptap/react';
import { useEffect, useRef, useState } from 'react';
import { photoTypes } from '#server/platform/files/rules.ts';
import { controlClass } from '../ui/control.ts';
import { richClass } from '../ui/rich-html.tsx';
import { FormulaPanel } from './formula-panel.tsx';
import styles from './rich-field.work.module.css';
import { richSchema } from './rich-schema.ts';
import { fieldHeight, withShownSpaces } from './rich-text.ts';
import { useUnfinishedGuard } from './upload-picture.ts';
import { usePictures } from './use-pictures.ts';

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
  const pictures = usePictures();
  const place = useRef<HTMLDivElement>(null);
  useUnfinishedGuard(place, pictures.setProblem);
  /** LaTeX of the formula that the panel changes; '' for a new one. */
  const [formula, setFormula] = useState<string>();
  /** Text of the panel when it was closed. */
  const typedFormula = useRef<{ of: string; latex: string }>(undefined);
  const shown = useRef(html);
  const attributes: Record<string, string> = {
    id,
    role: 'textbox',
    'aria-multiline': 'true',
    class: `${controlClass} ${richClass} ${styles.box}`,
    style: `min-height: ${fieldHeight(rows)}`,
  };
  for (const [name, value] of Object.entries(described)) if (value !== undefined) attributes[name] = String(value);

  const editor: Editor = useEditor({
    extensions: richSchema,
    content: from.content,
    editorProps: {
      attributes,
      handleKeyDown: (_, event) => pressKey(event),
      handleDoubleClickOn: (_, __, node, position): boolean => {
        if (!['formula', 'image'].includes(node.type.name)) return false;
        editor.commands.setNodeSelection(position);
        return openSelected();
      },
      handlePaste: (_, event) => pictures.take(editor, event.clipboardData),
      handleDrop: (view, event, _, isMoved) => {
        if (isMoved) return false;
        const target = view.posAtCoords({ left: event.clientX, top: event.clientY });
        if (target) editor.commands.setTextSelection(target.pos);
        return pictures.take(editor, event.dataTransfer);
      },
    },
    onUpdate: ({ editor: changed }) => {
      shown.current = changed.isEmpty ? '' : withShownSpaces(changed.getHTML());
      onChange(shown.current);
    },
  });

  const openFormula = (from: Editor): true => {
    setFormula(from.isActive('formula') ? String(from.getAttributes('formula').latex) : '');
    return true;
  };
  const pressKey = ({ key, code, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey) return false;
    // `code`, because Alt changes the character on some keyboards. Word has the same key.
    if (altKey) return code === 'Equal' && openFormula(editor);
    return key === 'Enter' && openSelected();
  };
  /** Opens the selected formula or picture for changes; false if something else is selected. */
  const openSelected = (): boolean => {
    if (editor.isActive('formula')) return openFormula(editor);
    if (!editor.isActive('image')) return false;
    void pictures.edit(editor);
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
    <div ref={place}>
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
            <PictureControl onPictures={(files) => void pictures.insert(editor, files)} />
            <RichTextEditor.Control
              onClick={() => openFormula(editor)}
              aria-label="公式"
              title="公式（Alt + =）"
              aria-keyshortcuts="Alt+="
              aria-expanded={formula !== undefined}
            >
              <IconMathFunction size={16} stroke={1.5} />
            </RichTextEditor.Control>
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Undo aria-label="撤销" title="撤销" />
            <RichTextEditor.Redo aria-label="重做" title="重做" />
          </RichTextEditor.ControlsGroup>
        </RichTextEditor.Toolbar>
        <RichTextEditor.Content />
        {formula !== undefined && (
          <FormulaPanel
            latex={formula}
            typed={typedFormula.current?.of === formula ? typedFormula.current.latex : formula}
            onInsert={(latex) => {
              typedFormula.current = undefined;
              setFormula(undefined);
              editor.chain().focus().insertContent({ type: 'formula', attrs: { latex } }).run();
              editor.view.focus();
            }}
            onClose={(latex) => {
              typedFormula.current = { of: formula, latex };
              setFormula(undefined);
              editor.view.focus();
            }}
          />
        )}
      </RichTextEditor>
      {pictures.left > 0 && <p role="status">正在上传图片，还有{pictures.left}张</p>}
      {pictures.problem && (
        <p className={styles.problem} role="alert">
          {pictures.problem}
        </p>
      )}
    </div>
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

function PictureControl({ onPictures }: { onPictures: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <RichTextEditor.Control onClick={() => input.current?.click()} aria-label="插入图片" title="插入图片">
      <IconPhoto size={16} stroke={1.5} />
      <input
        ref={input}
        type="file"
        accept={photoTypes}
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
