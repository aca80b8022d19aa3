/** Equal answers as a dialog: whose they are first, then one mark for all of them. */

import { Input } from '@mantine/core';
import { useState } from 'react';
import type { SameAnswer } from '#server/correction/contract.ts';
import { rateChoices } from '#server/homework/rules.ts';
import { shownScore } from '#server/platform/text/rules.ts';
import { controlClass } from '../../ui/control.ts';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { AreaField, SelectField } from '../../ui/form-fields.tsx';
import { type Refused, useField } from '../../ui/form-state.ts';
import { KeypadInput } from '../../ui/keypad.tsx';
import { overFull } from '../terms.ts';
import type { DeskQuestion } from './desk.ts';
import styles from './desk-dialogs.module.css';

interface SamePageProps {
  answers: SameAnswer[];
  /** The one that the others are the same as. */
  question: DeskQuestion | undefined;
  isRated: boolean;
  closeHref: string;
  idempotencyKey: string;
  refused: Refused | undefined;
}

export function SamePage({ answers, question, isRated, closeHref, idempotencyKey, refused }: SamePageProps) {
  const [cut, setCut] = useState<'unseen' | 'seen'>();
  const full = question?.ques_score ?? 0;
  const error = cut ? overFull(full) : refused?.errors?.user_score?.[0];
  return (
    <Dialog title="批改相同的答案" closeHref={closeHref} width={560}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={refused}
        values={{ user_score: question?.user_score, review_comment: question?.review_comment }}
        submit="一并评分"
        disabled={answers.length === 0}
        noValidate
        className={styles.fields}
        draft={`${closeHref} same ${question?.id ?? ''}`}
        onSubmit={(event) => {
          // Whoever typed a number that was cut down looks up first: by Enter and by the button alike.
          if (cut !== 'unseen') return;
          event.preventDefault();
          setCut('seen');
        }}
      >
        <input type="hidden" name="version" value={question?.version ?? 0} />
        <p>以下 {answers.length} 名学员的答案与本份完全相同，评分将同时用于本份：</p>
        <fieldset className={styles.names} aria-label="学员" data-unkept>
          {answers.map(({ report_id, nickname, class_name, version }) => (
            <label key={report_id}>
              <input type="checkbox" name="answer" value={`${report_id}:${version}`} defaultChecked /> {nickname}
              {class_name && <small>{class_name}</small>}
            </label>
          ))}
          {answers.length === 0 && '没有相同的答案'}
        </fieldset>
        {isRated ? (
          <SelectField
            name="user_score"
            id="same_score"
            label="本题正确率"
            placeholder="请选择"
            choices={rateChoices.map((rate) => [rate, `${rate}%`] as const)}
          />
        ) : (
          <Input.Wrapper id="same_score" label="得分" error={error} errorProps={cut && { role: 'alert' }}>
            <ScoreField question={question} error={error} onCut={(isCut) => setCut(isCut ? 'unseen' : undefined)} />
          </Input.Wrapper>
        )}
        <AreaField name="review_comment" id="same_comment" label="评语" rows={3} />
      </DialogForm>
    </Dialog>
  );
}

interface ScoreFieldProps {
  question: DeskQuestion | undefined;
  error: string | undefined;
  /** A number above the full score was cut down to it, or another one typed since. */
  onCut: (isCut: boolean) => void;
}

function ScoreField({ question, error, onCut }: ScoreFieldProps) {
  return (
    <KeypadInput
      id="same_score"
      name="user_score"
      className={controlClass}
      defaultValue={useField('user_score').value ?? ''}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? 'same_score-error' : undefined}
      min={0}
      max={question?.ques_score}
      decimals={1}
      placeholder={question && `0 – ${shownScore(question.ques_score)}`}
      onValueChange={(_, isOver) => onCut(isOver)}
      onKeyDown={(event) => {
        // A held Enter sends nothing that the first one has only shown.
        if (event.key === 'Enter' && event.repeat) event.preventDefault();
      }}
    />
  );
}
