/** Equal answers to a question, as a dialog over the desk: whose they are first, then one mark for all of them. */
import { Input } from '@mantine/core';
import { useState } from 'react';
import type { storeSame } from '#server/correction/homework.contract.ts';
import { commentLimit } from '#server/correction/rules.ts';
import { rateChoices } from '#server/homework/rules.ts';
import { shownScore } from '#server/platform/text/rules.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import { api } from '../api/client.server.ts';
import { orErrorPage } from '../api/outcome.server.ts';
import { idempotencyField, textOf } from '../lib/form-data.ts';
import { idPair, idPairOf } from '../lib/search.ts';
import { mustBeAllowed } from '../shell/allowed.server.ts';
import { done, pressed, refused, typedForm } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import { useField } from '../ui/form-state.ts';
import { KeypadInput } from '../ui/keypad.tsx';
import { controlClass } from '../ui/native-look.ts';
import type { Route } from './+types/same';
import { closedReason, type DeskQuestion, isRated } from './desk/desk.ts';
import { callsOf, openDesk } from './desk/desk-calls.server.ts';
import styles from './desk/desk-dialogs.module.css';
import { sameMark } from './screens.ts';
import { overFull } from './terms.ts';

export const meta: Route.MetaFunction = () => titled('批改相同的答案');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { screens, ...calls } = callsOf(url);
  const address = screens.desk.at(url);
  const opened = sameMark.opened(url);
  const desk = await openDesk({ context, url });
  const question = desk.questions.find(({ id }) => id === address.ques_id);
  const { data: answers } = orErrorPage(await calls.same(context.get(api), address));
  mustBeAllowed(context, question ? closedReason(desk) : { code: 404, msg: missingQuestion }, opened.closeHref);
  mustBeAllowed(context, answers.length === 0 ? '没有相同的答案' : undefined, opened.closeHref);
  return { answers, question, rated: isRated(desk), ...opened };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await typedForm(request, context);
  pressed(form, '');
  const { screens, ...calls } = callsOf(url);
  const address = screens.desk.at(url);
  const { report_id, class_id, ques_id } = address;
  const mark = {
    report_id,
    class_id,
    ques_id,
    version: Number(textOf(form, 'version')),
    user_score: textOf(form, 'user_score'),
    review_comment: textOf(form, 'review_comment'),
    answers: form.getAll('answer').flatMap((chosen) => {
      const [id, version = 0] = idPairOf(chosen) ?? [];
      return id ? [{ report_id: id, version }] : [];
    }),
  };
  const outcome = await calls.gradeSame(context.get(api), mark, idempotencyField(form));
  if (!outcome.ok) return refused(outcome, form);
  const { batch_id: batch, count } = outcome.data;
  return done(context, `已为 ${count} 份相同的答案评分`, screens.desk.href({ ...address, batch }));
}

const { AreaField, DialogForm, SelectField } = formOf<typeof storeSame>();

export default function Same({ loaderData, actionData }: Route.ComponentProps) {
  const { answers, question, rated, closeHref, idempotencyKey } = loaderData;
  const [cut, setCut] = useState<'unseen' | 'seen'>();
  const full = question?.ques_score ?? 0;
  const error = cut ? overFull(full) : actionData?.errors?.user_score?.[0];
  return (
    <Dialog title="批改相同的答案" closeHref={closeHref} width={560}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ user_score: question?.user_score, review_comment: question?.review_comment }}
        submit="一并评分"
        disabled={answers.length === 0}
        noValidate
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
              <input type="checkbox" name="answer" value={idPair(report_id, version)} defaultChecked /> {nickname}
              {class_name && <small>{class_name}</small>}
            </label>
          ))}
          {answers.length === 0 && '没有相同的答案'}
        </fieldset>
        {rated ? (
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
        <AreaField name="review_comment" id="same_comment" label="评语" limit={commentLimit} rows={3} />
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
