/** A reported mistake with its question and the decision about it. */
import { Alert, Button } from '@mantine/core';
import { showErrorReport, undoErrorReportAnswer } from '#server/questions/error-reports.contract.ts';
import { api } from '../../api/client.server.ts';
import { idempotencyField } from '../../lib/form-data.ts';
import { finishForm, readButton, readPostedForm } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Fact } from '../../ui/facts.tsx';
import { Moment, NearMoment } from '../../ui/moment.tsx';
import { RecordHeader } from '../../ui/record-header.tsx';
import { RichHtml } from '../../ui/rich-html.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Toolbar } from '../../ui/toolbar.tsx';
import { UndoLine } from '../../ui/undo-line.tsx';
import { QuestionView } from '../question-view.tsx';
import { errorReportAnswer, errorReportDetail, errorReportEdit, errorReportInbox } from '../screens.ts';
import { errorTypeNames, outcomeName, outcomeTone } from '../terms.ts';
import type { Route } from './+types/detail';

export const handle: ScreenHandle = {
  crumbs: [{ label: '题目纠错', href: errorReportInbox.href() }, { label: '纠错详情' }],
};

export const meta: Route.MetaFunction = () => titleMeta('纠错详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, showErrorReport);
  const { id } = errorReportDetail.at(url);
  const errorReport = await context.get(api).send(showErrorReport, { params: { id } });
  return { errorReport, here: errorReportDetail.href({ id }), idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [, id = ''] = readButton(form, 'undo');
  const outcome = await context
    .get(api)
    .ask(undoErrorReportAnswer, { params: { id }, idempotencyKey: idempotencyField(form) });
  return finishForm(context, outcome, errorReportDetail.href({ id: errorReportDetail.at(url).id }), form);
}

export default function ErrorReportDetail({ loaderData, actionData }: Route.ComponentProps) {
  const { errorReport, here, idempotencyKey } = loaderData;
  const { id, question, outcome } = errorReport;
  return (
    <Screen>
      {actionData && <Alert>{actionData.msg}</Alert>}
      {errorReport.undo_until !== null && (
        <UndoLine
          did={outcomeName(outcome)}
          until={errorReport.undo_until}
          id={id}
          action={here}
          idempotencyKey={idempotencyKey}
        />
      )}
      <RecordHeader
        title={
          <>
            {errorTypeNames[errorReport.type]} <Tag tone={outcomeTone(outcome)}>{outcomeName(outcome)}</Tag>
          </>
        }
        facts={
          <>
            <Fact term="提交人">{errorReport.reporter}</Fact>
            <Fact term="提交时间">
              <Moment at={errorReport.created_at} />
            </Fact>
            <Fact term="题目所有者">{errorReport.owner || '题目已删除'}</Fact>
            <Fact term="学校">{errorReport.school_name}</Fact>
            {errorReport.others > 0 && <Fact term="同一题目的其他纠错">{errorReport.others}条，更正后一起处理</Fact>}
            {errorReport.decided_by && (
              <Fact term="处理">
                {errorReport.decided_by} <NearMoment at={errorReport.decided_at ?? 0} />
              </Fact>
            )}
          </>
        }
      >
        <p data-written>{errorReport.error_msg}</p>
        {errorReport.reply && <p data-written>回复：{errorReport.reply}</p>}
      </RecordHeader>
      {outcome === null && (
        <Toolbar>
          {question && (
            <Button component="a" href={errorReportEdit.href({ id })}>
              更正题目
            </Button>
          )}
          <Button component="a" href={errorReportAnswer.href(here, { outcome: 2 })} variant="default">
            回复提交人
          </Button>
          <Button component="a" href={errorReportAnswer.href(here, { outcome: 3 })} variant="default">
            驳回
          </Button>
        </Toolbar>
      )}
      {errorReport.effect && <p>{errorReport.effect}。</p>}
      {question ? (
        <QuestionView question={question} />
      ) : (
        <p>
          题目已删除，提交时的题干：
          <RichHtml html={errorReport.preview} inline />
        </p>
      )}
    </Screen>
  );
}
