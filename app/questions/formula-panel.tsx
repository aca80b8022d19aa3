/** Panel that writes a formula in LaTeX: a field with shortcuts and completion, a preview, and a palette. */
import { Button } from '@mantine/core';
import { type KeyboardEvent, type SyntheticEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { maxLatex } from '#server/platform/text/rules.ts';
import { isComposing } from '../lib/composing.ts';
import { controlClass } from '../ui/control.ts';
import { palette } from './formula-palette.ts';
import styles from './formula-panel.work.module.css';
import {
  afterTyping,
  beforeKey,
  completions,
  type FormulaEdit,
  formulaFault,
  insertTemplate,
  tabIn,
  withoutMarks,
} from './formula-typing.ts';
import { formulaHtml, isFormulaHtml } from './formulas.ts';

interface FormulaPanelProps {
  /** The formula that is changed; '' for a new one. */
  latex: string;
  /** Initial text of the field: the formula, or the text of the panel when it was closed. */
  typed: string;
  onInsert: (latex: string) => void;
  /** Receives the typed text, which is shown again next time. */
  onClose: (latex: string) => void;
}

/** Milliseconds without a key press before the preview is asked for. */
const previewDelay = 200;

export function FormulaPanel({ latex, typed, onInsert, onClose }: FormulaPanelProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(typed);
  /** Offset of the caret; -1 while text is selected. */
  const [caret, setCaret] = useState(typed.length);
  const [groupIndex, setGroupIndex] = useState(0);
  /** Index of the chosen completion; -1 before an arrow key chooses one. */
  const [chosen, setChosen] = useState(-1);
  const [isListClosed, setListClosed] = useState(false);
  /** Set by a refused insertion, until the text changes. */
  const [refused, setRefused] = useState<string>();
  const preview = usePreview(text);
  const offered = isListClosed || caret < 0 ? undefined : completions(text, caret);

  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.closest('fieldset')?.scrollIntoView({ block: 'nearest' });
  }, []);

  /** Goes through the browser's own editing, so that Ctrl+Z undoes a shortcut. */
  const apply = ({ from, to, text: written, start, end }: FormulaEdit) => {
    const area = field.current;
    if (!area) return;
    area.focus();
    if (from !== to || written !== '') {
      area.setSelectionRange(from, to);
      if (!document.execCommand('insertText', false, written)) area.setRangeText(written, from, to);
    }
    area.setSelectionRange(start, end);
    read();
  };
  const read = () => {
    const area = field.current;
    if (!area) return;
    setText(area.value);
    setCaret(area.selectionStart === area.selectionEnd ? area.selectionEnd : -1);
    setRefused(undefined);
  };
  const input = (event: SyntheticEvent<HTMLTextAreaElement, InputEvent>) => {
    read();
    setChosen(-1);
    setListClosed(false);
    const { inputType, isComposing: isInComposition, data } = event.nativeEvent;
    // A palette button and a shortcut insert several characters; only typed ones are changed further.
    if (inputType === 'insertText' && !isInComposition && data?.length === 1) expand(event.currentTarget);
  };
  const expand = ({ value, selectionEnd }: HTMLTextAreaElement) => {
    const change = afterTyping(value, selectionEnd);
    if (change) apply(change);
  };
  const complete = (index: number) => {
    const entry = offered?.entries[Math.max(index, 0)];
    if (!offered || !entry) return;
    setChosen(-1);
    apply(insertTemplate(text, offered.from, caret, entry.latex));
  };
  const insert = () => {
    const area = field.current;
    if (!area) return;
    const last = beforeKey(area.value, area.selectionStart, 'Enter');
    const written = last ? area.value.slice(0, last.from) + last.text + area.value.slice(last.to) : area.value;
    const finished = withoutMarks(written);
    if (finished === '') return onClose('');
    const fault = formulaFault(finished) ?? (finished === preview.latex ? preview.fault : undefined);
    if (fault) {
      setRefused(fault);
      area.focus();
    } else onInsert(finished);
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, currentTarget: area } = event;
    if (isComposing(event.nativeEvent) || altKey) return;
    if (ctrlKey || metaKey) {
      if (key !== 'Enter') return;
      event.preventDefault();
      return insert();
    }
    const { value, selectionStart, selectionEnd } = area;
    if (offered && (key === 'ArrowDown' || key === 'ArrowUp')) {
      event.preventDefault();
      const { length } = offered.entries;
      setChosen((before) => (key === 'ArrowDown' ? (before + 1) % length : before <= 0 ? length - 1 : before - 1));
    } else if (offered && ((key === 'Tab' && !shiftKey) || (key === 'Enter' && chosen >= 0))) {
      event.preventDefault();
      complete(chosen);
    } else if (offered && key === 'Escape') {
      event.preventDefault();
      setListClosed(true);
    } else if (key === 'Escape') {
      // Marks the key as used, so that a dialog around the form stays open.
      event.preventDefault();
      onClose(value);
    } else if (key === 'Enter' && !shiftKey) {
      event.preventDefault();
      insert();
    } else if (key === 'Tab' && !shiftKey) {
      const change = tabIn(value, selectionStart, selectionEnd);
      if (!change) return;
      event.preventDefault();
      apply(change);
    } else if (key.length === 1 && selectionStart === selectionEnd) {
      const change = beforeKey(value, selectionStart, key);
      if (change) apply(change);
    }
  };

  const group = palette[groupIndex] ?? palette[0];
  // A command that is being completed is no fault yet, and the fault of an earlier text is over.
  const isJudged = !offered && preview.latex === withoutMarks(text);
  const fault = refused ?? (isJudged ? preview.fault : undefined);
  const listId = `${id}-list`;
  return (
    <fieldset
      className={styles.panel}
      data-unfinished={text.trim() !== '' && text !== latex ? '公式还没有插入，请先插入或取消' : undefined}
      aria-label="公式"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose(field.current?.value ?? '');
      }}
    >
      <label htmlFor={id}>LaTeX 公式</label>
      <textarea
        ref={field}
        id={id}
        className={`${controlClass} ${styles.latex}`}
        rows={2}
        defaultValue={typed}
        maxLength={maxLatex}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={offered && chosen >= 0 ? `${listId}-${chosen}` : undefined}
        aria-invalid={fault ? true : undefined}
        aria-describedby={`${id}-shown ${id}-hint`}
        onInput={input}
        onCompositionEnd={(event) => expand(event.currentTarget)}
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) =>
          setCaret(selectionStart === selectionEnd ? selectionEnd : -1)
        }
        onKeyDown={press}
      />
      <div id={listId} role="listbox" aria-label="命令" className={styles.completions} hidden={!offered}>
        {offered?.entries.map(({ face, name, latex: command }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys of the list.
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus.
          <div
            key={command}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === Math.max(chosen, 0)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => complete(index)}
          >
            <span>{face}</span> {name} <code>{command}</code>
          </div>
        ))}
      </div>
      <div id={`${id}-shown`} className={styles.shown} aria-live="polite">
        {fault ? (
          <p className={styles.fault}>{fault}</p>
        ) : preview.html ? (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: made by the server of LaTeX alone.
          <div dangerouslySetInnerHTML={{ __html: preview.html }} />
        ) : (
          (preview.note ?? '预览')
        )}
      </div>
      <div className={styles.buttons}>
        <Button type="button" onClick={insert}>
          {latex ? '修改' : '插入'}
        </Button>
        <Button type="button" variant="default" onClick={() => onClose('')}>
          取消
        </Button>
        <p id={`${id}-hint`}>1/2 后按 Tab 成分数，alpha 后按空格成 α，\ 查命令，Tab 到下一个 □</p>
      </div>
      <fieldset className={styles.groups} aria-label="符号分类">
        {palette.map(({ name }, index) => (
          <button key={name} type="button" aria-pressed={index === groupIndex} onClick={() => setGroupIndex(index)}>
            {name}
          </button>
        ))}
      </fieldset>
      <fieldset className={styles.entries} aria-label={group?.name}>
        {group?.entries.map(({ face, name, latex: template }) => (
          <button
            key={name}
            type="button"
            aria-label={name}
            // Drawn by the style sheet, because a name should contain the text of its button.
            data-face={face}
            title={`${name} ${template}`}
            onClick={() => {
              const area = field.current;
              if (area) apply(insertTemplate(area.value, area.selectionStart, area.selectionEnd, template));
            }}
          />
        ))}
      </fieldset>
    </fieldset>
  );
}

const unknownCommand = '这样写还显示不出公式，请检查命令的拼写';

interface Preview {
  /** The previewed LaTeX. */
  latex: string;
  html?: string;
  /** Why the formula cannot be shown. */
  fault?: string;
  /** Shown without a formula. */
  note?: string;
}

/** Renders the typed LaTeX on the server. While one is typed further, the last valid rendering stays. */
function usePreview(text: string): Preview {
  const [preview, setPreview] = useState<Preview>({ latex: '' });
  useEffect(() => {
    const latex = withoutMarks(text);
    let isOver = false;
    const show = async () => {
      if (latex === '') return setPreview({ latex });
      const fault = formulaFault(latex);
      if (fault) return setPreview(({ html }) => ({ ...(html && { html }), latex, fault }));
      const html = await formulaHtml(latex);
      if (isOver) return;
      if (html === undefined) setPreview({ latex, note: '现在没有预览，可以先插入' });
      else if (isFormulaHtml(html)) setPreview({ latex, html });
      else setPreview(({ html: before }) => ({ ...(before && { html: before }), latex, fault: unknownCommand }));
    };
    const timer = setTimeout(show, previewDelay);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text]);
  return preview;
}
