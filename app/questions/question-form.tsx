/**
 * Fields of a question of any type, without the form around them. Each operation is a submit button, to which the
 * server replies with the changed form. With client JS the same operations run in the browser (question-operations.ts).
 */

import { Alert } from '@mantine/core';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { QuestionDraft } from '#server/questions/rules.ts';
import { FormContext } from '../ui/form-state.ts';
import { readDraft } from './question-codec.ts';
import { QuestionFields } from './question-fields.tsx';
import styles from './question-form.work.module.css';
import type { QuestionFormContext } from './question-form-context.ts';
import { QuestionItems } from './question-items.tsx';
import {
  type Edit,
  type Operation,
  pendingTypeChange,
  type QuestionFormState,
  reduceQuestionForm,
} from './question-operations.ts';

interface QuestionFormProps {
  initial: QuestionFormState;
  /** Errors by path in the draft, as `checkQuestion` returns them. */
  errors: FieldErrors;
  /** Only with client JS: called after every change. */
  onChange?: (draft: QuestionDraft) => void;
  /** Paths of knowledge points, and own tags, to choose from. */
  points?: readonly string[] | undefined;
  tags?: readonly string[] | undefined;
}

export function QuestionForm({ initial, errors, onChange, points, tags }: QuestionFormProps) {
  const [{ draft, asking, message }, dispatch] = useReducer(reduceQuestionForm, initial);
  const [isEnhanced, setEnhanced] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const isChanged = useRef(false);
  const onChangeRef = useRef(onChange);

  // Takes over text that was typed before hydration. Done in a layout effect, so that nothing can be typed in between.
  useLayoutEffect(() => {
    const form = fields.current?.closest('form');
    if (form) {
      const typed = new FormData(form);
      const found = readDraft(typed);
      dispatch({ kind: 'replace', draft: found });
      const pending = pendingTypeChange(typed, found);
      if (pending) dispatch(pending);
    }
    setEnhanced(true);
  }, []);

  useEffect(() => {
    onChangeRef.current = onChange;
  });
  useEffect(() => {
    if (isChanged.current) onChangeRef.current?.(draft);
  }, [draft]);

  const act = (action: Operation | Edit) => {
    isChanged.current = true;
    dispatch(action);
    if (action.kind === 'move-up' || action.kind === 'move-down') {
      const to = action.index + (action.kind === 'move-up' ? -1 : 1);
      // The focus moves along with the moved part.
      requestAnimationFrame(() => document.getElementById(`${action.kind}-${to}`)?.focus());
    }
  };
  const context: QuestionFormContext = { asking, dispatch: isEnhanced ? act : undefined, points, tags };
  return (
    <div ref={fields} className={styles.form}>
      {message && <Alert>{message}</Alert>}
      <FormContext value={{ refused: { msg: '', errors: errorsByName(errors) }, values: {} }}>
        <QuestionFields question={draft} at="" context={context} />
        {draft.ques_type === 6 && <QuestionItems items={draft.ques_item} context={context} />}
      </FormContext>
    </div>
  );
}

/** Joins all messages of a field into one. The name of a field is its path, except for the select of question types. */
const errorsByName = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([path, messages]) => [path.replace(/ques_type$/, 'new_type'), [messages.join('；')]]),
  );
