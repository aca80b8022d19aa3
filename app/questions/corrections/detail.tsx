/** A reported mistake with its question and the decision about it. */
import { Alert, Button } from '@mantine/core';
import { showCorrection, undoCorrection } from '#server/questions/corrections.contract.ts';
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
import { correctionAnswer, correctionDetail, correctionEdit, correctionInbox } from '../screens.ts';
import { correctionTypeNames, outcomeName, outcomeTone } from '../terms.ts';
import type { Route } from './+types/detail';

export const handle: ScreenHandle = {
  crumbs: [{ label: '题目纠错', href: correctionInbox.href() }, { label: '纠错详情' }],
};

export const meta: Route.MetaFunction = () => titleMeta('纠错详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, showCorrection);
  const { id } = correctionDetail.at(url);
  const correction = await context.get(api).send(showCorrection, { params: { id } });
  return { correction, here: correctionDetail.href({ id }), idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [, id = ''] = readButton(form, 'undo');
  const outcome = await context
    .get(api)
    .ask(undoCorrection, { params: { id }, idempotencyKey: idempotencyField(form) });
  return finishForm(context, outcome, correctionDetail.href({ id: correctionDetail.at(url).id }), form);
}

export default function CorrectionDetail({ loaderData, actionData }: Route.ComponentProps) {
  const { correction, here, idempotencyKey } = loaderData;
  const { id, question, outcome } = correction;
  return (
    <Screen>
      {actionData && <Alert>{actionData.msg}</Alert>}
      {correction.undo_until !== null && (
        <UndoLine
          did={outcomeName(outcome)}
          until={correction.undo_until}
          id={id}
          action={here}
          idempotencyKey={idempotencyKey}
        />
      )}
      <RecordHeader
        title={
          <>
            {correctionTypeNames[correction.type]} <Tag tone={outcomeTone(outcome)}>{outcomeName(outcome)}</Tag>
          </>
        }
        facts={
          <>
            <Fact term="提交人">{correction.reporter}</Fact>
            <Fact term="提交时间">
              <Moment at={correction.created_at} />
            </Fact>
            <Fact term="题目所有者">{correction.owner || '题目已删除'}</Fact>
            <Fact term="学校">{correction.school_name}</Fact>
            {correction.others > 0 && <Fact term="同一题目的其他纠错">{correction.others}条，更正后一起处理</Fact>}
            {correction.decided_by && (
              <Fact term="处理">
                {correction.decided_by} <NearMoment at={correction.decided_at ?? 0} />
              </Fact>
            )}
          </>
        }
      >
        <p data-written>{correction.error_msg}</p>
        {correction.reply && <p data-written>回复：{correction.reply}</p>}
      </RecordHeader>
      {outcome === null && (
        <Toolbar>
          {question && (
            <Button component="a" href={correctionEdit.href({ id })}>
              更正题目
            </Button>
          )}
          <Button component="a" href={correctionAnswer.href(here, { outcome: 2 })} variant="default">
            回复提交人
          </Button>
          <Button component="a" href={correctionAnswer.href(here, { outcome: 3 })} variant="default">
            驳回
          </Button>
        </Toolbar>
      )}
      {correction.effect && <p>{correction.effect}。</p>}
      {question ? (
        <QuestionView question={question} />
      ) : (
        <p>
          题目已删除，提交时的题干：
          <RichHtml html={correction.preview} inline />
        </p>
      )}
    </Screen>
  );
}
