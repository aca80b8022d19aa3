/** The dialog that reports a mistake in a question of the public bank. */
import { correctQuestion } from '#server/questions/contract.ts';
import { correctionLimit, correctionTypes } from '#server/questions/rules.ts';
import { readForm } from '../lib/form-data.ts';
import { takeForm } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/correction';
import { questionDetail, reportMistake } from './screens.ts';
import { correctionTypeNames } from './terms.ts';

export const meta: Route.MetaFunction = () => titled('题目纠错');

export function loader({ url }: Route.LoaderArgs) {
  return { id: questionDetail.at(url).id, ...reportMistake.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, reportMistake.behind(url), (client, idempotencyKey, form) =>
    client.ask(correctQuestion, {
      body: { ...readForm(correctQuestion, form), ques_id: questionDetail.at(url).id },
      idempotencyKey,
    }),
  );

const { AreaField, DialogForm, RadioField } = formOf<typeof correctQuestion>();

export default function CorrectQuestion({
  loaderData: { id, closeHref, idempotencyKey },
  actionData,
}: Route.ComponentProps) {
  return (
    <Dialog title="题目纠错" closeHref={closeHref} width={520}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        submit="提交"
        noValidate
        draft={`question error ${id}`}
      >
        <RadioField
          name="type"
          label="纠错类型"
          withAsterisk
          choices={correctionTypes.map((type) => [type, correctionTypeNames[type]] as const)}
        />
        <AreaField
          name="error_msg"
          label="纠错内容"
          withAsterisk
          limit={correctionLimit}
          rows={6}
          maxLength={correctionLimit}
        />
      </DialogForm>
    </Dialog>
  );
}
