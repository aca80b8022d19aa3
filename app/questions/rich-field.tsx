/**
 * Field for text with formats, pictures and formulas. Without client JS it is a textarea with plain text, or with HTML
 * if the text has formats. With client JS it is an editor, which loads while the page is idle and mounts when the field
 * is focused.
 */

import { Input } from '@mantine/core';
import {
  type PointerEvent,
  type ClipboardEvent as ReactClipboardEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { photoTypes } from '#server/platform/files/rules.ts';
import { controlClass } from '../ui/control.ts';
import { useField } from '../ui/form-state.ts';
import { richClass } from '../ui/rich-html.tsx';
import { OperationButton } from './operation-button.tsx';
import { PhotoField } from './photo-field.tsx';
import type { QuestionFormContext } from './question-form-context.ts';
import type { EditorHandover } from './rich-editor.tsx';
import styles from './rich-field.work.module.css';
import { fieldHeight, htmlOf, plainTextOf } from './rich-text.ts';
import { StaticRich } from './static-rich.tsx';

type EditorModule = typeof import('./rich-editor.tsx');
let editorModule: EditorModule | undefined;

/**
 * URL of the module whose import failed. Browsers remember the failure while the page lives, so the retry adds a new
 * query to the URL.
 */
let failedAddress: string | undefined;
let failures = 0;

function importEditor(): Promise<EditorModule> {
  if (failedAddress === undefined) return import('./rich-editor.tsx');
  return import(/* @vite-ignore */ `${failedAddress}?again=${failures}`);
}

/**
 * Loads the editor. Undefined on the server, which does not bundle it, and after a failed load; the next key press then
 * tries again.
 */
const loadEditor = async (): Promise<EditorModule | undefined> => {
  if (import.meta.env.SSR) return undefined;
  editorModule ??= await importEditor().catch((error: unknown) => {
    failures += 1;
    failedAddress ??= /https?:\/\/[^\s?]+\.js/.exec(String(error))?.[0];
    return undefined;
  });
  return editorModule;
};

/** Loads the editor while the page is idle, so that it is ready when a field is focused. */
function loadEditorWhenIdle(): () => void {
  const ended = new AbortController();
  const begin = () => {
    if (window.requestIdleCallback) window.requestIdleCallback(() => void loadEditor());
    else setTimeout(loadEditor, 500);
  };
  if (document.readyState === 'complete') begin();
  else window.addEventListener('load', begin, { once: true, signal: ended.signal });
  return () => ended.abort();
}

/** Private-use character that marks the caret while formatted text moves into the editor. */
const caretMark = '\ue000';

interface RichFieldProps {
  label: string;
  isLabelHidden?: boolean;
  /** Name of the field, and its path in error messages. */
  path: string;
  html: string;
  rows: number;
  required?: boolean;
  /** Text of the button that takes a photograph as the content. */
  photoButton?: string;
  context: QuestionFormContext;
  onChange: (html: string) => void;
}

export function RichField(props: RichFieldProps) {
  const { label, isLabelHidden, path, html, rows, required, context } = props;
  const { error } = useField(path);
  return (
    <Input.Wrapper
      className={styles.field}
      id={path}
      label={label}
      labelProps={{ className: isLabelHidden ? 'visually-hidden' : undefined }}
      withAsterisk={required}
      error={error}
    >
      <PhotoField
        path={path}
        button={props.photoButton}
        context={context}
        withoutScript={
          // Inside noscript, so that hydration never removes a button while it is being pressed.
          !context.dispatch && (
            <noscript>
              <Insertions {...props} />
            </noscript>
          )
        }
      >
        <RichControl
          id={path}
          name={path}
          html={html}
          rows={rows}
          required={required}
          isInvalid={error !== undefined}
          isLive={context.dispatch !== undefined}
          onChange={props.onChange}
        />
      </PhotoField>
    </Input.Wrapper>
  );
}

/** Upload of pictures without client JS. */
function Insertions({ path, html, label, photoButton = '插入图片', context }: RichFieldProps) {
  return (
    <details className={styles.more}>
      <summary>{plainTextOf(html) === undefined ? `内容带格式，按 HTML 编辑；${photoButton}` : photoButton}</summary>
      <div>
        <input type="file" name={`${path}.file`} accept={photoTypes} aria-label={`${label}的图片`} />
        <OperationButton context={context} operation={{ kind: 'upload', field: path }} anchor={path} isUpload>
          上传并插入
        </OperationButton>
        <p>公式用 LaTeX 书写，前后加 $，例如 $\frac{'{1}{2}'}$</p>
      </div>
    </details>
  );
}

interface RichControlProps {
  /** Element id of the field; its label has the id `<id>-label`. */
  id: string;
  name: string;
  html: string;
  rows: number;
  required?: boolean | undefined;
  isInvalid: boolean;
  /** True once hydrated: the field then posts HTML. Before that it posts the text of the textarea. */
  isLive: boolean;
  onChange: (html: string) => void;
}

/**
 * Field that accepts input from the first key press on. On the server, plain text is rendered as a textarea, formatted
 * text as an editable element. Once the field is focused and the editor has loaded, the editor takes over text and
 * caret without losing a key press.
 */
export function RichControl({ id, name, html, rows, required, isInvalid, isLive, onChange }: RichControlProps) {
  const [handed, setHanded] = useState<EditorHandover>();
  const area = useRef<HTMLTextAreaElement>(null);
  const formatted = useRef<HTMLDivElement>(null);
  const pointer = useRef<{ left: number; top: number } | undefined>(undefined);
  const isComposing = useRef(false);
  /**
   * The formatted text before the first input. React keeps rendering this element, so it never overwrites the typed
   * text.
   */
  const [typedIn, setTypedIn] = useState<string>();
  /** Height of the textarea as the server rendered it. The editor keeps it, so that nothing below moves. */
  const [room, setRoom] = useState<number>();
  const text = plainTextOf(html);
  const isPlain = text !== undefined && typedIn === undefined;

  useLayoutEffect(() => setRoom(area.current?.offsetHeight), []);
  useEffect(() => (isLive ? loadEditorWhenIdle() : undefined), [isLive]);
  // Shows changes made outside the field, such as options that swap places.
  useLayoutEffect(() => {
    if (isLive && area.current && text !== undefined && area.current.value !== text) area.current.value = text;
  }, [isLive, text]);

  /** Replaces the field by the editor. `isEntering`: true on focus, before anything was typed. */
  const handOver = (isEntering: boolean) => {
    const field = area.current ?? formatted.current;
    if (!field || !editorModule || isComposing.current || document.activeElement !== field) return;
    const from =
      isEntering && typedIn === undefined
        ? { content: html, at: pointer.current }
        : area.current
          ? takeText(area.current)
          : takeFormatted(field, typedIn === undefined ? html : undefined, pointer.current);
    if (isEntering) setHanded(from);
    // flushSync makes the next key press reach the editor.
    else flushSync(() => setHanded(from));
  };
  const latestHandOver = useRef(handOver);
  useLayoutEffect(() => {
    latestHandOver.current = handOver;
  });
  const enter = () => {
    if (!isLive) return;
    if (editorModule) return handOver(true);
    void loadEditor().then(() => latestHandOver.current(false));
  };
  /**
   * At each input, tries again to mount the editor after React has rendered. An earlier try may have failed because the
   * editor was not loaded, or because of a composition (input method) whose end the field did not see.
   */
  const tryAgain = (composing: boolean) => {
    if (!isLive) return;
    isComposing.current = composing;
    if (!composing) setTimeout(() => void loadEditor().then(() => latestHandOver.current(false)));
  };
  // The component received no events for focus and input before hydration.
  useEffect(() => {
    if (isLive && area.current && document.activeElement === area.current)
      void loadEditor().then(() => latestHandOver.current(false));
  }, [isLive]);

  /** A paste with formats waits for the editor: this field would keep only its plain text. */
  const pasteLater = (event: ReactClipboardEvent) => {
    if (!isLive || event.clipboardData.getData('text/html') === '') return;
    event.preventDefault();
    const clipboardData = copyOf(event.clipboardData);
    void loadEditor().then(() => {
      latestHandOver.current(false);
      const field = document.getElementById(id);
      if (field?.isContentEditable && field !== formatted.current)
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      else document.execCommand('insertText', false, clipboardData.getData('text/plain'));
    });
  };

  const described = {
    'aria-labelledby': `${id}-label`,
    'aria-invalid': isInvalid ? true : undefined,
    'aria-required': required ? true : undefined,
    'aria-describedby': isInvalid ? `${id}-error` : undefined,
  } as const;
  const entering = {
    onPointerEnter: () => void loadEditor(),
    onPointerDown: (event: PointerEvent) => {
      pointer.current = { left: event.clientX, top: event.clientY };
    },
    onFocus: enter,
    onPaste: pasteLater,
    onCompositionStart: () => {
      isComposing.current = true;
    },
    onCompositionEnd: () => {
      isComposing.current = false;
      // Some browsers fire the last input event only after compositionend, so this waits for it.
      setTimeout(() => latestHandOver.current(false));
    },
  };
  const Editor = handed && editorModule?.RichEditor;
  return (
    <>
      {Editor ? (
        <Editor id={id} described={described} html={html} rows={rows} from={handed} onChange={onChange} />
      ) : isLive && !isPlain ? (
        // biome-ignore lint/a11y/useSemanticElements: a text area shows neither pictures nor formulas.
        <div
          {...described}
          {...entering}
          ref={formatted}
          id={id}
          role="textbox"
          aria-multiline="true"
          tabIndex={0}
          contentEditable
          suppressContentEditableWarning
          className={`${controlClass} ${richClass} ${styles.box}`}
          style={{ minHeight: room ?? fieldHeight(rows) }}
          onInput={(event) => {
            setTypedIn((before) => before ?? html);
            onChange(htmlIn(event.currentTarget));
            tryAgain((event.nativeEvent as InputEvent).isComposing);
          }}
        >
          <StaticRich html={typedIn ?? html} />
        </div>
      ) : (
        <textarea
          {...described}
          {...entering}
          ref={area}
          id={id}
          name={isLive ? undefined : name}
          rows={text === undefined ? Math.max(rows, 4) : Math.max(rows, text.split('\n').length)}
          defaultValue={text ?? html}
          className={`${controlClass} ${styles.plain}`}
          style={{ minHeight: fieldHeight(text === undefined ? Math.max(rows, 4) : rows) }}
          onInput={(event) => {
            if (isLive) onChange(htmlOf(event.currentTarget.value));
            tryAgain((event.nativeEvent as InputEvent).isComposing);
          }}
        />
      )}
      {isLive && <input type="hidden" name={name} value={html} />}
      <input type="hidden" name={`${name}.as`} value={isLive || text === undefined ? 'html' : 'text'} />
    </>
  );
}

/** Copies the content of a paste, which the browser empties after the event. */
function copyOf(clipboard: DataTransfer): DataTransfer {
  const copy = new DataTransfer();
  for (const type of ['text/html', 'text/plain', 'text/rtf']) copy.setData(type, clipboard.getData(type));
  for (const file of clipboard.files) copy.items.add(file);
  return copy;
}

/** Converts the textarea's text to a document for the editor. Not via HTML, which would lose spaces at the ends. */
function takeText({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): EditorHandover {
  const lines = value.split('\n');
  const paragraphs = lines.map((line) => ({
    type: 'paragraph',
    ...(line && { content: [{ type: 'text', text: line }] }),
  }));
  // Converts an offset in the text to a position in the document. Between two paragraphs the document has two positions
  // where the text has one line break; before the first paragraph it has one more.
  const position = (offset: number) => offset + 1 + (value.slice(0, offset).split('\n').length - 1);
  return {
    content: { type: 'doc', content: paragraphs },
    selection: { from: position(selectionStart), to: position(selectionEnd) },
  };
}

/** Reads formatted text for the editor. `untouched`: the original HTML, if nothing was typed. */
function takeFormatted(
  field: HTMLElement,
  untouched: string | undefined,
  at: { left: number; top: number } | undefined,
): EditorHandover {
  if (untouched !== undefined) return { content: untouched, at };
  const selection = document.getSelection();
  if (selection?.rangeCount && field.contains(selection.anchorNode)) {
    const range = selection.getRangeAt(0);
    const start = range.cloneRange();
    start.collapse(true);
    range.collapse(false);
    range.insertNode(document.createTextNode(caretMark));
    start.insertNode(document.createTextNode(caretMark));
  }
  return { content: htmlIn(field), isMarked: true };
}

/** Returns the HTML of the field, with formulas as they are stored instead of rendered. */
function htmlIn(field: HTMLElement): string {
  const copy = field.cloneNode(true) as HTMLElement;
  for (const formula of copy.querySelectorAll<HTMLElement>('[data-latex]')) {
    formula.textContent = formula.dataset.latex ?? '';
    formula.removeAttribute('contenteditable');
  }
  return copy.innerHTML;
}
