/** Page that corrects a question after a reported mistake. Published homework keeps its own version of the question. */
import { correctReportedQuestion, showErrorReport } from '#server/questions/error-reports.contract.ts';
import { errorReportFault, replyMessages } from '#server/questions/error-reports.rules.ts';
import { api } from '../../api/client.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requireAllowed, requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { draftOf } from '../question-codec.ts';
import { questionFormAction } from '../question-form-action.server.ts';
import { QuestionPage } from '../question-page.tsx';
import { errorReportDetail, errorReportEdit, errorReportInbox } from '../screens.ts';
import type { Route } from './+types/edit';

export const handle: ScreenHandle = {
  crumbs: [{ label: '题目纠错', href: errorReportInbox.href() }, { label: '更正题目' }],
};

export const meta: Route.MetaFunction = () => titleMeta('更正题目');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, correctReportedQuestion);
  const { id } = errorReportEdit.at(url);
  const errorReport = await context.get(api).send(showErrorReport, { params: { id } });
  const { question, outcome, decided_by, effect, seen, reporter, error_msg } = errorReport;
  requireAllowed(context, errorReportFault({ outcome, decided: decided_by || '他人' }));
  requireAllowed(context, question ? undefined : replyMessages.gone);
  return {
    id,
    // If the question no longer exists there is no draft to show, unless a form was posted.
    draft: question ? draftOf(question) : undefined,
    effect,
    seen,
    said: `${reporter}：${error_msg}`,
    idempotencyKey: crypto.randomUUID(),
  };
}

export function action(args: Route.ActionArgs) {
  const { id } = errorReportEdit.at(args.url);
  return questionFormAction(
    args,
    (client, draft, idempotencyKey, form) =>
      client.ask(correctReportedQuestion, {
        params: { id },
        body: { ...draft, seen: String(form.get('seen') ?? ''), acknowledged: String(form.get('acknowledged') ?? '') },
        idempotencyKey,
      }),
    errorReportDetail.href({ id }),
  );
}

export default function CorrectQuestion({ loaderData, actionData }: Route.ComponentProps) {
  const { id, draft, effect, seen, said, idempotencyKey } = loaderData;
  const shown = draft ?? actionData?.state.draft;
  if (!shown) return null;
  return (
    <QuestionPage
      title="更正题目"
      draft={shown}
      idempotencyKey={idempotencyKey}
      answer={actionData}
      draftName={`correction ${id}`}
      backHref={errorReportDetail.href({ id })}
      hidden={{ seen, acknowledged: effect }}
      note={
        <>
          <p data-written>{said}</p>
          {effect && (
            <p>
              <strong>{effect}。</strong>
            </p>
          )}
        </>
      }
    />
  );
}
