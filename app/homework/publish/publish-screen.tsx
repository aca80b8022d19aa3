import { Button } from '@mantine/core';
import type { publishHomework } from '#server/homework/publication.contract.ts';
import { lessonFault, lessonHomeworkFault } from '#server/homework/rules.ts';
import type { Messages } from '../../ui/client/form-messages.ts';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { usePerson } from '../../ui/use-school.ts';
import { PublishFields } from './fields.tsx';
import { type PublishForm, scoredTypes } from './form.ts';
import { confirmedField, packedFormField } from './form-data.ts';
import { LocalDraftOffer } from './local-draft.tsx';
import { BatchPanel, PublishPanel, RemovePanel } from './panels.tsx';
import styles from './publish.work.module.css';
import { QuestionTable } from './question-table.tsx';
import { PublishSummary } from './summary.tsx';
import { type PublishFormState, usePublishForm } from './use-publish-form.ts';
import { audienceKey, audienceOf, fieldFaultsOf, type PublishScreenProps, scopeFault } from './view.ts';

const { Form } = formOf<typeof publishHomework, 'class_choice'>();

/** Operation of the Enter key, by the open panel. */
const confirming = { remove: 'confirm-remove', batch: 'apply-batch', publish: 'confirm-publish' };

/**
 * The publish screen as one form. Every button submits it; with client JS the browser handles the buttons
 * (publish-form.island.tsx).
 */
export function PublishScreen(props: PublishScreenProps) {
  const { packedForm, links, publicBank, presets } = props;
  const { form, errors, state, choices, displays, hydrated, sending, localDraft, covered, onMove, formProps } =
    usePublishForm(props);
  const settings = usePerson()?.settings;
  const { refusal, notice, revision } = state;
  const noClasses = scopeFault(form, choices);
  // If homework cannot be published for the lesson, the reason is shown before anything is typed.
  const sessionFault = choices.session && (lessonHomeworkFault(settings) ?? lessonFault(choices.session));
  return (
    <main className={styles.page} inert={covered}>
      <h1 className="visually-hidden">布置作业</h1>
      {localDraft.offered && <LocalDraftOffer {...localDraft} />}
      {sessionFault && (
        <p className={styles.refusal} role="alert">
          {sessionFault}
        </p>
      )}
      {refusal && <RefusalSummary refusal={refusal} errors={errors} form={form} signIn={links.signIn} />}
      <Form
        action={links.form}
        noValidate
        // Passes only the field errors: the form has the typed values already, and the summary with the message is
        // above.
        refused={{
          msg: '',
          errors: noClasses ? { ...errors, publish_scope: [noClasses] } : errors,
        }}
        values={form}
        {...formProps}
      >
        {/* Enter in a field presses the first button of a form. This first button does not publish. */}
        <button
          type="submit"
          name="intent"
          value={form.panel ? confirming[form.panel.kind] : 'keep'}
          className={styles.first}
          tabIndex={-1}
          aria-hidden="true"
        >
          {form.panel ? '确定' : '更新'}
        </button>
        <input type="hidden" name={packedFormField} value={hydrated ? '' : packedForm} />
        <input type="hidden" name={confirmedField} value={audienceKey(audienceOf(form, choices))} />
        <div inert={covered || form.panel !== null}>
          <QuestionTable
            form={form}
            errors={errors}
            notice={notice}
            displays={displays}
            revision={revision}
            publicBank={publicBank}
            hydrated={hydrated}
            here={links.form}
            onMove={onMove}
          />
          <PublishFields key={revision} form={form} choices={choices} presets={presets} hydrated={hydrated} />
          <div className={styles.foot}>
            <PublishSummary form={form} choices={choices} />
            {localDraft.note && <span className={styles.draftNote}>{localDraft.note}</span>}
            <Button component="a" href={links.back} variant="default">
              返回
            </Button>
            <Submit intent="publish" disabled={sending}>
              {sending ? '提交中…' : '提交'}
            </Submit>
          </div>
        </div>
        {form.panel?.kind === 'remove' && <RemovePanel panel={form.panel} />}
        {form.panel?.kind === 'publish' && (
          <PublishPanel past={form.panel.past} form={form} choices={choices} sending={sending} />
        )}
        {form.panel?.kind === 'batch' && <BatchPanel panel={form.panel} types={scoredTypes(form)} />}
      </Form>
    </main>
  );
}

interface RefusalSummaryProps {
  refusal: NonNullable<PublishFormState['refusal']>;
  errors: Messages;
  form: PublishForm;
  signIn: string;
}

/** Error summary with links to the fields. The same error of several questions takes one line. */
function RefusalSummary({ refusal, errors, form, signIn }: RefusalSummaryProps) {
  const all = fieldFaultsOf(errors, form);
  const only = all.find(({ text }) => text === refusal.msg);
  const faults = all.filter((one) => one !== only);
  return (
    <div className={styles.refusal} role="alert" id="refusal" tabIndex={-1}>
      <p>
        {only ? <a href={`#${only.field}`}>{refusal.msg}</a> : refusal.msg}
        {refusal.signedOut && (
          <a href={signIn} className={styles.signIn}>
            重新登录
          </a>
        )}
      </p>
      {faults.length > 0 && (
        <ul>
          {faults.map(({ field, text }) => (
            <li key={field}>
              <a href={`#${field}`}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
