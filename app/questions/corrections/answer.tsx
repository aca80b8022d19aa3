/** Answers whoever reported a question, or dismisses what they said. */
import { answerCorrection, showCorrection } from '#server/questions/corrections.contract.ts';
import { correctionFault, replyLimit } from '#server/questions/rules.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { takeForm } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { correctionAnswer, correctionDetail } from '../screens.ts';
import type { Route } from './+types/answer';

export const meta: Route.MetaFunction = () => titled('处理纠错');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, answerCorrection);
  const { id } = correctionDetail.at(url);
  const correction = await context.get(api).send(showCorrection, { params: { id } });
  mustBeAllowed(context, correctionFault({ outcome: correction.outcome, decided: correction.decided_by || '他人' }));
  return { correction, outcome: correctionAnswer.at(url).outcome, ...correctionAnswer.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, correctionAnswer.behind(url), (client, idempotencyKey, form) =>
    client.ask(answerCorrection, {
      params: { id: correctionDetail.at(url).id },
      body: { outcome: correctionAnswer.at(url).outcome, reply: textOf(form, 'reply') },
      idempotencyKey,
    }),
  );

const { AreaField, DialogForm } = formOf<typeof answerCorrection>();

export default function AnswerCorrection({ loaderData, actionData }: Route.ComponentProps) {
  const { correction, outcome, closeHref, idempotencyKey } = loaderData;
  const verb = outcome === 2 ? '回复' : '驳回';
  return (
    <Dialog title={`${verb}纠错`} closeHref={closeHref} width={520}>
      <p data-written>
        {correction.reporter}：{correction.error_msg}
      </p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        submit={`确定${verb}`}
        tone={outcome === 2 ? 'primary' : 'danger'}
        draft={`correction reply ${correction.id}`}
        noValidate
      >
        <AreaField
          name="reply"
          label={outcome === 2 ? '回复内容' : '驳回说明（可不填）'}
          withAsterisk={outcome === 2}
          limit={replyLimit}
          rows={5}
          maxLength={replyLimit}
        />
      </DialogForm>
    </Dialog>
  );
}
