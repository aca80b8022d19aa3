/** Form that adds or edits a question. It works without client JS, which only saves requests. */
import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { checkQuestion, draftMessages, normaliseDraft, type QuestionDraft } from '#server/questions/rules.ts';
import { askBeforeLeaving } from '../lib/leave-warning.ts';
import type { Fields } from '../ui/client/drafts/keep-form.ts';
import { messagesOf } from '../ui/client/form-messages.ts';
import { Draft } from '../ui/draft.tsx';
import { Form, Submit } from '../ui/form.tsx';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import { displayAddress } from './formulas.ts';
import { fieldLabel, readDraft } from './question-codec.ts';
import { QuestionForm } from './question-form.tsx';
import styles from './question-form.work.module.css';
import type { QuestionFormAnswer } from './question-form-action.server.ts';
import { operationValue, readOperation } from './question-operations.ts';
import { QuestionView } from './question-view.tsx';
import { renderTexts } from './render-texts.ts';
import { type RenderedQuestion, renderDraft, textsOf } from './rendered-question.ts';

export interface QuestionEditorProps {
  draft: QuestionDraft;
  idempotencyKey: string;
  /** Result of the posted form; undefined before. */
  answer: QuestionFormAnswer | undefined;
  /** Name under which the browser keeps a draft, such as `question 12`. */
  draftName: string;
  /** Address of the list to return to. */
  backHref: string;
  /** Values of hidden fields. A refusal may return other values for them. */
  hidden?: Readonly<Record<string, string>>;
  /** Paths of knowledge points, and own tags, to choose from, if the draft has such a field. */
  points?: readonly string[];
  tags?: readonly string[];
}

export function QuestionEditor(props: QuestionEditorProps) {
  const { draft, idempotencyKey, answer, draftName, backHref, hidden = {}, points, tags } = props;
  const form = useForm<QuestionDraft>({
    mode: 'uncontrolled',
    initialValues: answer?.state.draft ?? draft,
    initialErrors: answer?.errors ?? {},
    clearInputErrorOnChange: false,
    validate: (written) => checkQuestion(normaliseDraft(written)),
  });
  const errors = messagesOf(form.errors);
  const [message, setMessage] = useState(answer?.msg);
  const [preview, setPreview] = useState<RenderedQuestion | undefined>(answer?.preview);
  const summary = useRef<HTMLDivElement>(null);
  const unsaved = useUnsavedWarning();

  const [restored, setRestored] = useState<{ draft: QuestionDraft }>();
  const restore = (fields: Fields) => {
    const kept = new FormData();
    for (const [name, value] of fields) kept.append(name, value);
    setRestored({ draft: readDraft(kept) });
    unsaved.begin();
  };

  // Only with client JS: validates before the request, and shows the preview on the same page.
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    const submitter = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    const sent = new FormData(event.currentTarget);
    if (submitter?.name) sent.set(submitter.name, submitter.value);
    const operation = readOperation(sent);
    const typed = readDraft(sent);
    if (operation.kind === 'preview') {
      event.preventDefault();
      const shown = await renderTexts(displayAddress, textsOf(typed));
      if (shown) setPreview(renderDraft(typed, shown));
      else setMessage('预览失败，请稍后再试');
      requestAnimationFrame(() => document.getElementById('preview')?.scrollIntoView());
      return;
    }
    form.setValues(typed);
    if (operation.kind === 'save' && form.validate().hasErrors) {
      event.preventDefault();
      setMessage(draftMessages.incomplete);
      requestAnimationFrame(() => summary.current?.focus());
      return;
    }
    unsaved.over();
  };

  // Removes the errors of fields that have become valid.
  const change = (changed: QuestionDraft) => {
    unsaved.begin();
    form.setValues(changed);
    const found = checkQuestion(normaliseDraft(changed));
    const left = Object.entries(errors).filter(([path]) => found[path]);
    form.setErrors(Object.fromEntries(left));
    if (left.length === 0) setMessage(undefined);
  };

  const save = useRef<HTMLButtonElement>(null);
  const saveByKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    event.preventDefault();
    event.currentTarget.requestSubmit(save.current);
  };

  return (
    <Form noValidate onSubmit={submit} onKeyDown={saveByKey} idempotencyKey={answer?.key ?? idempotencyKey}>
      {/* Enter in a field presses the form's first button, so the first one is a hidden button that saves. */}
      <button
        ref={save}
        type="submit"
        name="intent"
        value="save"
        className="visually-hidden"
        tabIndex={-1}
        aria-hidden="true"
      >
        保存
      </button>
      {message && (
        <div className={styles.summary} role="alert" ref={summary} tabIndex={-1}>
          <p>{message}</p>
          <ul>
            {Object.entries(errors).map(([path, messages]) => (
              <li key={path}>
                <a href={`#${path}`}>
                  {fieldLabel(path)}：{messages[0]}
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
      <HiddenFields fields={Object.entries({ ...hidden, ...answer?.hidden })} />
      <Draft name={draftName} restore={restore} />
      <QuestionForm
        key={restored ? 1 : 0}
        initial={restored ?? answer?.state ?? { draft }}
        errors={errors}
        onChange={change}
        points={points}
        tags={tags}
      />
      {preview && (
        <section className={styles.preview} id="preview" aria-label="预览">
          <h2>预览</h2>
          {JSON.stringify(preview).includes('math-source') && (
            <p role="alert">有公式的写法不对，按原文显示，请检查 $ 之间的 LaTeX</p>
          )}
          <QuestionView question={preview} />
        </section>
      )}
      <div className={styles.buttons}>
        <Button component="a" href={backHref} variant="default">
          返回
        </Button>
        <Submit intent={operationValue({ kind: 'preview' })} formAction="#preview" variant="default">
          预览
        </Submit>
        <Submit intent="save">保存</Submit>
      </div>
    </Form>
  );
}

function useUnsavedWarning() {
  const isUnsaved = useRef(false);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isUnsaved.current) askBeforeLeaving(event);
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
  return {
    begin: () => {
      isUnsaved.current = true;
    },
    over: () => {
      isUnsaved.current = false;
    },
  };
}
